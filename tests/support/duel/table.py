"""The state of a duel, and how each fact changes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from tafelrunde.domain.fields import Derived, stored
from tafelrunde.domain.game import Event, Seat, Table

from . import stages
from .cards import suit
from .events import BidMade, BidsShown, CardPlayed, Dealt, Scored, TrickTaken
from .messages import DuelOptions
from .stages import DuelStage


class DuelTable(Table):
    """The state of a duel; `plays` are all cards in order, `turn` is who leads or follows next."""

    options: Annotated[DuelOptions, stored(form=msgspec.to_builtins)]
    seats: Derived[int]
    decision: int
    first: Seat | None
    turn: Seat
    hands: list[list[int]]
    bids: list[int | None]
    shown: bool
    plays: list[tuple[Seat, int]]
    voids: list[set[int]]
    taken: list[int]
    points: list[int]
    scores: tuple[int, ...] | None

    def __init__(self, options: DuelOptions, seats: int) -> None:
        self.emit = None
        self.options = options
        self.seats = seats
        self.decision = 0
        self.first = None
        self.turn = Seat(0)
        self.hands = [[] for _ in range(seats)]
        self.bids = [None] * seats
        self.shown = False
        self.plays = []
        self.voids = [set() for _ in range(seats)]
        self.taken = [0] * seats
        self.points = [0] * seats
        self.scores = None

    @property
    def stage(self) -> DuelStage:
        """What the table waits for."""
        if self.first is None:
            return stages.SETUP
        if self.scores is not None:
            return stages.OVER
        return stages.PLAY if self.shown else stages.BID

    def trick(self) -> list[int]:
        """Return the cards of the trick that is not full yet."""
        return [card for _, card in self.plays[len(self.plays) - len(self.plays) % self.seats :]]

    def told(self, event: Event) -> None:
        """Hand a folded fact to the sink."""
        if self.emit is not None:
            self.emit(event)

    def f_dealt(self, first: Seat, hands: Sequence[Sequence[int] | None]) -> None:
        self.first = self.turn = first
        self.hands = [sorted(hand or ()) for hand in hands]
        self.decision = 1
        self.told(Dealt(first, tuple(tuple(hand) for hand in self.hands)))

    def f_bid_made(self, seat: Seat, tricks: int) -> None:
        self.bids[seat] = tricks
        self.told(BidMade(seat, tricks))

    def f_bids_shown(self, bids: tuple[int, ...]) -> None:
        self.shown = True
        self.decision += 1
        self.told(BidsShown(bids))

    def f_card_played(self, seat: Seat, card: int) -> None:
        if (trick := self.trick()) and suit(trick[0]) != suit(card):
            self.voids[seat].add(suit(trick[0]))
        self.hands[seat].remove(card)
        self.plays.append((seat, card))
        self.turn = Seat((seat + 1) % self.seats)
        self.decision += 1
        self.told(CardPlayed(seat, card))

    def f_trick_taken(self, seat: Seat, prize: int) -> None:
        self.taken[seat] += 1
        self.points[seat] += prize
        self.turn = seat
        self.told(TrickTaken(seat, prize))

    def f_scored(self, scores: tuple[int, ...]) -> None:
        self.scores = scores
        self.told(Scored(scores))
