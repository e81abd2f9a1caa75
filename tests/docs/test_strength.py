"""The page on strength: its figures are those of the bots of today, or it says of which rows they are not."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from bench import ladder
from bench.ladder import measured, outcomes_of, rated_among
from bench.strength_page import (
    FIGURES,
    PAGE,
    STALE,
    Section,
    deals_and_share,
    figures,
    kept,
    named_rung,
    page,
    shown,
    stale,
    stamps_kept,
)
from bench.strength_tables import TABLES, LadderTable, Stamps, least_deals, stamps_today
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.bots.arena import run, tasks
from tafelrunde.service.features.bots.levels import LadderRow, odds_of
from tafelrunde.workers.cli.features.bots.arena_runner import rungs_of

COMMAND = "LADDER_DEALS=0 make ladder"
BY_NAME = {table.name: table for table in TABLES}
DUEL = LadderTable(GameId("matchmaster"), 2)
RUNG = ("honest", "random")
ROW = "| {} | {} | {} | 60.0% | 50.0% to 70.0% | 50.0% | 1.5 |"


def test_page_says_which_rows_are_of_bots_of_before() -> None:
    """A bot that plays differently is measured again, or the page says of which rows it was not."""
    parts = re.findall(r"^`([a-z0-9-]+)`, last measured.*?(?=^## |\Z)", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert parts == [name for name in BY_NAME if name in stamps_kept()]
    for name, stamps in stamps_kept().items():
        assert _said(name) == stale(BY_NAME[name], kept()[name].rows, stamps), f"`{COMMAND}` says what is to be measured again"


def _said(table: str) -> list[str]:
    """Return the rungs of which a section says that they were measured with bots that played differently."""
    section = PAGE.read_text("utf-8").partition(f"\n`{table}`, last measured")[2].partition("\n## ")[0]
    return section.partition(STALE)[2].partition(". `")[0].strip().split(", ") if STALE in section else []


def test_page_names_every_table_that_was_not_measured() -> None:
    """Every game with every number of seats has a section, or is listed as missing."""
    text = PAGE.read_text("utf-8")
    wanted = {f"{game.id}-{seats}" for game in GAMES.values() for seats in range(game.min_seats, game.max_seats + 1)}
    assert {table.name for table in TABLES if not table.kind} <= wanted
    assert {name for name in BY_NAME if f"`{name}`" in text.partition("\n## ")[0]} == BY_NAME.keys() - kept().keys()
    assert kept().keys() == stamps_kept().keys()


def test_page_stays_as_it_is_when_nothing_is_measured() -> None:
    """Written again, no line comes, goes or gets another date."""
    assert page(kept(), stamps_kept()) == PAGE.read_text("utf-8")


def test_service_has_the_figures_of_the_page() -> None:
    """Those of bots that sit in matches, as numbers, and whether they are of the bots of today."""
    shipped = msgspec.json.decode(FIGURES.read_bytes(), type=dict[str, list[LadderRow]])
    assert shipped == figures(kept(), stamps_kept())
    for name, rows in shipped.items():
        assert {f"{row.challenger} v {row.other}" for row in rows if not row.current} <= {*_said(name)}
        assert {bot for row in rows for bot in (row.challenger, row.other)} <= BY_NAME[name].rules.bots().keys()
        assert all(0 <= row.low <= row.share <= row.high <= 1 for row in rows)


def test_every_row_has_enough_deals() -> None:
    """100, or 400 where all bots answer at once: with fewer, chance decides too much of what a row says."""
    rows = [(name, rung, row) for name, section in kept().items() for rung, row in section.rows.items()]
    assert [(name, rung) for name, rung, row in rows if deals_and_share(row)[0] < least_deals(rung)] == []
    assert [least_deals((name, "honest")) for name in ("random", "policy", "search-small")] == [400, 400, 100]


def test_row_of_too_few_deals_is_not_shown() -> None:
    """Neither are bots that only occur in such rows."""
    section = Section(
        {RUNG: ROW.format(*RUNG, 399), ("honest", "beginner"): ROW.format("honest", "beginner", 400)},
        {"honest": (1_000, 60), "random": (500, 60), "beginner": (700, 60)},
    )
    assert [*shown(section).rows] == [("honest", "beginner")]
    assert [*shown(section).ratings] == ["honest", "beginner"]


def test_row_stays_when_another_one_is_measured() -> None:
    """What is not played keeps its row and its bots their ratings; a bot that plays differently now is rated among them."""
    rungs = rungs_of(DUEL.rules)
    before = Section({rung: ROW.format(*rung, 2) for rung in rungs}, {name: (1_000, 60) for rung in rungs for name in rung})
    stamps = {named_rung(rung): stamps_today(DUEL).rung(rung) for rung in rungs} | {named_rung(RUNG): "another"}
    outcomes = [run(DUEL.rules, task) for task in tasks(DUEL.rules, {}, DUEL.seats, [RUNG], 4, 1)]
    after = measured(DUEL, outcomes, before, stamps)
    assert {rung for rung, row in after.rows.items() if row != before.rows[rung]} == {RUNG}
    assert {bot for bot, rating in after.ratings.items() if rating != (1_000, 60)} == {"honest"}


def test_row_of_more_deals_stays_when_the_same_bots_play_fewer() -> None:
    """A short run does not take the place of a long one, unless a bot plays differently."""
    before = Section({RUNG: ROW.format(*RUNG, 400)}, {"honest": (1_000, 60), "random": (500, 60)})
    outcomes = [run(DUEL.rules, task) for task in tasks(DUEL.rules, {}, DUEL.seats, [RUNG], 2, 1)]
    assert measured(DUEL, outcomes, before, {named_rung(RUNG): stamps_today(DUEL).rung(RUNG)}) == before
    assert measured(DUEL, outcomes, before, {named_rung(RUNG): "another"}).rows != before.rows


def test_new_bot_is_rated_by_those_whom_it_played() -> None:
    """Above whom it beats, below who beats it, and by more the oftener; whatever the others are rated."""
    rows = {("new", "low"): ROW.format("new", "low", 200), ("high", "new"): ROW.format("high", "new", 200)}
    (points, spread) = rated_among(rows, {"low": (500, 60), "high": (900, 60)}, ["new"], 2)["new"]
    assert 660 < points < 740
    assert spread < rated_among({("new", "low"): ROW.format("new", "low", 20)}, {"low": (500, 60)}, ["new"], 2)["new"][1]


def test_outcomes_of_bots_of_before_are_not_taken_for_those_of_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run goes on with what the same two bots have played, and starts from nothing for others."""
    before = outcomes_of(tmp_path, DUEL, RUNG)
    today = stamps_today(DUEL).bots
    monkeypatch.setattr(ladder, "stamps_today", lambda _: Stamps({**today, "inference": "another"}))
    assert outcomes_of(tmp_path, DUEL, RUNG) == before
    monkeypatch.setattr(ladder, "stamps_today", lambda _: Stamps({**today, "honest": "another"}))
    assert outcomes_of(tmp_path, DUEL, RUNG) != before


@pytest.mark.parametrize(("share", "fair", "odds"), [(0.6, 0.5, 1.5), (3 / 7, 1 / 3, 1.5), (0.25, 0.25, 1.0)])
def test_odds_compare_tables_of_any_size(share: float, fair: float, odds: float) -> None:
    """Fair odds are one, whatever the number of seats."""
    assert odds_of(share, fair) == pytest.approx(odds)


def test_bots_page_names_the_tables_at_which_a_short_search_is_not_shown_to_be_a_level() -> None:
    """Those where the interval of its share among honest bots begins at the fair one or below."""
    text = PAGE.parents[1].joinpath("bots.md").read_text("utf-8")
    said = re.search(r"is not\s+shown to win more than its fair share among `honest` bots at ([^.]*)\.", text)
    assert said is not None
    wanted: set[str] = set()
    for name, section in kept().items():
        if ("search-small", "honest") not in section.rows:
            continue
        _, low, _, fair = (float(number) for number in re.findall(r"([\d.]+)%", section.rows["search-small", "honest"]))
        wanted |= {name} if low <= fair else set()
    assert {*re.findall(r"`([^`]*)`", said[1])} == wanted
