"""The bots of Mondkrone by name. They see what their seat sees, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ...bots import RandomBot
from ...game import Bot
from ...search import SearchBot
from ..guide.reasons import reason
from ..messages import MondkroneCommand
from ..view import MondkroneView
from .beginner import BeginnerBot
from .foresight import foreseeing
from .honest import HonestBot
from .rollout import Rollout, quick
from .styles import CHARACTERS, STYLES

__all__ = ["BOTS", "CHARACTERS"]

BOTS: Mapping[str, Bot[MondkroneView, MondkroneCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "beginner": BeginnerBot(),
    **STYLES,
    "search-small": SearchBot(partial(Rollout, policy=quick), 8),
    "search-large": SearchBot(partial(Rollout, policy=foreseeing, tried=20), 100, longest_ms=1_350, reason=reason),
}
