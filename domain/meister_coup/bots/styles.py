"""The bold and the careful bot of Meister Coup: one plays for points that lie there, one collects colours for Meistercoups."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from ...bots import bold, careful
from ...game import Bot, Character, Message
from ..messages import MeisterCommand
from ..view import MeisterView
from .honest import HonestBot, Worth

GREED: Final = 0.0
"""How much the bold bot makes of colours of a Meistercoup that is not complete, where the honest one makes 1 of them ..."""
PATIENCE: Final = 3.0
"""... and the careful one."""

STYLES: Mapping[str, Bot[MeisterView, MeisterCommand]] = {
    "bold": HonestBot(partial(Worth, hope=GREED)),
    "careful": HonestBot(partial(Worth, hope=PATIENCE)),
}

CHARACTERS: Mapping[str, Character] = {
    "bold": bold(Message(de="spielt hoch und greift nach jedem Diamanten", en="plays high and grabs every diamond")),
    "careful": careful(Message(de="sammelt geduldig Farben für Meistercoups", en="patiently collects colours for Meistercoups")),
}
