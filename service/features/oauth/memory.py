"""Clients, codes and grants in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ....domain.match import PlayerId
from .port import CODE_KEPT_MS, ENCODER, Client, Code, Grant, Held, held


class MemoryOauth:
    """Clients, codes and grants. Clients and grants end with the process, mostly before their time."""

    def __init__(self) -> None:
        self._clients: dict[str, Client] = {}
        self._codes: dict[bytes, Code] = {}
        self._uses: defaultdict[bytes, dict[str, int]] = defaultdict(dict)
        self._grants: defaultdict[PlayerId, dict[str, bytes]] = defaultdict(dict)

    async def put_client(self, client: Client) -> None:
        self._clients[client.id] = client

    async def client(self, client: str) -> Client | None:
        return self._clients.get(client)

    async def put_code(self, digest: bytes, code: Code) -> None:
        for each in [each for each, kept in self._codes.items() if kept.until_ms + CODE_KEPT_MS < code.until_ms]:
            del self._codes[each]
            self._uses.pop(each, None)
        self._codes[digest] = code

    async def code(self, digest: bytes) -> Code | None:
        return self._codes.get(digest)

    async def use_code(self, digest: bytes, by: str) -> int:
        uses = self._uses[digest]
        return uses.setdefault(by, len(uses) + 1)

    async def uses(self, digest: bytes) -> int:
        return len(self._uses.get(digest, ()))

    async def grants(self, player: PlayerId) -> Sequence[Held]:
        return [*map(held, self._grants.get(player, {}).values())]

    async def grant(self, player: PlayerId, grant: str) -> Held:
        return held(self._grants.get(player, {}).get(grant, b""))

    async def put_grant(self, player: PlayerId, before: Held, after: Grant) -> bool:
        if self._grants.get(player, {}).get(after.id, b"") not in (before.stored, ENCODER.encode(after)):
            return False
        self._grants[player][after.id] = ENCODER.encode(after)
        return True

    async def drop_grant(self, player: PlayerId, grant: str) -> None:
        self._grants.get(player, {}).pop(grant, None)

    async def forget(self, player: PlayerId) -> None:
        self._grants.pop(player, None)
