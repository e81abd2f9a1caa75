"""What happens in MatchMaster."""

from __future__ import annotations

from ..game import Event, Seat


class MatchMasterEvent(Event, frozen=True, tag_field="type"):
    """A fact of MatchMaster."""


class MatchMasterDealt(MatchMasterEvent, frozen=True, tag="matchmaster.dealt.1"):
    """A round begins: `round` from 1, `size` cards for each seat; the hands of others are None. The rest stays unknown to all."""

    round: int
    size: int
    dealer: Seat
    hands: tuple[tuple[int, ...] | None, ...]


class BidPlaced(MatchMasterEvent, frozen=True, tag="matchmaster.bid-placed.1"):
    """The seat bids, or changes its bid; nobody else may know even that."""

    seat: Seat
    tricks: int


class MatchMasterBidsShown(MatchMasterEvent, frozen=True, tag="matchmaster.bids-shown.1"):
    """All bids are in and shown at once, in seat order."""

    bids: tuple[int, ...]


class MatchMasterCardPlayed(MatchMasterEvent, frozen=True, tag="matchmaster.card-played.1"):
    """The seat plays a card to the trick."""

    seat: Seat
    card: int


class MatchMasterTrickWon(MatchMasterEvent, frozen=True, tag="matchmaster.trick-won.1"):
    """The seat takes the trick and leads the next one."""

    seat: Seat


class MatchMasterRoundScored(MatchMasterEvent, frozen=True, tag="matchmaster.round-scored.1"):
    """The round is over: `points` of this round and `scores` of all rounds so far, in seat order."""

    round: int
    points: tuple[int, ...]
    scores: tuple[int, ...]
