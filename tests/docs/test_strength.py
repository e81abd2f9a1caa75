"""The page on strength: its figures are those of the bots of today, or it says of which tables they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import ladder
from bench.ladder import PAGE, STALE, TABLES, named, odds_of, outcomes_of, page, sections, stale, stamps_kept
from tafelrunde.domain.registry import GAMES

COMMAND = "LADDER_DEALS=0 make ladder"


def test_page_says_which_figures_are_of_bots_of_before() -> None:
    """A bot that plays differently is measured again, or the page says that it was not."""
    text = PAGE.read_text("utf-8")
    said = {name for name in sections() if f"{STALE} `LADDER_TABLES={name} " in text}
    assert said == {*stale(stamps_kept())}, (
        f"`LADDER_TABLES=... make ladder` measures them, `{COMMAND}` says that it is to be done"
    )


def test_page_names_every_table_that_was_not_measured() -> None:
    """Every game with every number of seats has a section, or is listed as missing."""
    text = PAGE.read_text("utf-8")
    wanted = {named((game.id, seats)) for game in GAMES.values() for seats in range(game.min_seats, game.max_seats + 1)}
    tables = {named(table) for table in TABLES}
    assert tables <= wanted
    assert {name for name in tables if f"`{name}`" in text.partition("\n## ")[0]} == tables - sections().keys()
    assert sections().keys() == stamps_kept().keys()


def test_page_stays_as_it_is_when_nothing_is_measured() -> None:
    """But for its date: written again, no line comes or goes."""
    written = page(sections(), stamps_kept())
    assert written.partition("\n## ")[2] == PAGE.read_text("utf-8").partition("\n## ")[2]


def test_outcomes_of_bots_of_before_are_not_taken_for_those_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run goes on with what the same bots have played, and starts from nothing for others."""
    before = outcomes_of(tmp_path, ("coup", 2))
    assert outcomes_of(tmp_path, ("coup", 2)) == before
    monkeypatch.setattr(ladder, "stamp_of", lambda *_: "another")
    assert outcomes_of(tmp_path, ("coup", 2)) != before


@pytest.mark.parametrize(("share", "fair", "odds"), [(0.6, 0.5, 1.5), (3 / 7, 1 / 3, 1.5), (0.25, 0.25, 1.0)])
def test_odds_compare_tables_of_any_size(share: float, fair: float, odds: float) -> None:
    """Fair odds are one, whatever the number of seats."""
    assert odds_of(share, fair) == pytest.approx(odds)
