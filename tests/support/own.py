"""The tests' own game, which the registry does not have. It lies in tests/support/duel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from tafelrunde.domain.game import AnyGame, GameId
from tests.support.duel import GAME as DUEL

__all__ = ["DUEL", "GAMES"]

GAMES: Mapping[GameId, AnyGame] = {DUEL.id: cast("AnyGame", DUEL)}
