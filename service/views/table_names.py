"""Names at one table: no two players there may have names that look alike, so that no one is taken for another.

Guests have no names. Users of one application may share a name: the application distinguishes them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence

import msgspec

from ...domain.bots import character
from ...domain.match import PlayerId
from ...domain.match.refusals import MatchRefusal, MatchRefused, require
from ...domain.match.state import Match
from ..matches.repository import MatchRepository
from ..players.accounts import Accounts
from ..players.look_alikes import appearance
from ..ports.players import PlayerRecord
from .unfinished import UnfinishedMatches


class TableNames:
    """Refuses names that look like another one at the same table.

    *company* says with whom else a player meets, besides those at its tables.
    """

    def __init__(
        self,
        accounts: Accounts,
        matches: MatchRepository,
        unfinished: UnfinishedMatches,
        company: Sequence[Callable[[PlayerId], Awaitable[Collection[PlayerId]]]],
    ) -> None:
        self._accounts = accounts
        self._matches = matches
        self._unfinished = unfinished
        self._company = company

    async def are_alike(self, one: PlayerId, other: PlayerId) -> bool:
        """True if the names of two players look alike."""
        people = await self._accounts.people([one, other])
        return one != other and len(people) > 1 and _are_alike(people[one], people[other])

    async def require_distinct(self, player: PlayerId, others: Iterable[PlayerId], bots: Iterable[str] = ()) -> None:
        """Raise MatchRefused if a player's name looks like that of one of *others*, or like the name of a bot."""
        record = await self._accounts.find(player)
        if record is not None:
            await self._require_distinct(record, {*others} - {player}, bots)

    async def require_distinct_at(self, player: PlayerId, table: Match) -> None:
        """Raise MatchRefused if a player's name looks like another one at a table."""
        await self.require_distinct(player, _players_at(table), _bots_at(table))

    async def rename(self, player: PlayerId, name: str) -> PlayerRecord:
        """Give a player a name; raise MatchRefused as `require_free` does, also for a seat that it took meanwhile; NotFound."""
        before = await self._accounts.player(player)
        await self.require_free(player, name)
        after = await self._accounts.rename(player, name)
        await self.keep_free(before, name)
        return after

    async def keep_free(self, before: PlayerRecord, name: str) -> None:
        """Restore the former name if the new one, which is stored by now, looks like another; raise MatchRefused as `rename`.

        Of two who take such names at once each stores its own first, so at least one of them finds the other.
        """
        try:
            await self.require_free(before.id, name)
        except MatchRefused:
            await self._accounts.change(before.id, name=before.name, guest=before.guest)
            raise

    async def require_free(self, player: PlayerId, name: str) -> None:
        """Raise MatchRefused if a name looks like that of someone whom the player meets at a table; raise NotFound."""
        renamed = msgspec.structs.replace(await self._accounts.player(player), name=name, guest=False)
        others: set[PlayerId] = set()
        bots: set[str] = set()
        for match_id in await self._unfinished.find(player):
            table = (await self._matches.load_latest(match_id)).match
            if table.expects(player) and not table.status.finished:
                others.update(_players_at(table))
                bots.update(_bots_at(table))
        for find in self._company:
            others.update(await find(player))
        await self._require_distinct(renamed, others - {player}, bots)

    async def _require_distinct(self, record: PlayerRecord, others: Collection[PlayerId], bots: Iterable[str]) -> None:
        if record.guest:
            return
        people = await self._accounts.people([*others])
        require(not any(_are_alike(record, other) for other in people.values()), MatchRefusal.NAME_LOOKS_ALIKE)
        require(appearance(record.name) not in map(appearance, bots), MatchRefusal.NAME_LOOKS_ALIKE)


def _are_alike(one: PlayerRecord, other: PlayerRecord) -> bool:
    if one.guest or other.guest or (one.application is not None and one.application == other.application):
        return False
    return appearance(one.name) == appearance(other.name)


def _players_at(table: Match) -> set[PlayerId]:
    return {each for chair in table.chairs if (each := chair.player) is not None} | {*table.expected_players()}


def _bots_at(table: Match) -> set[str]:
    """Return what the bots of a table are called, in both languages; a bot that stands in has its player's name."""
    bots = {chair.bot for chair in table.chairs if chair.bot is not None and chair.player is None}
    names = [character(table.game, bot).name for bot in bots]
    return {shown for name in names for shown in (name.de, name.en)}
