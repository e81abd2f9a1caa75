"""The outbox: follows the logs of all shards, line by line, and turns what is public into messages.

A line stands for one command, so its messages are always the same, with the same ids: a line that is processed twice, because
a process died or two of them run, adds them once. It never delays a command. Messages go as notices into the inboxes of players
who listen and to the followers, and as they are to the subscribers: features that send them elsewhere.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Protocol

import msgspec
import structlog

from ....domain.game import GameId, Seat
from ....domain.match import MatchId, PlayerId
from ...errors import CorruptHistory, NotFound
from ...matches.repository import Loaded, MatchRepository
from ...matches.spectator_delay import delay_of
from ...players.applications import Applications
from ...ports.events import SHARDS, Pointer, Shard
from ...ports.stores import Stores
from ...views.feeds import Feeds
from ...views.projections import order_of
from .followers import Followers
from .messages import KeyedMessage, messages_about
from .port import InboxLimits, InboxStore, Line, Notice
from .recipients import Present, Recipients, leavers, line_of, notices_of

PAUSE_SECONDS = 0.2
"""Pause between two portions, so that events in quick succession are read together."""
BLOCK_MS = 1_000
UNWANTED_SECONDS = 2.0
"""Pause between two portions while no one wants messages."""
START = "0-0"
ALL = 0
"""Stands for all versions of a match."""
MANY = 500
"""After this many lines at once there may be more, and no pause."""
BEHIND = 100
"""This many lines of a shard at once suggest that its log may have been trimmed before they were read."""

log = structlog.get_logger(__name__)


class MatchUpdate(msgspec.Struct, frozen=True):
    """An update of a match for subscribers: its players, its new messages, and when each of them may be known without a seat."""

    match: MatchId
    game: GameId
    host: PlayerId
    present: Set[PlayerId]
    messages: Sequence[KeyedMessage]
    late_ms: Callable[[KeyedMessage], int]

    def due_ms(self, player: PlayerId, keyed: KeyedMessage, now_ms: int) -> int:
        """Return when a player may know of a message: at once with a seat, after the delay of the match without one."""
        return now_ms if player in self.present else max(now_ms, self.late_ms(keyed))


class Subscriber(Protocol):
    """A feature that sends messages elsewhere. Every method may raise StoreUnavailable."""

    async def owners(self) -> Set[PlayerId]:
        """Return the players for whom it sends messages of their matches."""
        ...

    async def deliver(self, update: MatchUpdate, owners: Sequence[PlayerId]) -> None:
        """Take the messages of a match for those of its owners who host it or are at it; each may come again."""
        ...


class Outbox:
    """Turns events into messages and notices. Any number may run; one at a time is enough.

    `subscribers` add themselves while they attach.
    """

    def __init__(
        self,
        stores: Stores,
        matches: MatchRepository,
        feeds: Feeds,
        now_ms: Callable[[], int],
        inboxes: InboxStore,
        room: InboxLimits | None = None,
        followers: Followers | None = None,
    ) -> None:
        self._events = stores.events
        self._inboxes = inboxes
        self._matches = matches
        self._feeds = feeds
        self._now_ms = now_ms
        self._room = room or InboxLimits()
        self._followers = followers or Followers()
        self._applications = Applications(stores.players)
        self.subscribers: list[Subscriber] = []
        self._began = False
        self._wanted: bool | None = None
        self._followed = False

    async def step(self) -> float:
        """Turn the next events into messages, waiting a little for some; return after how many seconds to go on."""
        if self._wanted is None:
            await self._audience()
        count = await self.portion(BLOCK_MS if self._wanted else 0)
        if not self._wanted:
            return UNWANTED_SECONDS if count < MANY else 0.0
        return PAUSE_SECONDS if 0 < count < MANY else 0.0

    async def catch_up(self) -> int:
        """Turn all events since the last time into messages; return how many lines there were."""
        count = 0
        while found := await self.portion():
            count += found
        return count

    async def portion(self, block_ms: int = 0) -> int:
        """Turn the next events into messages, waiting that long for the first; return how many lines there were."""
        if self._wanted is not False:
            await self._inboxes.release(self._now_ms(), self._room)
        known = await self._inboxes.positions()
        positions = {Shard(number): known.get(number, START) for number in range(SHARDS)}
        if not (pointers := await self._events.follow(positions, block_ms)):
            return 0
        changed = _by_match(pointers)
        lines = Counter(pointer.shard for pointer in pointers)
        behind = [number for number in known if not self._began or lines[Shard(number)] >= BEHIND]
        await self._add_missed({number: known[number] for number in behind}, changed)
        self._began = True
        await self._announce(changed, pointers, self._now_ms())
        await self._inboxes.advance({int(pointer.shard): pointer.position for pointer in pointers})
        return len(pointers)

    async def _add_missed(self, known: Mapping[int, str], changed: dict[MatchId, list[int]]) -> None:
        """Add all matches of shards whose log was trimmed before it was read, because no process followed it fast enough."""
        for number, position in known.items():
            oldest = await self._events.oldest(Shard(number))
            if oldest is not None and order_of(position) < order_of(oldest):
                log.warning("outbox: log trimmed before messages were made", shard=number)
                await self._inboxes.clear()
                for match_id in await self._events.matches(Shard(number)):
                    changed.setdefault(match_id, []).append(ALL)

    async def _audience(self) -> tuple[Sequence[tuple[Subscriber, Set[PlayerId]]], Mapping[PlayerId, int]]:
        """Return the subscribers with their owners, and who has an inbox; note whether anyone has, or follows."""
        listeners, followed, owners = await asyncio.gather(
            self._inboxes.listeners(self._now_ms()),
            self._followers.wanted(),
            asyncio.gather(*(each.owners() for each in self.subscribers)),
        )
        self._followed = followed
        self._wanted = bool(listeners or followed or any(owners))
        return list(zip(self.subscribers, owners, strict=True)), listeners

    async def _announce(self, changed: Mapping[MatchId, Sequence[int]], pointers: Sequence[Pointer], now_ms: int) -> None:
        subscribed, listeners = await self._audience()
        lines = _lines(pointers) if listeners or self._followed else {}
        notices: list[Notice] = []
        for match_id, versions in changed.items() if self._wanted else ():
            if (found := await self._look(match_id)) is None:
                continue
            loaded, present = found
            await self._tell(subscribed, match_id, loaded, present.players, versions)
            if match_id in lines:
                left = leavers(self._feeds.of(match_id, loaded, None).items)
                to = Recipients(loaded.match.host, present, left, listeners)
                notices += self._notices(match_id, loaded, lines[match_id], to)
                for each in self._followers.all if self._followed else ():
                    following = msgspec.structs.replace(to, listeners=await each.since(to.concerned()))
                    await each.hear(list(self._notices(match_id, loaded, lines[match_id], following)))
        if notices:
            notices.sort(key=lambda notice: notice.line)
            await self._inboxes.add(notices, now_ms, self._room)

    async def _look(self, match_id: MatchId) -> tuple[Loaded, Present] | None:
        """Return a match and who is at it. One that cannot be read does not stop the others."""
        try:
            loaded = await self._matches.load_latest(match_id)
        except (CorruptHistory, NotFound) as error:
            log.error("outbox: making messages for a match failed", match=match_id, reason=str(error))
            return None
        return loaded, await self._present(loaded)

    async def _tell(
        self,
        subscribed: Sequence[tuple[Subscriber, Set[PlayerId]]],
        match_id: MatchId,
        loaded: Loaded,
        present: Set[PlayerId],
        versions: Sequence[int],
    ) -> None:
        """Hand the messages of a match to the subscribers whose owners are concerned."""
        for subscriber, owners in subscribed:
            host = loaded.match.host
            if here := [each for each in dict.fromkeys((host, *present)) if each in owners]:
                messages = list(self._messages(match_id, loaded, versions))
                late = self._late(match_id, loaded)
                update = MatchUpdate(match_id, loaded.match.settings.game, host, present, messages, late)
                await subscriber.deliver(update, here)

    def _notices(self, match_id: MatchId, loaded: Loaded, lines: Sequence[tuple[Line, int]], to: Recipients) -> Iterable[Notice]:
        """Yield the notices of a match for those who listen."""
        late = self._late(match_id, loaded)
        now_ms = self._now_ms()
        for line, version in lines if to.listening() else ():
            yield from notices_of(line, list(self._messages(match_id, loaded, (version,))), to, now_ms, late)

    def _late(self, match_id: MatchId, loaded: Loaded) -> Callable[[KeyedMessage], int]:
        """Return a function for when a viewer without a seat may know of a message: a host who only watches is a spectator."""
        delay_ms = delay_of(loaded.match.settings)
        first = self._feeds.of(match_id, loaded, None, version=loaded.version).first_late(loaded.match.facts) if delay_ms else 0
        return lambda keyed: keyed.at_ms + (delay_ms if keyed.n >= first else 0)

    async def _present(self, loaded: Loaded) -> Present:
        """Return who sits in a match or has a seat reserved, with the applications whose users they are."""
        seats = {Seat(at): chair.whose for at, chair in enumerate(loaded.match.chairs) if chair.whose is not None}
        applications = await asyncio.gather(*map(self._applications.of, seats.values()))
        present = Present()
        for (seat, player), application in zip(seats.items(), applications, strict=True):
            present.add(player, seat)
            if application is not None:
                present.add(application, seat)
        return present

    def _messages(self, match_id: MatchId, loaded: Loaded, versions: Sequence[int]) -> Iterable[KeyedMessage]:
        """Yield the messages about the commands that reached those versions."""
        for last in [loaded.version] if ALL in versions else versions:
            before = 0 if ALL in versions else self._first_of_command(loaded, last) - 1
            feed = self._feeds.of(match_id, loaded, None, version=before)
            items = feed.between(feed.count(before), feed.count(last))
            yield from messages_about(match_id, loaded.match.settings.game, items)

    def _first_of_command(self, loaded: Loaded, version: int) -> int:
        """Return the version at which the command that ended with *version* began."""
        while version > 1 and not self._matches.codec.decode(loaded.entries[version - 2])[0].complete:
            version -= 1
        return version


def _lines(pointers: Sequence[Pointer]) -> dict[MatchId, list[tuple[Line, int]]]:
    """Return the lines of each match, and the versions that they tell of."""
    found: dict[MatchId, list[tuple[Line, int]]] = {}
    for pointer in pointers:
        found.setdefault(pointer.match, []).append((line_of(pointer), pointer.version))
    return found


def _by_match(pointers: Sequence[Pointer]) -> dict[MatchId, list[int]]:
    found: dict[MatchId, list[int]] = {}
    for pointer in pointers:
        found.setdefault(pointer.match, []).append(pointer.version)
    return found
