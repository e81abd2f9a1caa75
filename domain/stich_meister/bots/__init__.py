"""The bots of Stich-Meister by name. They see what their seat sees, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from ...bots import RandomBot
from ...game import Bot
from ...search import SearchBot
from ..guide.reasons import reason
from ..messages import StichCommand
from ..view import StichView
from .beginner import BeginnerBot
from .honest import HonestBot
from .rollout import Rollout
from .styles import CHARACTERS, STYLES

__all__ = ["BOTS", "CHARACTERS"]

BOTS: Mapping[str, Bot[StichView, StichCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "beginner": BeginnerBot(),
    **STYLES,
    "search-small": SearchBot(Rollout, 4),
    "search-large": SearchBot(Rollout, 200, longest_ms=1_050, reason=reason),
}
