"""The deals of the day on a server: a hash of all secrets; for each deal a hash of results and a sorted set of players.

A result is written into the hash first, and only once: so a step that is repeated, or was cut off, ends with the same ranking.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ....domain.game import GameId
from ....domain.match import MatchId, PlayerId
from ...days import DAY_SECONDS, Day
from ...redis_store.client import items, number, text
from ...redis_store.store_client import StoreClient
from .port import KEPT_DAYS, DailyResult, RankedResult

DAYS = "days"
"""Hash: day -> the secret of its deals."""
CLOSED = "days:closed"
"""Set: the days whose secret was given out."""
KEPT_SECONDS = KEPT_DAYS * DAY_SECONDS
_ENCODER = msgspec.msgpack.Encoder()
_RESULT = msgspec.msgpack.Decoder(DailyResult)


class RedisDaily:
    """Secrets by day, and results by deal and player. Scores of the sorted set are negative, so that the best come first."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def secret(self, day: Day, fresh: str) -> str:
        await self._client.write("HSETNX", DAYS, day, fresh)
        return text(await self._client.call("HGET", DAYS, day))

    async def known_secret(self, day: Day) -> str | None:
        found = await self._client.call("HGET", DAYS, day)
        return text(found) if found is not None else None

    async def close(self, day: Day) -> None:
        await self._client.write("SADD", CLOSED, day)

    async def is_closed(self, day: Day) -> bool:
        return number(await self._client.call("SISMEMBER", CLOSED, day)) == 1

    async def disqualify(self, day: Day, match: MatchId) -> None:
        await self._client.write("SADD", _disqualified_of(day), match)
        await self._client.write("EXPIRE", _disqualified_of(day), KEPT_SECONDS)

    async def is_disqualified(self, day: Day, match: MatchId) -> bool:
        return number(await self._client.call("SISMEMBER", _disqualified_of(day), match)) == 1

    async def note(self, game: GameId, day: Day, result: DailyResult) -> None:
        results = _results_of(game, day)
        ranking = _ranking_of(game, day)
        await self._client.write("HSETNX", results, result.player, _ENCODER.encode(result))
        kept = (await self._results(game, day, [result.player]))[0]
        await self._client.write("ZADD", ranking, -kept.merit, kept.player)
        for key in (results, ranking):
            await self._client.write("EXPIRE", key, KEPT_SECONDS)

    async def result(self, game: GameId, day: Day, player: PlayerId) -> RankedResult | None:
        found = await self._results(game, day, [player])
        return (await self._rank(game, day, found))[0] if found else None

    async def ranking(self, game: GameId, day: Day, start: int, limit: int) -> Sequence[RankedResult]:
        members = items(await self._client.call("ZRANGE", _ranking_of(game, day), start, start + limit - 1))
        return await self._rank(game, day, await self._results(game, day, [PlayerId(text(each)) for each in members]))

    async def count(self, game: GameId, day: Day) -> int:
        return number(await self._client.call("ZCARD", _ranking_of(game, day)))

    async def days_of(self, player: PlayerId, games: Sequence[GameId], days: Sequence[Day]) -> set[Day]:
        deals = [(game, day) for day in days for game in games]
        found = await self._client.together(("HEXISTS", _results_of(game, day), player) for game, day in deals)
        return {day for (_, day), there in zip(deals, found, strict=True) if number(there)}

    async def forget(self, player: PlayerId, deals: Sequence[tuple[GameId, Day]]) -> None:
        found = await self._client.together(("HEXISTS", _results_of(game, day), player) for game, day in deals)
        for game, day in [deal for deal, there in zip(deals, found, strict=True) if number(there)]:
            await self._client.write("ZREM", _ranking_of(game, day), player)
            await self._client.write("HDEL", _results_of(game, day), player)

    async def _results(self, game: GameId, day: Day, players: Sequence[PlayerId]) -> list[DailyResult]:
        if not players:
            return []
        found = items(await self._client.call("HMGET", _results_of(game, day), *players))
        return [_RESULT.decode(each) for each in found if isinstance(each, bytes)]

    async def _rank(self, game: GameId, day: Day, results: Sequence[DailyResult]) -> list[RankedResult]:
        merits = sorted({each.merit for each in results})
        ranking = _ranking_of(game, day)
        better = await self._client.together(("ZCOUNT", ranking, "-inf", f"({-merit}") for merit in merits)
        places = {merit: 1 + number(count) for merit, count in zip(merits, better, strict=True)}
        return [RankedResult(places[each.merit], each) for each in results]


def _disqualified_of(day: Day) -> str:
    """Set, expiring: matches of a day that do not count."""
    return f"day:{day}:disqualified"


def _results_of(game: GameId, day: Day) -> str:
    """Hash, expiring: player -> what it has reached in the deal of a day."""
    return f"day:{day}:{game}"


def _ranking_of(game: GameId, day: Day) -> str:
    """Sorted set, expiring: player -> what rankings of the day sort by, negated."""
    return f"day:{day}:{game}:z"
