"""Connections are shared out among processes that listen on one socket; here two of them in one event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest

from tafelrunde.api.server import acceptor
from tafelrunde.api.server.acceptor import Acceptor
from tafelrunde.service.runtime.siblings import Siblings, shared_file
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.anyio


class Greeter(asyncio.Protocol):
    """Says whose connection it is, and counts it while it is open."""

    def __init__(self, name: bytes, open_now: set[Greeter]) -> None:
        self.name = name
        self.open_now = open_now

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self.open_now.add(self)
        transport.write(self.name)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.open_now.discard(self)


class Listening:
    """A socket, and what up to two processes share."""

    def __init__(self, descriptor: int) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.siblings = [Siblings(descriptor, own, 2) for own in range(2)]
        self.acceptors: list[Acceptor] = []
        self.sockets: list[socket.socket] = []
        self.writers: list[asyncio.StreamWriter] = []

    def accept(self, own: int) -> Acceptor:
        """Let a process accept."""
        listener = self.socket.dup()
        open_now = set[Greeter]()
        self.sockets.append(listener)
        name = b"%d" % own
        self.acceptors.append(Acceptor(listener, lambda: Greeter(name, open_now), self.siblings[own], lambda: len(open_now)))
        return self.acceptors[-1]

    async def connect(self) -> bytes:
        """Return which process answers a new connection, which stays open."""
        reader, writer = await asyncio.open_connection(*self.socket.getsockname())
        self.writers.append(writer)
        return await asyncio.wait_for(reader.read(1), PATIENCE_SECONDS)

    async def close(self) -> None:
        """End all."""
        for each in (*self.acceptors, *self.writers, *self.sockets, self.socket):
            each.close()
        await asyncio.gather(*(writer.wait_closed() for writer in self.writers))


@pytest.fixture
async def listening() -> AsyncIterator[Listening]:
    """A socket that does not accept connections yet."""
    with shared_file(2) as file:
        found = Listening(file.fileno())
        yield found
        await found.close()


async def test_connections_are_shared_out_evenly(listening: Listening) -> None:
    """One after the other they come to each in turn, however fast the first one is."""
    for own in range(2):
        listening.accept(own)
    got = [await listening.connect() for _ in range(32)]
    assert (got.count(b"0"), got.count(b"1")) == (16, 16)


async def test_connections_wait_for_no_process_that_does_not_accept(listening: Listening) -> None:
    """A sibling that hangs or is gone has the fewest connections, and yet the others take all."""
    listening.accept(0)
    assert await asyncio.gather(*(listening.connect() for _ in range(32))) == [b"0"] * 32


async def test_process_accepts_again_when_there_was_no_room(listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a descriptor for the connection it waits in the socket, and the process does not run in circles."""
    monkeypatch.setattr(acceptor, "EXHAUSTED_SECONDS", 0.01)
    found = listening.accept(0)
    refusals = iter([OSError(24, "Too many open files")])
    real = found._listener

    class Exhausted:
        """A listener without room at first."""

        def __getattr__(self, name: str) -> object:
            if name == "accept" and (error := next(refusals, None)) is not None:
                raise error
            return getattr(real, name)

    found._loop.remove_reader(real)
    found._listener = Exhausted()  # type: ignore[assignment]  # as far as the acceptor looks
    found._watch()
    assert await listening.connect() == b"0"
    assert next(refusals, None) is None


async def test_closed_acceptor_takes_nothing_more(listening: Listening) -> None:
    """What comes after it is a sibling's."""
    listening.accept(0).close()
    listening.accept(1)
    assert [await listening.connect() for _ in range(3)] == [b"1"] * 3
