"""Simulated matches: repeatable, counted right, and refused where the game does not offer what is asked for."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import GameId, InvalidOptions
from tafelrunde.domain.match import BotName
from tafelrunde.service.simulate import simulate
from tests.support.own import GAMES

DUEL = GAMES[GameId("duel")]
RANDOM, STEADY = BotName("random"), BotName("steady")


def test_simulation_is_the_same_when_the_seed_is_the_same() -> None:
    """A seed stands for its matches."""
    assert simulate(DUEL, 3, 20, 7) == simulate(DUEL, 3, 20, 7)
    assert simulate(DUEL, 3, 20, 7, bots=[RANDOM]) != simulate(DUEL, 3, 20, 8, bots=[RANDOM])


def test_longer_simulation_begins_like_the_shorter_one() -> None:
    """Match n depends on the seed and n alone, so a run can be split."""
    short, long = simulate(DUEL, 2, 10, 1, bots=[RANDOM]), simulate(DUEL, 2, 20, 1, bots=[RANDOM])
    assert all(few <= many for few, many in zip(short.wins, long.wins, strict=True))
    assert long.decisions == 2 * short.decisions


def test_every_match_ends_and_has_winners() -> None:
    """Shared first places count for each of their seats."""
    tally = simulate(DUEL, 4, 50, 1, bots=[RANDOM, STEADY])
    assert tally.ended == tally.matches == 50
    assert sum(tally.wins) >= 50


def test_decisions_count_each_answer() -> None:
    """Four seats bid once and play five cards each."""
    assert simulate(DUEL, 4, 3, 1, options={"cards": 4}).decisions == 3 * 4 * (1 + 4)


@pytest.mark.parametrize(
    ("seats", "options", "bots", "field"),
    [
        pytest.param(9, {}, [], "seats", id="seats"),
        pytest.param(2, {"jokers": 1}, [], "jokers", id="option"),
        pytest.param(2, {}, [BotName("oracle")], "bots", id="bot"),
    ],
)
def test_simulation_is_refused_when_the_game_does_not_offer_it(
    seats: int, options: dict[str, int], bots: list[BotName], field: str
) -> None:
    """The wrong wish is named."""
    with pytest.raises(InvalidOptions) as caught:
        simulate(DUEL, seats, 1, 1, options=options, bots=bots)
    assert caught.value.field == field
