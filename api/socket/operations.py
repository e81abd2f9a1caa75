"""What a socket asks of the service: the operations of HTTP, with its own ends of the two that keep a connection open."""

from __future__ import annotations

from collections.abc import Callable

from ...domain.match import PlayerId
from ...service.views.viewers import Viewer
from ..http.operation import Access, AnyCall, AnyOperation, Call, Operation, operation
from ..http.rate_limits import Cost
from ..http.response import Reply
from ..http.sse import listener_of
from ..routes.feed import StreamQuery, stream_feed
from ..schema.common import Nothing
from .frames import PATH


class Entered(Reply):
    """The caller's connection counts; `leave` ends that."""

    __slots__ = ("leave", "player")

    def __init__(self, player: PlayerId | None, leave: Callable[[], None]) -> None:
        super().__init__(101, b"", [])
        self.player = player
        self.leave = leave


class Admitted(Reply):
    """The caller may follow a match, as `viewer`."""

    __slots__ = ("viewer",)

    def __init__(self, viewer: Viewer) -> None:
        super().__init__(200, b"", [])
        self.viewer = viewer


@operation("GET", PATH, "openSocket", tag="play", access=Access.ANYBODY, cost=Cost.STREAM, answers=())
async def open_socket(call: Call[Nothing, Nothing]) -> Reply:
    """Open a connection; it counts as one stream of its player, or of its address."""
    accounts = call.application.accounts  # while there is none, no one is let in, with a token or without
    holder = await accounts.authenticate(call.token) if call.token else None
    player = holder.player if holder is not None else None
    return Entered(player, call.running.streams.enter(listener_of(holder), call.peer))


async def _subscribe(call: Call[Nothing, StreamQuery]) -> Reply:
    return Admitted(await call.application.queries.viewer(call.asker, call.match_id))


SUBSCRIBE: Operation[Nothing, StreamQuery] = Operation(
    stream_feed.method, stream_feed.path, stream_feed.name, stream_feed.about, _subscribe
)
"""As `streamFeed`, but the items go their own way."""


async def perform(asked: AnyOperation, call: AnyCall, token: str | None, check: Callable[[AnyCall], None] | None = None) -> Reply:
    """Answer a call that came as a frame, with its key, query and body; *check* may refuse it once it is admitted."""
    await asked.admit(call, token)
    if check is not None:
        check(call)
    reply = await asked.carry_out(call)
    assert isinstance(reply, Reply), "no operation of a socket answers with a stream"
    return reply
