"""The state of a duel, and how each fact changes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from tafelrunde.domain.game import Event, Plain, Seat, Table

from .cards import suit
from .events import BidMade, BidsShown, CardPlayed, Dealt, Scored, TrickTaken
from .messages import DuelOptions


class DuelTable(Table):
    """The state of a duel; `plays` are all cards in order, `turn` is who leads or follows next."""

    __slots__ = (
        "bids",
        "decision",
        "first",
        "hands",
        "options",
        "plays",
        "points",
        "scores",
        "seats",
        "shown",
        "taken",
        "turn",
        "voids",
    )

    def __init__(self, options: DuelOptions, seats: int) -> None:
        self.emit = None
        self.options = options
        self.seats = seats
        self.decision = 0
        self.first: Seat | None = None
        self.turn = Seat(0)
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        self.bids: list[int | None] = [None] * seats
        self.shown = False
        self.plays: list[tuple[Seat, int]] = []
        self.voids: list[set[int]] = [set() for _ in range(seats)]
        self.taken = [0] * seats
        self.points = [0] * seats
        self.scores: tuple[int, ...] | None = None

    def copy(self) -> DuelTable:
        twin = DuelTable(self.options, self.seats)
        twin.decision, twin.first, twin.turn, twin.shown, twin.scores = (
            self.decision,
            self.first,
            self.turn,
            self.shown,
            self.scores,
        )
        twin.hands, twin.voids = [list(hand) for hand in self.hands], [set(void) for void in self.voids]
        twin.bids, twin.plays = list(self.bids), list(self.plays)
        twin.taken, twin.points = list(self.taken), list(self.points)
        return twin

    def freeze(self) -> Plain:
        return {
            "options": cast("Plain", msgspec.to_builtins(self.options)),
            "decision": self.decision,
            "first": self.first,
            "turn": self.turn,
            "hands": [list(hand) for hand in self.hands],
            "bids": list(self.bids),
            "shown": self.shown,
            "plays": [list(play) for play in self.plays],
            "voids": [sorted(void) for void in self.voids],
            "taken": list(self.taken),
            "points": list(self.points),
            "scores": list(self.scores) if self.scores is not None else None,
        }

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
