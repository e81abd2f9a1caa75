"""The arena: common deals, every seat, and numbers that mean what they say."""

from __future__ import annotations

import msgspec
import pytest

from tafelrunde.domain.game import GameId, InvalidOptions
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.bots.arena import (
    CHEAT,
    DealtChance,
    Duel,
    DuelOutcome,
    Task,
    duels,
    interval,
    rate,
    read_outcomes,
    run,
    tasks,
)

COUP, MATCHMASTER = GAMES[GameId("coup")], GAMES[GameId("matchmaster")]


def played(challenger: str, other: str, deals: int, seats: int = 2) -> list[DuelOutcome]:
    """Return the outcomes of a duel in MatchMaster."""
    return [run(MATCHMASTER, task) for task in tasks(MATCHMASTER, {}, seats, [(challenger, other)], deals, 1)]


def test_deal_is_the_same_whatever_was_played_before() -> None:
    """What is drawn under a label for the n-th time depends on the deal alone, not on draws under other labels."""
    one, other = DealtChance(1, 2), DealtChance(1, 2)
    one.shuffle("aside", range(9))
    assert one.shuffle("cards", range(52)) == other.shuffle("cards", range(52))
    assert one.shuffle("cards", range(52)) != DealtChance(1, 2).shuffle("cards", range(52))
    assert one.below("first", 1_000) != DealtChance(1, 3).below("first", 1_000)


def test_bot_against_itself_wins_its_fair_share() -> None:
    """With every seat of the same deals, the shares of equal bots add up to exactly the number of matches."""
    [duel] = duels(played("honest", "honest", 4, seats=3))
    assert duel.share == pytest.approx(duel.fair)
    assert (duel.deals, duel.matches) == (4, 12)


def test_shared_win_counts_in_part() -> None:
    """Two winners of three have half a win each; a match without an end counts for no one."""
    task = Task(COUP.id, {}, 3, "honest", "random", 1, 0)
    assert DuelOutcome(task, ((1, 1, 3), (1, 1, 3), None), 10).share == pytest.approx((0.5 + 0.5 + 0) / 3)


def test_same_seed_gives_the_same_outcomes() -> None:
    """Also where bots search: they think in steps, not in time."""
    assert played("search-small", "random", 1) == played("search-small", "random", 1)


def test_one_who_is_shown_the_table_does_better() -> None:
    """The upper bound cheats; it is for the arena alone, and no match knows it."""
    [honest] = duels(played("search-small", "honest", 5))
    [cheat] = duels(played(CHEAT + "search-small", "honest", 5))
    assert cheat.share >= honest.share
    assert not any(name.startswith(CHEAT) for game in GAMES.values() for name in game.bots())


@pytest.mark.parametrize("name", ["nobody", CHEAT + "honest", CHEAT + "nobody"])
def test_unknown_bot_is_refused(name: str) -> None:
    """So is one that could not cheat, as it does not search."""
    with pytest.raises(InvalidOptions):
        tasks(COUP, {}, 2, [(name, "honest")], 1, 1)


def test_interval_holds_the_mean_and_narrows() -> None:
    """Bootstrapped over deals: twice as narrow with four times as many."""
    few, many = interval([0.0, 1.0] * 20), interval([0.0, 1.0] * 80)
    assert few[0] < 0.5 < few[1]
    assert (few[1] - few[0]) / (many[1] - many[0]) == pytest.approx(2, rel=0.25)


def test_ratings_put_the_stronger_first() -> None:
    """From all matches, on one scale."""
    outcomes = [*played("honest", "random", 6), *played("random", "honest", 6)]
    assert [rating.bot for rating in rate(outcomes)] == ["honest", "random"]
    assert all(isinstance(duel, Duel) for duel in duels(outcomes))


def test_outcome_that_was_cut_off_is_left_out() -> None:
    """A run that was killed while writing resumes with what is whole."""
    [outcome] = played("honest", "random", 1)
    line = msgspec.json.encode(outcome) + b"\n"
    assert list(read_outcomes([line, line[:-9]])) == [outcome]
