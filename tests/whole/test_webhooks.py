"""Webhooks with real processes: the sweeper sends, and what it was sending when it was killed is sent again."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import PlayerId
from tafelrunde.service.application import Application, unix_ms
from tafelrunde.service.features.webhooks.duty import LEASE_MS, Dispatcher
from tafelrunde.service.features.webhooks.player_webhooks import PlayerWebhooks
from tafelrunde.service.features.webhooks.port import DeliveryState
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import Settings
from tests.support.processes import COMMAND, environment
from tests.support.receiver import receiving

pytestmark = [pytest.mark.anyio, pytest.mark.real]

HOST = PlayerId("host")
ALLOWED = "127.0.0.0/8"


async def test_message_is_sent_again_with_the_same_id_when_the_sweeper_is_killed(valkey_url: str, redis_stores: Stores) -> None:
    """In the middle of an attempt; the next process sends it once the lease has run out."""
    late = [-LEASE_MS]
    open_settings = Settings(webhook_http=True, webhook_networks=ALLOWED, webhook_ports="*")
    application = Application(redis_stores, open_settings, now_ms=lambda: unix_ms() + late[0])
    async with receiving() as receiver:
        receiver.hang()
        hook = await application.get(PlayerWebhooks).make(HOST, receiver.url, ["match.created"], None, None)
        settings = environment(redis_url=valkey_url, webhook_http="true", webhook_networks=ALLOWED)
        sweeper = await asyncio.create_subprocess_exec(*COMMAND, "sweeper", env=settings, stderr=asyncio.subprocess.DEVNULL)
        try:
            match = (await application.matches.open(HOST, NewMatch(game=GameId("coup"), seats=2), "open")).match
            await receiver.reached(1)
        finally:
            sweeper.kill()
            await sweeper.wait()
        receiver.go_on()
        assert await application.get(Dispatcher).portion() == 0
        late[0] = LEASE_MS
        assert await application.get(Dispatcher).portion() == 1
        await application.close()
        [made] = await application.get(PlayerWebhooks).deliveries(HOST, hook.id, None, 9)
        assert (made.match, made.state) == (match, DeliveryState.DELIVERED)
        assert [(got.headers["webhook-id"], got.body) for got in receiver.got] == [(made.id, made.body)] * 2
