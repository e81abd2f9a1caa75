"""All games. A game is one folder beside this file, and one line here; its package offers it as `GAME`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import cast

from .game import AnyGame, GameId

FOLDERS = (
    "coup",
    "matchmaster",
    "meister_coup",
    "mondkrone",
    "stich_meister",
)


def _game(folder: str) -> AnyGame:
    """Return the game of a folder. Its own types were checked where it is defined; values pass through them at the border."""
    return cast("AnyGame", import_module(f".{folder}", __package__).GAME)


GAMES: Mapping[GameId, AnyGame] = {game.id: game for game in map(_game, FOLDERS)}
"""All games by id, in the order of their folders."""
