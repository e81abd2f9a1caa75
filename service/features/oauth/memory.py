"""Clients, codes and grants in memory."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from ....domain.match import PlayerId
from .port import CLIENT_MS, CODE_KEPT_MS, ENCODER, ENDED_MS, GRANT_MS, NEW_CLIENT_MS, Client, Code, Grant, Held, held

K = TypeVar("K")
V = TypeVar("V")


def _passed_ms() -> int:
    return int(time.monotonic() * 1_000)


class _Expiring(Generic[K, V]):
    """Values that each last for as long as all others do, from when they were last kept: the first ones end first."""

    def __init__(self, lasts_ms: int, passed_ms: Callable[[], int]) -> None:
        self._lasts_ms = lasts_ms
        self._passed_ms = passed_ms
        self._kept: dict[K, tuple[int, V]] = {}

    def keep(self, key: K, value: V) -> None:
        """Keep a value from now on."""
        self._prune()
        self._kept.pop(key, None)
        self._kept[key] = self._passed_ms() + self._lasts_ms, value

    def get(self, key: K) -> V | None:
        """Return a value; None if there is none (any more)."""
        self._prune()
        return self._kept[key][1] if key in self._kept else None

    def drop(self, key: K) -> None:
        """Delete a value; nothing happens if there is none."""
        self._kept.pop(key, None)

    def _prune(self) -> None:
        while self._kept and self._kept[first := next(iter(self._kept))][0] <= self._passed_ms():
            del self._kept[first]


class MemoryOauth:
    """Clients, codes and grants, which end as those on a server do, or with the process.

    *passed_ms*: a clock that only goes on.
    """

    def __init__(self, passed_ms: Callable[[], int] = _passed_ms) -> None:
        self._new = _Expiring[str, Client](NEW_CLIENT_MS, passed_ms)
        self._clients = _Expiring[str, Client](CLIENT_MS, passed_ms)
        self._ended = _Expiring[str, bool](ENDED_MS, passed_ms)
        self._codes: dict[bytes, Code] = {}
        self._uses: defaultdict[bytes, dict[str, int]] = defaultdict(dict)
        self._grants = _Expiring[PlayerId, dict[str, bytes]](GRANT_MS, passed_ms)
        self._allowed = _Expiring[str, dict[tuple[PlayerId, str], int]](GRANT_MS, passed_ms)

    async def put_client(self, client: Client) -> None:
        self._new.keep(client.id, client)

    async def renew_client(self, client: str) -> bool:
        if (found := await self.client(client)) is None:
            return False
        self._clients.keep(client, found)
        return True

    async def drop_client(self, client: str) -> None:
        self._ended.keep(client, True)
        self._clients.drop(client)
        self._new.drop(client)

    async def is_ended(self, client: str) -> bool:
        return self._ended.get(client) is not None

    async def client(self, client: str) -> Client | None:
        return self._clients.get(client) or self._new.get(client)

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

    async def allowed(self, client: str) -> Sequence[tuple[PlayerId, str]]:
        return [*(self._allowed.get(client) or ())]

    async def grants(self, player: PlayerId) -> Sequence[Held]:
        return [*map(held, self._of(player).values())]

    async def grant(self, player: PlayerId, grant: str) -> Held:
        return held(self._of(player).get(grant, b""))

    async def put_grant(self, player: PlayerId, before: Held, after: Grant) -> bool:
        there = self._of(player)
        wanted = ENCODER.encode(after)
        if there.get(after.id, b"") not in (before.stored, wanted):
            return False
        self._grants.keep(player, {**there, after.id: wanted})
        allowed = {**(self._allowed.get(after.client) or {}), (player, after.id): after.until_ms}
        self._allowed.keep(after.client, {each: until_ms for each, until_ms in allowed.items() if until_ms > after.used_ms})
        return True

    async def drop_grant(self, player: PlayerId, grant: str) -> None:
        if (found := held(self._of(player).pop(grant, b"")).grant) is not None:
            self._part(player, found)

    async def forget(self, player: PlayerId) -> None:
        for grant in map(held, self._of(player).values()):
            if grant.grant is not None:
                self._part(player, grant.grant)
        self._grants.drop(player)

    def _of(self, player: PlayerId) -> dict[str, bytes]:
        return self._grants.get(player) or {}

    def _part(self, player: PlayerId, grant: Grant) -> None:
        (self._allowed.get(grant.client) or {}).pop((player, grant.id), None)
