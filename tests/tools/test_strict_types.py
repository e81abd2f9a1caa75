"""The judge of the web client's types: what it lets pass, and what it does not."""

from __future__ import annotations

from tests.support.paths import ROOT
from tools.strict_types import faults, unfinished

LOOSE = "web/table/table.js(3,4): error TS7006: Parameter 'ctx' implicitly has an 'any' type."
BEYOND = "web/core/words.js(1,2): error TS7006: Parameter 'text' implicitly has an 'any' type."
GENERAL = "error TS18003: No inputs were found."


def test_only_files_of_the_list_may_have_errors() -> None:
    """Errors of other files are named, and so are those that are of no file."""
    allowed = frozenset(("table/table.js",))
    assert [*faults(LOOSE, allowed)] == []
    assert [*faults(f"{LOOSE}\n{BEYOND}\n{GENERAL}\n", allowed)] == [BEYOND, GENERAL]


def test_list_may_only_shrink() -> None:
    """A file of it that has no errors must leave it."""
    (said,) = faults(LOOSE, frozenset(("table/table.js", "core/client.js")))
    assert said.startswith("core/client.js passes the strict check")


def test_list_names_files_that_there_are() -> None:
    """And none twice."""
    files = unfinished()
    assert {each for each in files if not (ROOT / "api" / "web" / each).is_file()} == set()
