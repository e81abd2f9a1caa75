"""The games of a deployment: those of the registry, and games of other installed packages that its settings name.

A package offers a game as an entry point of the group `tafelrunde.games`, by the game's id. What is installed and not named
is not imported: a deployment runs only the code that it chose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias, cast

from ..domain.game import AnyGame, Game, GameId
from ..domain.registry import GAMES
from .errors import StartupRefused

GROUP = "tafelrunde.games"
VARIABLE = "TAFELRUNDE_GAMES"
Games: TypeAlias = Mapping[GameId, AnyGame]
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@lru_cache(32)
def games_of(names: str = "") -> Games:
    """Return the games of the registry, then the installed ones with these *names*, which are separated by commas.

    Raises StartupRefused for a name that no installed package offers, and for a game that cannot be here.
    """
    listed = dict.fromkeys(name for each in names.split(",") if (name := each.strip()))
    return {**GAMES, **installed_games(listed)} if listed else GAMES


def installed_games(names: Iterable[str]) -> Games:
    """Return games of other packages by their ids, in the order of *names*; raise StartupRefused as `games_of` does."""
    return {game.id: game for game in map(_load, names)}


def list_available() -> Sequence[str]:
    """Return the ids of all games that can be played here: those of the registry, and those that installed packages offer."""
    return [*GAMES, *sorted({point.name for point in entry_points(group=GROUP)} - {*GAMES})]


def load_game(name: str) -> AnyGame:
    """Return the game with this id, of the registry or of an installed package; raise StartupRefused."""
    known = GAMES.get(GameId(name))
    return _load(name) if known is None else known


def _load(name: str) -> AnyGame:
    if name in GAMES:
        raise _refuse(name, "is a game of Tafelrunde itself, which is always there, and no other can have its name")
    found = _import(name, _entry_point(name))
    if not isinstance(found, Game):
        raise _refuse(name, f"is no game, but of the type {type(found).__name__}")
    game = cast("AnyGame", found)
    if game.id != name or not _ID.fullmatch(name):
        raise _refuse(name, f"has the id {game.id!r}; both have to be the same, in small letters, digits and hyphens")
    kinds = (*game.command_types, *game.event_types)
    tags = [str(kind.__struct_config__.tag) for kind in kinds]
    if strange := [tag for tag in tags if not tag.startswith(f"{name}.")]:
        raise _refuse(name, f"says {strange[0]}, which does not begin with its id")
    return game


def _entry_point(name: str) -> EntryPoint:
    offered = {point.name: point for point in entry_points(group=GROUP)}
    if name not in offered:
        others = f"; there are {', '.join(sorted(offered))}" if offered else ""
        raise _refuse(name, f"is offered by no installed package{others}")
    values = {point.value for point in entry_points(group=GROUP, name=name)}
    if len(values) > 1:
        raise _refuse(name, f"is offered more than once: {', '.join(sorted(values))}")
    return offered[name]


def _import(name: str, point: EntryPoint) -> object:
    try:
        return point.load()
    except Exception as error:  # whatever a package does when it is imported
        raise _refuse(name, f"cannot be imported from {point.value}: {type(error).__name__}: {error}") from error


def _refuse(name: str, why: str) -> StartupRefused:
    return StartupRefused(f"{VARIABLE} names {name!r}, which {why}.")
