"""A receiver that hangs or fails delays nothing: not a command, not a bot, not a clock, not another receiver."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId, Status
from tafelrunde.service.application import Application
from tafelrunde.service.features.inbox.messages import TYPES
from tafelrunde.service.features.webhooks.duty import EACH, PLACES, Dispatcher
from tafelrunde.service.features.webhooks.feature import STORE as WEBHOOKS
from tafelrunde.service.features.webhooks.player_webhooks import PlayerWebhooks
from tafelrunde.service.features.webhooks.port import Delivery, DeliveryState, WebhookId
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import Settings
from tests.support.patience import PATIENCE_SECONDS
from tests.support.receiver import Receiver, receiving

pytestmark = pytest.mark.anyio

SETTINGS = Settings(bot_pause_ms=0, sweep_ms=5, webhook_http=True, webhook_networks="127.0.0.0/8", webhook_ports="*")
HOST = PlayerId("host")
FEW = 16
ATTEMPT_SECONDS = 10 * PATIENCE_SECONDS
"""How long a hanging receiver may take: messages queued behind it would be too late for every test here."""


@asynccontextmanager
async def tended(stores: Stores, places: int = PLACES) -> AsyncGenerator[Application]:
    """Give a house whose work is done meanwhile."""
    application = Application(stores, SETTINGS)
    application.provide(Dispatcher, Dispatcher(WEBHOOKS.of(stores), application.post, application.now_ms, places=places))
    application.post._timeout_seconds = ATTEMPT_SECONDS
    tending = asyncio.create_task(application.tend())
    try:
        yield application
    finally:
        tending.cancel()
        await asyncio.wait({tending})
        assert tending.cancelled()


async def play(application: Application) -> MatchId:
    """Play a whole match of a host, who picks the first command every time, and a bot."""
    new = NewMatch(
        game=GameId("coup"),
        seats=2,
        bots={Seat(1): BotName("random")},
        clock=Clock(turn_seconds=600, reaction_seconds=600),
        start=True,
    )
    match = (await application.matches.open(HOST, new, f"open-{time.monotonic_ns()}")).match
    async with asyncio.timeout(PATIENCE_SECONDS):
        await _play(application, match)
    return match


async def _play(application: Application, match: MatchId) -> None:
    while not (loaded := (await application.repository.load_latest(match)).match).status.finished:
        ask = loaded.pending()
        if ask is None or Seat(0) not in ask.open:
            await asyncio.sleep(0.002)
        else:
            command = next(iter(loaded.game.legal(loaded.table, Seat(0))))
            await application.matches.play(HOST, match, ask.decision, command, f"play-{ask.decision}")
    assert loaded.status is Status.OVER


async def written(application: Application, hook: WebhookId) -> Sequence[Delivery]:
    """Return the deliveries of a webhook."""
    return await application.get(PlayerWebhooks).deliveries(HOST, hook, None, 500)


async def test_match_is_not_delayed_when_all_receivers_hang(stores: Stores, receiver: Receiver) -> None:
    """A whole match with a bot is over before the first attempt is, although every place for turns is taken."""
    receiver.hang()
    async with tended(stores, FEW) as application:
        hooks = [await application.get(PlayerWebhooks).make(HOST, receiver.url, TYPES, None, None) for _ in range(FEW + 2)]
        for hook in hooks:
            await application.get(PlayerWebhooks).ping(HOST, hook.id)
        await receiver.reached(FEW - EACH + 1)
        match = await play(application)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (match, "match.ended") not in {(each.match, each.type) for each in await written(application, hooks[0].id)}:  # noqa: ASYNC110 - the application sets no event
                await asyncio.sleep(0.01)
        found = await written(application, hooks[0].id)
        assert {each.state for each in found} == {DeliveryState.PENDING}
        assert not [attempt for each in found for attempt in each.attempts]


async def test_receiver_is_not_delayed_when_another_one_hangs(memory_stores: Stores, receiver: Receiver) -> None:
    """It has everything while the other one still hangs."""
    receiver.hang()
    async with tended(memory_stores) as application, receiving() as healthy:
        for url in (receiver.url, healthy.url):
            await application.get(PlayerWebhooks).make(HOST, url, TYPES, None, None)
        match = await play(application)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not any(got.json["type"] == "match.ended" for got in healthy.got):
                await healthy.reached(len(healthy.got) + 1)
        assert {got.json["data"]["match"] for got in healthy.got} == {match}
        await receiver.reached(EACH)
        assert len(receiver.got) == EACH
