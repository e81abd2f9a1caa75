"""`make quick` finds what a change touches: its tests by layout and by imports, and the types that it can break."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tafelrunde.service.features import FOLDERS
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tools.quick import ALSO, ALWAYS, CHECKED, Sources, changes, mirror, nearest, related, typed

TREE = {
    "service/__init__.py": "",
    "service/clocks/__init__.py": "",
    "service/clocks/sand.py": "GRAINS = 3",
    "service/clocks/water.py": "from .sand import GRAINS",
    "service/redis_store/events.py": "",
    "openapi/client/calls.py": "",
    "tests/support/kit.py": "from tafelrunde.service.clocks import sand",
    "tests/service/clocks/test_sand.py": "from tafelrunde.service.clocks.sand import GRAINS",
    "tests/service/clocks/test_water_drops.py": "import tafelrunde.service.clocks.water",
    "tests/service/clocks/test_water.py": "",
    "tests/service/ports/test_events.py": "",
    "tests/service/test_clock.py": "from tests.support.kit import sand",
    "tests/whole/test_all.py": "from tafelrunde.service.clocks.sand import GRAINS",
    "tests/client/test_client.py": "from tafelrunde.client.calls import Call",
    "tests/test_layers.py": "",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small tree with the layout of the repository."""
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def git(root: Path, *words: str) -> None:
    """Run git in a tree, as someone."""
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", *words],
        cwd=root,
        check=True,
        capture_output=True,
    )


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("domain/coup/rules.py", "tests/games/coup"),
        ("domain/match/decide.py", "tests/domain/match"),
        ("domain/game.py", "tests/domain"),
        ("service/features/inbox/duty.py", "tests/service/features/inbox"),
        ("service/redis_store/scripts/append.lua", "tests/service/redis_store"),
        ("api/web/table/table.js", "tests/web"),
        ("api/http/sse.py", "tests/api/http"),
        ("openapi/client/calls.py", "tests/client"),
        ("openapi/openapi.json", "tests/api/contract"),
        ("workers/cli/features/records/replay.py", "tests/workers/cli/features/records"),
        ("docs/decisions/0001-import-namespace.md", "tests/docs"),
        ("README.md", "tests/docs"),
        ("Makefile", "tests"),
    ],
)
def test_mirror_is_the_folder_of_the_tests(path: str, folder: str) -> None:
    """The tests of a file lie where the layout says."""
    assert (ROOT / path).is_file()
    assert mirror(path) == folder


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("service/clocks/sand.py", ["tests/service/clocks/test_sand.py"]),
        ("service/clocks/water.py", ["tests/service/clocks/test_water.py"]),
        ("service/clocks/gone.py", [f"tests/service/clocks/test_{each}.py" for each in ("sand", "water", "water_drops")]),
        ("tests/whole/test_all.py", ["tests/whole/test_all.py"]),
        ("tests/whole/test_gone.py", []),
        ("Makefile", []),
    ],
)
def test_nearest_tests_have_the_name_of_the_module(tree: Path, path: str, expected: list[str]) -> None:
    """A test named like the module is nearest; where there is none, all of its folder are, but never all of tests/."""
    assert nearest(path, tree) == expected


def test_tests_follow_by_imports_when_a_module_changes(tree: Path) -> None:
    """Behind the nearest tests come those that import the module, also through tests/support, but no slow ones."""
    found = related(["service/clocks/sand.py"], Sources(tree))
    assert found == ["tests/service/clocks/test_sand.py", *ALWAYS, "tests/service/test_clock.py"]
    assert related(["openapi/client/calls.py"], Sources(tree))[0] == "tests/client/test_client.py"


def test_changed_test_is_run_first(tree: Path) -> None:
    """What was just written is what its author waits for, slow or not."""
    found = related(["service/clocks/sand.py", "tests/whole/test_all.py"], Sources(tree))
    assert found[:2] == ["tests/whole/test_all.py", "tests/service/clocks/test_sand.py"]


def test_suite_of_the_stores_is_run_when_a_store_changes(tree: Path) -> None:
    """Both stores pass the suite of the protocols, wherever it lies."""
    assert "tests/service/ports" in related(["service/redis_store/events.py"], Sources(tree))
    assert all((ROOT / folder).is_dir() and (ROOT / suite).is_dir() for folder, suite in ALSO.items())


def test_types_are_checked_where_a_changed_module_is_imported(tree: Path) -> None:
    """A new signature breaks its callers: their types are checked as well."""
    assert set(typed(["service/clocks/sand.py", "README.md", "service/gone.py"], Sources(tree))) == {
        "service/clocks/sand.py",
        "service/clocks/water.py",
        "tests/support/kit.py",
        "tests/service/clocks/test_sand.py",
        "tests/whole/test_all.py",
    }


def test_changes_are_those_since_main_was_left(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits of the branch, edits and new files count together; on a clean main it is the last commit."""
    for name in [each for each in os.environ if each.startswith("GIT_")]:
        monkeypatch.delenv(name)  # in a hook of git they lead to the repository itself
    git(tree, "init", "--quiet", "--initial-branch=main")
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "--message=one")
    (tree / "on_main.py").touch()
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "--message=two")
    assert changes(root=tree) == ["on_main.py"]
    git(tree, "checkout", "--quiet", "-b", "mine")
    (tree / "committed.py").touch()
    git(tree, "add", ".")
    git(tree, "commit", "--quiet", "--message=three")
    (tree / "service/__init__.py").write_text("x = 1", encoding="utf-8")
    (tree / "new.py").touch()
    assert changes(root=tree) == ["committed.py", "new.py", "service/__init__.py"]
    assert changes("HEAD", root=tree) == ["new.py", "service/__init__.py"]


def test_change_of_a_feature_selects_its_tests_in_all_layers() -> None:
    """What its service does shows in its operations; each feature has tests of these."""
    sources = Sources()
    lacking: list[str] = []
    for feature in sorted(path.parent.name for path in (ROOT / "api/features").glob("*/feature.py")):
        chosen = related([f"service/features/{feature}/feature.py"], sources)
        lacking += [] if any(path.startswith(f"tests/api/features/{feature}/") for path in chosen) else [feature]
    assert lacking == []


@pytest.mark.slow
def test_fault_in_an_endpoint_of_each_feature_is_found_by_the_nearest_tests() -> None:
    """Whichever feature is broken, `make quick` begins with a test that fails."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.broken_endpoints"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert {feature: found.get(feature) for feature in FOLDERS if found.get(feature) is None} == {}


@pytest.mark.parametrize(("body", "passed"), [("pass", True), ("assert False", False)])
def test_run_is_not_finished_when_its_time_is_up(tmp_path: Path, body: str, passed: bool) -> None:
    """It says how many of the chosen tests have ended, and never that they passed; one that failed before is a failure."""
    file = tmp_path / "test_some.py"
    file.write_text(
        f"import time\n\ndef test_one():\n    time.sleep(0.2)\n    {body}\n\ndef test_two():\n    pass\n", encoding="utf-8"
    )
    code = (
        "import sys; from tools.quick import Unfinished, run_tests\n"
        f"try: sys.exit(0 if run_tests([{str(file)!r}], 0.1) else 7)\n"
        "except Unfinished as end: sys.exit(f'Not finished: {end}')"
    )
    # No settings leave the other plugins out here, and each would be imported for nothing.
    plugins = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p xdist -p pytest_timeout"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **plugins},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == (1 if passed else 7), done.stdout + done.stderr
    assert ("Not finished: 1 of 2 tests" in done.stderr) is passed
    assert "2 passed" not in done.stdout


def test_everything_that_pyright_checks_is_looked_through() -> None:
    """The list of folders is that of the type checker's settings."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    included = text.partition("[tool.pyright]")[2].partition("include = [")[2].partition("]")[0]
    named = {each.strip('\n "') for each in included.split(",")} - {"", "setup.py"}
    assert {*CHECKED} == {(ROOT / each).resolve().relative_to(ROOT).as_posix() for each in named}
