"""The bots of Meister Coup by name. They see what their seat sees, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from ...bots import RandomBot
from ...game import Bot
from ...search import SearchBot
from ..guide.reasons import reason
from ..messages import MeisterCommand
from ..view import MeisterView
from .beginner import BeginnerBot
from .honest import HonestBot
from .learned_policy import PLAYS
from .rollout import Rollout
from .styles import CHARACTERS, STYLES

__all__ = ["BOTS", "CHARACTERS"]

WORLDS: Final = 420
"""Worlds of the strongest bot, shared out among the seats: at a larger table each of them takes longer to play out."""


def many(view: MeisterView) -> int:
    """Return in how many worlds the strongest bot tries its moves."""
    return WORLDS // len(view.seats)


BOTS: Mapping[str, Bot[MeisterView, MeisterCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "beginner": BeginnerBot(),
    **STYLES,
    "search-small": SearchBot(Rollout, 3),
    "search-large": SearchBot(partial(Rollout, policy=PLAYS), many, longest_ms=900, reason=reason),
}
