"""Webhooks and their deliveries in every store: what is due, what is leased, what makes room."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.features.webhooks.feature import STORE as WEBHOOKS
from tafelrunde.service.features.webhooks.memory import MemoryWebhooks
from tafelrunde.service.features.webhooks.port import (
    ROOM,
    Attempt,
    AttemptOutcome,
    Delivery,
    DeliveryId,
    DeliveryState,
    DispatcherId,
    Dropped,
    Pause,
    QueueLimits,
    Tried,
    Webhook,
    WebhookId,
    WebhookStore,
    Weight,
    following,
)
from tafelrunde.service.features.webhooks.redis import RedisWebhooks
from tafelrunde.service.ports.stores import Stores

pytestmark = pytest.mark.anyio
ANN, BEN = PlayerId("p-ann"), PlayerId("p-ben")
LEASE_MS = 100
ME, OTHER = DispatcherId("me"), DispatcherId("other")


@pytest.fixture
def store(stores: Stores) -> WebhookStore:
    """Each store in turn, empty."""
    return WEBHOOKS.of(stores)


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


def delivery(number: int, hook: Webhook, next_ms: int | None = 0, **more: Any) -> Delivery:
    """Return a delivery."""
    plain = Delivery(
        id=DeliveryId(f"d{number}"),
        webhook=hook.id,
        type="match.ended",
        match=MatchId("m-1"),
        body=b"\0{}",
        created_ms=number,
        next_ms=next_ms,
    )
    return msgspec.structs.replace(plain, **more)


def question(number: int, hook: Webhook, match: str = "m-1", **more: Any) -> Delivery:
    """Return a delivery about a question."""
    return delivery(number, hook, match=MatchId(match), weight=Weight.QUESTION, since_ms=number, **more)


def sent(number: int, hook: Webhook, **more: Any) -> Delivery:
    """Return a delivery that was received."""
    return delivery(number, hook, None, state=DeliveryState.DELIVERED, **more)


async def add(store: WebhookStore, *deliveries: Delivery, room: QueueLimits = ROOM, now_ms: int = 7) -> None:
    """Add deliveries."""
    await store.add(deliveries, now_ms, room)


async def due(
    store: WebhookStore, now_ms: int, webhooks: int = 10, each: int = 10, dispatcher: DispatcherId = ME
) -> dict[str, list[str]]:
    """Claim what is due, and return the ids."""
    turns = (await store.claim(dispatcher, now_ms, LEASE_MS, webhooks, each)).turns
    return {turn.webhook.id: [each.id for each in turn.deliveries] for turn in turns}


async def exchange(
    store: WebhookStore,
    hook: Webhook,
    tried: Sequence[Delivery] = (),
    sending: str = "",
    now_ms: int = 0,
    dispatcher: DispatcherId = ME,
) -> list[str] | None:
    """Record attempts, and return the ids of the next deliveries."""
    under_way = [DeliveryId(each) for each in sending.split()]
    turn = await store.exchange(dispatcher, hook.id, Tried(tried, under_way), now_ms, 10)
    return [each.id for each in turn.deliveries] if turn is not None else None


async def waiting(store: WebhookStore, hook: Webhook) -> list[str]:
    """Return the ids of what waits, oldest first."""
    found = await store.deliveries(hook.id, None, 1_000)
    return [each.id for each in reversed(found) if each.state is DeliveryState.PENDING]


async def test_webhook_comes_back_and_is_its_owners(store: WebhookStore) -> None:
    """Found by its id, and with all others of its owner, oldest first."""
    one = webhook(2)
    two = webhook(1)
    other = webhook(3, BEN)
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
    """Adding it again changes nothing; one without a webhook is dropped."""
    hook = webhook(1)
    await add(store, delivery(1, hook))
    assert await store.delivery(hook.id, DeliveryId("d1")) is None
    await store.put(hook)
    await add(store, delivery(1, hook))
    done = msgspec.structs.replace(
        delivery(1, hook, None),
        state=DeliveryState.DELIVERED,
        attempts=(Attempt(at_ms=1, duration_ms=2, outcome=AttemptOutcome.DELIVERED, status=200),),
    )
    await store.write(done)
    await add(store, delivery(1, hook), delivery(2, hook))
    assert await store.delivery(hook.id, DeliveryId("d1")) == done
    assert await due(store, 0) == {"w1": ["d2"]}


async def test_webhook_is_held_as_a_whole(store: WebhookStore) -> None:
    """No other dispatcher gets its messages while one is being sent, not even those added meanwhile."""
    hook, other = webhook(1), webhook(2)
    await store.put(hook)
    await store.put(other)
    await add(store, delivery(1, hook), delivery(2, hook), delivery(3, hook), delivery(4, other, 50))
    claimed = await store.claim(ME, 0, LEASE_MS, 10, 2)
    assert [(turn.webhook.id, [each.id for each in turn.deliveries]) for turn in claimed.turns] == [("w1", ["d1", "d2"])]
    assert claimed.next_ms == 50
    await add(store, delivery(5, hook))
    assert await due(store, 0, dispatcher=OTHER) == {}
    assert await exchange(store, hook, [sent(1, hook)], "d2") == ["d3", "d5"]
    assert await due(store, 0, dispatcher=OTHER) == {}
    assert await exchange(store, hook, [sent(2, hook), sent(3, hook), sent(5, hook)]) == []
    await add(store, delivery(6, hook))
    assert await due(store, 0, dispatcher=OTHER) == {"w1": ["d6"]}
    assert await due(store, 50) == {"w2": ["d4"]}


async def test_exchange_hands_out_no_more_than_asked_for(store: WebhookStore) -> None:
    """Those whose time has come, the oldest first; with them comes the webhook as it is now."""
    hook = webhook(1)
    await store.put(hook)
    await add(store, *(delivery(number, hook, at_ms) for number, at_ms in ((1, 0), (2, 30), (3, 10), (4, 20))))
    assert await due(store, 0) == {"w1": ["d1"]}
    changed = following(hook, url="https://example.org")
    await store.put(changed)
    turn = await store.exchange(ME, hook.id, Tried([sent(1, hook)]), 20, 1)
    assert turn is not None
    assert (turn.webhook, [each.id for each in turn.deliveries]) == (changed, ["d3"])
    assert await exchange(store, hook, [sent(3, hook)], now_ms=29) == ["d4"]


async def test_delivery_waits_for_its_next_attempt(store: WebhookStore) -> None:
    """Until then the webhook is not due, and no dispatcher holds it."""
    hook = webhook(1)
    await store.put(hook)
    await add(store, delivery(1, hook))
    assert await due(store, 0) == {"w1": ["d1"]}
    again = delivery(1, hook, 500, tries=1)
    assert await exchange(store, hook, [again]) == []
    assert await store.delivery(hook.id, again.id) == again
    assert await due(store, 499, dispatcher=OTHER) == {}
    assert await due(store, 500, dispatcher=OTHER) == {"w1": ["d1"]}


async def test_webhook_that_has_failed_gets_one_delivery(store: WebhookStore) -> None:
    """So receivers that hang take up few places."""
    hook = webhook(1)
    await store.put(hook)
    failed = following(hook, failures=1)
    await store.put(failed)
    await add(store, delivery(1, hook), delivery(2, hook))
    assert await due(store, 0) == {"w1": ["d1"]}
    assert await exchange(store, hook, [delivery(1, hook, 900)]) == ["d2"]
    assert await exchange(store, hook, [sent(2, hook)]) == []
    await store.put(following(failed, failures=0))
    await add(store, delivery(3, hook))
    assert await due(store, 900) == {"w1": ["d3", "d1"]}


async def test_deliveries_of_one_moment_come_in_the_order_in_which_they_were_added(store: WebhookStore) -> None:
    """Whatever their ids are, and whichever dispatcher gets them after an expired lease."""
    hook = webhook(1)
    await store.put(hook)
    numbers = [7, 3, 9, 1, 8, 2]
    await add(store, *(delivery(number, hook, 1_700_000_000_000) for number in numbers))
    assert await due(store, 1_700_000_000_000, each=6) == {"w1": [f"d{number}" for number in numbers]}
    assert await due(store, 1_700_000_000_000 + LEASE_MS, each=6) == {"w1": [f"d{number}" for number in numbers]}


async def test_lease_runs_out_when_no_one_renews_it(store: WebhookStore) -> None:
    """Unfinished deliveries are offered again, unchanged; results that the previous dispatcher reports late are ignored."""
    hook = webhook(1)
    await store.put(hook)
    await add(store, delivery(1, hook), delivery(2, hook))
    assert await due(store, 0) == {"w1": ["d1", "d2"]}
    assert await due(store, LEASE_MS - 1, dispatcher=OTHER) == {}
    await store.renew(ME, [hook.id, WebhookId("w9")], 2 * LEASE_MS)
    await store.renew(OTHER, [hook.id], 9 * LEASE_MS)
    assert await due(store, 2 * LEASE_MS - 1, dispatcher=OTHER) == {}
    assert await due(store, 2 * LEASE_MS, dispatcher=OTHER) == {"w1": ["d1", "d2"]}
    assert await exchange(store, hook, [delivery(1, hook, 5, tries=3), sent(2, hook)]) is None
    assert await store.delivery(hook.id, DeliveryId("d1")) == delivery(1, hook)
    assert await store.delivery(hook.id, DeliveryId("d2")) == sent(2, hook)
    assert await exchange(store, hook, [sent(1, hook), delivery(2, hook, 5)], dispatcher=OTHER) == []
    assert await waiting(store, hook) == []
    assert await due(store, 99 * LEASE_MS) == {}


async def test_delivery_comes_back_when_the_answer_with_it_was_lost(store: WebhookStore) -> None:
    """Its dispatcher names what it is sending; a repeated call changes nothing else."""
    hook = webhook(1)
    await store.put(hook)
    await add(store, delivery(1, hook), delivery(2, hook))
    assert await due(store, 0, each=1) == {"w1": ["d1"]}
    assert await exchange(store, hook, [sent(1, hook)]) == ["d2"]
    assert await exchange(store, hook, [sent(1, hook)]) == ["d2"]
    assert await exchange(store, hook, [], "d2") == []
    assert await exchange(store, hook, [sent(2, hook)]) == []
    assert await waiting(store, hook) == []


async def test_due_webhooks_come_in_order_and_not_more_than_asked_for(store: WebhookStore) -> None:
    """Who has waited longest comes first."""
    for number, at_ms in ((1, 30), (2, 10), (3, 20)):
        await store.put(webhook(number))
        await add(store, delivery(number, webhook(number), at_ms))
    assert list(await due(store, 50, webhooks=2)) == ["w2", "w3"]
    assert list(await due(store, 50, webhooks=2)) == ["w1"]


async def test_paused_webhook_is_not_due(store: WebhookStore) -> None:
    """Its messages wait until the pause ends, even if it was paused in the middle of a round that never ended."""
    hook = webhook(1)
    await store.put(hook)
    await add(store, delivery(1, hook))
    paused = following(hook, pause=Pause.OWNER)
    await store.put(paused)
    await add(store, delivery(2, hook))
    assert await due(store, 10) == {}
    awake = following(paused, pause=None)
    await store.put(awake)
    assert await due(store, 10) == {"w1": ["d1", "d2"]}
    again = following(awake, pause=Pause.GONE)
    await store.put(again)
    assert await due(store, 10 + LEASE_MS) == {}
    await store.put(following(again, pause=None))
    assert await due(store, 9 + LEASE_MS) == {}
    assert await due(store, 10 + LEASE_MS, each=1) == {"w1": ["d1"]}
    await store.put(following(following(again), pause=Pause.GONE))
    assert await exchange(store, hook, [delivery(1, hook)]) is None
    await store.write(delivery(1, hook))
    assert await due(store, 10 * LEASE_MS) == {}
    assert await waiting(store, hook) == ["d1", "d2"]


async def test_log_is_read_in_pages_newest_first(store: WebhookStore) -> None:
    """By the order in which they were added; a page below one that has left the log is empty."""
    hook = webhook(1)
    await store.put(hook)
    await add(store, *(delivery(number, hook) for number in (3, 1, 2)))
    assert [each.id for each in await store.deliveries(hook.id, None, 2)] == ["d2", "d1"]
    assert [each.id for each in await store.deliveries(hook.id, DeliveryId("d1"), 2)] == ["d3"]
    assert list(await store.deliveries(hook.id, DeliveryId("d3"), 2)) == []
    assert list(await store.deliveries(hook.id, DeliveryId("d9"), 2)) == []
    assert list(await store.deliveries(WebhookId("w9"), None, 2)) == []


async def test_oldest_delivery_that_is_over_makes_room_when_the_log_is_full(store: WebhookStore) -> None:
    """Not one that waits; what has left does not come back by a late note about it."""
    small: WebhookStore = MemoryWebhooks(2) if isinstance(store, MemoryWebhooks) else _small(store)
    hook = webhook(1)
    await small.put(hook)
    await add(small, *(delivery(number, hook) for number in (1, 2, 3, 4, 5)))
    assert await due(small, 0) == {"w1": ["d1", "d2", "d3", "d4", "d5"]}
    await exchange(small, hook, [sent(2, hook), sent(4, hook), sent(3, hook), delivery(1, hook)], "d5")
    assert [each.id for each in await small.deliveries(hook.id, None, 9)] == ["d5", "d4", "d3", "d1"]
    await small.write(delivery(2, hook))
    assert await small.delivery(hook.id, DeliveryId("d2")) is None
    await small.write(delivery(3, hook))
    await exchange(small, hook, [sent(5, hook)])
    assert [each.id for each in await small.deliveries(hook.id, None, 9)] == ["d5", "d4", "d3", "d1"]
    assert await waiting(small, hook) == ["d1", "d3"]


def _small(store: WebhookStore) -> WebhookStore:
    assert isinstance(store, RedisWebhooks)
    return RedisWebhooks(store._client, 2)


async def test_removed_webhook_takes_everything_with_it(store: WebhookStore) -> None:
    """Also in the middle of a turn."""
    hook = webhook(1)
    await store.put(hook)
    await add(store, delivery(1, hook), delivery(2, hook))
    await due(store, 0, each=1)
    await store.remove(hook)
    await store.write(delivery(1, hook))
    assert await exchange(store, hook, [delivery(1, hook)], "d1") is None
    assert await due(store, 10 * LEASE_MS) == {}
    assert await store.delivery(hook.id, DeliveryId("d1")) is None
    await store.put(hook)
    assert list(await store.deliveries(hook.id, None, 9)) == []


async def test_question_that_is_over_is_dropped_first_and_life_of_a_match_last(store: WebhookStore) -> None:
    """Over the room for one webhook: closed questions first, then open ones, other events, the rest; oldest of equals first."""
    hook = webhook(1)
    await store.put(hook)
    life = {"weight": Weight.LIFE}
    await add(store, delivery(1, hook, **life), delivery(2, hook), question(3, hook, "m-2"), question(4, hook, "m-2"))
    await add(store, question(5, hook, "m-3"), delivery(6, hook, match=MatchId("m-3"), **life), question(7, hook, "m-4"))
    assert await store.read_dropped([hook.id, WebhookId("w9")]) == {}
    order: list[str] = []
    for number in range(8, 16):
        before = await waiting(store, hook)
        await add(store, delivery(number, hook, since_ms=number, **life), room=QueueLimits(7, 1_000), now_ms=100 + number)
        order += [each for each in before if each not in await waiting(store, hook)]
    assert order == ["d3", "d5", "d4", "d7", "d2", "d1", "d6", "d8"]
    assert await store.read_dropped([hook.id]) == {hook.id: Dropped(count=8, first_ms=108, last_ms=115)}
    assert await store.delivery(hook.id, DeliveryId("d3")) is None
    assert await due(store, 0, each=20) == {"w1": [f"d{number}" for number in range(9, 16)]}


async def test_new_delivery_is_dropped_when_everything_else_is_missed_more(store: WebhookStore) -> None:
    """It is no better for being new."""
    hook = webhook(1)
    await store.put(hook)
    await add(store, *(delivery(number, hook, weight=Weight.LIFE) for number in (1, 2)))
    await add(store, question(3, hook), room=QueueLimits(2, 1_000))
    assert await waiting(store, hook) == ["d1", "d2"]


async def test_what_is_being_sent_is_not_dropped(store: WebhookStore) -> None:
    """It counts all the same; when it has to wait again, it may be dropped again, and a question may be over meanwhile."""
    hook = webhook(1)
    await store.put(hook)
    await add(store, question(1, hook), delivery(2, hook))
    await due(store, 0, each=1)
    await add(store, question(3, hook), delivery(4, hook), room=QueueLimits(3, 1_000))
    assert await waiting(store, hook) == ["d1", "d2", "d4"]
    await exchange(store, hook, [question(1, hook, next_ms=50)], "d2 d4")
    await add(store, delivery(5, hook), room=QueueLimits(3, 1_000))
    assert await waiting(store, hook) == ["d2", "d4", "d5"]


async def test_webhook_for_which_most_wait_makes_room_for_all(store: WebhookStore) -> None:
    """No other receiver loses anything because of one that is far behind; deleting a webhook makes room."""
    far = webhook(1)
    near = webhook(2, BEN)
    room = QueueLimits(100, 6)
    for hook in (far, near):
        await store.put(hook)
    await add(store, *(delivery(number, far, weight=Weight.LIFE) for number in range(5)), room=room)
    await add(store, *(question(number, near, f"m-{number}") for number in (10, 11, 12)), room=room)
    assert (await waiting(store, far), await waiting(store, near)) == (["d2", "d3", "d4"], ["d10", "d11", "d12"])
    assert await store.read_dropped([far.id, near.id]) == {far.id: Dropped(count=2, first_ms=7, last_ms=7)}
    await store.remove(far)
    await add(store, *(question(number, near, f"m-{number}") for number in (13, 14, 15)), room=room)
    assert len(await waiting(store, near)) == 6


async def test_what_has_waited_for_too_long_is_dropped(store: WebhookStore) -> None:
    """Counted from when it was created or redelivered, of any weight, also for a paused webhook."""
    hook = webhook(1)
    await store.put(hook)
    old = [delivery(number, hook, since_ms=9, weight=weight) for number, weight in ((1, Weight.LIFE), (2, Weight.OTHER))]
    await add(store, *old, question(9, hook), delivery(10, hook, since_ms=10), delivery(11, hook, since_ms=9))
    await store.write(delivery(11, hook, since_ms=30))
    await store.put(following(hook, pause=Pause.OWNER))
    assert await store.expire(10, 77) == 3
    assert await store.expire(10, 78) == 0
    assert await waiting(store, hook) == ["d10", "d11"]
    assert await store.read_dropped([hook.id]) == {hook.id: Dropped(count=3, first_ms=77, last_ms=77)}


async def test_drops_come_with_each_turn_until_a_receiver_knows_of_them(store: WebhookStore) -> None:
    """Taking a message that reports that many drops informs it; later drops have to be reported again."""
    hook = webhook(1)
    await store.put(hook)
    await add(store, *(delivery(number, hook) for number in range(4)), room=QueueLimits(3, 1_000))
    [turn] = (await store.claim(ME, 0, LEASE_MS, 10, 1)).turns
    assert turn.untold == Dropped(count=1, first_ms=7, last_ms=7)
    failed = await store.exchange(ME, hook.id, Tried([delivery(1, hook, 500, tells=1)]), 0, 1)
    assert failed is not None
    assert failed.untold == turn.untold
    told = await store.exchange(ME, hook.id, Tried([sent(2, hook, tells=1)]), 0, 1)
    assert told is not None
    assert told.untold is None
    await add(store, delivery(5, hook), delivery(6, hook), room=QueueLimits(3, 1_000), now_ms=9)
    later = await store.exchange(ME, hook.id, Tried([sent(3, hook)]), 0, 1)
    assert later is not None
    assert later.untold == Dropped(count=2, first_ms=7, last_ms=9)
    assert await store.read_dropped([hook.id]) == {hook.id: later.untold}


async def test_deliveries_of_an_earlier_version_are_sent_and_make_room(redis_stores: Stores) -> None:
    """It kept no count of what waits and no list of what is over; its records lack the newer fields."""
    store = WEBHOOKS.of(redis_stores)
    assert isinstance(store, RedisWebhooks)
    small = _small(store)
    hook = webhook(1)
    await small.put(hook)
    for number in (1, 2, 3, 4):
        old = {each: getattr(delivery(number, hook), each) for each in Delivery.__struct_fields__}
        record = msgspec.msgpack.encode({name: old[name] for name in old if name not in {"weight", "since_ms", "tells"}})
        await store._client.call("HSET", "hooks:{hooks}:deliveries:w1", f"d{number}", record)
        await store._client.call("ZADD", "hooks:{hooks}:log:w1", number, f"d{number}")
        await store._client.call("HINCRBY", "hooks:{hooks}:counts", "w1", 1)
    for number in (3, 4):
        await store._client.call("ZADD", "hooks:{hooks}:queue:w1", 0, f"d{number}")
    await store._client.call("ZADD", "hooks:{hooks}:due", 0, "w1")
    await add(small, delivery(5, hook))
    assert await due(small, 0) == {"w1": ["d3", "d4", "d5"]}
    await exchange(small, hook, [sent(number, hook) for number in (3, 4, 5)])
    assert [each.id for each in await small.deliveries(hook.id, None, 9)] == ["d5", "d4"]
    assert await small.read_dropped([hook.id]) == {}
