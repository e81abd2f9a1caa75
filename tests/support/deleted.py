"""What is left of the command line without the folders of some features: all is imported in copies of the product."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.copies import BEING_WRITTEN
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS

LISTING = Path("service", "features", "__init__.py")
FOLDERS_OF = ("service/features", "api/features", "workers/cli/features")
"""Where a feature may have a folder of its name."""
LAYERS = {each: each for each in ("domain", "audit")} | {"client": "openapi/client"}
"""The layers that are the same in every copy."""

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
import gc, os, sys
gc.disable()
{IMPORT_ALL}
for name in [name for name in sys.modules if name.startswith("tafelrunde") and not name.startswith("tafelrunde.domain")]:
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
"""Imports everything in each of some copies; other packages and the rules are read once. A copy that breaks says nothing."""


def commands_left(folder: Path, copies: Mapping[str, tuple[str, ...]], root: Path = ROOT) -> dict[str, set[str]]:
    """Make copies, each with the features that it keeps; return their commands. One that breaks fails, and says where."""
    for name, kept in copies.items():
        _copy(folder / name / "tafelrunde", kept, root)
    done = subprocess.run(
        [sys.executable, "-c", IN_EACH, *(str(folder / name) for name in copies)],
        cwd=folder / next(iter(copies)),
        env={"PYTHONPATH": ""},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    said = {Path(path).name: {*commands} for path, *commands in map(str.split, done.stdout.splitlines()[1:])}
    assert said.keys() == copies.keys(), done.stderr
    return said


def _copy(package: Path, kept: tuple[str, ...], root: Path) -> None:
    """Make a product with some of the features, of links to what is as it was; only the list of features is another."""
    package.mkdir(parents=True)
    for layer, source in LAYERS.items():
        (package / layer).symlink_to(root / source)
    for layer in ("service", "api", "workers"):
        _link(package, layer, kept, root)
    listing = package / LISTING
    text = listing.read_text(encoding="utf-8")
    lines, count = re.subn(r"FOLDERS: ([^=]+) = \([^)]*\)", rf"FOLDERS: \1 = {kept!r}", text)
    assert count == 1
    listing.unlink()
    listing.write_text(lines, encoding="utf-8")


def _link(package: Path, path: str, kept: tuple[str, ...], root: Path) -> None:
    """Make a folder with links to what is in it, but for the folders of features that are not kept."""
    (package / path).mkdir()
    for source in sorted((root / path).iterdir()):
        inner = f"{path}/{source.name}"
        if any(f"{each}/".startswith(f"{inner}/") for each in FOLDERS_OF):
            _link(package, inner, kept, root)
        elif inner == f"{LISTING.parent.as_posix()}/__pycache__":  # Python writes there what the other list is compiled into
            shutil.copytree(source, package / inner, ignore=shutil.ignore_patterns(BEING_WRITTEN))
        elif path not in FOLDERS_OF or source.name in {*kept, "__pycache__"} or source.is_file():
            (package / inner).symlink_to(source)
