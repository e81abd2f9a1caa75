"""A session: the caller of one connection, what it asks, and what it follows.

A frame becomes a call of an operation, as a request does. The frames about one match are answered in their order, those about
different matches side by side.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, Union

import msgspec
from msgspec import UNSET

from ...service.errors import StoreUnavailable, Unauthenticated
from ...service.runtime.connections import FRAME_BYTES
from ..http.answering import refuse
from ..http.asking import FeatureFrames
from ..http.context import AppContext
from ..http.request import decoded, read_token
from ..http.response import Reply
from ..http.sse import PING_SECONDS
from ..problems import Refused, misread
from .answers import Answers, problem_frame
from .backpressure import AT_ONCE, Backpressure
from .frames import ASKED, TOKEN_LENGTH, ByeFrame, HelloFrame, WelcomeFrame
from .operations import Entered, open_socket
from .sessions import Sessions
from .transport import Transport

PATIENT_TICKS = 2
"""Pings without an answer, or without a byte taken, after which a client is given up. Also for its first frame."""

UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What reading a frame raises: it is no JSON of the right shape, no UTF-8, or nested too deeply."""


@lru_cache(8)
def _decoder_of(more: tuple[type[msgspec.Struct], ...]) -> msgspec.json.Decoder[Any]:
    """Return what reads frames: those of the core, and those of features."""
    return msgspec.json.Decoder(Union[(*ASKED, *more)])


class Phase(Enum):
    """How far a session is. A phase is followed by a later one only."""

    WAITING = 1
    """The first frame has not come."""
    ENTERING = 2
    """The caller is being let in; frames are kept until then."""
    OPEN = 3
    CLOSED = 4


class _Named(msgspec.Struct):
    """What is read of a frame that is refused."""

    id: str | None = None


_named = msgspec.json.Decoder(_Named)


class Session:
    """One connection. *scope*: that of its handshake; the transport calls the methods below `Transport` names."""

    __slots__ = (
        "_answers",
        "_decoder",
        "_early",
        "_flow",
        "_lanes",
        "_leave",
        "_loop",
        "_phase",
        "_running",
        "_stalled",
        "_taken",
        "_tasks",
        "_tick_at",
        "_ticks",
        "_timer",
        "_transport",
        "_unanswered",
    )

    def __init__(self, running: AppContext, scope: Mapping[str, Any], transport: Transport) -> None:
        headers: Mapping[bytes, bytes] = dict(scope["headers"])
        self._running = running
        self._transport = transport
        self._flow = Backpressure(transport, self._take)
        base = {"headers": [(b"host", headers.get(b"host", b""))], "client": scope.get("client")}
        self._answers = Answers(running, self, self._flow, base)
        self._answers.token = read_token(headers)
        self._decoder = _decoder_of((*running.part(FeatureFrames),))
        self._phase = Phase.WAITING
        self._early: list[Any] = []
        self._lanes: dict[str, deque[Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._unanswered = self._stalled = self._taken = self._ticks = 0
        self._leave: Callable[[], object] | None = None
        self._loop = asyncio.get_running_loop()
        self._tick_at = self._loop.time() + PING_SECONDS
        self._timer = self._loop.call_at(self._tick_at, self._tick)
        if running.started:
            running.part(Sessions).add(self, running.open_application())
        if self._answers.token is not None:
            self._enter()

    # What the transport calls

    def receive(self, raw: bytes) -> None:
        """Take a message. What had been read before reading paused is kept until it goes on."""
        self._flow.receive(raw)

    def binary(self) -> None:
        """Take a message that is no text."""
        self.end(1003)

    def full(self) -> None:
        """Read nothing until the client has taken what is buffered for it."""
        self._flow.pause()

    def writable(self) -> None:
        """Go on with what waited until the client has taken what it was sent."""
        self._flow.go_on()

    def note_pong(self) -> None:
        """Note that the client is there."""
        self._unanswered = 0

    def leave(self) -> None:
        """End: the connection has. What is under way goes on, and its answers are lost."""
        self._timer.cancel()
        self._stop()
        if self._leave is not None:
            self._leave()
            self._leave = None
        self._running.part(Sessions).remove(self)

    @property
    def begun(self) -> bool:
        """Whether its first frame has come, or its token came with the handshake."""
        return self._phase is not Phase.WAITING

    # How it begins

    def _take(self, raw: bytes) -> None:
        if len(raw) > FRAME_BYTES:
            self.fail(Refused("too-large"), 1009)
            return
        try:
            frame = decoded(raw, self._decoder)
        except UNREADABLE as error:
            self._refuse_garbled(raw, error)
            return
        if isinstance(frame, HelloFrame):
            self._hello(frame)
            return
        if self._phase is Phase.WAITING:
            self._enter()
        self._flow.begin_frame()
        if self._phase is Phase.ENTERING:
            self._early.append(frame)
        else:
            self._place(frame)

    def _hello(self, frame: HelloFrame) -> None:
        if self._phase is not Phase.WAITING:
            self.fail(Refused("invalid-request", detail="hello is only the first frame", field="/type"))
            return
        if frame.token is not None:
            self._answers.token = frame.token if frame.token.isascii() and len(frame.token) <= TOKEN_LENGTH else ""
        self._enter()

    def _enter(self) -> None:
        self._phase = Phase.ENTERING
        self._start(self._open())

    async def _open(self) -> None:
        """Let the caller in, welcome it, and then answer what it has sent meanwhile."""
        call = self._answers.call()
        reply = await self._answers.perform(open_socket, call)
        if not isinstance(reply, Entered):
            self._refuse(reply)
            return
        if self.closed:
            reply.leave()
            return
        self._leave = reply.leave
        self._phase = Phase.OPEN
        self._answers.player = reply.player
        self._running.part(Sessions).add(self, call.application)
        limits = self._running.settings.limits
        self._flow.send(
            WelcomeFrame(
                player=reply.player,
                ping_seconds=int(PING_SECONDS),
                subscriptions=limits.max_subscriptions,
                frames=AT_ONCE,
                frame_bytes=FRAME_BYTES,
            )
        )
        early, self._early = self._early, []
        for frame in early:
            self._place(frame)
        self._end_if_drained()

    # How it ends

    @property
    def closed(self) -> bool:
        """Whether nothing more is sent."""
        return self._phase is Phase.CLOSED

    def drain(self) -> None:
        """Answer what is under way, then say `bye` and close: the process is about to stop."""
        self._flow.stop_reading()
        self._end_if_drained()

    def _end_if_drained(self) -> None:
        if self._flow.is_stopped and not self._flow.under_way:
            self.end(1012, bye=True)

    def end(self, code: int, *, bye: bool = False) -> None:
        """Close the connection with a code."""
        if self.closed:
            return
        if bye:
            self._flow.send(ByeFrame())
        self._stop()
        self._transport.close(code)

    def fail(self, error: Exception, code: int = 0) -> None:
        """Tell a problem with the connection, and close it with a code, by default that of the problem."""
        self._refuse(refuse(error, open_socket.name, self._running.contract.problems), code)

    def _refuse(self, reply: Reply, code: int = 0) -> None:
        if not self.closed:
            self._flow.send(problem_frame(UNSET, reply))
            self.end(code or 4000 + reply.status)

    def _stop(self) -> None:
        """Follow nothing, and answer nothing that has not begun."""
        self._phase = Phase.CLOSED
        self._answers.stop()
        self._flow.close()

    def _tick(self) -> None:
        """Give up a client that answers no ping or takes nothing; ping the others, and ask whether the token is still good."""
        unsent = self._transport.unsent
        taken = self._flow.sent_bytes - unsent
        self._stalled = self._stalled + 1 if unsent and taken <= self._taken else 0
        self._taken = taken
        if max(self._stalled, self._unanswered) >= PATIENT_TICKS:
            self._transport.abort()
            return
        self._tick_at += PING_SECONDS
        self._timer = self._loop.call_at(self._tick_at, self._tick)
        self._ticks += 1
        if self.closed:
            return
        if self._phase is Phase.WAITING and self._ticks >= PATIENT_TICKS:
            self.end(4408)
            return
        if self._flow.is_reading and self._transport.ping():
            self._unanswered += 1
        if self._phase is Phase.OPEN and self._answers.token:
            self._start(self._still_welcome(self._answers.token))

    async def _still_welcome(self, token: str) -> None:
        """End once the token was revoked or has expired; while the store is down it is asked again later."""
        try:
            await self._running.open_application().accounts.authenticate(token)
        except Unauthenticated:
            self.end(4401, bye=True)
        except (StoreUnavailable, Refused):
            return

    # How frames are answered

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _place(self, frame: Any) -> None:
        """Answer a frame after those before it about the same match, or about none."""
        match: str = getattr(frame, "match", "")
        lane = self._lanes.get(match)
        if lane is None:
            self._lanes[match] = lane = deque((frame,))
            self._start(self._work(match, lane))
        else:
            lane.append(frame)

    async def _work(self, match: str, lane: deque[Any]) -> None:
        while lane and not self.closed:
            try:
                await self._answers.answer(lane.popleft())
            except Exception as error:
                self.fail(error)
            self._done()
        self._lanes.pop(match, None)

    def _done(self) -> None:
        """Count a frame as answered: read on, or end if the process is about to stop and this was the last one."""
        self._flow.end_frame()
        self._end_if_drained()

    def _refuse_garbled(self, raw: bytes, error: Exception) -> None:
        """Refuse what is no frame; if it has at least an id, the connection goes on."""
        problem = (
            misread(error) if isinstance(error, msgspec.MsgspecError) else Refused("invalid-request", detail="no JSON to read")
        )
        try:
            name = _named.decode(raw).id
        except UNREADABLE:
            name = None
        if name is None or not 0 < len(name) <= 64 or self._phase is not Phase.OPEN:
            self.fail(problem)
        else:
            self._flow.begin_frame()
            self._start(self._refuse_frame(name, problem))

    async def _refuse_frame(self, name: str, error: Exception) -> None:
        await self._answers.refuse(name, error)
        self._done()
