"""Each attack on fair dealing that the page names is carried out by a test, in the browser where that is possible."""

from __future__ import annotations

import re

import pytest

from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "fair-dealing.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## Eight attacks, and what finds them\n")[1].split("\n## ")[0]
ROWS = [row.strip("|").split(" | ") for row in SECTION.splitlines() if row.startswith("| ")][1:]
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
NOT_IN_A_BROWSER = {"a bot looks at hidden cards", "the record is forged, in any of its parts"}
"""Bots run on the server alone; forgeries are checked by the browser's own modules, in Node.js."""


def test_page_names_eight_attacks_with_what_is_still_trust() -> None:
    """No attack without what finds it, what is left to trust, and its tests."""
    assert len(ROWS) == 8
    assert all(len(row) == 4 and all(cell.strip() for cell in row) for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip())
def test_attack_is_carried_out_by_tests(row: list[str]) -> None:
    """They are there under these names, and one is of a browser where there can be one."""
    named = TEST.findall(row[3])
    assert named
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8"), (file, test)
    in_browser = any(file.startswith("tests/web/") for file, _ in named)
    assert in_browser is (row[0].strip() not in NOT_IN_A_BROWSER)
