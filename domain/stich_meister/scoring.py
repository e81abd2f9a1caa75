"""Scoring: the scoring rules in number order, on each seat's running total of the round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from .cards import CARDS, SAMURAI, SUITS, Suit, suit_of, value_of
from .rule_cards import Rule

TRICKS: Final = 0
NO_TRICK_POINTS: Final = 10
ONE_TRICK_POINTS: Final = 5
"""What stands for a rule in the first line: one point for each trick."""


class Held:
    """A trick as it is scored: who holds it, which of the round it was (0: a hand card of rule 40), and what is left of it."""

    __slots__ = ("cards", "number", "seat")

    def __init__(self, seat: int, number: int, cards: tuple[int, ...]) -> None:
        self.seat = seat
        self.number = number
        self.cards = cards


class Scene(NamedTuple):
    """What is scored: tricks, the number of the last one, which cards are trump, and how many sit there."""

    held: list[Held]
    last: int
    trump: list[bool]
    seats: int


Totals: TypeAlias = list[int]
IS_SAMURAI: Final = tuple(value_of(card) in SAMURAI for card in range(CARDS))


def _suits(_: int, trick: Held, __: Scene) -> int:
    return len({suit_of(card) for card in trick.cards})


def _without_samurai(value: int, trick: Held, _: Scene) -> int:
    return value if any(IS_SAMURAI[card] for card in trick.cards) else 2 * value


def _without_trump(value: int, trick: Held, scene: Scene) -> int:
    return value if any(scene.trump[card] for card in trick.cards) else 2 * value


def _fifth(value: int, trick: Held, _: Scene) -> int:
    return 3 * value if trick.number == 5 else value


def _first_and_last(value: int, trick: Held, scene: Scene) -> int:
    if trick.number in (1, 2):
        return 0
    return 3 * value if trick.number == scene.last else value


VALUE: Final[Mapping[int, Callable[[int, Held, Scene], int]]] = {
    Rule.COUNT_SUITS: _suits,
    Rule.WITHOUT_SAMURAI: _without_samurai,
    Rule.WITHOUT_TRUMP: _without_trump,
    Rule.FIFTH_TRICK: _fifth,
    Rule.FIRST_AND_LAST: _first_and_last,
}
"""What a rule makes of a trick's value."""


def _each(points: int, counts: Callable[[int], bool]) -> tuple[int, ...]:
    return tuple(points if counts(card) else 0 for card in range(CARDS))


def _suit(suit: Suit) -> tuple[int, ...]:
    return _each(-1, lambda card: SUITS[suit_of(card)] is suit)


POINTS: Final[Mapping[int, tuple[int, ...]]] = {
    Rule.PLUS_SAMURAI: _each(1, lambda card: IS_SAMURAI[card]),
    Rule.MINUS_FANS: _suit(Suit.FAN),
    Rule.MINUS_COINS: _suit(Suit.COIN),
    Rule.MINUS_KOI: _suit(Suit.KOI),
    Rule.MINUS_TORII: _suit(Suit.TORII),
    Rule.PLUS_SEVENS: _each(3, lambda card: value_of(card) == 7),
    Rule.MINUS_FIFTEENS: _each(-3, lambda card: value_of(card) == 15),
}
"""What a rule gives for each card."""


def _none(total: int, tricks: int, _: int) -> int:
    return total + NO_TRICK_POINTS if tricks == 0 else total


def _one(total: int, tricks: int, _: int) -> int:
    return total + ONE_TRICK_POINTS if tricks == 1 else total


def _even(total: int, tricks: int, _: int) -> int:
    return total if tricks % 2 else 2 * total


def _fewest(total: int, tricks: int, fewest: int) -> int:
    return 2 * total if tricks == fewest else total


def _negate(total: int, _: int, __: int) -> int:
    return -total


OWN: Final[Mapping[int, Callable[[int, int, int], int]]] = {
    Rule.NO_TRICK: _none,
    Rule.ONE_TRICK: _one,
    Rule.EVEN_TRICKS: _even,
    Rule.FEWEST_TRICKS: _fewest,
    Rule.NEGATED: _negate,
}
"""What a rule makes of a seat's total, by its number of tricks and the fewest that any seat has."""


def count_tricks(scene: Scene) -> Totals:
    """Return how many tricks each seat holds."""
    tricks = [0] * scene.seats
    for trick in scene.held:
        tricks[trick.seat] += 1
    return tricks


def score(rules: Sequence[int], scene: Scene) -> list[tuple[int, tuple[int, ...]]]:
    """Return every seat's running total after the tricks are counted, and after each scoring rule of *rules*, in number order."""
    tricks = count_tricks(scene)
    values = [1] * len(scene.held)
    totals = tricks.copy()
    before = None
    lines = [(TRICKS, tuple(totals))]
    for rule in sorted(rules):
        if rule in VALUE:
            values = [VALUE[rule](value, trick, scene) for value, trick in zip(values, scene.held, strict=True)]
            totals = _sum(values, scene)
        elif rule in POINTS or rule == Rule.MINUS_TRUMP:
            _add_points(totals, rule, scene)
        elif rule in OWN:
            totals = [OWN[rule](total, own, min(tricks)) for total, own in zip(totals, tricks, strict=True)]
        elif rule in (Rule.RIGHT_MINUS, Rule.LEFT_TOTAL):
            before = totals.copy() if before is None else before
            totals = [total + _from_neighbour(rule, before, seat) for seat, total in enumerate(totals)]
        else:
            continue
        lines.append((rule, tuple(totals)))
    return lines


def _sum(values: Sequence[int], scene: Scene) -> Totals:
    totals = [0] * scene.seats
    for value, trick in zip(values, scene.held, strict=True):
        totals[trick.seat] += value
    return totals


def _add_points(totals: Totals, rule: int, scene: Scene) -> None:
    points = POINTS[rule] if rule in POINTS else [-1 if trump else 0 for trump in scene.trump]
    for trick in scene.held:
        totals[trick.seat] += sum(points[card] for card in trick.cards)


def _from_neighbour(rule: int, before: Sequence[int], seat: int) -> int:
    """Return what a neighbour's total adds: 58 the right one's minus points as plus points, 59 the left one's total."""
    if rule == Rule.RIGHT_MINUS:
        return max(0, -before[seat - 1])
    return before[(seat + 1) % len(before)]
