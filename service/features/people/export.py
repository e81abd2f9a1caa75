"""All that the service holds of a player, for the player."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

import msgspec

from ....domain.match import MatchId, PlayerId
from ...players.accounts import Accounts
from ...ports.players import PlayerRecord, TokenRecord
from ...ports.rows import Listing, RowStore
from .port import PeopleStore, Relation

PAGE = 500
MOST_MATCHES = 20_000
"""How many matches an export names: the newest."""


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """A player, its tokens without their secrets, its matches, and what features hold of it, by their names."""

    player: PlayerRecord
    tokens: Sequence[TokenRecord]
    matches: Sequence[MatchId]
    features: Mapping[str, object]


class Exports:
    """Collects what is known of a player; *parts* are those of the features, by name."""

    def __init__(
        self,
        accounts: Accounts,
        rows: RowStore,
        parts: Sequence[tuple[str, Callable[[PlayerId], Awaitable[object]]]],
    ) -> None:
        self._accounts = accounts
        self._rows = rows
        self._parts = parts

    async def of(self, player: PlayerId) -> Exported:
        """Return all that is known of a player; raise NotFound."""
        record = await self._accounts.player(player)
        matches: list[MatchId] = []
        after: tuple[int, MatchId] | None = None
        while len(matches) < MOST_MATCHES:
            rows = await self._rows.rows(Listing(player=player, after=after, limit=PAGE))
            matches += [row.match for row in rows]
            if len(rows) < PAGE:
                break
            after = (rows[-1].opened_ms, rows[-1].match)
        return Exported(
            player=record,
            tokens=await self._accounts.tokens(player),
            matches=matches[:MOST_MATCHES],
            features={name: await part(player) for name, part in self._parts},
        )


async def people_part(store: PeopleStore, player: PlayerId) -> object:
    """Return what is kept here of a player, as plain data."""
    relations = {
        relation.value: [{"player": each.player, "since_ms": each.since_ms} for each in await store.related(player, relation)]
        for relation in Relation
    }
    found = await store.invitations(player)
    return {**relations, "invitations": [{"match": each.match, "by": each.by, "at_ms": each.at_ms} for each in found]}
