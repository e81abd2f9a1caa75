"""Whom your own program may be measured with: the bots of a game, and those that look for weaknesses of the strongest."""

from __future__ import annotations

from copy import copy
from enum import StrEnum

from .....domain.bots import character
from .....domain.game import AnyGame, Character, Level, Message
from .....domain.search import SearchBot

SLOW = frozenset((Level.SEARCH_LARGE, Level.INFERENCE))


class Against(StrEnum):
    """Whom a program plays where no bots are named."""

    QUICK = "quick"
    LADDER = "ladder"
    EXPLOITERS = "exploiters"


def rivals_of(game: AnyGame, against: Against) -> list[str]:
    """Return the opponents that a program is measured with, weakest first: a level's first bot, or all; the exploiters last."""
    bots = sorted(game.bots(), key=lambda name: [*Level].index(character(game, name).level))
    match against:
        case Against.QUICK:
            first = {character(game, name).level: name for name in reversed(bots)}
            return [name for name in bots if name in first.values() and character(game, name).level not in SLOW]
        case Against.LADDER:
            return [*bots, *game.exploiters()]
        case Against.EXPLOITERS:
            return [*game.exploiters()]


def with_exploiters(game: AnyGame) -> AnyGame:
    """Return a game whose exploiters may sit in its matches: on the service of this contest, and nowhere else."""
    bots = {**game.bots(), **game.exploiters()}
    guests = {name: _guest(name, isinstance(bot, SearchBot)) for name, bot in game.exploiters().items()}
    twin = copy(game)
    vars(twin).update(bots=lambda: bots, characters={**game.characters, **guests})
    return twin


def _guest(name: str, searches: bool) -> Character:
    return Character(Level.SEARCH_LARGE if searches else Level.RULES, Message(name, name), Message(name, name))
