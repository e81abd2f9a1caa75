"""Deadlines, bot work, and leases on a server."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from heapq import nsmallest

from ...domain.match import MatchId
from ..ports.agenda import AgendaKind, Claims
from ..ports.events import Shard, shard_of
from ..ports.server_time import CLOCK_STEP_MS
from . import keys
from .client import items, number, text
from .link import Reply
from .script import Script
from .store_client import StoreClient

ROUNDS = 8
"""How often a claim on a cluster looks for more when others were quicker: few, as servers may not agree about the time."""

_CLAIM = Script("time", "claim")
_PLAN = Script("time", "plan")
_WRITE = Script("write")
_TAKE = Script("take")
_GIVE_BACK = Script("give_back")
_JOIN = Script("time", "join")


class RedisAgenda:
    """Deadlines and bot work; one script call for each group of shards in which something is due."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def claim(
        self, kind: AgendaKind, now_ms: int | None, lease_ms: int, limit: int, shards: Collection[Shard] | None = None
    ) -> Claims:
        """Return what is due and push those entries to now + lease; it is now by the store's clock, or *now_ms*."""
        chosen = keys.ALL_SHARDS if shards is None else shards
        groups = [[keys.agenda(kind, shard) for shard in group if shard in chosen] for group in self._client.groups]
        return await claim(self._client, [names for names in groups if names], now_ms, lease_ms, limit)

    async def postpone(self, kind: AgendaKind, match_id: MatchId, until_ms: int) -> None:
        await self._plan(kind, match_id, until_ms, "GT")

    async def move(self, kind: AgendaKind, match_id: MatchId, at_ms: int) -> None:
        await self._plan(kind, match_id, at_ms, "")

    async def remove(self, kind: AgendaKind, match_id: MatchId) -> None:
        await self._client.run(_WRITE, (keys.agenda(kind, shard_of(match_id)),), ("ZREM", match_id))

    async def _plan(self, kind: AgendaKind, match_id: MatchId, at_ms: int, only: str) -> None:
        arguments = (match_id, at_ms, only, self._client.time.now_ms(), CLOCK_STEP_MS)
        await self._client.run(_PLAN, (keys.agenda(kind, shard_of(match_id)),), arguments)


async def claim(client: StoreClient, groups: Sequence[Sequence[str]], now_ms: int | None, lease_ms: int, limit: int) -> Claims:
    """Lease what is due in sorted sets of matches by their time, the earliest entries first."""
    if not groups:
        return Claims((), None)
    if len(groups) == 1:
        return await _claim(client, groups[0], now_ms, lease_ms, limit)
    latest = client.time.now_ms() if now_ms is None else now_ms
    names = [name for group in groups for name in group]
    due: list[tuple[MatchId, int]] = []
    next_ms: int | None = None
    for _ in range(ROUNDS):
        found, missed = await _round(client, names, now_ms, latest, lease_ms, limit - len(due))
        due += found.due
        next_ms = found.next_ms
        if not missed:
            break
    return Claims(tuple(sorted(due, key=lambda entry: entry[1])), next_ms)


async def _round(
    client: StoreClient, names: Sequence[str], now_ms: int | None, latest: int, lease_ms: int, limit: int
) -> tuple[Claims, bool]:
    """Lease what has waited longest; return it, and whether others who looked at the same time were quicker with some of it."""
    first = await _first(client, names)
    parts = await _parts(client, [name for name, at_ms in first.items() if at_ms <= latest], latest, limit)
    claims = await asyncio.gather(*(_claim(client, (name,), now_ms, lease_ms, count) for name, count in parts.items()))
    coming = [at_ms for name, at_ms in first.items() if name not in parts]
    coming += [each.next_ms for each in claims if each.next_ms is not None]
    due = tuple(entry for each in claims for entry in each.due)
    return Claims(due, min(coming, default=None)), len(parts) > 1 and len(due) < sum(parts.values())


async def _claim(client: StoreClient, names: Sequence[str], now_ms: int | None, lease_ms: int, limit: int) -> Claims:
    """Lease what is due in sorted sets that one script may touch."""
    next_ms, *claimed = items(await client.run(_CLAIM, names, ("" if now_ms is None else now_ms, lease_ms, limit)))
    return Claims(tuple(_pairs(claimed)), number(next_ms) if next_ms is not None else None)


async def _first(client: StoreClient, names: Sequence[str]) -> Mapping[str, int]:
    """Return the time of the first entry of each sorted set that has one."""
    replies = await client.together(("ZRANGE", name, 0, 0, "WITHSCORES") for name in names)
    return {name: int(float(text(found[1]))) for name, reply in zip(names, replies, strict=True) if (found := items(reply))}


async def _parts(client: StoreClient, names: Sequence[str], latest: int, limit: int) -> Mapping[str, int]:
    """Return how many of the entries that have waited longest of all are in each sorted set, without those that have none."""
    if len(names) < 2:
        return dict.fromkeys(names, limit)
    asked = (("ZRANGE", name, "-inf", latest, "BYSCORE", "LIMIT", 0, limit, "WITHSCORES") for name in names)
    replies = await client.together(asked)
    waiting = ((float(text(at)), name) for name, reply in zip(names, replies, strict=True) for at in items(reply)[1::2])
    return Counter(name for _, name in nsmallest(limit, waiting))


def _pairs(claimed: list[Reply]) -> list[tuple[MatchId, int]]:
    return [(MatchId(text(match)), number(due)) for match, due in zip(claimed[::2], claimed[1::2], strict=True)]


class RedisLeases:
    """Ownership for a while: one owner per name, by the server's clock."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def take(self, name: str, owner: str, ttl_ms: int) -> bool:
        return name in await self._take((name,), owner, ttl_ms, 1)

    async def take_each(self, names: Sequence[str], owner: str, ttl_ms: int, most: int) -> Collection[str]:
        """Take or renew the first *most* of several leases that no other owner holds, in their order; return those.

        It is one script, but in a cluster one for each lease, as each has a slot of its own.
        """
        if len(self._client.groups) == 1:
            return await self._take(names, owner, ttl_ms, most)
        taken: list[str] = []
        place = 0
        while len(taken) < most and place < len(names):
            some = names[place : place + most - len(taken)]
            place += len(some)
            for each in await asyncio.gather(*(self._take((name,), owner, ttl_ms, 1) for name in some)):
                taken += each
        return taken

    async def _take(self, names: Sequence[str], owner: str, ttl_ms: int, most: int) -> Collection[str]:
        reply = items(await self._client.run(_TAKE, [keys.lease(name) for name in names], (owner, ttl_ms, most)))
        return [name for name, taken in zip(names, reply, strict=True) if taken == 1]

    async def give_back(self, name: str, owner: str) -> None:
        await self._client.run(_GIVE_BACK, (keys.lease(name),), (owner,))

    async def join(self, group: str, owner: str, ttl_ms: int) -> int:
        return number(await self._client.run(_JOIN, (keys.owners(group),), (owner, ttl_ms)))

    async def leave(self, group: str, owner: str) -> None:
        await self._client.write("ZREM", keys.owners(group), owner)
