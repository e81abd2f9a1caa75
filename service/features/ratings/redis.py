"""Ratings on a server. A leaderboard's members begin with the points in digits, so that the order of the bytes is its order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from ....domain.game import GameId
from ...redis_store.client import items, number, text
from ...redis_store.link import Reply, Value
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from ...strength.scores import Entrant, LeaderboardEntry, Result, Score
from .port import KEPT_POINTS, LeaderboardKind, Point, Update, kind_of

RATINGS = "rate:{ratings}"
"""Hash: how many leaves are counted, and how many results each game has; the other keys of ratings begin with it."""
PAGE = 512
"""Results per page; the scripts have the same number."""
PAGES_AT_ONCE = 20
DIGITS = 6
_RATE = Script("rate", beside=__name__)
_UNRATE = Script("unrate", beside=__name__)
_ENCODER = msgspec.msgpack.Encoder()
_RESULT = msgspec.msgpack.Decoder(Result)
_POINTS = msgspec.msgpack.Decoder(list[Point])
_SCORE = msgspec.msgpack.Decoder(Score)


class RedisRatings:
    """The ratings, on a server."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def position(self) -> int:
        return _count(await self._client.call("HGET", RATINGS, "position"))

    async def results(self, game: GameId) -> Sequence[Result]:
        count = _count(await self._client.call("HGET", RATINGS, f"results:{game}"))
        found: list[Result] = []
        for first in range(0, -(-count // PAGE), PAGES_AT_ONCE):
            pages = range(first, min(first + PAGES_AT_ONCE, -(-count // PAGE)))
            replies = await self._client.together(("LRANGE", f"{RATINGS}:{game}:r:{page}", 0, -1) for page in pages)
            found += [_RESULT.decode(each) for reply in replies for each in items(reply) if isinstance(each, bytes)]
        return found

    async def scores(self, game: GameId, entrants: Sequence[Entrant]) -> Mapping[Entrant, Score]:
        if not entrants:
            return {}
        replies = items(await self._client.call("HMGET", f"{RATINGS}:{game}:s", *entrants))
        return {each: _SCORE.decode(reply) for each, reply in zip(entrants, replies, strict=True) if isinstance(reply, bytes)}

    async def write(self, old: int, new: int, updates: Sequence[Update]) -> bool:
        steps = [part for update in updates for step in _steps(update, await self._kept(update)) for part in step]
        return number(await self._client.run(_RATE, (RATINGS,), (old, new, *steps))) == 1

    async def _kept(self, update: Update) -> Mapping[Entrant, Sequence[Point]]:
        """Return the points that are kept of an update's entrants: they change with the position only."""
        entrants = [] if update.complete else [*update.points]
        found = items(await self._client.call("HMGET", f"{RATINGS}:{update.game}:h", *entrants)) if entrants else []
        pairs = zip(entrants, found, strict=True)
        return {entrant: _POINTS.decode(each) for entrant, each in pairs if isinstance(each, bytes)}

    async def reset(self) -> None:
        await self._client.run(_UNRATE, (RATINGS,), ())

    async def board(
        self, game: GameId, below: tuple[int, Entrant] | None, limit: int, kind: LeaderboardKind | None = None
    ) -> Sequence[LeaderboardEntry]:
        name = f"{RATINGS}:{game}:z" if kind is None else f"{RATINGS}:{game}:z:{kind.value}"
        bound = "+" if below is None else f"({_member(*below)}"
        members = [text(each) for each in items(await self._client.call("ZREVRANGEBYLEX", name, bound, "-", "LIMIT", 0, limit))]
        if not members:
            return ()
        entrants = [_entrant(member) for member in members]
        first = await self._client.call("ZREVRANK", name, members[0])
        scores = await self.scores(game, entrants)
        place = first + 1 if isinstance(first, int) else 1
        return [
            LeaderboardEntry(place + index, entrant, scores[entrant])
            for index, entrant in enumerate(entrants)
            if entrant in scores
        ]

    async def standings(self, entrant: Entrant, games: Sequence[GameId]) -> Mapping[GameId, LeaderboardEntry]:
        if not games:
            return {}
        replies = await self._client.together(("HGET", f"{RATINGS}:{game}:s", entrant) for game in games)
        rated = {game: _SCORE.decode(reply) for game, reply in zip(games, replies, strict=True) if isinstance(reply, bytes)}
        if not rated:
            return {}
        ranks = await self._client.together(
            ("ZREVRANK", f"{RATINGS}:{game}:z", _member(score.points, entrant)) for game, score in rated.items()
        )
        return {
            game: LeaderboardEntry(rank + 1, entrant, score)
            for (game, score), rank in zip(rated.items(), ranks, strict=True)
            if isinstance(rank, int)
        }

    async def histories(self, entrant: Entrant, games: Sequence[GameId]) -> Mapping[GameId, Sequence[Point]]:
        replies = await self._client.together(("HGET", f"{RATINGS}:{game}:h", entrant) for game in games)
        return {game: _POINTS.decode(each) for game, each in zip(games, replies, strict=True) if isinstance(each, bytes)}


def _steps(update: Update, kept: Mapping[Entrant, Sequence[Point]]) -> Iterator[tuple[Value, ...]]:
    if update.complete:
        yield ("restart", update.game, "", "", "", "", "")
    for result in update.results:
        yield ("result", update.game, _ENCODER.encode(result), "", "", "", "")
    for entrant, points in update.points.items():
        packed = _ENCODER.encode([*kept.get(entrant, ()), *points][-KEPT_POINTS:])
        yield ("points", update.game, entrant, packed, "", "", "")
    for entrant, score in update.scores.items():
        old = update.before.get(entrant)
        was = _member(old.points, entrant) if old is not None else ""
        kind = kind_of(entrant, score).value
        yield ("score", update.game, entrant, was, _member(score.points, entrant), _ENCODER.encode(score), kind)


def _member(points: int, entrant: Entrant) -> str:
    return f"{points:0{DIGITS}d}{entrant}"


def _entrant(member: str) -> Entrant:
    return Entrant(member[DIGITS:])


def _count(reply: Reply) -> int:
    return int(text(reply)) if reply is not None else 0
