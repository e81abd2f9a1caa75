"""What signing in by OpenID Connect needs of a store: attempts for some minutes, and which player an identity leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from ....domain.match import PlayerId

ATTEMPT_MS = 600_000
"""How long an attempt counts."""
MOST_TOKENS = 50
"""How many tokens of a player are noted: as many as it can have."""


class Attempt(msgspec.Struct, frozen=True, array_like=True):
    """An attempt to sign in, or, of a *player*, to link an identity: until when it counts, and what must fit at its end.

    `browser` is the digest of the secret that the browser keeps which began it; `nonce` and `verifier` are for the provider.
    `identity`: what the provider has answered, once it has taken its code (empty: not yet).
    """

    until_ms: int
    browser: bytes
    nonce: str
    verifier: str
    player: PlayerId | None
    identity: bytes = b""


class OpenIdStore(Protocol):
    """Attempts and identities. Every method may raise StoreUnavailable.

    An identity leads to one player at most. Which identities a player may have is noted beside it, before that is so, so that a
    deletion overlooks none; what is noted alone means nothing.
    """

    async def keep(self, state: bytes, attempt: Attempt) -> None:
        """Keep an attempt by the digest of its state until it ends, which its identity does not put off."""
        ...

    async def attempt(self, state: bytes) -> Attempt | None:
        """Return an attempt and leave it; None if there is none (any more)."""
        ...

    async def take(self, state: bytes, by: bytes) -> bool:
        """Return whether an attempt counts for *by*: for the first that takes it, whenever it asks again, and for no other."""
        ...

    async def holder(self, identity: bytes) -> PlayerId | None:
        """Return the player that an identity leads to."""
        ...

    async def replace(self, identity: bytes, before: PlayerId | None, after: PlayerId | None) -> bool:
        """Let an identity lead to another player, or to none; False, and nothing changed, if it does not lead to *before*.

        True if it leads to *after* already.
        """
        ...

    async def note(self, player: PlayerId, identity: bytes, since_ms: int) -> None:
        """Note that an identity may lead to a player, unless that is noted already."""
        ...

    async def strike(self, player: PlayerId, identity: bytes) -> None:
        """Delete such a note; nothing happens if there is none."""
        ...

    async def noted(self, player: PlayerId) -> Mapping[bytes, int]:
        """Return the identities that are noted at a player, and since when (Unix milliseconds)."""
        ...

    async def note_token(self, player: PlayerId, token: str, at_ms: int) -> None:
        """Note a token that a player got by signing in; of many, the newest `MOST_TOKENS` stay noted."""
        ...

    async def noted_tokens(self, player: PlayerId) -> Sequence[str]:
        """Return these tokens of a player, oldest first, also those that have ended."""
        ...

    async def strike_tokens(self, player: PlayerId) -> None:
        """Delete all notes of a player's tokens."""
        ...

    async def prune(self, now_ms: int) -> None:
        """Delete attempts that have ended, if the store does not do so by itself."""
        ...
