"""The games of this house. A game is one folder beside this file, and one line in each of these tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from .coup import GAME as COUP
from .coup import KERNEL as COUP_KERNEL
from .game import AnyGame, GameId
from .kernel import AnyKernel
from .matchmaster import GAME as MATCHMASTER
from .matchmaster import KERNEL as MATCHMASTER_KERNEL
from .meister_coup import GAME as MEISTER_COUP
from .meister_coup import KERNEL as MEISTER_COUP_KERNEL
from .mondkrone import GAME as MONDKRONE
from .mondkrone import KERNEL as MONDKRONE_KERNEL
from .stich_meister import GAME as STICH_MEISTER
from .stich_meister import KERNEL as STICH_MEISTER_KERNEL

GAMES: Mapping[GameId, AnyGame] = {
    COUP.id: cast("AnyGame", COUP),  # its own types were checked where it is defined; values pass through them at the border
    MATCHMASTER.id: cast("AnyGame", MATCHMASTER),
    MEISTER_COUP.id: cast("AnyGame", MEISTER_COUP),
    MONDKRONE.id: cast("AnyGame", MONDKRONE),
    STICH_MEISTER.id: cast("AnyGame", STICH_MEISTER),
}

KERNELS: Mapping[GameId, AnyKernel] = {
    COUP.id: cast("AnyKernel", COUP_KERNEL),  # likewise
    MATCHMASTER.id: cast("AnyKernel", MATCHMASTER_KERNEL),
    MEISTER_COUP.id: cast("AnyKernel", MEISTER_COUP_KERNEL),
    MONDKRONE.id: cast("AnyKernel", MONDKRONE_KERNEL),
    STICH_MEISTER.id: cast("AnyKernel", STICH_MEISTER_KERNEL),
}
"""The kernel of each game."""
