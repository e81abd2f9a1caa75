"""The core runs without its features: each is a folder and one line, and nothing else names it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tafelrunde.api.features import ALL, api_of, operations, problem_kinds
from tafelrunde.api.problem_types import KINDS
from tafelrunde.api.routes import CORE
from tafelrunde.domain.match import MatchId
from tafelrunde.service.features.registry import FEATURES, FOLDERS, without
from tests.support.copies import BEING_WRITTEN
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.table import opened

LEFT_OUT = [pytest.param((name,), id=name) for name in FOLDERS] + [pytest.param(FOLDERS, id="all")]
LAYERS = {"domain": "domain", "service": "service", "api": "api", "workers": "workers", "client": "openapi/client"}
IMPORT_ALL = """
import importlib, pkgutil
for layer in ("service", "api"):
    package = importlib.import_module(f"tafelrunde.{layer}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
from tafelrunde.api.app import create_app
from tafelrunde.service.application import Application
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import Settings
create_app(application=Application(memory_stores(), Settings()))
from typer.main import get_command
from tafelrunde.workers.cli import app
print(*get_command(app).commands)
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
COMMANDS_OF = {
    "arena": {"bots"},
    "accept-signing-key": {"transparency"},
    "monitor": {"transparency"},
    "witness": {"transparency"},
    "replay": {"records"},
    "reports": {"talk"},
    "export": {"records"},
    "export-all": {"records", "transparency"},
    "verify": {"records", "transparency"},
    "simulate": set[str](),
}
"""Commands of the command line, and the features that they are made of."""


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
        assert said[path] & COMMANDS_OF.keys() == {name for name, needed in COMMANDS_OF.items() if needed <= {*names}}, path


def _copies(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return where each copy is to be, and which features it is to lack."""
    return {str(folder / name): (name,) for name in FOLDERS} | {str(folder / "all"): FOLDERS}


def _copy(folder: str, kept: tuple[str, ...]) -> None:
    """Copy the product with some of the features."""
    package = Path(folder) / "tafelrunde"
    for layer, source in LAYERS.items():
        shutil.copytree(ROOT / source, package / layer, ignore=shutil.ignore_patterns(BEING_WRITTEN, "web"))
    for name in {*FOLDERS} - {*kept}:
        for layer in ("service", "api"):
            shutil.rmtree(package / layer / "features" / name, ignore_errors=True)
    listing = package / "service" / "features" / "registry.py"
    lines, count = re.subn(r"FOLDERS: ([^=]+) = \([^)]*\)", rf"FOLDERS: \1 = {kept!r}", listing.read_text(encoding="utf-8"))
    assert count == 1
    listing.write_text(lines, encoding="utf-8")
