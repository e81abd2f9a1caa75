"""Everyone has an avatar: until one is chosen, it follows from the player's id."""

from __future__ import annotations

import hashlib

from ...ports.players import Avatar, Colour, Figure, PlayerRecord

_FIGURES = tuple(Figure)
_COLOURS = tuple(Colour)


def avatar_of(record: PlayerRecord) -> Avatar:
    """Return a player's avatar: the one that it has chosen, or the one that its id leads to."""
    if record.avatar is not None:
        return record.avatar
    drawn = int.from_bytes(hashlib.sha256(record.id.encode()).digest()[:4], "big")
    return Avatar(figure=_FIGURES[drawn % len(_FIGURES)], colour=_COLOURS[drawn // len(_FIGURES) % len(_COLOURS)])
