"""The bold and the careful bot of Stich-Meister: one spends its strong cards at once, one saves them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...bots import bold, careful
from ...game import Bot, Character, Message
from ..messages import StichCommand
from ..view import StichView
from .honest import HonestBot

SPENDING: Final = -0.2
SAVING: Final = 0.9
"""What share of a trick's worth it costs to play the strongest card rather than the weakest; below nothing, it is a joy."""

STYLES: Mapping[str, Bot[StichView, StichCommand]] = {"bold": HonestBot(SPENDING), "careful": HonestBot(SAVING)}

CHARACTERS: Mapping[str, Character] = {
    "bold": bold(Message(de="spielt seine starken Karten sofort aus", en="plays its strong cards at once")),
    "careful": careful(Message(de="hebt seine starken Karten lange auf", en="saves its strong cards for long")),
}
