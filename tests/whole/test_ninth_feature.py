"""A ninth feature is a folder and a line: the blocks of docs/tutorial-a-feature.md, added to a copy of the repository, work."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from tafelrunde.service.features import FOLDERS
from tafelrunde.workers.cli import app
from tests.support.copies import copied, passed, run, write
from tests.support.deleted import commands_left
from tests.support.paths import ROOT
from tools import tutorial

pytestmark = [pytest.mark.slow, pytest.mark.real, pytest.mark.xdist_group("ninth")]

PAGE = ROOT / "docs" / "tutorial-a-feature.md"
LISTING = "service/features/__init__.py"
KINDS = ("memory", "valkey")
OPERATIONS = {"listBookmarks", "setBookmark"}
SUITES = (
    "tests/api/features/bookmarks/test_bookmarks.py",
    "tests/service/features/bookmarks/test_bookmarks.py",
    "tests/service/test_features.py",
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository with the feature and its contract."""
    root = copied(tmp_path_factory.mktemp("ninth"))
    write(root, tutorial.files(PAGE))
    head, begun, rest = (root / LISTING).read_text(encoding="utf-8").partition("FOLDERS: tuple[str, ...] = (\n")
    names, end, tail = rest.partition(")\n")
    (root / LISTING).write_text(f"{head}{begun}{names}{tutorial.added(LISTING, PAGE)}{end}{tail}", encoding="utf-8")
    (root / "openapi" / "openapi.json").write_text(run(root, "tafelrunde.workers", "openapi"), encoding="utf-8")
    return root


def test_ninth_feature_is_attached_and_left_out_like_the_others(tree: Path) -> None:
    """The service runs with it and without it, in memory and on a server."""
    chosen = "(bookmarks or stand_before) and not (cluster or redis7 or redis8 or sentinels)"
    names = [name.rpartition("::")[2] for name in passed(tree, *SUITES, "-n0", "-k", chosen)]
    assert {*names} >= {
        "test_match_is_played_without_a_feature[bookmarks]",
        "test_feature_needs_those_that_stand_before_it",
        "test_finished_match_is_kept_for_some_days",
        *(f"test_old_bookmarks_are_deleted[{kind}]" for kind in KINDS),
    }


def test_no_import_is_broken_when_the_ninth_feature_is_deleted_again(tree: Path, tmp_path: Path) -> None:
    """Without its folders and its line, the command line is what it was before."""
    left = commands_left(tmp_path, {"with": (*FOLDERS, "bookmarks"), "without": FOLDERS}, tree)
    assert left["without"] == {*cast("TyperGroup", get_command(app)).commands}
    assert left["with"] - left["without"] == {"bookmarks"}


def test_command_line_has_the_command_of_the_ninth_feature(tree: Path) -> None:
    """With the others that operate a deployment; it is asked for nothing but a player."""
    assert "List the matches that a player keeps" in run(tree, "tafelrunde.workers", "bookmarks", "--help")
    assert "bookmarks" in run(tree, "tafelrunde.workers", "--help")


def test_contract_has_the_operations_of_the_ninth_feature(tree: Path) -> None:
    """With its tag, beside all others."""
    old, new = (json.loads((root / "openapi" / "openapi.json").read_bytes()) for root in (ROOT, tree))
    told = {found["operationId"]: found for methods in new["paths"].values() for found in methods.values()}
    assert told.keys() - {found["operationId"] for methods in old["paths"].values() for found in methods.values()} == OPERATIONS
    assert {tag for name in OPERATIONS for tag in told[name]["tags"]} == {"bookmarks"}
    assert "bookmarks" in {each["name"] for each in new["tags"]}


def test_code_of_the_page_is_in_the_style_of_the_house(tree: Path) -> None:
    """Nothing is unused, or sorted wrongly."""
    run(tree, "ruff", "check", "--no-cache", *tutorial.files(PAGE))
