"""What no bot of Stich-Meister above the lowest level does: blunders that every player at the table sees."""

from __future__ import annotations

import random

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.search import Steps
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.cards import deck_for
from tafelrunde.domain.stich_meister.messages import PlayCard, StichCommand, TakeCardOut
from tafelrunde.domain.stich_meister.table import NOBODY, StichTable, Taken
from tests.games.stich_meister.test_bot import fans, led
from tests.support.dice import Dice

THINKING = [name for name in GAME.bots() if name != "random"]
every_bot = pytest.mark.parametrize("name", THINKING)
COUNTING, COSTING = (11, 12, 13, 14), (12, 13, 14, 60)
"""Rules under which a trick is a point, and under which it is a minus point."""


def answers(name: str, table: StichTable, seat: int) -> set[StichCommand]:
    """Return what a bot answers over some seeds."""
    view, legal = GAME.view(table, Seat(seat)), GAME.legal(table, Seat(seat))
    return {GAME.bots()[name].choose(view, legal, random.Random(seed), Steps(24)) for seed in range(8)}


def late(rules: tuple[int, ...], number: int, *mine: int) -> StichTable:
    """Return a table of three on which the fan 5 and the fan 7 lie, seat 2 to play; cards in no hand were played before."""
    table = led((), (), mine, trick=fans(5, 7), rules=rules, number=number)
    rest = [card for card in deck_for(3) if card not in {*mine, *table.trick}]
    for seat in (0, 1):
        table.hands[seat] = sorted(rest[seat :: len(rest) // 2][: len(mine) - 1])
    rest = [card for card in rest if card not in {*table.hands[0], *table.hands[1]}]
    tricks = [rest[start : start + 3] for start in range(0, len(rest), 3)]
    table.tricks = [
        Taken(before, seat % 3, 1, tuple(cards), seat % 3, seat % 3, NOBODY)
        for seat, (before, cards) in enumerate(enumerate(tricks, 1))
    ]
    return table


@every_bot
def test_trick_that_counts_is_taken_when_it_is_the_last_seats(name: str) -> None:
    """One of two cards beats the others; it is played where a trick is a point."""
    table = late(COUNTING, 15, *fans(2, 8))
    assert answers(name, table, 2) == {PlayCard(fans(8)[0])}


@every_bot
def test_trick_that_costs_is_left_when_the_last_seat_can_stay_below(name: str) -> None:
    """The same cards where points are turned into minus points."""
    table = late(COSTING, 15, *fans(2, 8))
    assert answers(name, table, 2) == {PlayCard(fans(2)[0])}


@every_bot
def test_card_that_costs_most_is_taken_out(name: str) -> None:
    """Rule 34 with rule 53: the 15 goes out of the trick."""
    table = late((1, 2, 34, 53), 16, *fans(15))
    GAME.play(table, Seat(2), PlayCard(fans(15)[0]), Dice("blunders"))
    assert answers(name, table, 2) == {TakeCardOut(fans(15)[0])}
