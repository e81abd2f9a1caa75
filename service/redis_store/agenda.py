"""Deadlines, bot work, thoughts, and leases on a server."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain.match import MatchId
from ..ports.agenda import AgendaKind, Claims
from ..ports.clock import CLOCK_STEP_MS
from ..ports.events import shard_of
from . import keys
from .client import items, number, text
from .link import Reply
from .script import Script
from .store_client import StoreClient

_CLAIM = Script("time", "claim")
_PLAN = Script("time", "plan")
_TAKE = Script("take")
_GIVE_BACK = Script("give_back")


class RedisAgenda:
    """Deadlines and bot work; one script call for each group of shards in which something is due."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def claim(self, kind: AgendaKind, now_ms: int | None, lease_ms: int, limit: int) -> Claims:
        """Return what is due and push those entries to now + lease; it is now by the store's clock, or *now_ms*."""
        groups = [[keys.agenda(kind, shard) for shard in group] for group in self._client.groups]
        return await claim(self._client, groups, now_ms, lease_ms, limit)

    async def postpone(self, kind: AgendaKind, match: MatchId, until_ms: int) -> None:
        """Push an existing entry to a later time; nothing happens if there is none."""
        await self._plan(kind, match, until_ms, "GT")

    async def move(self, kind: AgendaKind, match: MatchId, at_ms: int) -> None:
        """Set an existing entry to a time, earlier or later; nothing happens if there is none."""
        await self._plan(kind, match, at_ms, "")

    async def _plan(self, kind: AgendaKind, match: MatchId, at_ms: int, only: str) -> None:
        arguments = (match, at_ms, only, self._client.time.now_ms(), CLOCK_STEP_MS)
        await self._client.run(_PLAN, (keys.agenda(kind, shard_of(match)),), arguments)


async def claim(client: StoreClient, groups: Sequence[Sequence[str]], now_ms: int | None, lease_ms: int, limit: int) -> Claims:
    """Lease what is due in sorted sets of matches by their time, group by group, the earliest entry first."""
    due: list[tuple[MatchId, int]] = []
    coming: list[int] = []
    latest = client.time.now_ms() if now_ms is None else now_ms
    for first_ms, names in await _first(client, groups):
        if first_ms > latest or (due and len(due) == limit):
            coming.append(first_ms)
            break
        reply = await client.run(_CLAIM, names, ("" if now_ms is None else now_ms, lease_ms, limit - len(due)))
        next_ms, *claimed = items(reply)
        due.extend(_pairs(claimed))
        if next_ms is not None:
            coming.append(number(next_ms))
    return Claims(tuple(due), min(coming, default=None))


async def _first(client: StoreClient, groups: Sequence[Sequence[str]]) -> Sequence[tuple[int, Sequence[str]]]:
    """Return those groups that have an entry, with the time of their first, in its order. One group is not looked at before."""
    if len(groups) == 1:
        return [(0, groups[0])]
    replies = await client.together(("ZRANGE", name, 0, 0, "WITHSCORES") for names in groups for name in names)
    names = [name for group in groups for name in group]
    first = [(int(float(text(found[1]))), (name,)) for name, reply in zip(names, replies, strict=True) if (found := items(reply))]
    return sorted(first)


def _pairs(claimed: list[Reply]) -> list[tuple[MatchId, int]]:
    return [(MatchId(text(match)), number(due)) for match, due in zip(claimed[::2], claimed[1::2], strict=True)]


class RedisThoughts:
    """What bots will answer, each under its match's slot."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def keep(self, match: MatchId, thought: bytes, ttl_ms: int) -> None:
        """Keep a thought for that time, instead of the one that was kept."""
        await self._client.write("SET", keys.thought(match), thought, "PX", ttl_ms)

    async def kept(self, match: MatchId) -> bytes | None:
        """Return the thought that is kept; None if there is none, or its time is over."""
        reply = await self._client.call("GET", keys.thought(match))
        return reply if isinstance(reply, bytes) else None

    async def note_alarm(self) -> None:
        """Count a thought that took so long that it was broken off."""
        await self._client.write("INCR", keys.ALARMS)

    async def alarms(self) -> int:
        """Return how many were counted."""
        return int(text(await self._client.call("GET", keys.ALARMS) or b"0"))


class RedisLeases:
    """Ownership for a while: one owner per name, by the server's clock."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def take(self, name: str, owner: str, ttl_ms: int) -> bool:
        """Take or renew the lease; False if another owner holds it."""
        return number(await self._client.run(_TAKE, (keys.lease(name),), (owner, ttl_ms))) == 1

    async def give_back(self, name: str, owner: str) -> None:
        """End the lease if *owner* still holds it."""
        await self._client.run(_GIVE_BACK, (keys.lease(name),), (owner,))
