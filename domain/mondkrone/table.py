"""The table of Mondkrone: its state and its facts. Cards are ints, hands sorted lists of them, palettes sets of bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from ..fields import Derived, stored
from ..game import Seat, Table
from ..seats import NOBODY
from . import stages
from .cards import CARDS, POINTS, cards_in, named
from .events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    CardsLaidAside,
    MondkroneWon,
    RoundDealt,
    RoundWon,
    SeatDroppedOut,
    TurnBegun,
)
from .messages import MondkroneOptions
from .stages import MondkroneStage


class Round(NamedTuple):
    """A round that is over: who won it, what lay on the pile, and what was scored."""

    seat: int
    top: int
    cards: int
    points: int


def _listed(sets: Sequence[int]) -> list[list[int]]:
    """Return sets of bits as the lists of cards that are stored."""
    return [cards_in(cards) for cards in sets]


def _rounds(rounds: Sequence[Round]) -> list[list[object]]:
    return [[each.seat, each.top, cards_in(each.cards), each.points] for each in rounds]


class MondkroneTable(Table):
    """One game of Mondkrone. `scored` are the cards that each seat has laid aside, as sets of bits; `out` is for this round."""

    options: Derived[MondkroneOptions]
    seats: Derived[int]
    stage: MondkroneStage
    decision: int
    round: int
    turn: int
    hands: list[list[int]]
    palettes: Annotated[list[int], stored(form=_listed)]
    out: list[bool]
    pile: list[int]
    deck: list[int]
    scored: Annotated[list[int], stored(form=_listed)]
    rounds: Annotated[list[Round], stored(form=_rounds)]
    winners: list[int]

    def __init__(self, options: MondkroneOptions, seats: int) -> None:
        self.emit = None
        self.options = options
        self.seats = seats
        self.stage = stages.SETUP
        self.decision = 0
        self.round = 0
        self.turn = NOBODY
        self.hands = [[] for _ in range(seats)]
        self.palettes = [0] * seats
        self.out = [False] * seats
        self.pile = []
        self.deck = []
        self.scored = [0] * seats
        self.rounds = []
        self.winners = []

    def inside(self) -> list[int]:
        """Return the seats that are still in the round."""
        return [seat for seat in range(self.seats) if not self.out[seat]]

    def points(self, seat: int) -> int:
        """Return what a seat has scored so far."""
        return worth(self.scored[seat])

    def ask(self, stage: MondkroneStage, seat: int) -> None:
        self.stage = stage
        self.turn = seat
        self.decision += 1

    # Facts

    def f_round_dealt(self, pile: int, palettes: Sequence[int], hands: Sequence[Sequence[int]], deck: Sequence[int]) -> None:
        """Every card that is not scored is shuffled and dealt again."""
        self.round += 1
        self.pile = [pile]
        self.deck = list(deck)
        self.palettes = [1 << card for card in palettes]
        self.hands = [sorted(hand) for hand in hands]
        self.out = [False] * self.seats
        if self.emit is not None:
            shown = named(palettes)
            size = len(self.hands[0])
            held = tuple(map(named, self.hands))
            self.emit(RoundDealt(self.round, CARDS[pile], shown, size, len(deck), held, named(deck)))

    def f_turn_begun(self, seat: int) -> None:
        self.ask(stages.TURN, seat)
        if self.emit is not None:
            self.emit(TurnBegun(Seat(seat)))

    def f_card_played(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        self.palettes[seat] |= 1 << card
        if self.emit is not None:
            self.emit(CardPlayed(Seat(seat), CARDS[card]))

    def f_card_discarded(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        self.pile.append(card)
        if self.emit is not None:
            self.emit(CardDiscarded(Seat(seat), CARDS[card]))

    def f_cards_drawn(self, seat: int, cards: Sequence[int]) -> None:
        """The cards are the top ones of the draw deck."""
        del self.deck[: len(cards)]
        self.hands[seat] = sorted([*self.hands[seat], *cards])
        if self.emit is not None:
            self.emit(CardsDrawn(Seat(seat), len(cards), named(cards)))

    def f_seat_dropped_out(self, seat: int) -> None:
        self.out[seat] = True
        if self.emit is not None:
            self.emit(SeatDroppedOut(Seat(seat)))

    def f_round_won(self, seat: int, asked: bool) -> None:
        if asked:
            self.ask(stages.SCORING, seat)
        if self.emit is not None:
            self.emit(RoundWon(Seat(seat), asked))

    def f_cards_laid_aside(self, seat: int, cards: int, points: int) -> None:
        self.palettes[seat] &= ~cards
        self.scored[seat] |= cards
        self.rounds.append(Round(seat, self.pile[-1], cards, points))
        if self.emit is not None:
            self.emit(CardsLaidAside(Seat(seat), named(cards_in(cards)), points))

    def f_won(self, winners: Sequence[int]) -> None:
        self.winners = list(winners)
        self.stage = stages.OVER
        if self.emit is not None:
            self.emit(MondkroneWon(tuple(map(Seat, winners))))


def worth(cards: int) -> int:
    """Return the points of a set of cards."""
    return sum([POINTS[card] for card in cards_in(cards)])
