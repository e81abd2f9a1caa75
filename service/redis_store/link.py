"""The connection to a server that all commands share which do not block: those of one turn of the event loop leave in one write.

A server answers in order, so the next reply belongs to the first command that waits. A connection that breaks this order, or is
silent for too long, is dropped with everything that waits on it: no reply can reach another caller.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias, cast

import hiredis
from redis.asyncio.connection import DefaultParser
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import ReadOnlyError
from redis.exceptions import TimeoutError as TimedOut
from redis.typing import EncodableT

Value: TypeAlias = bytes | str | int
Reply: TypeAlias = "bytes | int | list[Reply] | None"
Replies: TypeAlias = "list[Reply | Exception]"
Answer: TypeAlias = "asyncio.Future[Replies]"

TICKS = 4
"""Silence is counted in ticks, each with a turn of the loop before it: if this process stood still, its server was not silent."""
HIGH_WATER_BYTES = 1 << 20
"""When this much waits for a slow server, callers wait before they add to it."""
_ELSEWHERE = (Disconnected, ReadOnlyError)
"""Replies of a server that is not, or no longer, the one to ask, such as LOADING: the next try takes a new connection."""
_PARTIAL = object()
_CLOSED = "the connections to this server are closed"

_pack = cast("Callable[[tuple[EncodableT, ...]], bytes]", hiredis.pack_command)  # pyright: ignore[reportUnknownMemberType] - its stub knows tuples of one only
_error_of = cast("Callable[[str], Exception]", DefaultParser.parse_error)  # pyright: ignore[reportUnknownMemberType] - the library leaves it untyped


def pack(commands: Iterable[Sequence[Value]]) -> bytes:
    """Return commands as a server reads them. Raises TypeError for an argument that cannot be sent."""
    return b"".join([_pack(tuple(command)) for command in commands])


class Opening(NamedTuple):
    """What goes before every write, and what hears the replies. What that raises is the reply to all that follows."""

    commands: Sequence[Sequence[Value]]
    hear: Callable[[Replies], None]


class _Exchange:
    """Commands that leave together, and their replies. Those of an opening are for the link itself."""

    __slots__ = ("answer", "count", "elsewhere", "hear", "packed", "replies")

    def __init__(self, packed: bytes, count: int, answer: Answer | None, hear: Callable[[Replies], None] | None = None) -> None:
        self.packed = packed
        self.count = count
        self.answer = answer
        self.hear = hear
        self.replies: Replies = []
        self.elsewhere: Exception | None = None

    def fail(self, error: Exception) -> None:
        """Tell the caller, if it still waits."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(error)


class Link(asyncio.Protocol):
    """One connection, which the client library has opened and logged in.

    A new one is sent nothing but its opening first, and so is one whose last opening was refused.
    """

    def __init__(self, opening: Callable[[], Opening], seconds: float) -> None:
        self.usable = True
        self._opening = opening
        self._loop = asyncio.get_running_loop()
        self._tick_seconds = seconds / TICKS
        self._reader = hiredis.Reader(replyError=_error_of, notEnoughData=_PARTIAL)
        self.ended: asyncio.Future[None] = self._loop.create_future()
        self._writer: asyncio.StreamWriter | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._outgoing: list[_Exchange] = []
        self._waiting: deque[_Exchange] = deque()
        self._sure = False
        self._checking = False
        self._refusal: Exception | None = None
        self._room: asyncio.Future[None] | None = None
        self._silent_ticks = 0
        self._tick: asyncio.TimerHandle | None = None

    def begin(self, writer: asyncio.StreamWriter) -> None:
        """Take over an open connection."""
        self._writer = writer  # without a reference to it, it closes the connection
        self._transport = writer.transport
        self._transport.set_write_buffer_limits(high=HIGH_WATER_BYTES)
        self._transport.set_protocol(self)

    @property
    def room(self) -> asyncio.Future[None] | None:
        """What to wait for before more is sent, as the server is slow; None if it is not."""
        return self._room

    def send(self, commands: bytes, count: int) -> Answer:
        """Return the future of the replies, errors of single commands among them; it raises what `Links.ask` raises."""
        answer: Answer = self._loop.create_future()
        if not self._outgoing:
            self._loop.call_soon(self._flush)
        self._outgoing.append(_Exchange(commands, count, answer))
        return answer

    def close(self) -> None:
        """Take no more; end when everything that waits has its replies."""
        self.usable = False
        self._end_if_idle()

    def drop(self, error: Exception) -> None:
        """End now: whatever waits fails with this error."""
        self.usable = False
        if self._transport is not None:
            self._transport.abort()
        failed = [*self._waiting, *self._outgoing]
        self._outgoing = []
        self._waiting.clear()
        for each in failed:
            each.fail(error)
        self.resume_writing()
        if self._tick is not None:
            self._tick.cancel()

    @property
    def idle(self) -> bool:
        """Whether no reply is due."""
        return not self._waiting and not self._outgoing

    # What the event loop calls

    def data_received(self, data: bytes) -> None:
        """Give each reply to the command whose turn it is."""
        self._silent_ticks = 0
        try:
            self._reader.feed(data)
            while (reply := self._reader.gets()) is not _PARTIAL:
                self._take(cast("Reply | Exception", reply))
        except (hiredis.HiredisError, IndexError, UnicodeError) as error:
            self.drop(Disconnected(f"the server broke the protocol: {error!r}"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail whatever waits."""
        error = Disconnected(f"the server has closed the connection{f': {exc}' if exc else ''}")
        error.__cause__ = exc
        self.drop(error)
        if not self.ended.done():
            self.ended.set_result(None)

    def pause_writing(self) -> None:
        """Make callers wait: the server is slower than they are."""
        self._room = self._room or self._loop.create_future()

    def resume_writing(self) -> None:
        """Let them go on."""
        room = self._room
        self._room = None
        if room is not None:
            room.set_result(None)

    def _flush(self) -> None:
        """Write what has gathered, after an opening; the opening alone while it is open whether the rest may follow."""
        if self._checking or not self._outgoing or self._transport is None:
            return
        opening = self._opening()
        first = _Exchange(pack(opening.commands), len(opening.commands), None, opening.hear)
        self._sure = self._sure or not first.count
        self._checking = not self._sure
        if self._sure:
            leaving = self._outgoing
            self._outgoing = []
        else:
            leaving = []
        if first.count:
            leaving.insert(0, first)
        self._watch()
        self._waiting.extend(leaving)
        self._transport.write(b"".join([each.packed for each in leaving]))

    def _take(self, reply: Reply | Exception) -> None:
        exchange = self._waiting[0]
        exchange.replies.append(reply)
        if isinstance(reply, _ELSEWHERE):
            exchange.elsewhere = reply
            self.usable = False
        if len(exchange.replies) == exchange.count:
            self._waiting.popleft()
            self._finish(exchange)
            if not self.usable:
                self._end_if_idle()

    def _finish(self, exchange: _Exchange) -> None:
        if exchange.hear is not None:
            self._hear(exchange, exchange.hear)
        elif error := self._refusal or exchange.elsewhere:
            exchange.fail(error)
        elif exchange.answer is not None and not exchange.answer.done():  # the caller may have gone
            exchange.answer.set_result(exchange.replies)

    def _hear(self, opening: _Exchange, hear: Callable[[Replies], None]) -> None:
        try:
            if opening.elsewhere is not None:
                raise opening.elsewhere
            hear(opening.replies)
        except Exception as error:
            self._refusal = error
        else:
            self._refusal = None
        self._sure = self._refusal is None
        if self._checking:
            self._checking = False
            if self._refusal is None:
                self._flush()
            else:
                refused = self._outgoing
                self._outgoing = []
                for each in refused:
                    each.fail(self._refusal)

    def _end_if_idle(self) -> None:
        if self.idle and self._transport is not None:
            self._transport.close()

    def _watch(self) -> None:
        if not self._waiting:
            self._silent_ticks = 0
        if self._tick is None:
            self._tick = self._loop.call_later(self._tick_seconds, self._listen)

    def _listen(self) -> None:
        """Drop the connection if a reply is due and nothing has come for long."""
        self._tick = None
        if not self._waiting:
            return
        if self._silent_ticks >= TICKS:
            self.drop(TimedOut("the server does not answer"))
            return
        self._silent_ticks += 1
        self._tick = self._loop.call_later(self._tick_seconds, self._listen)


class Links:
    """The link to a server: opened when it is needed, and again when it has ended. Callers who need a new one share one try.

    *connect* gives a link its connection; it raises Disconnected or TimedOut.
    """

    def __init__(self, connect: Callable[[Link], Awaitable[None]], opening: Callable[[], Opening], seconds: float) -> None:
        self._open = connect
        self._opening = opening
        self._seconds = seconds
        self._link: Link | None = None
        self._links: set[Link] = set()
        self._connecting: asyncio.Task[Link] | None = None
        self._closed = False

    async def ask(self, commands: bytes, count: int) -> Replies:
        """Return the replies to packed commands. Raises Disconnected, ReadOnlyError or TimedOut: they may have been done."""
        link = self._link
        while link is None or not link.usable or link.room is not None:
            if link is None or not link.usable:
                link = await self._ensure_connected()
            elif link.room is not None:
                await asyncio.shield(link.room)
        return await link.send(commands, count)

    async def close(self) -> None:
        """Close the connection after the replies to what callers have sent who may have gone."""
        self._closed = True
        if self._connecting is not None and not self._connecting.done():
            self._connecting.cancel()
            await asyncio.wait({self._connecting}, timeout=self._seconds)
        ending = {link.ended for link in self._links}
        for link in self._links:
            link.close()
        if ending and (await asyncio.wait(ending, timeout=self._seconds))[1]:
            for link in list(self._links):
                link.drop(Disconnected(_CLOSED))
            await asyncio.wait(ending, timeout=self._seconds)

    async def _ensure_connected(self) -> Link:
        if self._closed:
            raise Disconnected(_CLOSED)
        if self._connecting is None or self._connecting.done():
            self._connecting = asyncio.create_task(self._connect(), name="connecting to the store")
            self._connecting.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # all callers may have gone
        connecting = self._connecting
        await asyncio.wait({connecting})
        if connecting.cancelled():
            raise Disconnected(_CLOSED)
        return connecting.result()

    async def _connect(self) -> Link:
        """Open a link in a task of its own: the library sometimes swallows a cancellation; callers must not wait for that."""
        link = Link(self._opening, self._seconds)
        try:
            async with asyncio.timeout(self._seconds):
                await self._open(link)
        except TimeoutError as error:
            raise TimedOut("the server does not answer a new connection") from error
        except OSError as error:  # the library lets some of its own through, such as a reset while it asks Sentinels
            raise Disconnected(f"the server cannot be reached: {error}") from error
        self._links.add(link)
        link.ended.add_done_callback(lambda _: self._links.discard(link))
        if self._closed:
            link.close()
            raise Disconnected(_CLOSED)
        self._link = link
        return link
