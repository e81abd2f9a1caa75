"""The state of a game of MatchMaster, and how each fact changes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple

import msgspec

from ..fields import Derived, stored
from ..game import Seat, Table
from ..seats import NOBODY
from .cards import ROUNDS
from .events import (
    BidPlaced,
    MatchMasterBidsShown,
    MatchMasterCardPlayed,
    MatchMasterDealt,
    MatchMasterRoundScored,
    MatchMasterTrickWon,
)
from .messages import MatchMasterOptions

NO_BID: Final = -1


class Trick(NamedTuple):
    """A finished trick: its cards in the order of play."""

    leader: int
    cards: tuple[int, ...]
    winner: int


class Round(NamedTuple):
    """A finished round, everything in seat order."""

    bids: tuple[int, ...]
    taken: tuple[int, ...]
    points: tuple[int, ...]


class MatchMasterTable(Table):
    """The state: `round` is 0 before the first deal; `trick` are the cards on the table, led by `leader`, `turn` plays next."""

    options: Annotated[MatchMasterOptions, stored(form=msgspec.to_builtins)]
    seats: Derived[int]
    decision: int
    round: int
    dealer: int
    leader: int
    turn: int
    shown: bool
    hands: list[list[int]]
    bids: list[int]
    taken: list[int]
    trick: list[int]
    tricks: list[Trick]
    scores: list[int]
    rounds: list[Round]

    def __init__(self, options: MatchMasterOptions, seats: int) -> None:
        self.emit = None
        self.options = options
        self.seats = seats
        self.decision = 0
        self.round = 0
        self.dealer = NOBODY
        self.leader = self.turn = NOBODY
        self.shown = False
        self.hands = [[] for _ in range(seats)]
        self.bids = [NO_BID] * seats
        self.taken = [0] * seats
        self.trick = []
        self.tricks = []
        self.scores = [0] * seats
        self.rounds = []

    @property
    def over(self) -> bool:
        """Whether the last round has been scored."""
        return len(self.rounds) == len(ROUNDS)

    @property
    def size(self) -> int:
        """How many cards each seat was dealt in this round."""
        return ROUNDS[self.round - 1]

    def f_dealt(self, number: int, dealer: int, hands: Sequence[Sequence[int] | None]) -> None:
        self.round, self.dealer = number, dealer
        self.leader = self.turn = (dealer + 1) % self.seats
        self.hands = [sorted(hand or ()) for hand in hands]
        self.bids = [NO_BID] * self.seats
        self.taken = [0] * self.seats
        self.shown = False
        self.trick = []
        self.tricks = []
        if number == 1:  # later rounds begin with the decision that the last card of the one before has opened
            self.decision += 1
        if self.emit is not None:
            self.emit(MatchMasterDealt(number, self.size, Seat(dealer), tuple(map(tuple, self.hands))))

    def f_bid_placed(self, seat: int, tricks: int) -> None:
        self.bids[seat] = tricks
        if self.emit is not None:
            self.emit(BidPlaced(Seat(seat), tricks))

    def f_bids_shown(self, bids: Sequence[int]) -> None:
        self.bids = list(bids)
        self.shown = True
        self.decision += 1
        if self.emit is not None:
            self.emit(MatchMasterBidsShown(tuple(bids)))

    def f_card_played(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        self.trick.append(card)
        self.turn = (seat + 1) % self.seats
        self.decision += 1
        if self.emit is not None:
            self.emit(MatchMasterCardPlayed(Seat(seat), card))

    def f_trick_won(self, seat: int) -> None:
        self.tricks.append(Trick(self.leader, tuple(self.trick), seat))
        self.taken[seat] += 1
        self.trick = []
        self.leader = self.turn = seat
        if self.emit is not None:
            self.emit(MatchMasterTrickWon(Seat(seat)))

    def f_round_scored(self, points: Sequence[int]) -> None:
        self.rounds.append(Round(tuple(self.bids), tuple(self.taken), tuple(points)))
        self.scores = [score + more for score, more in zip(self.scores, points, strict=True)]
        if self.emit is not None:
            self.emit(MatchMasterRoundScored(self.round, tuple(points), tuple(self.scores)))
