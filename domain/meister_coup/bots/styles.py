"""The bold and the careful bot of Meister Coup: one collects colours for Meistercoups, one takes the points that lie there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from ...bots import bold, careful
from ...game import Bot, Character, Message
from ..messages import MeisterCommand
from ..view import MeisterView
from .honest import HonestBot, Worth


HUNT: Final = 2.0
"""How much the bold bot makes of colours of a Meistercoup that is not complete, where the honest one makes 1 of them ..."""
HARVEST: Final = 0.4
"""... and the careful one."""

STYLES: Mapping[str, Bot[MeisterView, MeisterCommand]] = {
    "bold": HonestBot(partial(Worth, hope=HUNT)),
    "careful": HonestBot(partial(Worth, hope=HARVEST)),
}

CHARACTERS: Mapping[str, Character] = {
    "bold": bold(Message(de="jagt Meistercoups hinterher", en="hunts for Meistercoups")),
    "careful": careful(Message(de="nimmt lieber sichere Punkte", en="would rather take safe points")),
}
