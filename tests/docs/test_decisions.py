"""Every decision says the same five things, and the index lists them all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.generate_docs import DECISION, DOCS

FOLDER = DOCS / "decisions"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path.name != "index.md")
SECTIONS = ["Context", "Decision", "Alternatives", "Consequences"]
DATE = re.compile(r"20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
STATUS = re.compile(r"proposed|accepted|withdrawn|superseded by \d+")
SHORTEST = 40
"""Characters of a section: less says nothing."""


def complaints(name: str, text: str) -> list[str]:
    """Return what a page of a decision lacks."""
    head = DECISION.match(text)
    if head is None:
        return ["begins with number, title, status and date"]
    found = ["number is that of the file"] if int(name[:4]) != int(head["number"]) else []
    found += ["status"] if not STATUS.fullmatch(head["status"]) else []
    found += ["date"] if not DATE.fullmatch(head["date"]) else []
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)[1:]
    titles, bodies = parts[::2], parts[1::2]
    found += ["sections"] if titles != SECTIONS else []
    return found + [f"{title} is empty" for title, body in zip(titles, bodies, strict=True) if len(body.strip()) < SHORTEST]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_decision_has_status_date_and_sections(page: Path) -> None:
    """Status, date, context, decision, alternatives and consequences stand on every page, in this order."""
    assert complaints(page.name, page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("- Status: accepted\n", "", "begins with number, title, status and date"),
        ("- Date: 2026-11-21\n", "", "begins with number, title, status and date"),
        ("# 1.", "# 2.", "number is that of the file"),
        ("Status: accepted", "Status: good", "status"),
        ("2026-11-21", "2026-13-21", "date"),
        ("## Alternatives", "### Alternatives", "sections"),
        ("## Alternatives\n", "## Alternatives\nNone.\n## Consequences\n", "sections"),
    ],
)
def test_decision_is_refused_when_a_part_is_missing(old: str, new: str, expected: str) -> None:
    """The check sees what is planted."""
    text = PAGES[0].read_text(encoding="utf-8")
    assert old in text
    assert expected in complaints(PAGES[0].name, text.replace(old, new))


def test_number_of_a_decision_is_given_once() -> None:
    """A number names one decision."""
    numbers = [page.name[:4] for page in PAGES]
    assert len(set(numbers)) == len(numbers) >= 13


def test_index_lists_every_decision() -> None:
    """The table of the index links to each page."""
    text = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\((\d{4}-[a-z0-9-]+\.md)\)", text) == [page.name for page in PAGES]
