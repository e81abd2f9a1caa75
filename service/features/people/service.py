"""Whom a player follows or blocks, and with whom it has played lately."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from ....domain.match import PlayerId
from ...errors import NotFound
from ...players.accounts import Accounts
from ...ports.players import PlayerRecord
from ...ports.rows import Listing
from ...views.queries import MatchQueries
from .port import PeopleStore, Related, Relation

MOST_RELATED = 500
"""How many players one may follow, and how many it may block."""
MATCHES_LOOKED_AT = 50
"""In how many of its newest matches those are looked for with whom a player has played."""


class TooManyPeople(Exception):
    """The player has the maximum number of this relation."""


class Person(msgspec.Struct, frozen=True):
    """Another player, and since when (Unix milliseconds), or when the last match with it was opened."""

    record: PlayerRecord
    at_ms: int


class People:
    """Relations between players. Each is known to the one alone who has made it."""

    def __init__(self, store: PeopleStore, accounts: Accounts, queries: MatchQueries, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._accounts = accounts
        self._queries = queries
        self._now_ms = now_ms

    async def relate(self, player: PlayerId, relation: Relation, other: PlayerId) -> None:
        """Follow or block a player; raise NotFound if there is none, or it is the same, and TooManyPeople.

        Who blocks a player follows it no longer.
        """
        if other == player:
            raise NotFound("player")
        await self._accounts.player(other)
        if not await self._store.relate(player, relation, Related(other, self._now_ms()), MOST_RELATED):
            raise TooManyPeople
        if relation is Relation.BLOCKED:
            await self._store.part(player, Relation.FOLLOWED, other)

    async def part(self, player: PlayerId, relation: Relation, other: PlayerId) -> None:
        """Follow or block a player no longer."""
        await self._store.part(player, relation, other)

    async def of(
        self, player: PlayerId, relation: Relation, after: tuple[int, PlayerId] | None, limit: int
    ) -> tuple[Sequence[Person], bool]:
        """Return those whom a player follows or blocks, newest first, after a place, and whether more follow."""
        found = await self._store.related(player, relation)
        left = [each for each in found if after is None or (each.since_ms, each.player) < after]
        return await self._persons(left[:limit]), len(left) > limit

    async def recent(self, player: PlayerId) -> Sequence[Person]:
        """Return with whom a player sits or sat in its newest matches, newest first, without those it has blocked."""
        blocked = {each.player for each in await self._store.related(player, Relation.BLOCKED)}
        met: dict[PlayerId, int] = {}
        for summary in await self._queries.matches_of(player, Listing(limit=MATCHES_LOOKED_AT)):
            seated = [chair.player for chair in summary.chairs if chair.player is not None]
            for other in seated if player in seated else ():
                met.setdefault(other, summary.opened_ms)
        return await self._persons([Related(*each) for each in met.items() if each[0] not in {player, *blocked}])

    async def _persons(self, related: Sequence[Related]) -> Sequence[Person]:
        people = await self._accounts.people([each.player for each in related])
        return [Person(people[each.player], each.since_ms) for each in related if each.player in people]
