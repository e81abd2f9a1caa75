"""What services return about moves, as shapes."""

from __future__ import annotations

from collections.abc import Mapping

from ....domain.game import AnyGame
from ....domain.wording import wording
from ...texts import render
from .schema import WhyBody


def why_body(key: str, arguments: Mapping[str, str | int], game: AnyGame) -> WhyBody:
    """Return a reason of a game's search, with its text."""
    named = wording(game.messages, f"{game.id}.why.{key}", arguments)
    return WhyBody(key=f"{game.id}.why.{key}", arguments=arguments, text=render(game.messages[named], arguments, game))
