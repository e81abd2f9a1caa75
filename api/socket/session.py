"""A session: the caller of one connection, what it asks, and what it follows.

A frame becomes a call of an operation, as a request does. The frames about one match are answered in their order, those about
different matches side by side.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine, Mapping
from functools import lru_cache
from typing import Any, Union

import msgspec
from msgspec import UNSET

from ...service.errors import StoreUnavailable, Unauthenticated
from ...service.runtime.connections import FRAME_BYTES, ROOM_BYTES
from ..http.answering import refuse
from ..http.context import AppContext
from ..http.request import decoded, read_token
from ..http.response import Reply, encode
from ..http.sse import PING_SECONDS
from ..problems import Refused, misread
from .answers import Answers, problem_frame
from .frames import ASKED, TOKEN_LENGTH, ByeFrame, HelloFrame, WelcomeFrame
from .listening import Listening
from .operations import Entered, open_socket
from .sessions import Sessions
from .subscription import Subscription
from .transport import Transport

AT_ONCE = 32
"""How many frames of a connection are under way at most; then nothing more is read."""
PATIENT_TICKS = 2
"""Pings without an answer, or without a byte taken, after which a client is given up. Also for its first frame."""

UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What reading a frame raises: it is no JSON of the right shape, no UTF-8, or nested too deeply."""


@lru_cache(8)
def _decoder_of(more: tuple[type[msgspec.Struct], ...]) -> msgspec.json.Decoder[Any]:
    """Return what reads frames: those of the core, and those of features."""
    return msgspec.json.Decoder(Union[(*ASKED, *more)])


class _Named(msgspec.Struct):
    """What is read of a frame that is refused."""

    id: str | None = None


_named = msgspec.json.Decoder(_Named)


class Session:
    """One connection. *scope*: that of its handshake; the transport calls the methods below `Transport` names."""

    __slots__ = (
        "_answers",
        "_backlog",
        "_begun",
        "_closing",
        "_decoder",
        "_draining",
        "_early",
        "_lanes",
        "_leave",
        "_loop",
        "_paused",
        "_stalled",
        "_taken",
        "_tasks",
        "_tick_at",
        "_ticks",
        "_timer",
        "_unanswered",
        "_under_way",
        "_waiting",
        "running",
        "sent_bytes",
        "transport",
    )

    def __init__(self, running: AppContext, scope: Mapping[str, Any], transport: Transport) -> None:
        headers: Mapping[bytes, bytes] = dict(scope["headers"])
        self.running = running
        self.transport = transport
        self.sent_bytes = 0
        self._answers = Answers(self, {"headers": [(b"host", headers.get(b"host", b""))], "client": scope.get("client")})
        self._answers.token = read_token(headers)
        self._backlog: deque[bytes] = deque()
        self._decoder = _decoder_of((*running.contract.frames,))
        self._early: deque[Any] | None = deque()
        self._lanes: dict[str, deque[Any]] = {}
        self._waiting: dict[Subscription | Listening, None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way = self._unanswered = self._stalled = self._taken = self._ticks = 0
        self._begun = self._paused = self._closing = self._draining = False
        self._leave: Any = None
        self._loop = asyncio.get_running_loop()
        self._tick_at = self._loop.time() + PING_SECONDS
        self._timer = self._loop.call_at(self._tick_at, self._tick)
        if running.started:
            running.part(Sessions).add(self, running.open_application())
        if self._answers.token is not None:
            self._begin()

    # What the transport calls

    def receive(self, raw: bytes) -> None:
        """Take a message. What had been read before reading paused is kept until it goes on."""
        if self._closing or self._draining:
            return
        if self._paused:
            self._backlog.append(raw)
        else:
            self._take(raw)

    def _take(self, raw: bytes) -> None:
        if self._closing or self._draining:
            return
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
        if not self._begun:
            self._begin()
        self._count()
        if self._early is not None:
            self._early.append(frame)
        else:
            self._place(frame)

    def binary(self) -> None:
        """Take a message that is no text."""
        self.end(1003)

    def full(self) -> None:
        """Read nothing until the client has taken what is buffered for it."""
        self._pause()

    def writable(self) -> None:
        """Go on with what waited until the client has taken what it was sent."""
        waiting = self._waiting
        self._waiting = {}
        for subscription in waiting:
            subscription.follow()
        self._resume()

    def note_pong(self) -> None:
        """Note that the client is there."""
        self._unanswered = 0

    def leave(self) -> None:
        """End: the connection has. What is under way goes on, and its answers are lost."""
        self._closing = True
        self._timer.cancel()
        self._stop()
        if self._leave is not None:
            self._leave()
            self._leave = None
        self.running.part(Sessions).remove(self)

    # How it begins and ends

    def _hello(self, frame: HelloFrame) -> None:
        if self._begun:
            self.fail(Refused("invalid-request", detail="hello is only the first frame", field="/type"))
            return
        if frame.token is not None:
            self._answers.token = frame.token if frame.token.isascii() and len(frame.token) <= TOKEN_LENGTH else ""
        self._begin()

    def _begin(self) -> None:
        self._begun = True
        self._start(self._open())

    @property
    def begun(self) -> bool:
        """Whether its first frame has come, or its token came with the handshake."""
        return self._begun

    async def _open(self) -> None:
        """Let the caller in, welcome it, and then answer what it has sent meanwhile."""
        call = self._answers.call()
        reply = await self._answers.perform(open_socket, call)
        if not isinstance(reply, Entered):
            self._refuse(reply)
            return
        if self._closing:
            reply.leave()
            return
        self._leave = reply.leave
        self._answers.player = reply.player
        self.running.part(Sessions).add(self, call.application)
        limits = self.running.settings.limits
        self.send(
            WelcomeFrame(
                player=reply.player,
                ping_seconds=int(PING_SECONDS),
                subscriptions=limits.max_subscriptions,
                frames=AT_ONCE,
                frame_bytes=FRAME_BYTES,
            )
        )
        early = self._early or ()
        self._early = None
        for frame in early:
            self._place(frame)
        if self._draining and not self._under_way:
            self._finish()

    def drain(self) -> None:
        """Answer what is under way, then say `bye` and close: the process is about to stop."""
        self._draining = True
        self._pause()
        if not self._under_way:
            self._finish()

    def _finish(self) -> None:
        self.end(1012, bye=True)

    def end(self, code: int, *, bye: bool = False) -> None:
        """Close the connection with a code."""
        if self._closing:
            return
        if bye:
            self.send(ByeFrame())
        self._closing = True
        self._stop()
        self.transport.close(code)

    def fail(self, error: Exception, code: int = 0) -> None:
        """Tell a problem with the connection, and close it with a code, by default that of the problem."""
        self._refuse(refuse(error, open_socket.name, self.running.contract.problems), code)

    def _refuse(self, reply: Reply, code: int = 0) -> None:
        if not self._closing:
            self.send(problem_frame(UNSET, reply))
            self.end(code or 4000 + reply.status)

    def _stop(self) -> None:
        """Follow nothing, and answer nothing that has not begun."""
        self._answers.stop()
        self._waiting.clear()
        self._backlog.clear()

    def _tick(self) -> None:
        """Give up a client that answers no ping or takes nothing; ping the others, and ask whether the token is still good."""
        unsent = self.transport.unsent
        taken = self.sent_bytes - unsent
        self._stalled = self._stalled + 1 if unsent and taken <= self._taken else 0
        self._taken = taken
        if max(self._stalled, self._unanswered) >= PATIENT_TICKS:
            self.transport.abort()
            return
        self._tick_at += PING_SECONDS
        self._timer = self._loop.call_at(self._tick_at, self._tick)
        self._ticks += 1
        if self._closing:
            return
        if not self._begun and self._ticks >= PATIENT_TICKS:
            self.end(4408)
            return
        if not self._paused and self.transport.ping():  # while nothing is read, no answer is seen
            self._unanswered += 1
        if self._leave is not None and self._answers.token:
            self._start(self._still_welcome(self._answers.token))

    async def _still_welcome(self, token: str) -> None:
        """End once the token was revoked or has expired; while the store is down it is asked again later."""
        try:
            await self.running.open_application().accounts.authenticate(token)
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
        while lane and not self._closing:
            try:
                await self._answers.answer(lane.popleft())
            except Exception as error:
                self.fail(error)
            self._done()
        self._lanes.pop(match, None)

    def _count(self) -> None:
        """Count a frame as under way."""
        self._under_way += 1
        if self._under_way >= AT_ONCE:
            self._pause()

    def _done(self) -> None:
        """Count a frame as answered: read on, or end if the process is about to stop and this was the last one."""
        self._under_way -= 1
        if self._draining and not self._under_way:
            self._finish()
        self._resume()

    def _refuse_garbled(self, raw: bytes, error: Exception) -> None:
        """Refuse what is no frame; if it has at least an id, the connection goes on."""
        problem = (
            misread(error) if isinstance(error, msgspec.MsgspecError) else Refused("invalid-request", detail="no JSON to read")
        )
        try:
            name = _named.decode(raw).id
        except UNREADABLE:
            name = None
        if name is None or not 0 < len(name) <= 64 or self._early is not None:
            self.fail(problem)
        else:
            self._count()
            self._start(self._refuse_frame(name, problem))

    async def _refuse_frame(self, name: str, error: Exception) -> None:
        await self._answers.refuse(name, error)
        self._done()

    # What the client is sent, and when it is read

    def send(self, frame: msgspec.Struct) -> None:
        """Send a frame."""
        self.send_text(encode(frame))

    def send_text(self, text: bytes) -> None:
        """Send the text of a frame."""
        if not self._closing:
            self.sent_bytes += len(text)
            self.transport.send(text)
            if self.transport.unsent > ROOM_BYTES:
                self._pause()

    def _pause(self) -> None:
        if not self._paused:
            self._paused = True
            self.transport.pause()

    def _resume(self) -> None:
        """Go on with what was read already, and then read on, as far as there is room."""
        while self._paused and not self._draining and self._under_way < AT_ONCE and self.transport.unsent <= ROOM_BYTES:
            self._paused = False
            while self._backlog and not self._paused:
                self._take(self._backlog.popleft())
            if not self._paused:
                self.transport.resume()

    def wait(self, subscription: Subscription | Listening) -> None:
        """Let a subscription, or what else is heard, go on when the client has taken what it was sent."""
        self._waiting[subscription] = None

    def unfollow(self, match: str) -> None:
        """Follow a match no more."""
        if (subscription := self._answers.following.pop(match, None)) is not None:
            subscription.stop()
            self._waiting.pop(subscription, None)

    def forget(self, listening: Listening) -> None:
        """Hear something no more."""
        listening.stop()
        self._waiting.pop(listening, None)

    @property
    def closing(self) -> bool:
        """Whether nothing more is sent."""
        return self._closing
