"""The shared connection: every reply to its own caller, in order, whatever callers, the server and the connection do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import cast

import hiredis
import pytest
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import ReadOnlyError, RedisError, ResponseError
from redis.exceptions import TimeoutError as TimedOut

from tafelrunde.service.errors import StoreReplaced
from tafelrunde.service.redis_store.link import HIGH_WATER_BYTES, TICKS, Link, Links, Opening, Replies, Value, pack
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.anyio
SHORT_SECONDS = 0.2
Command = list[bytes]


class Peer:
    """A server in the hand of a test: it keeps what it gets in `writes`, and answers as `answer` says."""

    def __init__(self) -> None:
        self.writes: list[list[Command]] = []
        self.connections: list[asyncio.StreamWriter] = []
        self.reading = asyncio.Event()
        self.reading.set()
        self.answer: Callable[[Command], bytes] | None = _echo
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        self.connections.append(writer)
        parser = hiredis.Reader(notEnoughData=None)
        try:
            while data := await reader.read(2**16):
                await self.reading.wait()
                parser.feed(data)
                commands: list[Command] = []
                while (command := cast("Command | None", parser.gets())) is not None:
                    commands.append(command)
                self.writes.append(commands)
                self._news.set()
                if self.answer is not None:
                    writer.write(b"".join(self.answer(command) for command in commands))
        except OSError:
            pass
        finally:
            writer.close()

    async def got(self, count: int) -> None:
        """Wait for that many commands."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while sum(map(len, self.writes)) < count:
                self._news.clear()
                await self._news.wait()


def _echo(command: Command) -> bytes:
    return b"$%d\r\n%s\r\n" % (len(command[-1]), command[-1])


def quiet() -> Opening:
    """Ask nothing first."""
    return Opening((), lambda _: None)


@pytest.fixture
async def peer(short_path: Path) -> AsyncIterator[Peer]:
    """A server on a socket."""
    peer = Peer()
    listener = await asyncio.start_unix_server(peer.accept, short_path / "s")
    async with listener:
        yield peer
        for writer in peer.connections:
            writer.close()


@pytest.fixture
async def connect(short_path: Path, peer: Peer) -> Callable[[Link], Awaitable[None]]:
    """What connects a link to that server, without logging in."""

    async def connect(link: Link) -> None:
        assert peer is not None
        _, writer = await asyncio.open_unix_connection(short_path / "s")
        link.begin(writer)

    return connect


@pytest.fixture
async def links(connect: Callable[[Link], Awaitable[None]]) -> AsyncIterator[Links]:
    """Links to that server, which are patient."""
    links = Links(connect, quiet, PATIENCE_SECONDS)
    yield links
    await closed(links)


async def closed(links: Links) -> None:
    """Close links without waiting for replies that never come."""
    for link in list(links._links):
        link.drop(Disconnected("the test ends"))
    await links.close()


def ask(links: Links, *commands: Sequence[Value]) -> asyncio.Task[Replies]:
    """Send commands, and let them get as far as the write."""
    return asyncio.create_task(links.ask(pack(commands), len(commands)))


async def test_every_caller_gets_its_own_reply_when_many_ask_over_and_over(links: Links) -> None:
    """Replies come in the order of commands, also of those that belong together, in pieces, and large."""

    async def play(task: int) -> None:
        for number in range(task, task + 30):
            size = 100_000 if number % 10 == 0 else 10
            wanted = [b"%d" % number * size, b"%d-%d" % (task, number)][: 1 + number % 2]
            assert await links.ask(pack(("ECHO", each) for each in wanted), len(wanted)) == wanted
            if number % 7 == 0:
                await asyncio.sleep(0)

    async with asyncio.timeout(PATIENCE_SECONDS), asyncio.TaskGroup() as together:
        for task in range(32):
            together.create_task(play(task))


async def test_commands_of_one_turn_leave_in_one_write_and_in_order(links: Links, peer: Peer) -> None:
    """However many callers there are, one turn of the loop costs one write, after one opening."""
    await links.ask(pack((("ECHO", "first"),)), 1)
    asking = [ask(links, ("ECHO", number)) for number in range(50)]
    assert await asyncio.gather(*asking) == [[b"%d" % number] for number in range(50)]
    assert [len(write) for write in peer.writes] == [1, 50]
    assert [command[1] for command in peer.writes[1]] == [b"%d" % number for number in range(50)]
    assert len(peer.connections) == 1


async def test_caller_that_is_cancelled_disturbs_no_other(links: Links, peer: Peer) -> None:
    """Its reply is thrown away when it comes; the next one is the next caller's."""
    peer.answer = None
    asking = [ask(links, ("ECHO", number)) for number in range(6)]
    await peer.got(6)
    for each in asking[::2]:
        each.cancel()
    await asyncio.wait(asking[::2])
    peer.connections[0].write(b"".join(b":%d\r\n" % number for number in range(6)))
    assert await asyncio.gather(*asking[1::2]) == [[1], [3], [5]]


async def test_no_late_reply_reaches_another_caller_when_a_command_timed_out(
    connect: Callable[[Link], Awaitable[None]], peer: Peer
) -> None:
    """The connection is dropped with all that wait on it; the next command goes over a new one."""
    links = Links(connect, quiet, SHORT_SECONDS)
    peer.answer = None
    asking = [ask(links, ("ECHO", number)) for number in range(3)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        found = await asyncio.gather(*asking, return_exceptions=True)
    assert [type(each) for each in found] == [TimedOut] * 3
    peer.connections[0].write(b":0\r\n:1\r\n:2\r\n")
    peer.answer = _echo
    assert await links.ask(pack((("ECHO", "new"),)), 1) == [b"new"]
    assert len(peer.connections) == 2
    await closed(links)


async def test_server_is_not_taken_for_silent_when_this_process_stood_still(peer: Peer, links: Links) -> None:
    """Silence is counted in turns of the loop: after a pause of the process its replies are read first."""
    asking = ask(links, ("ECHO", "a"))
    await asking
    (link,) = links._links
    peer.answer = None
    waiting = ask(links, ("ECHO", "b"))
    await peer.got(2)
    for _ in range(TICKS):
        link._listen()  # as many turns as a whole timeout has
    peer.connections[0].write(b":1\r\n")
    assert await waiting == [1]
    late = ask(links, ("ECHO", "c"))
    await peer.got(3)
    for _ in range(TICKS + 1):
        link._listen()
    with pytest.raises(TimedOut):
        await late


@pytest.mark.parametrize(
    ("said", "raised"),
    [
        (b"", Disconnected),
        (b"?what\r\n", Disconnected),
        (b":1\r\n:2\r\n:3\r\n:4\r\n", None),
        (b"$5\r\nab", Disconnected),
    ],
    ids=["closed", "nonsense", "one reply too many", "closed within a reply"],
)
async def test_connection_is_dropped_when_the_order_is_lost(
    links: Links, peer: Peer, said: bytes, raised: type[Exception] | None
) -> None:
    """After a broken protocol no reply can be trusted: whatever waits fails, and nothing more goes over that connection."""
    peer.answer = None
    asking = [ask(links, ("ECHO", number)) for number in range(3)]
    await peer.got(3)
    (link,) = links._links
    peer.connections[0].write(said)
    if not said.endswith(b"\n"):
        peer.connections[0].close()
    async with asyncio.timeout(PATIENCE_SECONDS):
        found = await asyncio.gather(*asking, return_exceptions=True)
        await link.ended
    assert [type(each) for each in found] == [raised or list] * 3
    peer.answer = _echo
    assert await links.ask(pack((("ECHO", "new"),)), 1) == [b"new"]
    assert len(peer.connections) == 2


@pytest.mark.parametrize(
    ("error", "kind"), [("LOADING x", Disconnected), ("READONLY x", ReadOnlyError), ("NOAUTH x", Disconnected)]
)
async def test_connection_is_left_when_the_server_is_not_the_one_to_ask(
    links: Links, peer: Peer, error: str, kind: type[RedisError]
) -> None:
    """A primary that has become a replica stays connected: the next command goes elsewhere; the others get their replies."""
    peer.answer = None
    refused, fine = ask(links, ("SET", "a")), ask(links, ("GET", "a"))
    await peer.got(2)
    (link,) = links._links
    peer.connections[0].write(f"-{error}\r\n:2\r\n".encode())
    with pytest.raises(kind):
        await refused
    assert await fine == [2]
    await link.ended
    peer.answer = _echo
    assert await links.ask(pack((("ECHO", "new"),)), 1) == [b"new"]
    assert len(peer.connections) == 2


async def test_error_reply_is_for_its_own_command_only(links: Links, peer: Peer) -> None:
    """MOVED, ASK, NOSCRIPT and the like are replies; the connection goes on."""
    peer.answer = lambda command: b"-ERR no\r\n" if command[-1] == b"bad" else _echo(command)
    bad, good = await asyncio.gather(ask(links, ("A", "bad"), ("A", "x")), ask(links, ("A", "good")))
    assert (type(bad[0]), bad[1], good) == (ResponseError, b"x", [b"good"])
    assert len(peer.connections) == 1


async def test_new_connection_is_sent_nothing_before_its_opening_is_right(
    connect: Callable[[Link], Awaitable[None]], peer: Peer
) -> None:
    """A server with other data gets no command at all; later on the opening leads every write, and refuses what follows it."""
    right = b"wrong"

    def hear(replies: Replies) -> None:
        if replies != [b"mine"]:
            raise StoreReplaced

    peer.answer = lambda command: _echo([right]) if command == [b"WHOSE"] else _echo(command)
    links = Links(connect, lambda: Opening((("WHOSE",),), hear), PATIENCE_SECONDS)
    for _ in range(2):
        with pytest.raises(StoreReplaced):
            await links.ask(pack((("SET", "a"),)), 1)
    assert peer.writes == [[[b"WHOSE"]]] * 2
    right = b"mine"
    assert await links.ask(pack((("SET", "a"),)), 1) == [b"a"]
    peer.writes.clear()
    assert await links.ask(pack((("SET", "b"),)), 1) == [b"b"]
    assert peer.writes == [[[b"WHOSE"], [b"SET", b"b"]]]
    right = b"wrong"
    with pytest.raises(StoreReplaced):
        await links.ask(pack((("SET", "c"),)), 1)
    assert len(peer.connections) == 1
    await closed(links)


async def test_callers_wait_when_the_server_is_slow(links: Links, peer: Peer) -> None:
    """What waits in this process is bounded: above the mark no caller adds to it until the server has read."""
    await links.ask(pack((("ECHO", "first"),)), 1)
    (link,) = links._links
    peer.reading.clear()
    large = "x" * HIGH_WATER_BYTES
    asking = [ask(links, ("ECHO", large)) for _ in range(2)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        while link.room is None:  # noqa: ASYNC110 - the transport says it
            await asyncio.sleep(0)
    late = [ask(links, ("ECHO", number)) for number in range(100)]
    await asyncio.sleep(0.05)
    assert len(link._outgoing) == 0
    assert len(link._waiting) == 2
    peer.reading.set()
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert await asyncio.gather(*late) == [[b"%d" % number] for number in range(100)]
        assert [len(reply[0]) for reply in await asyncio.gather(*asking) if isinstance(reply[0], bytes)] == [len(large)] * 2


async def test_callers_share_one_try_to_connect() -> None:
    """Many that find no connection open one together, and all learn why it failed."""
    tries = 0

    async def refused(_: Link) -> None:
        nonlocal tries
        tries += 1
        await asyncio.sleep(0)
        raise Disconnected("nobody there")

    links = Links(refused, quiet, PATIENCE_SECONDS)
    found = await asyncio.gather(*(links.ask(b"", 1) for _ in range(20)), return_exceptions=True)
    assert (tries, {str(each) for each in found}) == (1, {"nobody there"})
    await links.close()


async def test_connection_that_is_reset_while_it_is_opened_counts_as_one_that_failed() -> None:
    """Every failure to connect has the same name, so that it is tried again like the others."""

    async def reset(_: Link) -> None:
        raise ConnectionResetError

    links = Links(reset, quiet, PATIENCE_SECONDS)
    with pytest.raises(Disconnected):
        await links.ask(b"", 1)
    await links.close()


async def test_closing_waits_for_replies_to_callers_that_have_gone(links: Links, peer: Peer) -> None:
    """A command under way is finished; afterwards nothing opens a connection again."""
    peer.answer = None
    gone = ask(links, ("SET", "a"))
    await peer.got(1)
    gone.cancel()
    closing = asyncio.create_task(links.close())
    await asyncio.wait([gone])
    assert not closing.done()
    peer.connections[0].write(b":1\r\n")
    await closing
    with pytest.raises(Disconnected, match="closed"):
        await links.ask(pack((("SET", "b"),)), 1)
    assert len(peer.connections) == 1


async def test_closing_ends_a_connection_that_is_being_opened() -> None:
    """A server that accepts and says nothing more does not hold up the end of a process."""
    begun = asyncio.Event()

    async def hang(_: Link) -> None:
        begun.set()
        await asyncio.Event().wait()

    links = Links(hang, quiet, PATIENCE_SECONDS)
    asking = asyncio.create_task(links.ask(b"", 1))
    await begun.wait()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await links.close()
        with pytest.raises(Disconnected, match="closed"):
            await asking
