"""The bots of Mondkrone by name. They see what their seat sees, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from ...bots import RandomBot
from ...game import Bot
from ...search import SearchBot
from ..guide.reasons import reason
from ..messages import MondkroneCommand
from ..view import MondkroneView
from .beginner import BeginnerBot
from .honest import HonestBot
from .rollout import Rollout
from .styles import CHARACTERS, STYLES

__all__ = ["BOTS", "CHARACTERS"]

BOTS: Mapping[str, Bot[MondkroneView, MondkroneCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "beginner": BeginnerBot(),
    **STYLES,
    "search-small": SearchBot(Rollout, 8),
    "search-large": SearchBot(Rollout, 50, longest_ms=300, reason=reason),
}
