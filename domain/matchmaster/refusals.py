"""Why a move of MatchMaster is not allowed now. Everything here is known to the seat that asks."""

from __future__ import annotations

from enum import Enum


class MatchMasterRefusal(Enum):
    """All reasons, each with a text under `matchmaster.refusal.<code>`."""

    NOT_ASKED = "not-asked"
    NOT_NOW = "not-now"
    BID_OUT_OF_RANGE = "bid-out-of-range"
    BID_UNCHANGED = "bid-unchanged"
    CARD_NOT_HELD = "card-not-held"
    MUST_FOLLOW = "must-follow"
    MUST_TRUMP = "must-trump"
    MUST_BEAT = "must-beat"
