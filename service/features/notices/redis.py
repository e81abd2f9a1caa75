"""Notices on a server: all in one slot, each call that writes more than one key is a script."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec

from ....domain.match import PlayerId
from ...redis_store.client import items, number, text
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import DONE_MS, MAIL, MOST_PLANNED, Chosen, NoticeId, Planned

NOTICES = "notices:{notices}"
"""What notices are made of: all their keys begin with it.

`of` and `revisions` are hashes by player. Of each planned notice `waiting` has the notice, `due` (of mail: `due-mail`) when it is
due, and `tries` how often it was claimed; `done` has when those that are done were. `seen` has when each player was last there.
`holders` has for whom the messages of a browser are, by a digest of its address.
"""
_PUT = Script("notice_put", beside=__name__)
_PLAN = Script("notice_plan", beside=__name__)
_CLAIM = Script("notice_claim", beside=__name__)
_FINISH = Script("notice_finish", beside=__name__)
_FORGET = Script("notice_forget", beside=__name__)
_AT_ONCE = 100
"""Notices that one script adds: none blocks the server for long."""
_ENCODER = msgspec.msgpack.Encoder()
_CHOSEN = msgspec.msgpack.Decoder(Chosen)
_PLANNED = msgspec.msgpack.Decoder(Planned)
_T = TypeVar("_T")


class RedisNotices:
    """What players have chosen, what is planned, and who was there."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def wanted(self) -> bool:
        return number(await self._client.call("EXISTS", f"{NOTICES}:of")) == 1

    async def of(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, Chosen]:
        if not players:
            return {}
        found = items(await self._client.call("HMGET", f"{NOTICES}:of", *players))
        return {player: _CHOSEN.decode(each) for player, each in zip(players, found, strict=True) if isinstance(each, bytes)}

    async def put(self, chosen: Chosen) -> bool:
        facts = (chosen.player, chosen.revision, _ENCODER.encode(chosen))
        return number(await self._client.run(_PUT, (NOTICES,), facts)) == 1

    async def hold(self, endpoint: str, player: PlayerId) -> PlayerId | None:
        before = await self.holder(endpoint)
        await self._client.write("HSET", f"{NOTICES}:holders", _digest(endpoint), player)
        return before

    async def holder(self, endpoint: str) -> PlayerId | None:
        found = await self._client.call("HGET", f"{NOTICES}:holders", _digest(endpoint))
        return PlayerId(text(found)) if found is not None else None

    async def let_go(self, endpoint: str, player: PlayerId) -> None:
        if await self.holder(endpoint) == player:
            await self._client.write("HDEL", f"{NOTICES}:holders", _digest(endpoint))

    async def forget(self, player: PlayerId) -> None:
        await self._client.run(_FORGET, (NOTICES,), (player,))

    async def plan(self, planned: Sequence[Planned], now_ms: int, most: int = MOST_PLANNED) -> int:
        left_out = 0
        for some in _parts(planned):
            facts = [part for each in some for part in (each.id, each.due_ms, _ENCODER.encode(each), _queue_of(each))]
            left_out += number(await self._client.run(_PLAN, (NOTICES,), (now_ms - DONE_MS, most, *facts)))
        return left_out

    async def claim(self, now_ms: int, until_ms: int, count: int, *, mail: bool) -> Sequence[Planned]:
        found = items(await self._client.run(_CLAIM, (NOTICES,), (now_ms, until_ms, count, _queue(mail=mail))))
        return [
            msgspec.structs.replace(_PLANNED.decode(body), due_ms=until_ms, tries=number(tries))
            for body, tries in zip(found[::2], found[1::2], strict=True)
            if isinstance(body, bytes)
        ]

    async def finish(self, notice: NoticeId, now_ms: int) -> None:
        await self._client.run(_FINISH, (NOTICES,), (notice, now_ms))

    async def postpone(self, notice: NoticeId, due_ms: int) -> None:
        for mail in (False, True):
            await self._client.write("ZADD", f"{NOTICES}:{_queue(mail=mail)}", "XX", due_ms, notice)

    async def touch(self, players: Sequence[PlayerId], now_ms: int) -> None:
        await self._client.write("ZREMRANGEBYSCORE", f"{NOTICES}:seen", "-inf", now_ms - DONE_MS)
        for some in _parts(players):
            await self._client.write("ZADD", f"{NOTICES}:seen", *(part for player in some for part in (now_ms, player)))

    async def seen_ms(self, player: PlayerId) -> int | None:
        found = await self._client.call("ZSCORE", f"{NOTICES}:seen", player)
        return int(float(text(found))) if found is not None else None


def _digest(endpoint: str) -> bytes:
    return hashlib.sha256(endpoint.encode()).digest()


def _queue_of(notice: Planned) -> str:
    return _queue(mail=notice.way == MAIL)


def _queue(*, mail: bool) -> str:
    return "due-mail" if mail else "due"


def _parts(found: Sequence[_T]) -> Iterator[Sequence[_T]]:
    return (found[start : start + _AT_ONCE] for start in range(0, len(found), _AT_ONCE))
