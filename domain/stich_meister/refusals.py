"""Why a move of Stich-Meister is not allowed now. Everything here is known to the seat that asks."""

from __future__ import annotations

from enum import Enum


class StichRefusal(Enum):
    """All reasons, each with a text under `stich-meister.refusal.<code>`."""

    NOT_ASKED = "not-asked"
    NOT_NOW = "not-now"
    ALREADY_ANSWERED = "already-answered"
    RULE_NOT_HELD = "rule-not-held"
    CARD_UNKNOWN = "card-unknown"
    CARD_NOT_HELD = "card-not-held"
    CARD_TWICE = "card-twice"
    WRONG_NUMBER = "wrong-number"
    MUST_FOLLOW = "must-follow"
    MUST_TRUMP = "must-trump"
    NOT_IN_TRICK = "not-in-trick"


ARGUMENTS = {
    StichRefusal.RULE_NOT_HELD: ("rule",),
    StichRefusal.CARD_UNKNOWN: ("card",),
    StichRefusal.CARD_NOT_HELD: ("suit", "value"),
    StichRefusal.CARD_TWICE: ("suit", "value"),
    StichRefusal.WRONG_NUMBER: ("wanted", "given"),
    StichRefusal.MUST_FOLLOW: ("suit",),
    StichRefusal.NOT_IN_TRICK: ("suit", "value"),
}
"""What the text of a reason may use: `suit` is one of the four names, for following also `trump`."""
