"""A player's inbox over the socket, as `streamInbox` sends it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ....service.features.inbox.service import Inboxes
from ....service.views.feeds import Cursor
from ...http.asking import Asker, Asking
from ...http.operation import AnyCall, Call, Operation
from ...http.response import Reply
from ...http.sse import Sign
from ...schema.common import Nothing, union
from ...schema.fields import CursorText
from ...socket.frames import Asked, Frame, FrameId
from .routes import InboxStreamQuery, stream_inbox
from .stream import InboxFollower

PLACE = "inbox"


class OpenInboxFrame(Asked, frozen=True, kw_only=True, tag="open-inbox"):
    """Asks for the caller's inbox, from a cursor on, as `streamInbox` does. A second one replaces the first."""

    id: FrameId
    after: (
        Annotated[CursorText, Meta(description="Cursor of the last item that the client has. Default: what comes from now on.")]
        | None
    ) = None


class CloseInboxFrame(Asked, frozen=True, kw_only=True, tag="close-inbox"):
    """Ends hearing the inbox."""

    id: FrameId


class InboxOpenedFrame(Frame, frozen=True, kw_only=True, tag="inbox-opened"):
    """Answers `open-inbox`: items after this cursor follow."""

    id: FrameId
    cursor: CursorText


class InboxClosedFrame(Frame, frozen=True, kw_only=True, tag="inbox-closed"):
    """Answers `close-inbox`: no more items of the inbox follow."""

    id: FrameId


class InboxFrame(Frame, frozen=True, kw_only=True, tag="inbox"):
    """Items of the inbox, in order, each once. `cursor` is that of the last one."""

    items: Annotated[msgspec.Raw, Meta(extra_json_schema={"type": "array", "items": union("InboxItem").extra_json_schema})]
    cursor: CursorText


class InboxResetFrame(Frame, frozen=True, kw_only=True, tag="inbox-reset"):
    """Items of the inbox are lost: list your matches again. What comes after this cursor follows."""

    cursor: CursorText


class InboxByeFrame(Frame, frozen=True, kw_only=True, tag="inbox-bye"):
    """No more items of the inbox follow, as it cannot be read now: open it again."""


class _Opened(Reply):
    """The caller may hear its inbox, from a cursor on."""

    __slots__ = ("cursor",)

    def __init__(self, cursor: Cursor) -> None:
        super().__init__(200, b"", [])
        self.cursor = cursor


async def _hear(call: Call[Nothing, InboxStreamQuery]) -> Reply:
    if call.query.after is not None:
        return _Opened(Cursor(call.query.after))
    return _Opened((await call.application.get(Inboxes).page(call.player, None, 1)).cursor)


_HEAR = Operation(stream_inbox.method, stream_inbox.path, stream_inbox.name, stream_inbox.about, _hear)
"""As `streamInbox`, but the items go their own way, and the connection counts already."""


async def _open(asker: Asker, frame: OpenInboxFrame) -> None:
    call = asker.call()
    call.query = InboxStreamQuery(after=frame.after)
    reply = await asker.perform(_HEAR, call)
    if isinstance(reply, _Opened):
        first = InboxOpenedFrame(id=frame.id, cursor=reply.cursor)
        asker.listen(PLACE, frame.id, first, lambda _: _items(call, reply.cursor))  # one inbox: a page of it needs no gate
    else:
        asker.tell(frame.id, reply)


async def _items(call: AnyCall, after: Cursor) -> AsyncGenerator[msgspec.Struct]:
    follower = InboxFollower(call.application, call.player, token="")  # the session asks about its token
    async with aclosing(follower.events(after)) as events:
        async for each in events:
            if isinstance(each, str):  # it begins again: after a reset there is a cursor
                yield InboxResetFrame(cursor=each)
            elif not isinstance(each, Sign):
                yield InboxFrame(items=msgspec.Raw(b"[%s]" % b",".join(item for _, item in each.items)), cursor=each.cursor)
            elif each is Sign.BYE:
                yield InboxByeFrame()


async def _close(asker: Asker, frame: CloseInboxFrame) -> None:
    await asker.leave(PLACE, frame.id, InboxClosedFrame(id=frame.id))


def _examples(found: Mapping[str, Any]) -> Mapping[type[msgspec.Struct], dict[str, Any]]:
    page = found["getInbox"]["response"]
    return {
        OpenInboxFrame: {"id": "9", "after": page["cursor"]},
        CloseInboxFrame: {"id": "10"},
        InboxOpenedFrame: {"id": "9", "cursor": page["cursor"]},
        InboxClosedFrame: {"id": "10"},
        InboxFrame: {"items": page["items"], "cursor": page["cursor"]},
        InboxResetFrame: {"cursor": page["cursor"]},
        InboxByeFrame: {},
    }


ASKING = (
    Asking(
        frame=OpenInboxFrame,
        operation=_HEAR,
        answers=(InboxOpenedFrame,),
        unasked=(InboxFrame, InboxResetFrame, InboxByeFrame),
        carry_out=_open,
        examples=_examples,
    ),
    Asking(frame=CloseInboxFrame, operation=None, answers=(InboxClosedFrame,), carry_out=_close, examples=_examples),
)
