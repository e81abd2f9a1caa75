"""The viewer's feed as pages, by long polling, and as server-sent events."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Annotated

from msgspec import Meta

from ...service.signing.statements import Mark
from ...service.views.feeds import Cursor, CursorUnknown, FeedPage
from ...service.views.viewers import Viewer, ViewerChanged
from ..http import response
from ..http.operation import Access, Answer, Call, operation
from ..http.rate_limits import Cost
from ..http.response import PRIVATE, Reply
from ..http.sse import EventStream, Follower
from ..problems import Refused
from ..schema import fields, presenters
from ..schema.common import Nothing, Request
from ..schema.fields import CursorText
from ..schema.play import FeedBody, FeedEntry

TAG = "play"
BLIND = ("spectators-off", "seat-left")


class FeedQuery(Request, frozen=True):
    """Which part of the feed, and the long-poll timeout."""

    after: Annotated[CursorText, Meta(description="Cursor of the last item the client has.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=500, description="Maximum number of items to return.")] = 100
    wait: Annotated[int, Meta(ge=0, le=30, description="Long-poll timeout in seconds, if there is nothing new yet.")] = 0


class StreamQuery(Request, frozen=True):
    """Where to begin."""

    after: Annotated[CursorText, Meta(description="The same as Last-Event-ID, which takes precedence.")] | None = None


@operation(
    "GET",
    "/matches/{match}/feed",
    "getFeed",
    tag=TAG,
    access=Access.ANYBODY,
    query=FeedQuery,
    problems=("cursor-unknown", *BLIND, "too-many-streams"),
    answers=(Answer(200, FeedBody, "A page of the feed."),),
)
async def get_feed(call: Call[Nothing, FeedQuery]) -> Reply:
    """Get a page of your feed: every event you may see, in order. With `after` a stream's last id, it has that signed."""
    query = call.query
    match_id = call.match_id
    after = Cursor(query.after) if query.after is not None else None
    viewer, page = await _own_page(call, after)
    if query.wait and not page.items and not page.ended:
        with call.running.streams.place(call.listener, call.peer), suppress(ViewerChanged):
            await call.application.queries.wait(viewer, match_id, after, 1000 * query.wait)
        _, page = await _own_page(call, after)
    mark = Mark(match=match_id, seat=page.seat, n=page.n, chain=page.chain)
    return response.json(presenters.feed_body(page, call.application.signer.mark(mark)), *PRIVATE)


async def _own_page(call: Call[Nothing, FeedQuery], after: Cursor | None) -> tuple[Viewer, FeedPage]:
    """Return which viewer the caller is, and a page of its feed."""
    queries = call.application.queries
    while True:
        viewer = await queries.viewer(call.asker, call.match_id)
        with suppress(ViewerChanged):
            return viewer, await queries.feed(viewer, call.match_id, after, call.query.limit)


@operation(
    "GET",
    "/matches/{match}/stream",
    "streamFeed",
    tag=TAG,
    access=Access.ANYBODY,
    query=StreamQuery,
    cost=Cost.STREAM,
    problems=(*BLIND, "too-many-streams"),
    answers=(
        Answer(200, FeedEntry, "The feed, one item per event.", (), "text/event-stream"),
        Answer(204, None, "The match is over, and the client has everything."),
    ),
)
async def stream_feed(call: Call[Nothing, StreamQuery]) -> Reply | EventStream:
    """Stream your feed as server-sent events.

    `item` carries one item, with its cursor as the id; `reset`: you have taken or lost a seat, or the history has changed, and
    the feed starts over; `end` follows the last item of a finished match; `bye`: the connection is closing for another reason,
    so reconnect.
    """
    match_id = call.match_id
    after = _resume(call)
    viewer = await call.application.queries.viewer(call.asker, match_id)
    if after is not None and await _has_all(call, viewer, after):
        return response.nothing(204)
    leave = call.running.streams.enter(call.listener, call.peer)
    return EventStream(Follower(call.application, call.running.broadcasts, viewer, match_id, call.token).chunks(after), leave)


def _resume(call: Call[Nothing, StreamQuery]) -> Cursor | None:
    last = call.header(b"last-event-id")
    if last and re.search(fields.CURSOR, last) is None:
        raise Refused("invalid-request", field="Last-Event-ID", detail="not a valid cursor")
    chosen = last or call.query.after
    return Cursor(chosen) if chosen else None


async def _has_all(call: Call[Nothing, StreamQuery], viewer: Viewer, after: Cursor) -> bool:
    """Return whether a client that has everything up to *after* has everything there will ever be."""
    try:
        page: FeedPage = await call.application.queries.feed(viewer, call.match_id, after, 1)
    except CursorUnknown:
        return False
    return page.ended and not page.items


OPERATIONS = (get_feed, stream_feed)
