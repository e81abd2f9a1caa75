"""The judge of these tests against the printed examples of the rulebook, and against sums done by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.games.stich_meister.oracle import SUITS, Card, Oracle, Pile, Play

DECK: list[Card] = [(suit, value) for suit in SUITS for value in range(1, 16)]


def judge(*rules: int, shown: str | None = None) -> Oracle:
    """A round under some rules."""
    return Oracle(frozenset(rules), shown)


def plays(*cards: Card) -> list[Play]:
    """Cards played by seat 0, 1, 2 ... in order."""
    return [Play(seat, card) for seat, card in enumerate(cards)]


def test_oracle_makes_all_sixes_trump() -> None:
    """Rulebook, determining trump, example 1: all sixes together are the trump suit."""
    assert [card for card in DECK if judge(5).is_trump(card)] == [(suit, 6) for suit in SUITS]


def test_oracle_orders_torii_from_fifteen_to_one() -> None:
    """Rulebook, determining trump, example 2: torii is trump, 15 high and 1 low."""
    law = judge(20)
    torii: list[Card] = [("torii", value) for value in range(15, 0, -1)]
    assert all(law.stronger_trump(one, other) for one, other in pairwise(torii))
    assert {law.suit(card) for card in torii} == {"trump"}


def test_oracle_puts_the_card_of_two_trump_rules_on_top() -> None:
    """Rulebook, several trump rules: fours and koi; koi 4 first, then the other fours as equals, then koi from 15 to 1."""
    law = judge(3, 17)
    fours: list[Card] = [("fan", 4), ("coin", 4), ("torii", 4)]
    assert all(law.stronger_trump(("koi", 4), four) for four in fours)
    assert not any(law.stronger_trump(one, other) for one in fours for other in fours)
    assert all(law.stronger_trump(four, ("koi", 15)) for four in fours)
    assert law.stronger_trump(("koi", 15), ("koi", 14))


def test_oracle_does_not_let_a_trump_follow_its_printed_suit() -> None:
    """Rulebook, following, example: fours are trump, fan 6 is led, so fan 4 does not follow."""
    assert judge(3).may_play([("fan", 4), ("fan", 9), ("koi", 2)], [("fan", 6)]) == {("fan", 9)}
    assert judge(3).may_play([("fan", 4), ("koi", 2)], [("fan", 6)]) == {("fan", 4), ("koi", 2)}


def test_oracle_gives_a_trick_without_trump_to_the_led_suit() -> None:
    """Rulebook, winning, example 1: coins are trump, none is played; the fourth seat's fan 11 is the highest of the led suit."""
    assert judge(15).winner(plays(("fan", 6), ("torii", 15), ("fan", 9), ("fan", 11))) == 3


def test_oracle_gives_equal_cards_to_the_later_one() -> None:
    """Rulebook, winning, example 2: sixes are above torii; fan 6 and koi 6 are equal and the third seat's koi 6 came later."""
    assert judge(5, 20).winner(plays(("fan", 6), ("torii", 15), ("koi", 6), ("torii", 2))) == 2


def test_oracle_ranks_led_suit_then_the_rest_by_value() -> None:
    """Trump, then the led suit, then the rest by value; the later of equals is higher."""
    trick = plays(("koi", 3), ("fan", 9), ("coin", 2), ("torii", 9), ("koi", 1))
    assert [play.seat for play in judge(1).order(trick)] == [2, 0, 4, 3, 1]


@pytest.mark.parametrize(
    ("rules", "winner"),
    [((29,), 3), ((30,), 3), ((29, 30), 1), ((31,), 1), ((33,), 2), ((15, 32), 0), ((16,), 0), ((15,), 4), ((15, 30), 0)],
)
def test_oracle_names_the_winner(rules: tuple[int, ...], winner: int) -> None:
    """One trick under rules 29 to 33, worked out by hand."""
    trick = plays(("fan", 12), ("fan", 2), ("koi", 15), ("fan", 8), ("coin", 5))
    assert judge(*rules).winner(trick) == winner


def test_oracle_scores_by_hand() -> None:
    """Suits per trick, the fifth triple, minus fans, no trick plus ten, doubled for the fewest, negated: worked out by hand."""
    piles = [Pile(0, (("fan", 2), ("koi", 3), ("fan", 4)), 4), Pile(1, (("fan", 9), ("fan", 8), ("coin", 7)), 5)]
    assert judge(41, 44).scores(piles, 9, 3) == [2, 6, 0]
    assert judge(41, 44, 47, 54).scores(piles, 9, 3) == [0, 4, 10]
    assert judge(54, 57, 60).scores(piles, 9, 3) == [-1, -1, -20]
    assert judge(47, 58, 59).scores(piles, 9, 3) == [-1 - 1, -1 + 1, 0 + 1 - 1]
