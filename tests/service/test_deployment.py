"""Opening an application: connected, wired and closed in one place."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId
from tafelrunde.service.application import Application
from tafelrunde.service.deployment import open_application
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.outgoing.address_guard import Guard
from tafelrunde.service.outgoing.http_sender import Post
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.runtime import job_queue
from tafelrunde.service.settings import Durability, Settings
from tests.support.paths import ROOT
from tests.support.served import nowhere

pytestmark = pytest.mark.anyio

NOWHERE = "There is no server for the store: set REDIS_URL, or use `tafelrunde serve`."


async def opened(application: Application) -> MatchId:
    """Open a match as a new player."""
    player = (await application.accounts.register("Ada"))[0].id
    return (await application.matches.open(player, NewMatch(game=GameId("coup"), seats=2), "key")).match


async def test_application_is_refused_in_one_sentence_when_settings_name_no_server() -> None:
    """Volatile stores are only used if they were asked for."""
    with pytest.raises(StartupRefused) as refusal:
        async with open_application(Settings()):
            raise AssertionError
    assert str(refusal.value) == NOWHERE


def test_sentence_about_the_missing_server_stands_once() -> None:
    """All processes are refused by the same line of code."""
    texts = [
        file.read_text(encoding="utf-8")
        for layer in ("api", "service", "workers", "audit")
        for file in (ROOT / layer).rglob("*.py")
    ]
    assert sum(text.count("There is no server for the store") for text in texts) == 1


async def test_stores_of_a_host_are_used_and_stay_open() -> None:
    """A host that opens an application twice over its own stores finds its match again."""
    stores = memory_stores()
    async with open_application(Settings(), stores=stores) as application:
        match = await opened(application)
    async with open_application(Settings(), stores=stores) as application:
        assert (await application.repository.load_latest(match)).version > 0


async def test_connections_are_closed_when_the_block_ends_by_an_error(valkey_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The webhook sender first, then the stores that it was opened beside, whatever happened meanwhile."""
    closed = list[str]()
    post = Post(Guard(), nowhere)
    close_post = Post.close
    close_stores = RedisStores.close

    async def closing_post(self: Post) -> None:
        closed.append("post")
        await close_post(self)

    async def closing_stores(self: RedisStores) -> None:
        closed.append("stores")
        await close_stores(self)

    monkeypatch.setattr(Post, "close", closing_post)
    monkeypatch.setattr(RedisStores, "close", closing_stores)
    with pytest.raises(ZeroDivisionError):
        await _fail_in(open_application(Settings(redis_url=valkey_url), post=post))
    assert closed == ["post", "stores"]


async def _fail_in(opening: AbstractAsyncContextManager[Application]) -> None:
    async with opening as application:
        await opened(application)
        raise ZeroDivisionError


async def test_bots_are_put_into_the_queue_when_it_is_opened_with_one(valkey_url: str) -> None:
    """A match in which a bot is to move at once has a job before the application is closed."""
    settings = Settings(redis_url=valkey_url, bot_pause_ms=0)
    async with open_application(settings, queued=True) as application:
        player = (await application.accounts.register("Ada"))[0].id
        bots = {Seat(seat): BotName("honest") for seat in range(2)}
        new = NewMatch(game=GameId("coup"), seats=2, seat=None, bots=bots, start=True)
        match = (await application.matches.open(player, new, "key")).match
    client = await asyncio.to_thread(job_queue.client_of, settings)
    waiting = job_queue.Jobs(client).queue(job_queue.QueueName.BOTS_FAST).job_ids
    client.close()
    assert [each.rpartition("-")[0] for each in waiting] == [match]


async def test_postbox_is_closed_when_the_store_refuses(monkeypatch: pytest.MonkeyPatch, valkey_url: str) -> None:
    """What was opened before the refusal is closed: no thread waits forever."""
    closed = list[object]()
    close = job_queue.Postbox.close

    def closing(self: job_queue.Postbox) -> None:
        closed.append(self)
        close(self)

    monkeypatch.setattr(job_queue.Postbox, "close", closing)
    settings = Settings(redis_url=valkey_url, durability=Durability.REPLICATED)
    with pytest.raises(StartupRefused):
        async with open_application(settings, queued=True):
            raise AssertionError
    assert len(closed) == 1
