"""The bold and the careful bot of Stich-Meister: one spends its strong cards at once, one saves them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...bots import bold, careful
from ...game import Bot, Character, Message
from ..messages import StichCommand
from ..view import StichView
from .honest import HonestBot, Taste

SPENDING: Final = Taste(frugality=0.35, zeal=1.2)
SAVING: Final = Taste(frugality=1.2)

STYLES: Mapping[str, Bot[StichView, StichCommand]] = {"bold": HonestBot(SPENDING), "careful": HonestBot(SAVING)}

CHARACTERS: Mapping[str, Character] = {
    "bold": bold(Message(de="spielt seine starken Karten sofort aus", en="plays its strong cards at once")),
    "careful": careful(Message(de="hebt seine starken Karten lange auf", en="saves its strong cards for long")),
}
