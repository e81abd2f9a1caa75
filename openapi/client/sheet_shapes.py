"""Shapes of the parts of a game's sheet that stand in no other answer."""

from __future__ import annotations

import msgspec


class PicturedCard(msgspec.Struct, frozen=True):
    """A card in the small picture of a game: its first suit and its rank. None: it lies face down."""

    suit: str | None
    rank: str


class EventAudience(msgspec.Struct, frozen=True, kw_only=True):
    """Who may know what of an event: the seats in the fields `only` (None: no limit), and of `hidden` fields those in others.

    Of a field in `parts` each seat knows its own part.
    """

    only: tuple[str, ...] | None
    hidden: dict[str, tuple[str, ...]]
    parts: tuple[str, ...]
