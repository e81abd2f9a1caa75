"""Late positions with all deals of the hidden cards that their viewer cannot rule out, found by trying every deal.

Each game says in its facts which positions (`tests/games/<game>/facts.py`). What a deal must agree with is worked out there from
the rules of playing, not from what tables remember.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb, prod
from typing import NamedTuple, TypeAlias

from tafelrunde.domain.game import AnyGame, GameId, Seat, Table
from tests.support.cases import GAMES, PLAIN, played

Hands: TypeAlias = tuple[tuple[int, ...], ...]
Fits: TypeAlias = Callable[[int, Sequence[int]], bool]
Plays: TypeAlias = tuple[int, int, Sequence[int]]
Held: TypeAlias = tuple[Sequence[int], int, list[int]]
FEWEST, MOST = 4, 4_000


class Position(NamedTuple):
    """A table, who looks at it, and what the others may hold, in the order of their seats."""

    game: AnyGame
    table: Table
    viewer: Seat
    possible: frozenset[Hands]


def hands_of(table: Table, viewer: Seat) -> Hands:
    """Return what the others hold."""
    hands: list[list[int]] = getattr(table, "hands")  # noqa: B009 - all tables with hands have this, by different types
    return tuple(tuple(sorted(hand)) for seat, hand in enumerate(hands) if seat != viewer)


def deals(rest: Sequence[int], sizes: Sequence[tuple[int, int]], fits: Fits) -> Iterator[Hands]:
    """Yield every way to deal the given number of cards to each seat."""
    if not sizes:
        yield ()
        return
    (seat, size), *others = sizes
    for hand in combinations(rest, size):
        if fits(seat, hand):
            left = [card for card in rest if card not in hand]
            for more in deals(left, others, fits):
                yield hand, *more


def position(game: str, table: Table, viewer: Seat, rest: Iterable[int], fits: Fits) -> Position | None:
    """Return the position if a few deals are possible, None if there is nothing to wonder or too much."""
    cards = sorted(rest)
    hands = hands_of(table, viewer)
    others = [seat for seat in range(len(hands) + 1) if seat != viewer]
    if prod(comb(len(cards), len(hand)) for hand in hands) > MOST:
        return None
    sizes = [(seat, len(hand)) for seat, hand in zip(others, hands, strict=True)]
    possible = frozenset(deals(cards, sizes, fits))
    return Position(GAMES[GameId(game)], table, viewer, possible) if len(possible) >= FEWEST else None


def tables(name: str, seats: int) -> Iterator[Table]:
    """Yield all tables of one random match after another."""
    case = next(case for case in PLAIN if case.game.id == name and case.seats == seats)
    return (step.after for seed in range(0, 400, 2) for step in played(case, seed))


def held_then(played: Iterable[Plays], seat: int, seats: int, hand: Sequence[int]) -> Iterator[Held]:
    """Yield, for each card that a seat did not lead, the trick before it, the card, and the hand it came from; newest first."""
    held = list(hand)
    for leader, step, cards in played:
        place = (seat - leader) * step % seats
        if place < len(cards):
            held.append(cards[place])
            if place:
                yield cards[:place], cards[place], sorted(held)
