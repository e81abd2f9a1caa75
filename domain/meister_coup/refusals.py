"""Why a move of Meister Coup is not allowed now. Everything here is known to the seat that asks."""

from __future__ import annotations

from enum import Enum


class MeisterRefusal(Enum):
    """All reasons, each with a text under `meister-coup.refusal.<code>`."""

    NOT_ASKED = "not-asked"
    NOT_NOW = "not-now"
    CARD_UNKNOWN = "card-unknown"
    CARD_NOT_HELD = "card-not-held"
    NOT_IN_TRICK = "not-in-trick"
    CARD_PICKED = "card-picked"
    CARD_TWICE = "card-twice"
    WRONG_NUMBER = "wrong-number"
    MUST_TAKE_LOWER = "must-take-lower"
    NOT_IN_TEAM = "not-in-team"
    NOTHING_PROPOSED = "nothing-proposed"
    ALREADY_PROPOSED = "already-proposed"
    ONLY_BEST_LEFT = "only-best-left"
