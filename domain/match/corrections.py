"""What operators may do to the result of a finished match: take it back, or give another one."""

from __future__ import annotations

from collections.abc import Sequence

from ..game import Placing
from .events import MatchAdjudicated, MatchVoided
from .refusals import MatchRefusal, require
from .state import Match


def void(match: Match, reason: str, now_ms: int) -> MatchVoided:
    """Return the fact that the result, or the loss of who forfeited, does not count; raise MatchRefused."""
    require(match.status.finished, MatchRefusal.NOT_OVER)
    require(match.placings is not None or match.forfeited is not None, MatchRefusal.NO_RESULT)
    return MatchVoided(reason, now_ms)


def adjudicate(match: Match, placings: Sequence[Placing], reason: str, now_ms: int) -> MatchAdjudicated:
    """Return the fact that another result counts; raise MatchRefused."""
    require(match.status.finished, MatchRefusal.NOT_OVER)
    require(match.started, MatchRefusal.NEVER_STARTED)
    in_order = tuple(sorted(placings, key=lambda placing: placing.seat))
    require([placing.seat for placing in in_order] == list(range(len(match.chairs))), MatchRefusal.PLACINGS_WRONG)
    require(min(placing.rank for placing in in_order) == 1, MatchRefusal.PLACINGS_WRONG)
    return MatchAdjudicated(in_order, reason, now_ms)
