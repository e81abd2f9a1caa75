"""The bold and the careful bot of Coup: the honest bot with more, or with less, lying and doubting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...bots import bold, careful
from ...game import Bot, Character, Message
from ..messages import CoupCommand, Role
from ..view import CoupView
from .honest import HonestBot, Style

BOLD: Final = Style(
    (Role.CAPTAIN, Role.DUKE),
    bluff_action=0.3,
    bluff_block=0.15,
    bluff_contessa=0.5,
    bluff_last_contessa=0.9,
    doubt=0.25,
    doubt_for_others=0.05,
    doubt_anything=0.03,
)
"""Lies three times as often as the honest bot, about the captain as well, and doubts what is unlikely more often."""
CAREFUL: Final = Style(
    (), bluff_action=0.0, bluff_block=0.0, bluff_contessa=0.0, doubt=0.05, doubt_for_others=0.0, doubt_anything=0.0
)
"""Lies only to save its last influence, and hardly ever risks a card on a doubt."""

STYLES: Mapping[str, Bot[CoupView, CoupCommand]] = {"bold": HonestBot(BOLD), "careful": HonestBot(CAREFUL)}

CHARACTERS: Mapping[str, Character] = {
    "bold": bold(Message(de="blufft oft und zweifelt schnell", en="bluffs often and is quick to challenge")),
    "careful": careful(Message(de="blufft fast nie und zweifelt selten", en="hardly ever bluffs and seldom challenges")),
}
