"""Many messages: how many at once, fairness between receivers, nothing lost, reported drops, and renewed leases."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import msgspec
import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId
from tafelrunde.service.application import Application
from tafelrunde.service.environment import read_settings
from tafelrunde.service.features.inbox.messages import TYPES
from tafelrunde.service.features.webhooks import duty as dispatcher
from tafelrunde.service.features.webhooks import messages
from tafelrunde.service.features.webhooks.duty import EACH, KEPT_MS, LEASE_MS, MOST_EACH, PAUSES_MS, Dispatcher
from tafelrunde.service.features.webhooks.player_webhooks import PlayerWebhooks, WebhookSpec
from tafelrunde.service.features.webhooks.port import (
    KEPT,
    ROOM,
    AttemptOutcome,
    Delivery,
    DeliveryId,
    DeliveryState,
    Dropped,
    QueueLimits,
    Webhook,
)
from tafelrunde.service.features.webhooks.settings import WebhookSettings
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.outgoing import connections, http_sender
from tafelrunde.service.outgoing.http_sender import Result
from tafelrunde.service.players.accounts import opaque
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.blocks import blocks
from tests.support.patience import PATIENCE_SECONDS
from tests.support.receiver import NOW_MS, OWNER, Office, Receiver, status
from tools.generate_docs import DOCS

pytestmark = pytest.mark.anyio

TAKEN, FAILED = Result(AttemptOutcome.DELIVERED, 200), Result(AttemptOutcome.REFUSED, 500)


class Gate:
    """Sends nothing: each attempt waits until the test says how it ended."""

    def __init__(self) -> None:
        self.open: dict[str, asyncio.Future[Result]] = {}
        self.most: Counter[str] = Counter()
        self.ids: list[str] = []
        self._news = asyncio.Condition()

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Result:
        """Wait."""
        id_ = headers["webhook-id"]
        self.ids.append(id_)
        future = self.open[f"{url} {id_}"] = asyncio.get_running_loop().create_future()
        self.most[url] = max(self.most[url], self.count(url))
        async with self._news:
            self._news.notify_all()
        return await future

    def count(self, url: str = "") -> int:
        """Return how many messages are under way."""
        return sum(each.startswith(url) for each in self.open)

    def end(self, result: Result = TAKEN, url: str = "", count: int = 1_000_000) -> int:
        """End attempts that are under way; return how many those were."""
        chosen = [each for each in self.open if each.startswith(url)][:count]
        for each in chosen:
            self.open.pop(each).set_result(result)
        return len(chosen)

    async def reached(self, count: int, url: str = "") -> None:
        """Wait until that many messages are under way."""
        async with asyncio.timeout(PATIENCE_SECONDS), self._news:
            await self._news.wait_for(lambda: self.count(url) >= count)


@pytest.fixture
def gate(office: Office) -> Gate:
    """Stands between the dispatcher and every receiver."""
    gate = Gate()
    office.dispatcher = Dispatcher(office.store, gate, lambda: office.now_ms, lambda: 0.5)
    return gate


@asynccontextmanager
async def running(office: Office) -> AsyncGenerator[None]:
    """Let the dispatcher run."""
    task = asyncio.create_task(office.dispatcher.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def wait_for(office: Office, hook: Webhook, count: int, room: QueueLimits = ROOM) -> list[Delivery]:
    """Queue that many messages for a webhook."""
    ids = [DeliveryId(opaque("msg_")) for _ in range(count)]
    found = [messages.delivery(hook, id_, None, messages.ping(hook, office.now_ms), office.now_ms) for id_ in ids]
    await office.store.add(found, office.now_ms, room)
    return found


async def proven(office: Office, url: str = "https://one.example/") -> Webhook:
    """Make a webhook whose receiver has taken a message."""
    hook = msgspec.structs.replace(await office.webhook(url), proven=True, revision=2)
    assert await office.store.put(hook)
    return hook


async def test_everything_arrives_when_far_more_waits_than_the_log_keeps(office: Office, receiver: Receiver) -> None:
    """None of 1,200 messages makes room for another; they take no longer than it takes to send them."""
    receiver.keeps = True
    hook = await office.webhook()
    made = await wait_for(office, hook, 1_200)
    async with running(office):
        await receiver.reached(len(made))
    assert Counter(got.headers["webhook-id"] for got in receiver.got) == Counter(each.id for each in made)
    assert receiver.connections <= MOST_EACH
    assert await office.player_webhooks.read_dropped([hook]) == {}


async def test_receiver_gets_more_at_once_as_it_takes_them(office: Office, gate: Gate) -> None:
    """A few at first, one more for each that it takes, up to a limit."""
    await wait_for(office, await proven(office), 300)
    async with running(office):
        await gate.reached(EACH)
        await asyncio.sleep(0)
        assert gate.count() == EACH
        gate.end()
        await gate.reached(2 * EACH)
        while len(gate.ids) < 300:
            gate.end()
            await gate.reached(min(MOST_EACH, 300 - len(gate.ids), 1))
    assert max(gate.most.values()) == MOST_EACH


async def test_receiver_gets_fewer_at_once_when_it_fails(office: Office, gate: Gate) -> None:
    """Half as many after each failure, one at last, and the next round begins with one."""
    hook = await proven(office)
    await wait_for(office, hook, 60)
    async with running(office):
        await gate.reached(EACH)
        gate.end(FAILED, count=2)
        while (await office.player_webhooks.one(OWNER, hook.id)).failures < 2:  # noqa: ASYNC110 - the store sets no event
            await asyncio.sleep(0)
        gate.end(FAILED)
        await gate.reached(1)
        for _ in range(20):
            await asyncio.sleep(0)
        assert gate.count() == 1
    later = Office(office.store)
    later.now_ms = NOW_MS + PAUSES_MS[0] + LEASE_MS
    later.dispatcher = Dispatcher(office.store, gate, lambda: later.now_ms)
    gate.open.clear()
    portion = asyncio.create_task(later.dispatcher.portion())
    await gate.reached(1)
    gate.end()
    assert await portion == 1
    await later.post.close()


async def test_receiver_with_much_to_get_leaves_room_for_another(office: Office, gate: Gate) -> None:
    """With eight places in all: a receiver far behind gets half of them, and the other is served while the first hangs."""
    office.dispatcher = Dispatcher(office.store, gate, lambda: office.now_ms, lambda: 0.5, places=8)
    await wait_for(office, await proven(office, "https://far.example/"), 200)
    async with running(office):
        for _ in range(10):
            await gate.reached(1)
            gate.end()
        await gate.reached(4)
        near = await proven(office, "https://near.example/")
        await wait_for(office, near, 3)
        await gate.reached(3, near.url)
        assert gate.most["https://far.example/"] <= 4
        assert gate.count("https://far.example/") > 0


async def test_life_of_all_matches_arrives_when_many_run_at_a_time(memory_stores: Stores, receiver: Receiver) -> None:
    """Twelve at a time, questions included: each was opened, has begun and has ended, and nothing was dropped."""
    receiver.keeps = True
    settings = Settings(
        bot_pause_ms=0,
        sweep_ms=5,
        limits=LimitSettings(rate_limits=False),
        webhook_http=True,
        webhook_networks="127.0.0.0/8",
        webhook_ports="*",
    )
    application = Application(memory_stores, settings)
    hook = await application.get(PlayerWebhooks).make(OWNER, receiver.url, TYPES, None, None)
    bots = {Seat(0): BotName("random"), Seat(1): BotName("random")}
    new = NewMatch(game=GameId("coup"), seats=2, seat=None, bots=bots, start=True)
    matches = {(await application.matches.open(OWNER, new, f"open-{number}")).match for number in range(12)}
    tending = asyncio.create_task(application.tend())
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while len(told(receiver, "match.ended")) < 12:
                await receiver.reached(len(receiver.got) + 1)
    finally:
        tending.cancel()
        await asyncio.wait({tending})
    life = [told(receiver, kind) for kind in ("match.created", "match.started", "match.ended")]
    assert life == [dict.fromkeys(matches, 1)] * 3
    assert await application.get(PlayerWebhooks).read_dropped([hook]) == {}


def told(receiver: Receiver, kind: str) -> Mapping[MatchId, int]:
    """Return how often a receiver got a message about each match."""
    return Counter(got.json["data"]["match"] for got in receiver.got if got.json["type"] == kind)


async def test_drop_is_reported_in_the_next_message_and_to_the_owner(office: Office, receiver: Receiver) -> None:
    """Until a message that reports it was taken; messages after that say nothing of it."""
    hook = await office.webhook()
    await wait_for(office, hook, 7, QueueLimits(5, 1_000))
    dropped = Dropped(count=2, first_ms=NOW_MS, last_ms=NOW_MS)
    assert await office.player_webhooks.read_dropped([hook]) == {hook.id: dropped}
    assert await office.dispatcher.portion() == EACH
    assert await office.dispatcher.portion() == 1
    found = [got.json.get("dropped") for got in receiver.got]
    assert found == [msgspec.to_builtins(dropped)] * EACH + [None]
    logged = await office.player_webhooks.deliveries(OWNER, hook.id, None, 9)
    assert {each.body for each in logged} == {got.body for got in receiver.got}


async def test_message_that_tells_of_a_drop_has_the_same_bytes_in_every_attempt(office: Office, receiver: Receiver) -> None:
    """Even if more is dropped meanwhile, and if its dispatcher dies before it has recorded the attempt."""
    hook = await office.webhook()
    await wait_for(office, hook, 2, QueueLimits(1, 1_000))
    receiver.hang()
    task = asyncio.create_task(office.dispatcher.run())
    await receiver.reached(1)
    task.cancel()
    await asyncio.wait({task})
    receiver.go_on()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await receiver.writers[0].wait_closed()
    await wait_for(office, hook, 1, QueueLimits(1, 1_000))
    receiver.answers = [status(500)]
    for pause_ms in (LEASE_MS, PAUSES_MS[0]):
        office.now_ms += pause_ms
        assert await office.dispatcher.portion() == 1
    assert [got.headers["webhook-id"] for got in receiver.got] == [receiver.got[0].headers["webhook-id"]] * 3
    assert {got.body for got in receiver.got} == {receiver.got[0].body}
    assert receiver.got[0].json["dropped"]["count"] == 1
    await wait_for(office, hook, 1)
    await office.dispatcher.portion()
    assert receiver.got[-1].json["dropped"]["count"] == 2


async def test_what_has_waited_for_three_days_is_dropped(office: Office, receiver: Receiver) -> None:
    """A pause keeps messages no longer; when it ends, its receiver gets a report."""
    hook = await office.webhook()
    await office.player_webhooks.change(OWNER, hook.id, WebhookSpec(paused=True))
    await wait_for(office, hook, 3)
    office.now_ms += KEPT_MS + 1
    async with running(office), asyncio.timeout(PATIENCE_SECONDS):
        while not await office.player_webhooks.read_dropped([hook]):  # noqa: ASYNC110 - the store sets no event
            await asyncio.sleep(0.01)
    assert (await office.player_webhooks.read_dropped([hook]))[hook.id].count == 3
    await office.player_webhooks.change(OWNER, hook.id, WebhookSpec(paused=False))
    await office.player_webhooks.ping(OWNER, hook.id)
    await office.dispatcher.portion()
    assert [got.json["dropped"]["count"] for got in receiver.got] == [3]


async def test_message_that_is_asked_for_again_is_young_again(office: Office, receiver: Receiver) -> None:
    """Its age counts from then."""
    hook = await office.webhook()
    made = await office.player_webhooks.ping(OWNER, hook.id)
    await office.dispatcher.portion()
    office.now_ms += 2 * KEPT_MS
    await office.player_webhooks.again(OWNER, hook.id, made.id)
    assert await office.store.expire(office.now_ms - KEPT_MS, office.now_ms) == 0
    await office.dispatcher.portion()
    assert (await office.delivery(made)).state is DeliveryState.DELIVERED
    assert len(receiver.got) == 2


async def test_lease_is_renewed_as_long_as_its_dispatcher_lives(
    office: Office, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long a receiver takes, no other dispatcher sends what is under way; a few seconds after a death one does."""
    monkeypatch.setattr(dispatcher, "RENEW_SECONDS", 0.01)
    await wait_for(office, await proven(office), 1)
    other = Dispatcher(office.store, gate, lambda: office.now_ms)
    async with running(office):
        await gate.reached(1)
        for _ in range(10):
            office.now_ms += LEASE_MS // 2
            async with asyncio.timeout(PATIENCE_SECONDS):
                while (await office.store.claim(other._id, 0, LEASE_MS, 0, 0)).next_ms != office.now_ms + LEASE_MS:  # noqa: ASYNC110 - the store sets no event
                    await asyncio.sleep(0.01)
            assert await other.portion() == 0
    office.now_ms += LEASE_MS
    gate.open.clear()
    portion = asyncio.create_task(other.portion())
    await gate.reached(1)
    gate.end()
    assert await portion == 1
    assert len(gate.ids) == 2
    assert len(set(gate.ids)) == 1


def test_lease_ends_in_seconds() -> None:
    """With room for a renewal that comes late."""
    assert 3 * 1_000 * dispatcher.RENEW_SECONDS <= LEASE_MS <= 10_000


async def test_attempt_is_noted_once_the_server_is_back(
    office: Office, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was taken while it was away is not sent again."""
    monkeypatch.setattr(dispatcher, "RETRY_SECONDS", 0.01)
    made = await office.player_webhooks.ping(OWNER, (await office.webhook()).id)
    honest = office.store.exchange
    away = [True, True]

    async def exchange(*facts: object) -> object:
        if away:
            away.pop()
            raise dispatcher.StoreUnavailable
        return await honest(*facts)  # pyright: ignore[reportArgumentType] - passed on as it came

    async def webhook(_: object) -> Webhook:
        raise dispatcher.StoreUnavailable

    monkeypatch.setattr(office.store, "exchange", exchange)
    monkeypatch.setattr(office.store, "webhook", webhook)
    assert await office.dispatcher.portion() == 1
    monkeypatch.undo()
    assert (await office.delivery(made)).state is DeliveryState.DELIVERED
    assert len(receiver.got) == 1


def test_page_says_what_the_code_does() -> None:
    """How many at once, how long things are kept, how much may wait, which ports, and a message that reports drops."""
    page, operating = ((DOCS / name).read_text(encoding="utf-8") for name in ("webhooks.md", "operating.md"))
    assert (EACH, MOST_EACH, connections.IDLE_SECONDS) == (4, 32, 15)
    assert "four at first, one more for each that you take, up to 32" in page
    assert "for 15 seconds" in page
    assert f"waited for {KEPT_MS // 3_600_000} hours" in page
    assert f"newest {KEPT} others" in page
    assert f"{ROOM.each:,} messages may wait for one webhook" in page
    assert f"{ROOM.in_all:,} for all together" in page
    assert QueueLimits(WebhookSettings().webhook_waiting, WebhookSettings().webhook_waiting_in_all) == ROOM
    assert f"`https` on port {http_sender.PORTS[0]} or {http_sender.PORTS[1]}" in page
    assert f"1,000 messages at once, and {MOST_EACH} of them to one receiver" in operating
    assert (dispatcher.PLACES, LEASE_MS) == (1_000, 6_000)
    assert "after at most six seconds" in operating
    [shown] = [line for line in page.splitlines() if line.startswith("{") and '"dropped"' in line]
    message = msgspec.json.decode(shown, type=messages.SeatChanged)
    assert isinstance(message.dropped, Dropped)


def test_page_says_how_to_receive_on_one_s_own_machine() -> None:
    """With those settings and no fewer."""
    [line] = [line for line in blocks(DOCS / "webhooks.md", "sh") if "tafelrunde serve" in line]
    given = dict(each.split("=", 1) for each in line.split() if "=" in each)
    for url in ("http://127.0.0.1:5000/", "http://localhost:5000/"):
        assert http_sender.post_of(read_settings(given)).why_not_new(url) is None
        for name in given:
            others = {other: value for other, value in given.items() if other != name}
            if "localhost" not in url or "NETWORKS" not in name:
                assert http_sender.post_of(read_settings(others)).why_not_new(url) is not None
