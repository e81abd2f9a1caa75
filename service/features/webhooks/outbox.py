"""The outbox: follows the logs of all shards, line by line, and turns what is public into deliveries and notices.

A line stands for one command, so its messages are always the same, with the same ids: a line that is processed twice, because
a process died or two of them run, adds them once. It never delays a command. Deliveries go to webhooks, notices into the inboxes
of players who listen, and to the followers.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

import msgspec
import structlog

from ....domain.game import Seat
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
from .inbox_port import InboxLimits, Line, Notice
from .messages import KeyedMessage, delivery, delivery_id, messages_about, wants
from .notices import Present, Recipients, leavers, line_of, notices_of
from .port import ROOM, Delivery, QueueLimits
from .stores import INBOXES, WEBHOOKS

PAUSE_SECONDS = 0.2
"""Pause between two portions, so that events in quick succession are read together."""
BLOCK_MS = 1_000
UNWANTED_SECONDS = 2.0
"""Pause between two portions while there is no webhook."""
START = "0-0"
ALL = 0
"""Stands for all versions of a match."""
MANY = 500
"""After this many lines at once there may be more, and no pause."""
BEHIND = 100
"""This many lines of a shard at once suggest that its log may have been trimmed before they were read."""

log = structlog.get_logger(__name__)


class Outbox:
    """Turns events into deliveries and notices. Any number may run; one at a time is enough."""

    def __init__(
        self,
        stores: Stores,
        matches: MatchRepository,
        feeds: Feeds,
        now_ms: Callable[[], int],
        room: QueueLimits = ROOM,
        inbox_room: InboxLimits | None = None,
        followers: Followers | None = None,
    ) -> None:
        self._events = stores.events
        self._id_key = stores.id_key
        self._webhooks = WEBHOOKS.of(stores)
        self._inboxes = INBOXES.of(stores)
        self._matches = matches
        self._feeds = feeds
        self._now_ms = now_ms
        self._room = room
        self._inbox_room = inbox_room or InboxLimits()
        self._followers = followers or Followers()
        self._applications = Applications(stores.players)
        self._began = False
        self._wanted: bool | None = None
        self._followed = False

    async def step(self) -> float:
        """Turn the next events into deliveries, waiting a little for some; return after how many seconds to go on."""
        if self._wanted is None:
            await self._audience()
        count = await self.portion(BLOCK_MS if self._wanted else 0)
        if not self._wanted:
            return UNWANTED_SECONDS if count < MANY else 0.0
        return PAUSE_SECONDS if 0 < count < MANY else 0.0

    async def catch_up(self) -> int:
        """Turn all events since the last time into deliveries; return how many lines there were."""
        count = 0
        while found := await self.portion():
            count += found
        return count

    async def portion(self, block_ms: int = 0) -> int:
        """Turn the next events into deliveries, waiting that long for the first; return how many lines there were."""
        if self._wanted is not False:
            await self._inboxes.release(self._now_ms(), self._inbox_room)
        known = await self._webhooks.positions()
        positions = {Shard(number): known.get(number, START) for number in range(SHARDS)}
        if not (pointers := await self._events.follow(positions, block_ms)):
            return 0
        changed = _by_match(pointers)
        lines = Counter(pointer.shard for pointer in pointers)
        behind = [number for number in known if not self._began or lines[Shard(number)] >= BEHIND]
        await self._add_missed({number: known[number] for number in behind}, changed)
        self._began = True
        await self._announce(changed, pointers, self._now_ms())
        await self._webhooks.advance({int(pointer.shard): pointer.position for pointer in pointers})
        return len(pointers)

    async def _add_missed(self, known: Mapping[int, str], changed: dict[MatchId, list[int]]) -> None:
        """Add all matches of shards whose log was trimmed before it was read, because no process followed it fast enough."""
        for number, position in known.items():
            oldest = await self._events.oldest(Shard(number))
            if oldest is not None and order_of(position) < order_of(oldest):
                log.warning("webhook outbox: log trimmed before messages were made", shard=number)
                await self._inboxes.clear()
                for match_id in await self._events.matches(Shard(number)):
                    changed.setdefault(match_id, []).append(ALL)

    async def _audience(self) -> tuple[Set[PlayerId], Mapping[PlayerId, int]]:
        """Return who has a webhook, and who an inbox; note whether anyone has, or follows."""
        owners, listeners, followed = await asyncio.gather(
            self._webhooks.owners(), self._inboxes.listeners(self._now_ms()), self._followers.wanted()
        )
        self._followed = followed
        self._wanted = bool(owners or listeners or followed)
        return owners, listeners

    async def _announce(self, changed: Mapping[MatchId, Sequence[int]], pointers: Sequence[Pointer], now_ms: int) -> None:
        owners, listeners = await self._audience()
        lines = _lines(pointers) if listeners or self._followed else {}
        notices: list[Notice] = []
        for match_id, versions in changed.items() if self._wanted else ():
            if (found := await self._look(match_id)) is None:
                continue
            loaded, present = found
            if made := await self._deliveries(match_id, loaded, present.players, versions, owners, now_ms):
                await self._webhooks.add(made, now_ms, self._room)
            if match_id in lines:
                left = leavers(self._feeds.of(match_id, loaded, None).items)
                to = Recipients(loaded.match.host, present, left, listeners)
                notices += self._notices(match_id, loaded, lines[match_id], to)
                for each in self._followers.all if self._followed else ():
                    following = msgspec.structs.replace(to, listeners=await each.since(to.concerned()))
                    await each.hear(list(self._notices(match_id, loaded, lines[match_id], following)))
        if notices:
            notices.sort(key=lambda notice: notice.line)
            await self._inboxes.add(notices, now_ms, self._inbox_room)

    async def _look(self, match_id: MatchId) -> tuple[Loaded, Present] | None:
        """Return a match and who is at it. One that cannot be read does not stop the others."""
        try:
            loaded = await self._matches.load_latest(match_id)
        except (CorruptHistory, NotFound) as error:
            log.error("webhook outbox: making messages for a match failed", match=match_id, reason=str(error))
            return None
        return loaded, await self._present(loaded)

    async def _deliveries(
        self,
        match_id: MatchId,
        loaded: Loaded,
        present: Set[PlayerId],
        versions: Sequence[int],
        owners: Set[PlayerId],
        now_ms: int,
    ) -> Sequence[Delivery]:
        """Return the deliveries of a match."""
        owners_here = [each for each in dict.fromkeys((loaded.match.host, *present)) if each in owners]
        webhooks = await self._webhooks.of(owners_here)
        messages = list(self._messages(match_id, loaded, versions)) if webhooks else []
        late = self._late(match_id, loaded)
        return [
            delivery(webhook, delivery_id(self._id_key, webhook.id, match_id, each.n), match_id, each.message, due_ms)
            for each in messages
            for webhook in webhooks
            if wants(webhook, each.message, match_id, loaded.match.settings.game, each.at_ms)
            for due_ms in [now_ms if webhook.player in present else max(now_ms, late(each))]
        ]

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
