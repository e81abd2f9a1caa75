"""Which bots are offered at a table: a level that wins hardly more than the one below is none there."""

from __future__ import annotations

import pytest

from tafelrunde.domain.bots import character
from tafelrunde.domain.game import AnyGame, GameId, Level
from tafelrunde.domain.match import BotName
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.bots.levels import LADDER, LEAST, LadderRow, Offer, odds_of, tables_of

COUP = GAMES[GameId("coup")]


def row(challenger: str, other: str, share: float) -> LadderRow:
    """Return what was measured of a bot against another."""
    return LadderRow(BotName(challenger), BotName(other), 100, share, share - 0.05, share + 0.05, True)


def offered(*rows: LadderRow) -> dict[str, Offer]:
    """Return the offers for Coup with two seats, if that was measured there."""
    return {each.bot: each for each in next(tables_of(COUP, {"coup-2": rows})).offers}


def test_level_is_not_offered_when_it_wins_hardly_more_than_the_one_below() -> None:
    """Less than 1.5 times fair odds, 60 % with two seats, where the interval leaves no doubt."""
    assert "search-small" not in offered(row("search-small", "honest", 0.54))
    assert "search-small" in offered(row("search-small", "honest", 0.56))


def test_every_level_is_offered_in_teams_with_what_its_team_won() -> None:
    """One seat was measured, whose partner was the other bot; the ladder gives each of both half of a win."""
    rows = (row("search-small", "honest", 0.2), row("search-large", "search-small", 0.3))
    table = next(
        each
        for each in tables_of(GAMES[GameId("meister-coup")], {"meister-coup-4-teams": rows})
        if each.seats == 4 and each.teams
    )
    measured = {each.bot: each.measured and each.measured.share for each in table.offers}
    assert measured == {"beginner": None, "honest": None, "bold": None, "careful": None, "search-small": 0.4, "search-large": 0.6}


def test_level_is_compared_with_the_next_one_that_is_offered() -> None:
    """Of two levels that are alike the lower one stays, and what is above them is compared with that."""
    rows = (row("search-small", "honest", 0.5), row("search-large", "search-small", 0.9))
    found = offered(*rows, row("search-large", "honest", 0.7))
    assert [name for name in found if name.startswith("search")] == ["search-large"]
    assert found["search-large"].measured == row("search-large", "honest", 0.7)
    assert "search-large" not in offered(*rows, row("search-large", "honest", 0.5))


def test_gentlest_bot_is_offered_when_it_wins_hardly_more_than_chance() -> None:
    """Chance is not offered, so nothing that is stands below it; what it won against chance is said all the same."""
    told = row("beginner", "random", 0.5)
    assert offered(told)["beginner"].measured == told


def test_level_that_was_not_measured_is_offered_without_figures() -> None:
    """No other table speaks for this one."""
    assert {each.measured for each in offered().values()} == {None}
    assert [each for each in offered() if each.startswith("search")] == ["search-small", "search-large"]


def test_beginner_comes_first_and_chance_is_not_offered() -> None:
    """The gentlest bot leads the list at every table; styles stand behind the honest one, whose level they have."""
    for game in GAMES.values():
        for table in tables_of(game):
            names = [each.bot for each in table.offers]
            assert names[:4] == ["beginner", "honest", "bold", "careful"]
            assert "random" not in names
            assert len({*names}) == len(names)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_number_of_seats_has_a_table(game: AnyGame) -> None:
    """In teams where there is no other way to play."""
    found = [table.seats for table in tables_of(game)]
    assert sorted({*found}) == list(range(game.min_seats, game.max_seats + 1))
    measured = {f"{game.id}-{table.seats}" + "-teams" * table.teams for table in tables_of(game)}
    assert {name for name in LADDER if name.startswith(f"{game.id}-")} <= measured


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_no_offered_level_is_below_the_bound_in_the_ladder(game: AnyGame) -> None:
    """By the figures that are shipped, whatever they are; other characters than the first of a level are no levels."""
    first: dict[Level, str] = {}
    for name in game.bots():
        first.setdefault(character(game, name).level, name)
    for table in tables_of(game):
        usual = next(iter(game.bots()))
        levels = [
            each.measured
            for each in table.offers
            if each.bot in first.values() and each.bot != usual and each.measured is not None and not table.teams
        ]
        names = {each.bot for each in table.offers}
        below = [each for each in levels if each.other in names]
        assert all(odds_of(each.high, 1 / table.seats) >= LEAST for each in below), table
