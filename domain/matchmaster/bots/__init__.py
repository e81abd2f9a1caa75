"""The bots of MatchMaster by name. They see what their seat sees, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ...bots import RandomBot
from ...game import Bot
from ...search import SearchBot
from ..guide.reasons import reason
from ..messages import MatchMasterCommand
from ..view import MatchMasterView
from .beginner import BeginnerBot
from .honest import HonestBot
from .learned_policy import PLAYS
from .rollout import Rollout
from .styles import CHARACTERS, STYLES

__all__ = ["BOTS", "CHARACTERS"]

MANY, SHARED = 300, 1_200
"""The most worlds of the strongest search, and those that more than four seats share out, since with each of them play-outs are
longer."""


def many(view: MatchMasterView) -> int:
    """Return in how many worlds the strongest search tries its moves."""
    return min(MANY, SHARED // len(view.seats))


BOTS: Mapping[str, Bot[MatchMasterView, MatchMasterCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "beginner": BeginnerBot(),
    **STYLES,
    "search-small": SearchBot(Rollout, 3),
    "search-large": SearchBot(Rollout, 12, longest_ms=100),
    "inference": SearchBot(partial(Rollout, weighing=True, policy=PLAYS), many, reason=reason),
}
