"""What one viewer may know of a game of MatchMaster, built by allow-list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from ..game import DecisionId, GameView, Seat
from . import stages
from .cards import SUITS, TRUMP, Suit, suit_of
from .messages import CardNumber, MatchMasterOptions
from .moves import winning
from .stages import MatchMasterStage
from .table import NO_BID, MatchMasterTable, Round, Trick


class MatchMasterSeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as every viewer may know it; `bid` is None until all are shown."""

    seat: Seat
    hand_size: int
    bid: int | None
    tricks: int
    score: int


class MatchMasterPlay(msgspec.Struct, frozen=True):
    """A card of a trick, and who played it."""

    seat: Seat
    card: CardNumber


class MatchMasterTrickView(msgspec.Struct, frozen=True, kw_only=True):
    """A finished trick, its cards in the order of play."""

    plays: tuple[MatchMasterPlay, ...]
    winner: Seat


class MatchMasterRoundView(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round, everything in seat order."""

    round: int
    size: int
    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    points: tuple[int, ...]


class MatchMasterView(GameView, frozen=True, kw_only=True, tag="matchmaster"):
    """A game of MatchMaster as one viewer may know it.

    `round` counts from 1 (0 before the deal), `size` is its number of cards. `hand` and `bid` are the viewer's own. `follow` is
    the suit that was led, `winning` the seat whose card wins the trick so far. `tricks` are those finished in this round.
    """

    options: MatchMasterOptions
    seat: Seat | None
    stage: str
    decision: DecisionId
    round: int
    size: int
    trump: Suit
    dealer: Seat | None
    leader: Seat | None
    turn: Seat | None
    seats: tuple[MatchMasterSeatView, ...]
    hand: tuple[CardNumber, ...]
    bid: int | None
    follow: Suit | None
    trick: tuple[MatchMasterPlay, ...]
    winning: Seat | None
    tricks: tuple[MatchMasterTrickView, ...]
    rounds: tuple[MatchMasterRoundView, ...]


def stage_of(table: MatchMasterTable) -> MatchMasterStage:
    """Return what the table waits for."""
    if not table.round:
        return stages.SETUP
    if table.over:
        return stages.OVER
    return stages.PLAY if table.shown else stages.BID


def view(table: MatchMasterTable, seat: Seat | None) -> MatchMasterView:
    """Return what *seat* (None: a spectator) may know."""
    begun = table.round > 0
    trick = table.trick
    bid = NO_BID if seat is None else table.bids[seat]
    return MatchMasterView(
        options=table.options,
        seat=seat,
        stage=stage_of(table).key,
        decision=DecisionId(table.decision),
        round=table.round,
        size=table.size if begun else 0,
        trump=SUITS[TRUMP],
        dealer=Seat(table.dealer) if begun else None,
        leader=Seat(table.leader) if begun else None,
        turn=Seat(table.turn) if table.shown and not table.over else None,
        seats=tuple(_seat(table, place) for place in range(table.seats)),
        hand=() if seat is None else tuple(table.hands[seat]),
        bid=None if bid == NO_BID else bid,
        follow=SUITS[suit_of(trick[0])] if trick else None,
        trick=_plays(table.leader, trick, table.seats),
        winning=Seat((table.leader + winning(trick)) % table.seats) if trick else None,
        tricks=tuple([_trick(each, table.seats) for each in table.tricks]),
        rounds=tuple([_round(number, each) for number, each in enumerate(table.rounds, 1)]),
    )


def _seat(table: MatchMasterTable, seat: int) -> MatchMasterSeatView:
    return MatchMasterSeatView(
        seat=Seat(seat),
        hand_size=len(table.hands[seat]),
        bid=table.bids[seat] if table.shown else None,
        tricks=table.taken[seat],
        score=table.scores[seat],
    )


def _plays(leader: int, cards: Sequence[int], seats: int) -> tuple[MatchMasterPlay, ...]:
    return tuple([MatchMasterPlay(Seat((leader + place) % seats), card) for place, card in enumerate(cards)])


@lru_cache(maxsize=4_096)
def _trick(trick: Trick, seats: int) -> MatchMasterTrickView:
    return MatchMasterTrickView(plays=_plays(trick.leader, trick.cards, seats), winner=Seat(trick.winner))


@lru_cache(maxsize=4_096)
def _round(number: int, done: Round) -> MatchMasterRoundView:
    size = sum(done.taken)
    return MatchMasterRoundView(round=number, size=size, bids=done.bids, tricks=done.taken, points=done.points)
