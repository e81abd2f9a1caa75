"""The rules of Duel, sentence by sentence."""

from __future__ import annotations

import msgspec
import pytest

from tafelrunde.domain.game import Seat
from tests.support.dice import Dice
from tests.support.duel import GAME
from tests.support.duel.messages import Bid, DuelOptions, PlayCard
from tests.support.duel.moves import legal, playable, winning
from tests.support.duel.rules import points, set_up
from tests.support.duel.table import DuelTable

MOON, SUN = 0, 9
"""The lowest card of each suit."""


def dealt(seats: int, **wishes: object) -> DuelTable:
    """Return a table after the deal."""
    table = GAME.create(msgspec.structs.replace(DuelOptions(), **wishes), seats)
    set_up(table, Dice(1))
    return table


def test_everyone_gets_as_many_cards_as_the_option_says() -> None:
    """No card twice."""
    table = dealt(4, cards=3)
    assert [len(hand) for hand in table.hands] == [3, 3, 3, 3]
    assert len({card for hand in table.hands for card in hand}) == 12


def test_bid_may_be_changed_until_the_last_one_is_in() -> None:
    """After that all are shown, and cards are played."""
    table = dealt(2)
    chance = Dice(2)
    for seat, tricks in ((0, 1), (0, 2), (1, 0)):
        GAME.play(table, Seat(seat), Bid(tricks), chance)
    assert (table.bids, table.shown) == ([2, 0], True)
    assert GAME.why_not(table, table.turn, Bid(1)) is not None


@pytest.mark.parametrize(
    ("hand", "trick", "allowed"),
    [
        pytest.param([MOON, SUN], [], [MOON, SUN], id="lead"),
        pytest.param([MOON, SUN], [SUN + 3], [SUN], id="follow"),
        pytest.param([MOON, MOON + 1], [SUN], [MOON, MOON + 1], id="cannot-follow"),
    ],
)
def test_led_suit_is_followed_where_it_can_be(hand: list[int], trick: list[int], allowed: list[int]) -> None:
    """Otherwise any card may be played."""
    assert playable(hand, trick) == allowed


def test_highest_card_of_the_led_suit_takes_the_trick() -> None:
    """A card of the other suit takes nothing, however high it is."""
    assert winning([MOON + 2, SUN + 8, MOON + 5]) == 2


def test_winner_of_a_trick_leads_the_next_one() -> None:
    """It has the next turn."""
    table = dealt(2, first_seat=0)
    chance = Dice(3)
    for seat in (0, 1):
        GAME.play(table, Seat(seat), Bid(0), chance)
    for _ in range(2):
        GAME.play(table, table.turn, PlayCard(legal(table, table.turn)[0]), chance)
    assert table.taken[table.turn] == 1


@pytest.mark.parametrize(("taken", "bid", "score"), [(1, 1, 4), (1, 2, 1), (0, 0, 3)])
def test_bid_that_is_met_gives_three_points_more(taken: int, bid: int, score: int) -> None:
    """Beside the prizes of the tricks, which are one point each unless the options say more."""
    assert points(taken, taken, bid) == score
