"""Connections between messages: kept, and never used for anything but what they were opened for."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from tafelrunde.service.outgoing import connections
from tafelrunde.service.outgoing.address_guard import Resolver
from tafelrunde.service.outgoing.http_sender import AttemptOutcome, Post, Result
from tests.service.outgoing.test_address_guard import HEADERS, certificate
from tests.support.patience import PATIENCE_SECONDS
from tests.support.receiver import LOOPBACK, Receiver, receiving, status

pytestmark = pytest.mark.anyio

TAKEN = Result(AttemptOutcome.DELIVERED, 200)


class Names:
    """A name server that says what the test wants."""

    def __init__(self, *addresses: str) -> None:
        self.addresses: Sequence[str] = addresses
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.addresses


@pytest.fixture
def names() -> Names:
    """Leads all names to the receiver."""
    return Names("127.0.0.1")


@pytest.fixture
async def post(receiver: Receiver, names: Names) -> AsyncIterator[Post]:
    """Sends to a receiver that keeps connections."""
    receiver.keeps = True
    post = Post(LOOPBACK, names, plain=True, timeout_seconds=PATIENCE_SECONDS)
    yield post
    await post.close()


def named(receiver: Receiver, name: str) -> str:
    """Return the URL of a receiver under a name."""
    return receiver.url.replace("127.0.0.1", name)


async def send(post: Post, url: str, body: bytes = b"{}") -> Result:
    """Send a message."""
    return await post.send(url, HEADERS, body)


async def test_connection_is_kept_for_the_next_message(receiver: Receiver, post: Post, names: Names) -> None:
    """The name is looked up for each all the same."""
    assert [await send(post, named(receiver, "one.example"), b"%d" % number) for number in range(5)] == [TAKEN] * 5
    assert receiver.connections == 1
    assert [got.body for got in receiver.got] == [b"0", b"1", b"2", b"3", b"4"]
    assert names.asked == ["one.example"] * 5


async def test_kept_connection_is_not_used_when_its_name_leads_elsewhere(receiver: Receiver, post: Post, names: Names) -> None:
    """A name that leads inside now is refused although a connection of it is open; one that has moved gets a new connection."""
    url = named(receiver, "moving.example")
    assert await send(post, url) == TAKEN
    names.addresses = ("10.0.0.1",)
    assert (await send(post, url)).outcome is AttemptOutcome.ADDRESS_REFUSED
    names.addresses = ("127.0.0.1", "10.0.0.1")
    assert (await send(post, url)).outcome is AttemptOutcome.ADDRESS_REFUSED
    names.addresses = ("127.0.0.2",)
    await send(post, url)
    names.addresses = ("127.0.0.1",)
    assert await send(post, url) == TAKEN
    assert receiver.connections == 1
    assert len(receiver.got) == 2


async def test_kept_connection_is_not_used_for_another_name(tmp_path: Path, names: Names) -> None:
    """Not even if both lead to the same address: its certificate was that of the first name."""
    server, client = certificate("hooks.example", tmp_path)
    async with receiving(server) as receiver:
        receiver.keeps = True
        post = Post(LOOPBACK, names, timeout_seconds=PATIENCE_SECONDS, trust=lambda: client)
        assert await send(post, named(receiver, "hooks.example")) == TAKEN
        assert (await send(post, named(receiver, "other.example"))).outcome is AttemptOutcome.UNREACHABLE
        assert await send(post, named(receiver, "hooks.example")) == TAKEN
        assert {got.headers["host"].partition(":")[0] for got in receiver.got} == {"hooks.example"}
        await post.close()


async def test_message_is_sent_over_a_new_connection_when_the_kept_one_has_ended(receiver: Receiver, post: Post) -> None:
    """Whether that is seen before, or only when no answer comes: a receiver that restarts costs no attempt."""
    await send(post, receiver.url)
    receiver.writers[0].close()
    await receiver.writers[0].wait_closed()
    assert await send(post, receiver.url) == TAKEN
    receiver.answers = [b""]
    receiver.keeps = False
    assert await send(post, receiver.url, b"once more") == TAKEN
    assert [got.body for got in receiver.got][-2:] == [b"once more"] * 2
    assert receiver.connections == 3


@pytest.mark.parametrize("answer", [status(200, "connection: close"), b"HTTP/1.0 200 OK\r\n\r\n"], ids=["close", "1.0"])
async def test_connection_is_not_kept_when_the_receiver_does_not_want_it(receiver: Receiver, post: Post, answer: bytes) -> None:
    """It says so, or its answer ends with the connection."""
    receiver.keeps = False
    receiver.answers = [answer] * 2
    assert [await send(post, receiver.url) for _ in range(2)] == [TAKEN] * 2
    assert receiver.connections == 2


async def test_connection_is_kept_after_a_short_answer_and_ended_in_a_long_one(receiver: Receiver, post: Post) -> None:
    """What an answer says is not read; of a chatty one the end is not waited for."""
    short = b'HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"ok":true}'
    chunked = b'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nb\r\n{"ok":true}\r\n0\r\n\r\n'
    endless = b"HTTP/1.1 200 OK\r\ncontent-length: 3000000\r\n\r\n" + bytes(100_000)
    receiver.answers = [short, chunked, short, endless]
    assert [await send(post, receiver.url) for _ in range(5)] == [TAKEN] * 5
    assert receiver.connections == 2


async def test_attempt_has_succeeded_when_the_rest_of_the_answer_does_not_come(receiver: Receiver, post: Post) -> None:
    """The status counts; the connection is ended."""
    receiver.answers = [b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel"]
    assert [await send(post, receiver.url) for _ in range(2)] == [TAKEN] * 2
    assert receiver.connections == 2


async def test_connection_is_ended_when_nothing_was_sent_for_a_while(
    receiver: Receiver, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Receivers do not keep idle ones for us."""
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.05)
    await send(post, receiver.url)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await receiver.writers[0].wait_closed()
    assert await send(post, receiver.url) == TAKEN
    assert receiver.connections == 2


async def test_connections_are_kept_up_to_a_limit(receiver: Receiver, post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others end with their message."""
    monkeypatch.setattr(connections, "KEPT", 2)
    receiver.hang()
    sending = asyncio.gather(*(send(post, receiver.url) for _ in range(4)))
    await receiver.reached(4)
    receiver.go_on()
    assert await sending == [TAKEN] * 4
    assert await asyncio.gather(*(send(post, receiver.url) for _ in range(2))) == [TAKEN] * 2
    assert receiver.connections == 4


async def test_name_is_looked_up_once_for_all_who_ask_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a slow name server has one place for each name; those who ask later get a later answer. Numbers are not looked up."""
    asked: list[str] = []

    def answer(host: str, port: int, **_: object) -> list[tuple[int, int, int, str, tuple[str, int]]]:
        asked.append(host)
        return [(2, 1, 6, "", (f"1.1.1.{len(asked)}", port))]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    resolver = Resolver()
    assert await asyncio.gather(*(resolver("one.example", 443) for _ in range(5))) == [["1.1.1.1"]] * 5
    assert await resolver("one.example", 443) == ["1.1.1.2"]
    assert await resolver("2606:4700::1", 443) == ["2606:4700::1"]
    assert asked == ["one.example"] * 2
