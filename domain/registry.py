"""The games of this house. A game is one folder beside this file and one line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from .coup import GAME as COUP
from .game import AnyGame, GameId
from .matchmaster import GAME as MATCHMASTER
from .meister_coup import GAME as MEISTER_COUP
from .mondkrone import GAME as MONDKRONE
from .stich_meister import GAME as STICH_MEISTER

GAMES: Mapping[GameId, AnyGame] = {
    COUP.id: cast("AnyGame", COUP),  # its own types were checked where it is defined; values pass through them at the border
    MATCHMASTER.id: cast("AnyGame", MATCHMASTER),
    MEISTER_COUP.id: cast("AnyGame", MEISTER_COUP),
    MONDKRONE.id: cast("AnyGame", MONDKRONE),
    STICH_MEISTER.id: cast("AnyGame", STICH_MEISTER),
}
