"""What happens in MatchMaster."""

from __future__ import annotations

from typing import TypeAlias, cast

from ..game import Event, Seat
from ..secrecy import PerSeat, Public, Recipient, closed


class MatchMasterDealt(Event, frozen=True, tag="matchmaster.dealt.1"):
    """A round begins: `round` from 1, `size` cards for each seat; the hands of others are None. The rest stays unknown to all."""

    round: Public[int]
    size: Public[int]
    dealer: Public[Seat]
    hands: PerSeat[tuple[int, ...]]


class BidPlaced(Event, frozen=True, tag="matchmaster.bid-placed.1"):
    """The seat bids, or changes its bid; no other seat may know even that."""

    seat: Recipient[Seat]
    tricks: int


class MatchMasterBidsShown(Event, frozen=True, tag="matchmaster.bids-shown.1"):
    """All bids are in and shown at once, in seat order."""

    bids: Public[tuple[int, ...]]


class MatchMasterCardPlayed(Event, frozen=True, tag="matchmaster.card-played.1"):
    """The seat plays a card to the trick."""

    seat: Public[Seat]
    card: Public[int]


class MatchMasterTrickWon(Event, frozen=True, tag="matchmaster.trick-won.1"):
    """The seat takes the trick and leads the next one."""

    seat: Public[Seat]


class MatchMasterRoundScored(Event, frozen=True, tag="matchmaster.round-scored.1"):
    """The round is over: `points` of this round and `scores` of all rounds so far, in seat order."""

    round: Public[int]
    points: Public[tuple[int, ...]]
    scores: Public[tuple[int, ...]]


MatchMasterEvent: TypeAlias = (
    MatchMasterDealt | BidPlaced | MatchMasterBidsShown | MatchMasterCardPlayed | MatchMasterTrickWon | MatchMasterRoundScored
)
EVENT_TYPES = cast("tuple[type[MatchMasterEvent], ...]", closed(MatchMasterEvent))  # closed returns the members of the union
