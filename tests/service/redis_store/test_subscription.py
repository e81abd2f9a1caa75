"""Listening to what others write: as soon as it is written, for as long as the connection lasts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import pytest
from redis import Redis

from tafelrunde.domain.match import MatchId
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.ports.events import Pointer, Version, Written, shard_of
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores, subscription
from tests.service.story import Tale
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Server

pytestmark = pytest.mark.anyio


async def write(stores: Stores, tale: Tale) -> Written:
    """Append a batch of one entry."""
    batch = tale.batch(f"k{len(tale.entries)}", b"x")
    written = await stores.events.append(batch)
    tale.note(batch)
    return written


async def test_listener_hears_what_others_write_and_not_its_own(server: Server) -> None:
    """Each line with its position, in order; of its own it knows from the answer of the store."""
    async with await RedisStores.connect(server.url) as stores, await RedisStores.connect(server.url) as others:
        heard: list[Pointer] = []
        whole = asyncio.Event()

        def hear(line: Pointer) -> None:
            heard.append(line)
            if len(heard) == 3:
                whole.set()

        listening = await stores.events.listen(hear)
        assert listening is not None
        tale = Tale()
        own = Tale(MatchId("own"))
        await write(stores, own)
        positions = [(await write(others, tale)).position for _ in range(3)]
        await asyncio.wait_for(whole.wait(), PATIENCE_SECONDS)
        shard = shard_of(tale.match)
        assert heard == [Pointer(shard, at, tale.match, Version(number)) for number, at in enumerate(positions, 1)]
        lines = await stores.events.follow({shard: "0-0"}, 0)
        assert [each for each in lines if each.match == tale.match] == heard
        listening.cancel()
        await write(others, tale)
    assert len(heard) == 3


async def test_nothing_is_published_when_only_the_writer_listens(server: Server) -> None:
    """The writer knows what it has written; as soon as another one listens, each line is published."""
    async with await RedisStores.connect(server.url) as stores, await RedisStores.connect(server.url) as others:
        tale = Tale()

        async def published() -> int:
            before = _published(server)
            await write(stores, tale)
            return _published(server) - before

        assert await published() == 1  # it does not know who listens
        own = await stores.events.listen(lambda _: None)
        assert own is not None
        assert await published() == 0
        other = await others.events.listen(lambda _: None)
        assert other is not None
        assert await published() == 1
        own.cancel()
        await asyncio.sleep(0)
        assert await published() == 1
        other.cancel()


def _published(server: Server) -> int:
    """Return how many messages were published."""
    with Redis.from_url(server.url, protocol=2) as client:
        found = cast("dict[str, dict[str, int]]", client.info("commandstats"))
    return found.get("cmdstat_publish", {"calls": 0})["calls"]


async def test_listening_ends_with_its_connection(server: Server) -> None:
    """Who listens then has to follow the logs."""
    async with await RedisStores.connect(server.url) as stores:
        listening = await stores.events.listen(lambda _: None)
        assert listening is not None
        server.ask("CLIENT KILL TYPE pubsub")
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.wait({listening})
        again = await stores.events.listen(lambda _: None)
        assert again is not None
    assert again.done()


async def test_silent_server_is_given_up(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that answers is listened to however little is written; one that does not is left."""
    made: list[subscription.Subscription] = []
    begin = subscription.Subscription.begin

    def noted(self: subscription.Subscription, writer: asyncio.StreamWriter) -> None:
        made.append(self)
        begin(self, writer)

    monkeypatch.setattr(subscription.Subscription, "begin", noted)
    monkeypatch.setattr(subscription, "SILENCE_SECONDS", PATIENCE_SECONDS)
    async with await RedisStores.connect(server.url) as stores:
        listening = await stores.events.listen(lambda _: None)
        assert listening is not None
        (listener,) = made
        for _ in range(3):  # each silence is over when its ping is answered: a busy server may take longer than a short one
            listener._watch()
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not listener._came:  # noqa: ASYNC110 - the connection sets no event
                    await asyncio.sleep(0)
        assert not listening.done()
        monkeypatch.setattr(subscription, "_PING", b"")
        monkeypatch.setattr(subscription, "SILENCE_SECONDS", 0.02)
        listener._watch()
        assert not listening.done()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await asyncio.wait({listening})


async def test_user_who_may_not_subscribe_is_reported(server: Server) -> None:
    """The store works without: such a user appends, and follows the logs."""
    server.ask("ACL SETUSER mute on nopass ~* +@all resetchannels")
    try:
        url = server.url.replace("://", "://mute:@")
        async with await RedisStores.connect(url) as stores:
            with pytest.raises(StoreUnavailable):
                await stores.events.listen(lambda _: None)
            assert (await write(stores, Tale())).position
    finally:
        server.ask("ACL DELUSER mute")


async def test_connection_is_closed_when_the_listener_gives_up_meanwhile(short_path: Path) -> None:
    """A process that is stopped while it asks to listen leaves nothing open."""
    asked, closed = asyncio.Event(), asyncio.Event()

    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"SUBSCRIBE")
        asked.set()
        while await reader.read(100):
            pass
        writer.close()
        closed.set()

    async def connect(taker: subscription.Subscription) -> None:
        _, writer = await asyncio.open_unix_connection(short_path / "s")
        taker.begin(writer)

    async with await asyncio.start_unix_server(mute, short_path / "s"):
        listening = subscription.Subscription("channel", lambda _: None)
        asking = asyncio.create_task(subscription.subscribe(listening, connect, PATIENCE_SECONDS))
        await asked.wait()
        asking.cancel()
        await asyncio.wait_for(closed.wait(), PATIENCE_SECONDS)
    assert listening.ended.done()
