"""Late positions with all deals of the hidden cards that their viewer cannot rule out, found by trying every deal.

What a deal must agree with is worked out here from the rules of playing, not from what tables remember. Coup has its own in
`tests/games/coup/test_drawn_worlds.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb, prod
from typing import NamedTuple, TypeAlias

from tafelrunde.domain.game import AnyGame, GameId, Seat, Table
from tafelrunde.domain.matchmaster.cards import CARDS as MATCHMASTER_CARDS
from tafelrunde.domain.matchmaster.moves import playable as playable_to
from tafelrunde.domain.matchmaster.table import MatchMasterTable
from tafelrunde.domain.meister_coup.cards import CARDS as MEISTER_CARDS
from tafelrunde.domain.meister_coup.cards import counted
from tafelrunde.domain.meister_coup.table import MeisterTable
from tafelrunde.domain.mondkrone.table import MondkroneTable
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.stich_meister.cards import deck_for
from tafelrunde.domain.stich_meister.table import StichTable
from tafelrunde.domain.stich_meister.trick import playable as playable_under
from tests.games.stich_meister.seated import random_match
from tests.support.cases import PLAIN, played

Hands: TypeAlias = tuple[tuple[int, ...], ...]
Fits: TypeAlias = Callable[[int, Sequence[int]], bool]
Plays: TypeAlias = tuple[int, int, Sequence[int]]
Held: TypeAlias = tuple[Sequence[int], int, list[int]]
FEWEST, MOST = 4, 4_000
LATE = 14


class Position(NamedTuple):
    """A table, who looks at it, and what the others may hold, in the order of their seats."""

    game: AnyGame
    table: Table
    viewer: Seat
    possible: frozenset[Hands]


def hands_of(table: Table, viewer: Seat) -> Hands:
    """Return what the others hold."""
    assert isinstance(table, MatchMasterTable | MeisterTable | MondkroneTable | StichTable)
    return tuple(tuple(sorted(hand)) for seat, hand in enumerate(table.hands) if seat != viewer)


def deals(rest: Sequence[int], sizes: Sequence[tuple[int, int]], fits: Fits) -> Iterator[Hands]:
    """Yield all ways to give seats so many of the cards."""
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
    cards, hands = sorted(rest), hands_of(table, viewer)
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


def matchmaster() -> Iterator[Position]:
    """Rounds of few cards, in the middle of their tricks: only legal plays can have been made."""
    for table in tables("matchmaster", 3):
        assert isinstance(table, MatchMasterTable)
        if not table.shown or not table.tricks or not table.trick:
            continue
        done: list[Plays] = [
            (table.leader, 1, table.trick),
            *((trick.leader, 1, trick.cards) for trick in reversed(table.tricks)),
        ]
        seen = {*table.hands[table.turn], *(card for each in done for card in each[2])}

        def fits(seat: int, hand: Sequence[int], done: list[Plays] = done) -> bool:
            return all(card in playable_to(held, list(trick)) for trick, card, held in held_then(done, seat, 3, hand))

        if found := position("matchmaster", table, Seat(table.turn), set(range(MATCHMASTER_CARDS)) - seen, fits):
            yield found


def stich_meister() -> Iterator[Position]:
    """The last tricks of a round with a trump suit, in which who cannot follow must play a trump if it has one."""
    for seed in range(400):
        for running in random_match(4, ("enumerated", seed), (15, 28, 48, 49)):
            if running.round > 1:
                break
            table = running.copy()
            if table.number < LATE or not table.trick or len(table.trick) == table.seats:
                continue
            done: list[Plays] = [(table.leader, table.step, table.trick), *(trick[1:4] for trick in reversed(table.tricks))]
            viewer = table.asked[0]
            seen = {*table.hands[viewer], *(card for each in done for card in each[2])}

            def fits(seat: int, hand: Sequence[int], done: list[Plays] = done, table: StichTable = table) -> bool:
                then = held_then(done, seat, table.seats, hand)
                return all(card in playable_under(table.law, trick, tuple(held)) for trick, card, held in then)

            if found := position("stich-meister", table, Seat(viewer), set(deck_for(4)) - seen, fits):
                yield found


def meister_coup() -> Iterator[Position]:
    """The last trick of a round: the colours of all hands are open."""
    for table in tables("meister-coup", 3):
        assert isinstance(table, MeisterTable)
        if table.number < 8 or not table.asked or len(table.trick) > 1:
            continue
        viewer = Seat(table.asked[0])
        seen = {*table.hands[viewer], *table.trick, *(card for trick in table.tricks for card in trick[2])}

        def fits(seat: int, hand: Sequence[int], table: MeisterTable = table) -> bool:
            return counted(hand) == counted(table.hands[seat])

        if found := position("meister-coup", table, viewer, set(range(MEISTER_CARDS)) - seen, fits):
            yield found


def mondkrone() -> Iterator[Position]:
    """Rounds in which the other seat holds little: it may be any of the cards that lie nowhere in sight."""
    for table in tables("mondkrone", 2):
        assert isinstance(table, MondkroneTable)
        viewer = Seat(max(table.turn, 0))
        hidden = [*table.hands[1 - viewer], *table.deck]
        if found := position("mondkrone", table, viewer, hidden, lambda *_: True):
            yield found


POSITIONS: dict[str, Callable[[], Iterator[Position]]] = {
    "matchmaster": matchmaster,
    "meister-coup": meister_coup,
    "mondkrone": mondkrone,
    "stich-meister": stich_meister,
}
