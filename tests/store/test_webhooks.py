"""Webhooks and their deliveries in every store: what is due, what is leased, what makes room."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.memory_store.webhooks import MemoryWebhooks
from tafelrunde.service.redis_store.webhooks import RedisWebhooks
from tafelrunde.service.store import Stores
from tafelrunde.service.webhooks.store import (
    Attempt,
    AttemptOutcome,
    Delivery,
    DeliveryId,
    DeliveryState,
    Pause,
    Webhook,
    WebhookId,
    WebhookStore,
    following,
)

pytestmark = pytest.mark.anyio
ANN, BEN = PlayerId("p-ann"), PlayerId("p-ben")
LEASE_MS = 100


@pytest.fixture
def store(stores: Stores) -> WebhookStore:
    """Each store in turn, empty."""
    return stores.webhooks


def webhook(number: int, player: PlayerId = ANN) -> Webhook:
    """Return a webhook."""
    return Webhook(
        id=WebhookId(f"w{number}"),
        player=player,
        url="https://example.com",
        events=("match.ended",),
        game=None,
        match=None,
        secret=b"\0\xff",
        created_ms=number,
    )


def delivery(number: int, hook: Webhook, next_ms: int | None = 0) -> Delivery:
    """Return a delivery."""
    return Delivery(
        id=DeliveryId(f"d{number}"),
        webhook=hook.id,
        type="match.ended",
        match=MatchId("m-1"),
        body=b"\0{}",
        created_ms=number,
        next_ms=next_ms,
    )


async def due(store: WebhookStore, now_ms: int, webhooks: int = 10, each: int = 10) -> dict[str, list[str]]:
    """Claim what is due, and return the ids."""
    turns = (await store.claim(now_ms, LEASE_MS, webhooks, each)).turns
    return {turn.webhook.id: [each.id for each in turn.deliveries] for turn in turns}


async def test_webhook_comes_back_and_is_its_owners(store: WebhookStore) -> None:
    """Found by its id, and with all others of its owner, oldest first."""
    one, two, other = webhook(2), webhook(1), webhook(3, BEN)
    assert [await store.put(each) for each in (one, two, other)] == [True] * 3
    assert await store.webhook(one.id) == one
    assert await store.webhook(WebhookId("w9")) is None
    assert list(await store.of([ANN])) == [two, one]
    assert list(await store.of([BEN, ANN, PlayerId("p-nobody")])) == [two, one, other]
    assert list(await store.of([])) == []
    assert await store.owners() == {ANN, BEN}
    await store.remove(other)
    assert await store.owners() == {ANN}
    assert await store.webhook(other.id) is None
    await store.remove(other)


async def test_webhook_is_written_only_over_the_revision_before(store: WebhookStore) -> None:
    """Of two who change the same, one has to look again; what was removed does not come back. A repeated writing is none."""
    old = webhook(1)
    assert await store.put(old)
    assert await store.put(old)
    assert not await store.put(msgspec.structs.replace(old, failures=1))
    changed = following(old, url="https://example.org")
    assert await store.put(changed)
    assert not await store.put(following(old, failures=3))
    assert await store.webhook(old.id) == changed
    await store.remove(changed)
    assert not await store.put(following(changed))
    assert await store.webhook(old.id) is None


async def test_player_gets_no_more_webhooks_than_it_may_have_when_many_are_made_at_once(store: WebhookStore) -> None:
    """The count is made where it is written; changes and other players are not counted, and a removed one makes room."""
    made = await asyncio.gather(*(store.put(webhook(number), 3) for number in range(12)))
    assert sum(made) == len(await store.of([ANN])) == 3
    assert await store.put(webhook(20, BEN), 3)
    (first, *_) = await store.of([ANN])
    assert await store.put(following(first, failures=1), 3)
    await store.remove(first)
    assert await store.put(webhook(21), 3)
    assert not await store.put(webhook(22), 3)


async def test_delivery_is_added_once(store: WebhookStore) -> None:
    """Whoever adds it again changes nothing; one without a webhook is dropped."""
    hook = webhook(1)
    await store.add([delivery(1, hook)])
    assert await store.delivery(hook.id, DeliveryId("d1")) is None
    await store.put(hook)
    await store.add([delivery(1, hook)])
    done = msgspec.structs.replace(
        delivery(1, hook, None),
        state=DeliveryState.DELIVERED,
        attempts=(Attempt(at_ms=1, duration_ms=2, outcome=AttemptOutcome.DELIVERED, status=200),),
    )
    await store.write(done)
    await store.add([delivery(1, hook), delivery(2, hook)])
    assert await store.delivery(hook.id, DeliveryId("d1")) == done
    assert await due(store, 0) == {"w1": ["d2"]}


async def test_webhook_is_leased_as_a_whole(store: WebhookStore) -> None:
    """Nobody else gets anything of it until its turn ends, not even what is added meanwhile."""
    hook, other = webhook(1), webhook(2)
    await store.put(hook)
    await store.put(other)
    await store.add([delivery(1, hook), delivery(2, hook), delivery(3, hook), delivery(4, other, 50)])
    claimed = await store.claim(0, LEASE_MS, 10, 2)
    assert [(turn.webhook.id, [each.id for each in turn.deliveries]) for turn in claimed.turns] == [("w1", ["d1", "d2"])]
    assert claimed.next_ms == 50
    await store.add([delivery(5, hook)])
    await store.write(delivery(1, hook, None))
    assert await due(store, 0) == {}
    await store.release(hook.id)
    assert await due(store, 0) == {"w1": ["d3", "d5"]}
    assert await due(store, 50) == {"w2": ["d4"]}


async def test_lease_runs_out_when_nobody_ends_the_turn(store: WebhookStore) -> None:
    """What was under way is offered again, the same."""
    hook = webhook(1)
    await store.put(hook)
    await store.add([delivery(1, hook)])
    assert await due(store, 0) == {"w1": ["d1"]}
    assert await due(store, LEASE_MS - 1) == {}
    assert await due(store, LEASE_MS) == {"w1": ["d1"]}
    await store.write(delivery(1, hook, None))
    assert await due(store, 2 * LEASE_MS) == {}
    assert await store.claim(9 * LEASE_MS, LEASE_MS, 10, 10) == await store.claim(0, LEASE_MS, 10, 10)
    await store.add([delivery(2, hook)])
    assert await due(store, 2 * LEASE_MS) == {"w1": ["d2"]}


async def test_due_webhooks_come_in_order_and_not_more_than_asked_for(store: WebhookStore) -> None:
    """Who has waited longest comes first."""
    for number, at_ms in ((1, 30), (2, 10), (3, 20)):
        await store.put(webhook(number))
        await store.add([delivery(number, webhook(number), at_ms)])
    assert list(await due(store, 50, webhooks=2)) == ["w2", "w3"]
    assert list(await due(store, 50, webhooks=2)) == ["w1"]


async def test_paused_webhook_is_not_due(store: WebhookStore) -> None:
    """What it has waits until the pause ends, also if it was paused in the middle of a turn that nobody ended."""
    hook = webhook(1)
    await store.put(hook)
    await store.add([delivery(1, hook)])
    paused = following(hook, pause=Pause.OWNER)
    await store.put(paused)
    await store.add([delivery(2, hook)])
    assert await due(store, 10) == {}
    awake = following(paused, pause=None)
    await store.put(awake)
    assert await due(store, 10) == {"w1": ["d1", "d2"]}
    again = following(awake, pause=Pause.GONE)
    await store.put(again)
    assert await due(store, 10 + LEASE_MS) == {}
    await store.put(following(again, pause=None))
    assert await due(store, 9 + LEASE_MS) == {}
    assert await due(store, 10 + LEASE_MS) == {"w1": ["d1", "d2"]}
    await store.put(following(following(again), pause=Pause.GONE))
    await store.release(hook.id)
    await store.write(delivery(1, hook))
    assert await due(store, 10 * LEASE_MS) == {}


async def test_log_is_read_in_pages_newest_first(store: WebhookStore) -> None:
    """By the order in which they were added; a page below one that has left the log is empty."""
    hook = webhook(1)
    await store.put(hook)
    await store.add([delivery(number, hook) for number in (3, 1, 2)])
    assert [each.id for each in await store.deliveries(hook.id, None, 2)] == ["d2", "d1"]
    assert [each.id for each in await store.deliveries(hook.id, DeliveryId("d1"), 2)] == ["d3"]
    assert list(await store.deliveries(hook.id, DeliveryId("d3"), 2)) == []
    assert list(await store.deliveries(hook.id, DeliveryId("d9"), 2)) == []
    assert list(await store.deliveries(WebhookId("w9"), None, 2)) == []


async def test_oldest_delivery_makes_room_when_the_log_is_full(store: WebhookStore) -> None:
    """Sent or not; it does not come back by a late note about it."""
    small: WebhookStore = MemoryWebhooks(2) if isinstance(store, MemoryWebhooks) else _small(store)
    hook = webhook(1)
    await small.put(hook)
    await small.add([delivery(number, hook) for number in (1, 2, 3)])
    await small.write(delivery(1, hook))
    assert [each.id for each in await small.deliveries(hook.id, None, 9)] == ["d3", "d2"]
    assert await small.delivery(hook.id, DeliveryId("d1")) is None
    assert await due(small, 0) == {"w1": ["d2", "d3"]}


def _small(store: WebhookStore) -> WebhookStore:
    assert isinstance(store, RedisWebhooks)
    return RedisWebhooks(store._wire, 2)


async def test_removed_webhook_takes_everything_with_it(store: WebhookStore) -> None:
    """Also in the middle of a turn."""
    hook = webhook(1)
    await store.put(hook)
    await store.add([delivery(1, hook), delivery(2, hook)])
    await due(store, 0, each=1)
    await store.remove(hook)
    await store.write(delivery(1, hook))
    await store.release(hook.id)
    assert await due(store, 10 * LEASE_MS) == {}
    assert await store.delivery(hook.id, DeliveryId("d1")) is None
    await store.put(hook)
    assert list(await store.deliveries(hook.id, None, 9)) == []


async def test_positions_are_kept(store: WebhookStore) -> None:
    """Per shard."""
    assert await store.positions() == {}
    await store.advance({3: "1-0", 4: "2-0"})
    await store.advance({4: "3-0"})
    await store.advance({})
    assert await store.positions() == {3: "1-0", 4: "3-0"}
