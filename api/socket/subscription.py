"""A subscription: what a session sends of one match, each item once and in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import structlog

from ...domain.match import MatchId
from ...service.application import Application
from ...service.errors import ServiceError
from ...service.views.feeds import START, Cursor, FeedItem, FeedPage
from ...service.views.queries import PAGE
from ...service.views.viewers import Viewer, ViewerChanged
from ..http.broadcasts import Broadcast, Broadcasts
from ..http.response import encode
from ..schema.presenters import entries
from .backpressure import Backpressure
from .frames import ByeFrame, EndFrame, Frame, ItemsFrame, ResetFrame

log = structlog.get_logger(__name__)


class _Head(msgspec.Struct):
    """What a subscription reads of a receipt."""

    cursor: str
    items: list[msgspec.Raw]


_head = msgspec.json.Decoder(_Head)


class Subscription:
    """Follows one feed from a cursor on, for a session. A client that takes nothing is sent nothing more.

    When its caller becomes another viewer, it goes on with the feed of that one, from its first item. *unfollow* is called with
    the match when there is nothing more to follow, and stops it.
    """

    __slots__ = (
        "_application",
        "_broadcasts",
        "_flow",
        "_held",
        "_leave",
        "_newest",
        "_over",
        "_queries",
        "_unfollow",
        "_viewer",
        "_watching",
        "cursor",
        "match",
    )

    def __init__(
        self,
        flow: Backpressure,
        broadcasts: Broadcasts,
        application: Application,
        viewer: Viewer,
        match_id: MatchId,
        cursor: Cursor,
        unfollow: Callable[[str], None],
    ) -> None:
        self._flow = flow
        self._broadcasts = broadcasts
        self._unfollow = unfollow
        self._application = application
        self._queries = application.queries
        self._viewer = viewer
        self._leave: Callable[[], None] | None = None
        self._held = False
        self._newest = False
        self._over = False
        self._watching = self._queries.watch(match_id)
        self._watching.__enter__()
        self.match = match_id
        self.cursor = cursor

    def follow(self, *, newest: bool = False) -> None:
        """Wait for what comes next, unless that is so already. *newest*: there is nothing at this moment."""
        if self._over or self._held or self._leave is not None or self._application.draining:
            return
        if self._flow.is_full:
            self._flow.wait(self)
            return
        self._leave = self._broadcasts.listen(self._queries, self._viewer, self.match, self.cursor, self._heard, newest=newest)

    def hold(self) -> None:
        """Wait no longer, until `release`."""
        self._held = True
        if self._leave is not None:
            self._leave()
            self._leave = None

    def release(self) -> None:
        """Wait again."""
        self._held = False
        self.follow(newest=self._newest)
        self._newest = False

    def stop(self) -> None:
        """End, and tell nothing more."""
        self.hold()
        self._flow.forget(self)
        if not self._over:
            self._over = True
            self._watching.__exit__(None, None, None)

    def _heard(self, outcome: Broadcast | Exception) -> None:
        self._leave = None
        if isinstance(outcome, Exception):
            log.error("following a match failed", match=self.match, exc_info=outcome)
            self._end(ByeFrame(match=self.match))
        elif outcome.viewer is not None:
            self._become(outcome.viewer)
            self.follow()
        elif outcome.page is None:
            self._end(ByeFrame(match=self.match))
        elif self._flow.is_full:
            self._flow.wait(self)
        else:
            if outcome.starts_over:
                self._flow.send(ResetFrame(match=self.match))
            if outcome.page.items:
                self._flow.send_text(outcome.frame(self._text_of))
            self.cursor = outcome.page.cursor
            if outcome.page.ended:
                self._end(EndFrame(match=self.match))
            else:
                self.follow(newest=outcome.newest)

    def _text_of(self, page: FeedPage) -> bytes:
        return self._text(page.items, page.cursor)

    async def catch_up_to(self, receipt: bytes) -> None:
        """Send all before the items of a receipt that is about to be sent, and go on behind them.

        If that cannot be, because the store is down now or the history has changed, the subscription ends.
        """
        head = _head.decode(receipt)
        is_behind = True
        try:
            while is_behind and not self._over:
                known = self._queries.at_once(self._viewer, self.match, self.cursor)
                page = known or await self._queries.feed(self._viewer, self.match, self.cursor, PAGE)
                self._newest = known is not None and not page.more and not page.ended
                is_behind = self._viewer.is_other(page.seating)
                if is_behind:
                    self._become(page.seating.viewer(self._viewer.player))
                elif not self._over:
                    is_behind = self._advance(head, page)
        except ViewerChanged as changed:
            self._become(changed.viewer)
            await self.catch_up_to(receipt)
        except ServiceError:
            self._end(ByeFrame(match=self.match))

    def _advance(self, head: _Head, page: FeedPage) -> bool:
        """Send the items of a page that are before those of a receipt; return whether the receipt is still ahead."""
        ahead = _number(head.cursor) - _number(self.cursor)
        there = min(ahead, len(page.items))
        if ahead <= 0:
            self._newest = False
            return False
        if not there or (there == ahead and page.items[there - 1].cursor != head.cursor):
            self._end(ByeFrame(match=self.match))
            return False
        self._tell(page.items[: min(there, max(0, ahead - len(head.items)))])
        self.cursor = page.items[there - 1].cursor
        self._newest = self._newest and self.cursor == page.cursor
        return there < ahead

    def _become(self, viewer: Viewer) -> None:
        """Go on as another viewer, with the feed of that one from its first item."""
        if not self._over:
            self._viewer = viewer
            self.cursor = START
            self._newest = False
            self._flow.send(ResetFrame(match=self.match))

    def _tell(self, items: Sequence[FeedItem]) -> None:
        if items:
            self._flow.send_text(self._text(items, items[-1].cursor))

    def _text(self, items: Sequence[FeedItem], cursor: Cursor) -> bytes:
        return encode(ItemsFrame(match=self.match, items=entries(items), cursor=cursor))

    def _end(self, last: Frame) -> None:
        if not self._over:
            self._flow.send(last)
            self._unfollow(self.match)


def _number(cursor: str) -> int:
    return int(cursor.partition("-")[0])
