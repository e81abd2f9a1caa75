"""Players and their tokens: opaque ids, scopes, and hashes instead of token texts."""

from __future__ import annotations

import msgspec

from ..domain.match import PlayerId

SCOPES = ("read", "play", "create", "admin")
PLAYER_SCOPES = ("read", "play", "create")


class Principal(msgspec.Struct, frozen=True):
    """Who asks: a player, through a token with these scopes."""

    player: PlayerId
    token: str
    scopes: frozenset[str]
