"""The shapes of matches that take up others."""

from __future__ import annotations

import msgspec

from .patterns import DecisionNumber, MatchRef


class BranchFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Which match this one takes up, before which of its decisions."""

    match: MatchRef
    decision: DecisionNumber
