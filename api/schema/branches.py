"""The shapes of practice matches."""

from __future__ import annotations

import msgspec

from .fields import DecisionNumber, MatchRef


class BranchFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The match and decision that this practice match starts from."""

    match: MatchRef
    decision: DecisionNumber
