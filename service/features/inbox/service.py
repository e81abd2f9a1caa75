"""Inboxes: what happens in all matches of one player, and of its users, as one sequence of items.

The outbox writes them, from the same messages that it sends to webhooks; what a feature has to tell one player is posted into
its inbox alone. A cursor is `<n>-<8 hex of the chain>`, as in a feed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import msgspec

from ....domain.game import Seat
from ....domain.match import PlayerId
from ...runtime.end_watch import EndWatch
from ...views.feeds import Cursor, CursorUnknown
from .followers import Followers
from .messages import Message
from .port import OF_NO_LOG, InboxLimits, InboxStore, Notice, Spot

KEPT_MS = 24 * 3_600_000
"""How long after its player last listened an inbox stays."""
PAGE = 500
LONGEST = 9
"""Digits of the largest number in a cursor."""


class NoticeContent(msgspec.Struct, frozen=True, kw_only=True):
    """What a notice says: a message, its time, and which seats of its match are the player's, or its users'."""

    at_ms: int
    your_seats: tuple[Seat, ...]
    message: Message


class InboxPage(msgspec.Struct, frozen=True, kw_only=True):
    """Items as JSON, each with the cursor after it, the cursor after the last of them, and whether more are there now."""

    items: tuple[tuple[Cursor, bytes], ...]
    cursor: Cursor
    more: bool


def cursor_of(spot: Spot) -> Cursor:
    """Return a place as a cursor."""
    return Cursor(f"{spot.n}-{spot.chain}")


def spot_of(cursor: Cursor) -> Spot:
    """Return the place of a cursor; raise CursorUnknown for one that cannot be."""
    number, _, chain = cursor.partition("-")
    if not number.isdecimal() or len(number) > LONGEST:
        raise CursorUnknown(cursor)
    return Spot(int(number), chain)


def item_of(spot: Spot, body: bytes) -> bytes:
    """Return a notice as an item, with its cursor and its number before what it says."""
    return b'{"cursor":"%s","n":%d,%s' % (cursor_of(spot).encode(), spot.n, body[1:])


class Inboxes:
    """Reads inboxes, waits for what comes into them, and posts messages to one player."""

    def __init__(
        self,
        store: InboxStore,
        now_ms: Callable[[], int],
        room: InboxLimits | None = None,
        followers: Followers | None = None,
    ) -> None:
        self._store = store
        self._now_ms = now_ms
        self._room = room or InboxLimits()
        self._followers = followers or Followers()
        self._watch = EndWatch("inboxes: store", store.ends)

    async def post(self, player: PlayerId, message: Message) -> None:
        """Put a message that no match's log has into a player's inbox, if it listens, and tell the followers.

        Its type is one of those that a feature declares in `ApiFeature.notices`.
        """
        now = self._now_ms()
        body = msgspec.json.encode(NoticeContent(at_ms=now, your_seats=(), message=message))
        notice = Notice(player=player, line=OF_NO_LOG, bodies=(body,), due_ms=now)
        await self._store.add([notice], now, self._room)
        await self._followers.tell([notice])

    async def page(self, player: PlayerId, after: Cursor | None, limit: int) -> InboxPage:
        """Return the items after a cursor (None: none, but the cursor where they will begin); raise CursorUnknown.

        A player who asks listens from then on: the inbox is kept for a day.
        """
        now = self._now_ms()
        found = await self._store.read(player, spot_of(after) if after is not None else None, limit, now, now + KEPT_MS)
        if found is None:
            raise CursorUnknown(after or "")
        items = tuple((cursor_of(spot), item_of(spot, body)) for spot, body in found.items)
        last = found.items[-1][0] if found.items else (spot_of(after) if after is not None else found.end)
        return InboxPage(items=items, cursor=cursor_of(last), more=last.n < found.end.n)

    async def wait(self, player: PlayerId, after: Cursor, seconds: float, limit: int = PAGE) -> InboxPage:
        """Like `page`, but wait up to *seconds* for the first item."""
        clock = asyncio.get_running_loop().time
        until = clock() + seconds
        with self._watch.moves_of(player) as moved:
            while True:
                moved.clear()
                page = await self.page(player, after, limit)
                left = until - clock()
                if page.items or left <= 0 or self._watch.draining:
                    return page
                with suppress(TimeoutError):
                    async with asyncio.timeout(left):
                        await moved.wait()

    async def run(self) -> None:
        """Wake those who wait when something has come, until cancelled."""
        await self._watch.run()

    def drain(self) -> None:
        """Wake all waiters permanently: later callers do not wait."""
        self._watch.drain()
