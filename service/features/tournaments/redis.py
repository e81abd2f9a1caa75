"""Tournaments on a server: a list of facts for each, and what leads to them.

Every write is of one key. A tournament is planned before its first fact is written and until its last one is deleted, and who
looks at it adds what is lacking elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....domain.match import MatchId, PlayerId
from ...redis_store.client import items, number, text
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import DIGITS, ListPosition, TournamentId, position_of

PLANNED = "tournaments:planned"
"""Sorted set: tournament -> when it is looked at next (Unix milliseconds)."""
LISTED = "tournaments:listed"
"""Sorted set, all scores 0: when a listed tournament was opened (13 digits of Unix milliseconds), and its id."""
MATCHES = "tournaments:matches"
"""Hash: a match that is not over -> its tournament."""
_APPEND = Script("tournament_append", beside=__name__)
_CLAIM = Script("tournament_claim", beside=__name__)


class RedisTournaments:
    """Facts, lists and plans."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def append(self, tournament: TournamentId, expected: int, facts: Sequence[bytes]) -> bool:
        return number(await self._client.run(_APPEND, (_facts_of(tournament),), (expected, *facts))) == 1

    async def read(self, tournament: TournamentId, after: int) -> Sequence[bytes] | None:
        key = _facts_of(tournament)
        found, count = await self._client.together((("LRANGE", key, after, -1), ("LLEN", key)))
        return [each for each in items(found) if isinstance(each, bytes)] if number(count) else None

    async def remove(self, tournament: TournamentId) -> None:
        await self._client.write("DEL", _facts_of(tournament))

    async def enlist(self, tournament: TournamentId, at_ms: int) -> None:
        await self._client.write("ZADD", LISTED, 0, position_of(tournament, at_ms))

    async def strike(self, tournament: TournamentId, at_ms: int) -> None:
        await self._client.write("ZREM", LISTED, position_of(tournament, at_ms))

    async def listed(self, after: ListPosition | None, limit: int) -> Sequence[tuple[ListPosition, TournamentId]]:
        bound = "+" if after is None else f"({after}"
        found = items(await self._client.call("ZREVRANGEBYLEX", LISTED, bound, "-", "LIMIT", 0, limit))
        return [(ListPosition(text(each)), TournamentId(text(each)[DIGITS:])) for each in found]

    async def note_player(self, player: PlayerId, tournament: TournamentId, at_ms: int) -> None:
        await self._client.write("ZADD", _of(player), at_ms, tournament)

    async def drop_player(self, player: PlayerId, tournament: TournamentId) -> None:
        await self._client.write("ZREM", _of(player), tournament)

    async def of_player(self, player: PlayerId) -> Sequence[TournamentId]:
        found = items(await self._client.call("ZRANGE", _of(player), 0, -1, "REV"))
        return [TournamentId(text(each)) for each in found]

    async def forget(self, player: PlayerId) -> None:
        await self._client.write("DEL", _of(player))

    async def plan(self, tournament: TournamentId, at_ms: int) -> None:
        await self._client.write("ZADD", PLANNED, at_ms, tournament)

    async def advance(self, tournament: TournamentId, at_ms: int) -> None:
        await self._client.write("ZADD", PLANNED, "XX", "LT", at_ms, tournament)

    async def claim(self, now_ms: int, until_ms: int, limit: int) -> Sequence[TournamentId]:
        found = items(await self._client.run(_CLAIM, (PLANNED,), (now_ms, until_ms, limit)))
        return [TournamentId(text(each)) for each in found]

    async def unplan(self, tournament: TournamentId) -> None:
        await self._client.write("ZREM", PLANNED, tournament)

    async def note_matches(self, tournament: TournamentId, matches: Sequence[MatchId]) -> None:
        await self._client.write("HSET", MATCHES, *(part for each in matches for part in (each, tournament)))

    async def tournament_of(self, match_id: MatchId) -> TournamentId | None:
        found = await self._client.call("HGET", MATCHES, match_id)
        return TournamentId(text(found)) if found is not None else None

    async def forget_matches(self, matches: Sequence[MatchId]) -> None:
        await self._client.write("HDEL", MATCHES, *matches)


def _facts_of(tournament: TournamentId) -> str:
    """List: the facts of a tournament, oldest first."""
    return f"tournament:{tournament}"


def _of(player: PlayerId) -> str:
    """Sorted set: tournament that a player has to do with -> when that was opened (Unix milliseconds)."""
    return f"tournaments-of:{player}"
