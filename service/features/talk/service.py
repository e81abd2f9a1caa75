"""Reading the rooms of a match, and waiting for what comes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence, Set
from contextlib import suppress

import msgspec

from ....domain.match import MatchId, PlayerId
from ...errors import NotFound
from ...players.accounts import Accounts
from ...runtime.connections import Gate
from ...runtime.end_watch import EndWatch
from ...views.feeds import CursorUnknown
from .port import AT_ONCE, Kind, Line, Lines, LineStore, MatchRoom, MuteStore, Numbered, Room
from .rooms import Rooms


class TalkPage(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of a room that their reader may see, the number after which to go on, and whether more are there now."""

    room: Room
    lines: Sequence[Numbered]
    after: int
    more: bool


class Talks:
    """The rooms of all matches, as each viewer may know them. Every method may raise what `Rooms.access` raises."""

    def __init__(
        self,
        store: LineStore,
        mutes: MuteStore,
        rooms: Rooms,
        watch: EndWatch[MatchRoom],
        accounts: Accounts,
        unheard: Sequence[Callable[[PlayerId, PlayerId], Awaitable[bool]]],
    ) -> None:
        self._store = store
        self._mutes = mutes
        self._rooms = rooms
        self._watch = watch
        self._accounts = accounts
        self._unheard = unheard

    async def room(self, player: PlayerId | None, match_id: MatchId, room: Room | None) -> Room:
        """Return the room that is asked for, by default the viewer's own; raise Forbidden("talk-apart") if it is closed to it."""
        access = await self._rooms.access(player, match_id)
        access.require(chosen := room or access.own)
        return chosen

    async def page(self, player: PlayerId | None, place: MatchRoom, after: int, limit: int) -> TalkPage:
        """Return the lines after a number, without those that are hidden from the player; raise CursorUnknown."""
        await self.room(player, place.match, place.room)
        muted: Set[PlayerId] = frozenset(await self._mutes.muted(player)) if player is not None else frozenset()
        shown: list[Numbered] = []
        while True:
            found = await self._store.read(place, after, AT_ONCE)
            if after > found.end:
                raise CursorUnknown(str(after))
            hidden = await self._hidden(player, found, muted)
            for each in found.found:
                if len(shown) == limit:
                    return TalkPage(room=place.room, lines=shown, after=after, more=True)
                after = each.n
                if each.line.player not in hidden:
                    shown.append(each)
            if not found.found or after >= found.end:
                return TalkPage(room=place.room, lines=shown, after=after, more=False)

    async def _hidden(self, player: PlayerId | None, found: Lines, muted: Set[PlayerId]) -> Set[PlayerId]:
        """Return the authors of some lines that a player does not hear: whom it has muted or blocked, or who is no more.

        Who has blocked the player is not among them: it would see from what is missing that it was blocked.
        """
        authors = {each.line.player for each in found.found} - {player}
        there = await self._accounts.people([*authors])
        hidden = {each for each in authors if each in muted or each not in there}
        if player is not None:
            hidden |= {each for each in authors - hidden if await self._is_unheard(player, each)}
        return hidden

    async def _is_unheard(self, player: PlayerId, other: PlayerId) -> bool:
        return any([await unheard(player, other) for unheard in self._unheard])

    async def wait(
        self, player: PlayerId | None, place: MatchRoom, after: int, limit: int, seconds: float, gate: Gate | None = None
    ) -> TalkPage:
        """Like `page`, but wait up to *seconds* for the first line that the player may see.

        It is read behind a *gate*, which is left again where there is none.
        """
        clock = asyncio.get_running_loop().time
        until = clock() + seconds
        with self._watch.moves_of(place) as moved:
            while True:
                if gate is not None:
                    await gate.enter()
                moved.clear()
                page = await self.page(player, place, after, limit)
                if page.lines:
                    return page
                if gate is not None:
                    gate.leave()
                left = until - clock()
                if left <= 0 or self._watch.draining:
                    return page
                after = page.after
                with suppress(TimeoutError):
                    async with asyncio.timeout(left):
                        await moved.wait()

    async def line(self, player: PlayerId, place: MatchRoom, n: int) -> Line:
        """Return a line that a player may read, and that says something; raise NotFound."""
        await self.room(player, place.match, place.room)
        found = await self._store.line(place, n)
        if found is None or found.kind in {Kind.HIDDEN, Kind.HIDING}:
            raise NotFound("line")
        return found
