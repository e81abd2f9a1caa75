"""A player's inbox: what happens in all of its matches, as pages, by long polling, and as server-sent events."""

from __future__ import annotations

import re
from typing import Annotated

import msgspec
from msgspec import Meta

from ....service.features.inbox.service import Inboxes
from ....service.views.feeds import Cursor
from ...http import response
from ...http.operation import Answer, Call, operation
from ...http.rate_limits import Cost
from ...http.response import SECRET, Reply
from ...http.sse import EventStream
from ...problems import Refused
from ...routes.players import ME
from ...schema import fields
from ...schema.common import Nothing, Request
from ...schema.fields import CursorText
from .schema import InboxBody, InboxItem
from .stream import InboxFollower


class InboxQuery(Request, frozen=True):
    """Which part of the inbox, and the long-poll timeout."""

    after: (
        Annotated[CursorText, Meta(description="Cursor of the last item the client has; none: only tell the newest.")] | None
    ) = None
    limit: Annotated[int, Meta(ge=1, le=500, description="Maximum number of items to return.")] = 100
    wait: Annotated[int, Meta(ge=0, le=30, description="Long-poll timeout in seconds, if there is nothing new yet.")] = 0


class InboxStreamQuery(Request, frozen=True):
    """Where to begin."""

    after: Annotated[CursorText, Meta(description="The same as Last-Event-ID, which takes precedence.")] | None = None


@operation(
    "GET",
    "/me/inbox",
    "getInbox",
    tag=ME,
    query=InboxQuery,
    problems=("cursor-unknown", "too-many-streams"),
    answers=(Answer(200, InboxBody, "A page of the inbox."),),
)
async def get_inbox(call: Call[Nothing, InboxQuery]) -> Reply:
    """Get what has happened in all of your matches since a cursor. Without one: no items, but the cursor to begin with."""
    query = call.query
    inboxes = call.application.get(Inboxes)
    after = Cursor(query.after) if query.after is not None else None
    page = await inboxes.page(call.player, after, query.limit)
    if query.wait and not page.items:
        with call.running.streams.place(call.listener, call.peer):
            page = await inboxes.wait(call.player, page.cursor, query.wait, query.limit)
    items = tuple(msgspec.Raw(item) for _, item in page.items)
    return response.json({"items": items, "cursor": page.cursor, "more": page.more}, *SECRET)


@operation(
    "GET",
    "/me/inbox/stream",
    "streamInbox",
    tag=ME,
    query=InboxStreamQuery,
    cost=Cost.STREAM,
    problems=("too-many-streams",),
    answers=(Answer(200, InboxItem, "The inbox, one item per event.", (), "text/event-stream"),),
)
async def stream_inbox(call: Call[Nothing, InboxStreamQuery]) -> EventStream:
    """Stream what happens in all of your matches, and those of your application's users, as server-sent events.

    `start` carries the cursor where the items will begin, if you sent none; `item` carries one item, with its cursor as the id;
    `reset`: items are lost, so list your matches again after the `start` that follows; `bye`: reconnect.
    """
    last = call.header(b"last-event-id")
    if last and re.search(fields.CURSOR, last) is None:
        raise Refused("invalid-request", field="Last-Event-ID", detail="not a valid cursor")
    chosen = last or call.query.after
    leave = call.running.streams.enter(call.listener, call.peer)
    follower = InboxFollower(call.application, call.player, call.token)
    return EventStream(follower.chunks(Cursor(chosen) if chosen else None), leave)


OPERATIONS = (get_inbox, stream_inbox)
