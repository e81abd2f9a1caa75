"""The core runs without its features: each is a folder and one line, and nothing else names it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

from tafelrunde.api.features import ALL, api_of, operations, problem_kinds
from tafelrunde.api.problem_types import KINDS
from tafelrunde.api.routes import CORE
from tafelrunde.domain.match import MatchId
from tafelrunde.service.features import FOLDERS
from tafelrunde.service.features.registry import FEATURES, without
from tafelrunde.workers.cli import app
from tafelrunde.workers.cli.features import commands_of
from tests.support.copies import BEING_WRITTEN
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.table import opened

LEFT_OUT = [pytest.param((name,), id=name) for name in FOLDERS] + [pytest.param(FOLDERS, id="all")]
LAYERS = {each: each for each in ("domain", "service", "api", "audit", "workers")} | {"client": "openapi/client"}
OF_SEVERAL = {"export-all": {"records", "transparency"}, "verify": {"records", "transparency"}}
"""Commands that are made of several features."""
FOLDERS_OF = ("service/features", "api/features", "workers/cli/features")
"""Where a feature may have a folder of its name."""
IMPORT_ALL = """
import importlib, pkgutil
for layer in ("service", "api", "workers.cli"):
    package = importlib.import_module(f"tafelrunde.{layer}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
from tafelrunde.api.app import create_app
from tafelrunde.service.application import Application
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import Settings
create_app(application=Application(memory_stores(), Settings()))
from typer.main import get_command
from typer.testing import CliRunner
from tafelrunde.workers.cli import app
names = [*get_command(app).commands]
helped = CliRunner().invoke(app, ["--help"])
assert helped.exit_code == 0 and all(name in helped.stdout for name in names), helped.stdout
print(*names)
"""
IN_EACH = f"""
import os, sys
{IMPORT_ALL}
for name in [name for name in sys.modules if name.partition(".")[0] == "tafelrunde"]:
    del sys.modules[name]
for copy in sys.argv[1:]:
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        sys.path[0] = copy
        importlib.invalidate_caches()
        print(copy, end=" ")
        exec({IMPORT_ALL!r})
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
"""
"""Imports everything in each of some copies; what they have from other packages is read once. A copy that breaks says nothing."""


@pytest.mark.anyio
@pytest.mark.parametrize("names", LEFT_OUT)
async def test_match_is_played_without_a_feature(names: tuple[str, ...]) -> None:
    """Matches are opened, played, streamed, listed and replayed; the contract lacks the operations of what is not there."""
    features = without(*names)
    async with opened(features=features) as table:
        (_, one), (_, other) = await table.player("Anna"), await table.player("Bert")
        match = await table.begin(one, other)
        async with table.listen(f"/api/v1/matches/{match}/stream", token=one) as stream:
            assert (await stream.begin()).status == 200
            await stream.hear(b"duel")
        await table.finish(match, one, other)
        feed = (await table.get(f"/matches/{match}/feed", one)).json
        assert feed["items"]
        await table.project(match)
        bots = (await table.get(f"/matches/{match}")).json["bots"]
        assert bool(bots) is ("bots" in {each.name for each in features})
        assert [each["match"] for each in (await table.get("/me/matches", one)).json["items"]] == [match]
        replayed = await table.application.repository.load_latest(MatchId(match))
        assert replayed.match.status.finished
        document = (await table.get("/openapi.json")).json
        served = {found["operationId"] for methods in document["paths"].values() for found in methods.values()}
        assert served == {each.name for each in operations([each.name for each in features])}
        assert served >= {each.name for each in CORE}


@pytest.mark.anyio
async def test_problems_of_a_feature_leave_with_it() -> None:
    """A problem belongs to the core or to one feature, and has a page where that is attached."""
    owned = [name for each in ALL for name in api_of(each).problems]
    assert sorted([*KINDS, *owned]) == sorted(problem_kinds())
    async with opened(features=without(*FOLDERS)) as table:
        assert {(await table.ask("GET", f"/problems/{name}")).status for name in owned} == {404}
        assert {(await table.ask("GET", f"/problems/{name}")).status for name in KINDS} == {200}


def test_feature_needs_those_that_stand_before_it() -> None:
    """A feature is attached after those that it is made of."""
    for number, feature in enumerate(FEATURES):
        assert {*feature.needs} <= {*FOLDERS[:number]}


def test_no_import_is_broken_by_a_deleted_feature(tmp_path: Path) -> None:
    """The folders of a feature and of those that need it are deleted with their lines; only they and their commands are gone."""
    kept = {path: tuple(each.name for each in without(*names)) for path, names in _copies(tmp_path).items()}
    for path, names in kept.items():
        _copy(path, names)
    done = subprocess.run(
        [sys.executable, "-c", IN_EACH, *kept],
        cwd=next(iter(kept)),
        env={"PYTHONPATH": ""},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    said = {path: {*commands} for path, *commands in map(str.split, done.stdout.splitlines()[1:])}
    assert said.keys() == kept.keys(), done.stderr
    for path, names in kept.items():
        gone = {command for name in FOLDERS if name not in names for command in _commands(name)}
        gone |= {command for command, needed in OF_SEVERAL.items() if not needed <= {*names}}
        assert said[path] == _names(app) - gone, path


def test_command_belongs_to_the_feature_that_it_is_made_of() -> None:
    """It is gone with that one; of several, with each of them. What the core can do alone belongs to none."""
    owned = {name: _commands(name) for name in FOLDERS}
    assert owned["records"] >= {"replay", "export"}
    assert owned["transparency"] >= {*OF_SEVERAL, "witness", "monitor", "judge", "accept-signing-key", "new-signing-key"}
    assert (owned["bots"], owned["talk"]) == ({"arena"}, {"reports"})
    assert _names(app).difference(*owned.values()) >= {"serve", "simulate", "backup", "openapi"}


def _commands(feature: str) -> set[str]:
    """Return the names of the commands that a feature adds."""
    own = typer.Typer(callback=lambda: None)
    for each in commands_of(feature).values():
        own.add_typer(each)
    return _names(own)


def _names(commands: typer.Typer) -> set[str]:
    return {*cast("TyperGroup", get_command(commands)).commands}


def _copies(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return where each copy is to be, and which features it is to lack."""
    return {str(folder / name): (name,) for name in FOLDERS} | {str(folder / "all"): FOLDERS}


def _copy(folder: str, kept: tuple[str, ...]) -> None:
    """Copy the product with some of the features."""
    package = Path(folder) / "tafelrunde"
    for layer, source in LAYERS.items():
        shutil.copytree(ROOT / source, package / layer, ignore=shutil.ignore_patterns(BEING_WRITTEN, "web"))
    for name in {*FOLDERS} - {*kept}:
        for folder_of in FOLDERS_OF:
            shutil.rmtree(package / folder_of / name, ignore_errors=True)
    listing = package / "service" / "features" / "__init__.py"
    lines, count = re.subn(r"FOLDERS: ([^=]+) = \([^)]*\)", rf"FOLDERS: \1 = {kept!r}", listing.read_text(encoding="utf-8"))
    assert count == 1
    listing.write_text(lines, encoding="utf-8")
