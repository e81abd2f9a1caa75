"""The games of this house. A game is one folder beside this file and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from .game import AnyGame, GameId

GAMES: Mapping[GameId, AnyGame] = {}
