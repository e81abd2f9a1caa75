"""Talk on a server: two keys for each room, beside the log of its match; who has spoken where; and when talk is deleted.

A match is entered into the common sets, and into that of the line's author, before its first line is written: so no line is
overlooked, by those who delete old ones or those of a player.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ....domain.match import MatchId, PlayerId
from ...errors import StoreUnavailable
from ...ports.events import shard_of
from ...redis_store.client import items, number, text
from ...redis_store.keys import tag
from ...redis_store.link import Reply
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import AT_ONCE, KEPT, MOST_MUTED, MOST_REPORTS, Closing, Line, Lines, MatchRoom, Numbered, Report, Room, hidden

LOOKED_AT = "talk:matches"
"""Sorted set: match with talk -> when to ask whether it is over (Unix milliseconds)."""
ENDING = "talk:ending"
"""Sorted set: match that is over -> when its talk is deleted (Unix milliseconds)."""
REPORTS = "talk:reports"
"""Hash: report -> its body."""
REPORTED = "talk:reported"
"""Sorted set: report -> when it was made (Unix milliseconds)."""
END = "end"
_SAY = Script("say", beside=__name__)
_EXCHANGE = Script("exchange", beside=__name__)
TRIES = 20
_ENCODER = msgspec.msgpack.Encoder()
_LINE = msgspec.msgpack.Decoder(Line)
_REPORT = msgspec.msgpack.Decoder(Report)


class RedisLines:
    """The lines of all rooms."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def add(self, place: MatchRoom, line: Line) -> int:
        await self._client.write("ZADD", LOOKED_AT, "NX", line.at_ms, place.match)
        await self._client.write("SADD", _spoken_in(line.player), place.match)
        keys = (_numbers(place), _bodies(place), _speakers(place.match))
        return number(await self._client.run(_SAY, keys, (line.id, _ENCODER.encode(line), line.player, KEPT)))

    async def read(self, place: MatchRoom, after: int, limit: int) -> Lines:
        numbers = _numbers(place)
        found = items(await self._client.call("ZRANGE", numbers, f"({after}", "+inf", "BYSCORE", "LIMIT", 0, limit, "WITHSCORES"))
        ids = [text(each) for each in found[::2]]
        end, *bodies = items(await self._client.call("HMGET", _bodies(place), END, *ids))
        lines = [
            Numbered(int(text(n)), _LINE.decode(body))
            for n, body in zip(found[1::2], bodies, strict=True)
            if isinstance(body, bytes)
        ]
        return Lines(lines, int(text(end)) if end is not None else 0)

    async def line(self, place: MatchRoom, n: int) -> Line | None:
        found = await self.read(place, n - 1, 1)
        return found.found[0].line if found.found and found.found[0].n == n else None

    async def hide(self, place: MatchRoom, n: int) -> Line | None:
        if (line := await self.line(place, n)) is None:
            return None
        left = hidden(line)
        exchanged = await self._client.run(_EXCHANGE, (_bodies(place),), (line.id, _ENCODER.encode(line), _ENCODER.encode(left)))
        return left if number(exchanged) else await self.line(place, n)  # hidden by another request, or deleted

    async def ends(self, places: Sequence[MatchRoom]) -> Sequence[int]:
        found = await self._client.together(("HGET", _bodies(place), END) for place in places)
        return [int(text(each)) if each is not None else 0 for each in found]

    async def of(self, player: PlayerId) -> Sequence[tuple[MatchRoom, Numbered]]:
        matches = map(MatchId, _ids(await self._client.call("SMEMBERS", _spoken_in(player))))
        return [
            (place, each)
            for match_id in matches
            for place in _places(match_id)
            for each in (await self.read(place, 0, KEPT)).found
            if each.line.player == player
        ]

    async def forget(self, player: PlayerId) -> None:
        for place, each in await self.of(player):
            await self._client.write("HDEL", _bodies(place), each.line.id)
            await self._client.write("ZREM", _numbers(place), each.line.id)
        for match_id in map(MatchId, _ids(await self._client.call("SMEMBERS", _spoken_in(player)))):
            await self._client.write("SREM", _speakers(match_id), player)
        await self._client.write("DEL", _spoken_in(player))

    async def to_look_at(self, now_ms: int) -> Sequence[MatchId]:
        return await self._due(LOOKED_AT, now_ms)

    async def put_off(self, match_id: MatchId, until_ms: int) -> None:
        await self._client.write("ZADD", LOOKED_AT, "XX", until_ms, match_id)

    async def let_end(self, match_id: MatchId, at_ms: int) -> None:
        await self._client.write("ZADD", ENDING, "NX", at_ms, match_id)
        await self._client.write("ZREM", LOOKED_AT, match_id)

    async def to_delete(self, now_ms: int) -> Sequence[MatchId]:
        return await self._due(ENDING, now_ms)

    async def _due(self, key: str, now_ms: int) -> Sequence[MatchId]:
        found = await self._client.call("ZRANGE", key, "-inf", now_ms, "BYSCORE", "LIMIT", 0, AT_ONCE)
        return [*map(MatchId, _ids(found))]

    async def delete(self, match_id: MatchId) -> None:
        """Delete all talk of a match. Who has spoken in it goes last, so that a step that is cut off can be repeated."""
        for place in _places(match_id):
            for key in (_numbers(place), _bodies(place)):
                await self._client.write("DEL", key)
        for player in map(PlayerId, _ids(await self._client.call("SMEMBERS", _speakers(match_id)))):
            await self._client.write("SREM", _spoken_in(player), match_id)
        await self._client.write("DEL", _speakers(match_id))
        await self._client.write("ZREM", ENDING, match_id)


class RedisMutes:
    """Whom each player has muted."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def mute(self, player: PlayerId, other: PlayerId, now_ms: int) -> None:
        await self._client.write("ZADD", _muted_by(player), now_ms, other)
        await self._client.write("ZREMRANGEBYRANK", _muted_by(player), 0, -MOST_MUTED - 1)

    async def unmute(self, player: PlayerId, other: PlayerId) -> None:
        await self._client.write("ZREM", _muted_by(player), other)

    async def muted(self, player: PlayerId) -> Sequence[PlayerId]:
        return [*map(PlayerId, _ids(await self._client.call("ZRANGE", _muted_by(player), 0, -1, "REV")))]

    async def forget(self, player: PlayerId) -> None:
        await self._client.write("DEL", _muted_by(player))


class RedisReports:
    """Reports. The time is written first and deleted last: a body that has none would never be found again."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def put(self, report: Report) -> None:
        if (known := await self.find(report.id)) is not None and known.closed is not None:
            return
        await self._client.write("ZADD", REPORTED, report.at_ms, report.id)
        await self._client.write("HSET", REPORTS, report.id, _ENCODER.encode(report))
        await self._drop(_ids(await self._client.call("ZRANGE", REPORTED, 0, -MOST_REPORTS - 1)))

    async def find(self, report: str) -> Report | None:
        found = await self._client.call("HGET", REPORTS, report)
        return _REPORT.decode(found) if isinstance(found, bytes) else None

    async def close(self, report: str, closing: Closing) -> Report | None:
        for _ in range(TRIES):
            found = await self.find(report)
            if found is None or found.closed is not None:
                return found
            closed = msgspec.structs.replace(found, closed=closing)
            change = (report, _ENCODER.encode(found), _ENCODER.encode(closed))
            if number(await self._client.run(_EXCHANGE, (REPORTS,), change)):
                return closed
        raise StoreUnavailable("the report keeps being changed by others")

    async def newest(self, skip: int, limit: int) -> Sequence[Report]:
        ids = _ids(await self._client.call("ZRANGE", REPORTED, skip, skip + limit - 1, "REV"))
        found = items(await self._client.call("HMGET", REPORTS, *ids)) if ids else []
        return [_REPORT.decode(each) for each in found if isinstance(each, bytes)]

    async def prune(self, before_ms: int) -> None:
        await self._drop(_ids(await self._client.call("ZRANGE", REPORTED, "-inf", before_ms, "BYSCORE")))

    async def forget(self, player: PlayerId) -> None:
        found = await self.newest(0, MOST_REPORTS)
        await self._drop([each.id for each in found if player in {each.reporter, each.line.player}])

    async def _drop(self, ids: Sequence[str]) -> None:
        for each in ids:
            await self._client.write("HDEL", REPORTS, each)
            await self._client.write("ZREM", REPORTED, each)


def _ids(reply: Reply) -> list[str]:
    return [text(each) for each in items(reply)]


def _places(match_id: MatchId) -> Sequence[MatchRoom]:
    return [MatchRoom(match_id, room) for room in Room]


def _beside(match_id: MatchId) -> str:
    return f"m:{tag(shard_of(match_id))}:{match_id}:talk"


def _numbers(place: MatchRoom) -> str:
    """Sorted set: line of a room -> its number."""
    return f"{_beside(place.match)}:{place.room.value}"


def _bodies(place: MatchRoom) -> str:
    """Hash: line of a room -> its body; `end`: how many there have been."""
    return f"{_beside(place.match)}:{place.room.value}:lines"


def _speakers(match_id: MatchId) -> str:
    """Set: players who have said something in a match."""
    return f"{_beside(match_id)}:who"


def _spoken_in(player: PlayerId) -> str:
    """Set: matches in which a player has said something."""
    return f"talk:of:{player}"


def _muted_by(player: PlayerId) -> str:
    """Sorted set: player who is muted for this one -> since when (Unix milliseconds)."""
    return f"talk:muted:{player}"
