"""What OAuth needs of a store: applications of others (clients, in its words), codes, and what players have allowed (grants)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from ....domain.match import PlayerId

DAY_MS = 86_400_000
CLIENT_MS = 90 * DAY_MS
"""How long an application stays registered that no one uses."""
NEW_CLIENT_MS = 3_600_000
"""How long one stays registered that no player has ever allowed anything: it makes room for others."""
ENDED_MS = DAY_MS
"""How long it is known that an application was ended: as long as a request that has registered it may come again."""
CODE_MS = 60_000
"""How long a code counts."""
CODE_KEPT_MS = 600_000
"""How long it is known that a code was used."""
ACCESS_MS = 3_600_000
"""How long an access token counts."""
REPEAT_MS = 60_000
"""For how long a refresh token that was used gives the same answer again, unless its successor was used."""
GRANT_MS = 90 * DAY_MS
"""How long a grant lasts that is not used."""


class Client(msgspec.Struct, frozen=True, array_like=True):
    """An application of others: its id, the name that it has given itself, and where it may have players sent back to."""

    id: str
    name: str
    redirects: tuple[str, ...]
    created_ms: int


class Code(msgspec.Struct, frozen=True, array_like=True):
    """What a code gives, and to whom: the grant that it becomes, for the client that has the verifier of the challenge.

    `ends_ms`: when the token of the player ends that has allowed it; the grant lasts no longer. `by`: the id of that token.
    """

    player: PlayerId
    grant: str
    client: str
    redirect: str
    challenge: str
    scopes: tuple[str, ...]
    until_ms: int
    ends_ms: int | None
    by: str = ""


class Grant(msgspec.Struct, frozen=True, array_like=True):
    """What a player has allowed an application: scopes, since when, when it was last renewed, and until when it counts.

    `access` is the id of its newest access token, `refresh` the digest of its newest refresh token. `host` is where players were
    sent back to. `repeated` is the digest of the refresh token before the newest one, and `answer` what it was answered with,
    sealed by that token itself: a client that lost the answer asks once more within `REPEAT_MS`. `by` is
    the id of the player's token that has allowed it, empty if it was allowed before that was kept.
    """

    id: str
    client: str
    name: str
    host: str
    scopes: tuple[str, ...]
    since_ms: int
    used_ms: int
    until_ms: int
    ends_ms: int | None
    access: str
    refresh: bytes
    repeated: bytes = b""
    answer: bytes = b""
    by: str = ""


class Held(NamedTuple):
    """A grant, and what it is stored as: what `put_grant` compares with. No grant is stored as no bytes."""

    grant: Grant | None
    stored: bytes


class OauthStore(Protocol):
    """Clients, codes and grants. Every method may raise StoreUnavailable."""

    async def put_client(self, client: Client) -> None:
        """Keep a new client for `NEW_CLIENT_MS`."""
        ...

    async def renew_client(self, client: str) -> bool:
        """Keep a client from now on for `CLIENT_MS`; False if there is none (any more)."""
        ...

    async def drop_client(self, client: str) -> None:
        """Delete a client, and know for `ENDED_MS` that it was ended, even where there is none."""
        ...

    async def is_ended(self, client: str) -> bool:
        """Return whether it is known that a client was ended."""
        ...

    async def client(self, client: str) -> Client | None:
        """Return a client; None if there is none (any more)."""
        ...

    async def put_code(self, digest: bytes, code: Code) -> None:
        """Keep a code by its digest for `CODE_KEPT_MS`."""
        ...

    async def code(self, digest: bytes) -> Code | None:
        """Return a code, used or not; None if there is none (any more)."""
        ...

    async def use_code(self, digest: bytes, by: str) -> int:
        """Note that a code is used; return how often it was, with this time: one caller alone gets 1, whenever it asks again."""
        ...

    async def uses(self, digest: bytes) -> int:
        """Return how often a code was used."""
        ...

    async def allowed(self, client: str) -> Sequence[tuple[PlayerId, str]]:
        """Return the grants of a client as players and ids, in no order; some may have ended since one was last kept."""
        ...

    async def grants(self, player: PlayerId) -> Sequence[Held]:
        """Return the grants of a player, in no order; some may have ended."""
        ...

    async def grant(self, player: PlayerId, grant: str) -> Held:
        """Return a grant of a player."""
        ...

    async def put_grant(self, player: PlayerId, before: Held, after: Grant) -> bool:
        """Keep a grant in place of the one that was read; False, and nothing kept, if another one is there, or none any more.

        The client's grants that have ended by then (`used_ms`) are its grants no longer.
        """
        ...

    async def drop_grant(self, player: PlayerId, grant: str) -> None:
        """Delete a grant; nothing happens if there is none."""
        ...

    async def forget(self, player: PlayerId) -> None:
        """Delete all grants of a player; its codes lead nowhere then, and end by themselves."""
        ...


CLIENT = msgspec.msgpack.Decoder(Client)
CODE = msgspec.msgpack.Decoder(Code)
GRANT = msgspec.msgpack.Decoder(Grant)
ENCODER = msgspec.msgpack.Encoder()


def held(stored: bytes) -> Held:
    """Return the grant that is stored as these bytes."""
    return Held(GRANT.decode(stored) if stored else None, stored)
