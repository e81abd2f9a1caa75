"""The bold and the careful bot of Mondkrone: one spends its hand to knock rivals out, one keeps it as long as it can."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from ...bots import bold, careful
from ...game import Bot, Character, Message
from ..messages import MondkroneCommand
from ..view import MondkroneView
from .honest import HonestBot, Prospect

SPENT: Final = 0.3
"""What one more card in hand is worth to the bold bot, where knocking a rival out is worth 1 ..."""
SAVED: Final = 0.9
"""... and to the careful one."""

STYLES: Mapping[str, Bot[MondkroneView, MondkroneCommand]] = {
    "bold": HonestBot(partial(Prospect, keep=SPENT)),
    "careful": HonestBot(partial(Prospect, keep=SAVED)),
}

CHARACTERS: Mapping[str, Character] = {
    "bold": bold(Message(de="gibt Karten her, um andere hinauszuwerfen", en="spends cards to knock others out")),
    "careful": careful(Message(de="spart seine Karten so lange wie möglich", en="saves its cards for as long as it can")),
}
