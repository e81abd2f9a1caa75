"""The bots of Duel by name. They see what their seat sees, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from tafelrunde.domain.bots import RandomBot
from tafelrunde.domain.game import Bot, Character
from tafelrunde.domain.search import SearchBot

from ..messages import DuelCommand
from ..view import DuelView
from .honest import STEADY, HonestBot, SteadyBot
from .rollout import Rollout

BOTS: Mapping[str, Bot[DuelView, DuelCommand]] = {
    "steady": SteadyBot(),
    "random": RandomBot(),
    "honest": HonestBot(),
    "search-small": SearchBot(Rollout, 3),
    "search-large": SearchBot(Rollout, 12),
}

CHARACTERS: Mapping[str, Character] = {"steady": STEADY}
