"""The table of Mondkrone: its state and its facts. Cards are ints, hands sorted lists of them, palettes sets of bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..game import Plain, Seat, Table
from ..seats import NOBODY
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


class Stage:
    """What the table waits for."""

    SETUP, TURN, SCORING, OVER = range(4)


class Round(NamedTuple):
    """A round that is over: who won it, what lay on the pile, and what was scored."""

    seat: int
    top: int
    cards: int
    points: int


class MondkroneTable(Table):
    """One game of Mondkrone. `scored` are the cards that each seat has laid aside, as sets of bits; `out` is for this round."""

    __slots__ = (
        "decision",
        "deck",
        "hands",
        "options",
        "out",
        "palettes",
        "pile",
        "round",
        "rounds",
        "scored",
        "seats",
        "stage",
        "turn",
        "winners",
    )

    def __init__(self, options: MondkroneOptions, seats: int) -> None:
        self.emit = None
        self.options = options
        self.seats = seats
        self.stage = Stage.SETUP
        self.decision = 0
        self.round = 0
        self.turn = NOBODY
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.palettes = [0] * seats
        self.out = [False] * seats
        self.pile: list[int] = []
        self.deck: list[int] = []
        self.scored = [0] * seats
        self.rounds: list[Round] = []
        self.winners: list[int] = []

    def copy(self) -> MondkroneTable:
        """Return an independent table without a sink."""
        twin = MondkroneTable.__new__(MondkroneTable)
        twin.emit = None
        twin.options, twin.seats, twin.stage = self.options, self.seats, self.stage
        twin.decision, twin.round, twin.turn = self.decision, self.round, self.turn
        twin.hands = [hand.copy() for hand in self.hands]
        twin.palettes, twin.out, twin.scored = self.palettes.copy(), self.out.copy(), self.scored.copy()
        twin.pile, twin.deck = self.pile.copy(), self.deck.copy()
        twin.rounds, twin.winners = self.rounds.copy(), self.winners.copy()
        return twin

    def freeze(self) -> Plain:
        return {
            "stage": self.stage,
            "decision": self.decision,
            "round": self.round,
            "turn": self.turn,
            "hands": self.hands,
            "palettes": [list(cards_in(palette)) for palette in self.palettes],
            "out": self.out,
            "pile": self.pile,
            "deck": self.deck,
            "scored": [list(cards_in(cards)) for cards in self.scored],
            "rounds": [[each.seat, each.top, list(cards_in(each.cards)), each.points] for each in self.rounds],
            "winners": self.winners,
        }

    def inside(self) -> list[int]:
        """Return the seats that are still in the round."""
        return [seat for seat in range(self.seats) if not self.out[seat]]

    def points(self, seat: int) -> int:
        """Return what a seat has scored so far."""
        return worth(self.scored[seat])

    def ask(self, stage: int, seat: int) -> None:
        self.stage, self.turn = stage, seat
        self.decision += 1

    # Facts

    def f_round_dealt(self, pile: int, palettes: Sequence[int], hands: Sequence[Sequence[int]], deck: Sequence[int]) -> None:
        """Every card that is not scored is shuffled and dealt again."""
        self.round += 1
        self.pile, self.deck = [pile], list(deck)
        self.palettes = [1 << card for card in palettes]
        self.hands = [sorted(hand) for hand in hands]
        self.out = [False] * self.seats
        if self.emit is not None:
            shown, size = named(palettes), len(self.hands[0])
            held = tuple(map(named, self.hands))
            self.emit(RoundDealt(self.round, CARDS[pile], shown, size, len(deck), held, named(deck)))

    def f_turn_begun(self, seat: int) -> None:
        self.ask(Stage.TURN, seat)
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
            self.ask(Stage.SCORING, seat)
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
        self.stage = Stage.OVER
        if self.emit is not None:
            self.emit(MondkroneWon(tuple(map(Seat, winners))))


def worth(cards: int) -> int:
    """Return the points of a set of cards."""
    return sum(POINTS[card] for card in cards_in(cards))
