"""What happens in Duel. Each field says who may know it (domain/secrecy.py)."""

from __future__ import annotations

from typing import TypeAlias, cast

from tafelrunde.domain.game import Event, Seat
from tafelrunde.domain.secrecy import PerSeat, Public, Recipient, closed


class Dealt(Event, frozen=True, tag="duel.dealt.1"):
    """The cards were dealt."""

    first: Public[Seat]
    hands: PerSeat[tuple[int, ...]]


class BidMade(Event, frozen=True, tag="duel.bid-made.1"):
    """A seat bid; the others do not learn of it."""

    seat: Recipient[Seat]
    tricks: int


class BidsShown(Event, frozen=True, tag="duel.bids-shown.1"):
    """All bids are in."""

    bids: Public[tuple[int, ...]]


class CardPlayed(Event, frozen=True, tag="duel.card-played.1"):
    """A seat played a card."""

    seat: Public[Seat]
    card: Public[int]


class TrickTaken(Event, frozen=True, tag="duel.trick-taken.1"):
    """A seat took the trick."""

    seat: Public[Seat]
    prize: Public[int]


class Scored(Event, frozen=True, tag="duel.scored.1"):
    """The match is over."""

    scores: Public[tuple[int, ...]]


DuelEvent: TypeAlias = Dealt | BidMade | BidsShown | CardPlayed | TrickTaken | Scored
EVENT_TYPES = cast("tuple[type[DuelEvent], ...]", closed(DuelEvent))
