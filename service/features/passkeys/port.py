"""What passkeys need of a store."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

import msgspec

from ....domain.match import PlayerId

CHALLENGE_MS = 300_000
"""How long a challenge counts."""
MOST_PASSKEYS = 10
"""How many passkeys a player may have."""


class Passkey(msgspec.Struct, frozen=True, array_like=True):
    """The public half of a passkey, its label, and when it was made and last used (Unix milliseconds).

    `credential` is its id at the authenticator, `key` the same with its public key (attested credential data of WebAuthn, without
    the model), `counter` how often the authenticator says that it has signed (0: it does not count). `tokens`: the ids of tokens
    that it has led to, oldest first.
    """

    id: str
    credential: bytes
    key: bytes
    counter: int
    label: str
    made_ms: int
    used_ms: int | None = None
    tokens: tuple[str, ...] = ()


class Taken(Enum):
    """What becomes of one who takes a challenge: it is the first, it was the first, or the challenge does not count."""

    FIRST = "first"
    AGAIN = "again"
    NOT = "not"


class Added(Enum):
    """What becomes of a passkey that is added: it is there now, it was there before, or there is no room."""

    NOW = "now"
    BEFORE = "before"
    FULL = "full"


class PasskeyStore(Protocol):
    """Passkeys by player, and challenges. Every method may raise StoreUnavailable."""

    async def keep_challenge(self, digest: bytes, until_ms: int, now_ms: int) -> None:
        """Let a challenge count until then, unless it is known already."""
        ...

    async def take_challenge(self, digest: bytes, by: bytes, now_ms: int) -> Taken:
        """Take a challenge: of all who try, it counts for the first, whenever it asks again under the same name, *by*."""
        ...

    async def add(self, player: PlayerId, passkey: Passkey) -> Added:
        """Keep a passkey, unless its player has it or has `MOST_PASSKEYS` others."""
        ...

    async def passkeys(self, player: PlayerId) -> Sequence[Passkey]:
        """Return the passkeys of a player, oldest first."""
        ...

    async def passkey(self, player: PlayerId, id_: str) -> Passkey | None:
        """Return a passkey of a player; None if there is none."""
        ...

    async def replace(self, player: PlayerId, before: Passkey, after: Passkey) -> bool:
        """Replace a passkey; False, and nothing written, if it is not (any more) as it was before."""
        ...

    async def remove(self, player: PlayerId, id_: str) -> bool:
        """Delete a passkey; False if there is none."""
        ...

    async def forget(self, player: PlayerId) -> None:
        """Delete all passkeys of a player."""
        ...
