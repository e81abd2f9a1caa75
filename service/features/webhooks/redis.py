"""Webhooks and their deliveries on a server: all in one slot, each writing call one script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TypeVar

import msgspec

from ....domain.match import PlayerId
from ...redis_store.client import items, number, text
from ...redis_store.link import Reply, Value
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from ..inbox.messages import Dropped
from .port import (
    KEPT,
    Delivery,
    DeliveryId,
    DeliveryState,
    DispatcherId,
    QueueLimits,
    Tried,
    Turn,
    Turns,
    Webhook,
    WebhookId,
)

HOOKS = "hooks:{hooks}"
"""The webhooks and their deliveries: all their keys begin with it."""
_PUT = Script("webhook", "webhook_put", beside=__name__)
_REMOVE = Script("webhook", "webhook_remove", beside=__name__)
_ADD = Script("webhook", "webhook_add", beside=__name__)
_CLAIM = Script("webhook", "webhook_claim", beside=__name__)
_RENEW = Script("webhook", "webhook_renew", beside=__name__)
_EXCHANGE = Script("webhook", "webhook_exchange", beside=__name__)
_WRITE = Script("webhook", "webhook_write", beside=__name__)
_EXPIRE = Script("webhook", "webhook_expire", beside=__name__)
_T = TypeVar("_T")
_AT_ONCE = 100
"""Deliveries that one script adds or drops, or webhooks that one inspects: none blocks the server for long."""
_ENCODER = msgspec.msgpack.Encoder()
_WEBHOOK = msgspec.msgpack.Decoder(Webhook)
_DELIVERY = msgspec.msgpack.Decoder(Delivery)


class RedisWebhooks:
    """Webhooks and their deliveries, on a server."""

    def __init__(self, client: StoreClient, kept: int = KEPT) -> None:
        self._client = client
        self._kept = kept

    async def put(self, webhook: Webhook, most: int | None = None) -> bool:
        """Write a webhook if the stored one has the revision before; a new one only if its player has not *most* already."""
        paused, failing = ("1" if each else "" for each in (webhook.pause is not None, webhook.failures))
        limit = "" if most is None else most
        facts = (webhook.id, webhook.revision, webhook.player, paused, failing, _ENCODER.encode(webhook), limit)
        return number(await self._client.run(_PUT, (HOOKS,), facts)) == 1

    async def webhook(self, webhook: WebhookId) -> Webhook | None:
        reply = await self._client.call("HGET", f"{HOOKS}:all", webhook)
        return _WEBHOOK.decode(reply) if isinstance(reply, bytes) else None

    async def of(self, players: Sequence[PlayerId]) -> Sequence[Webhook]:
        if not players:
            return ()
        replies = await self._client.together(("SMEMBERS", f"{HOOKS}:of:{player}") for player in players)
        ids = [text(each) for reply in replies for each in items(reply)]
        if not ids:
            return ()
        records = items(await self._client.call("HMGET", f"{HOOKS}:all", *ids))
        found = [_WEBHOOK.decode(each) for each in records if isinstance(each, bytes)]
        return sorted(found, key=lambda webhook: (webhook.created_ms, webhook.id))

    async def owners(self) -> Set[PlayerId]:
        return {PlayerId(text(each)) for each in items(await self._client.call("SMEMBERS", f"{HOOKS}:owners"))}

    async def remove(self, webhook: Webhook) -> None:
        await self._client.run(_REMOVE, (HOOKS,), (webhook.id, webhook.player))

    async def add(self, deliveries: Sequence[Delivery], now_ms: int, room: QueueLimits) -> None:
        """Add deliveries that are not in the log of their webhook, and drop what there is no room for."""
        for some in _parts(deliveries):
            facts = [part for each in some for part in (each.webhook, *_queue_arguments(each), _ENCODER.encode(each))]
            await self._client.run(_ADD, (HOOKS,), (now_ms, room.each, room.in_all, *facts))

    async def claim(self, dispatcher: DispatcherId, now_ms: int, lease_ms: int, webhooks: int, each: int) -> Turns:
        reply = await self._client.run(_CLAIM, (HOOKS,), (dispatcher, now_ms, now_ms + lease_ms, webhooks, each))
        next_ms, *turns = items(reply)
        return Turns(tuple(map(_turn, turns)), number(next_ms) if next_ms is not None else None)

    async def renew(self, dispatcher: DispatcherId, webhooks: Sequence[WebhookId], until_ms: int) -> None:
        for some in _parts(webhooks):
            await self._client.run(_RENEW, (HOOKS,), (dispatcher, until_ms, *some))

    async def exchange(self, dispatcher: DispatcherId, webhook: WebhookId, tried: Tried, now_ms: int, more: int) -> Turn | None:
        facts = [part for each in tried.deliveries for part in (*_queue_arguments(each), _drops_of(each), _ENCODER.encode(each))]
        asked = (dispatcher, webhook, now_ms, more, self._kept, len(tried.sending), *tried.sending, *facts)
        reply = await self._client.run(_EXCHANGE, (HOOKS,), asked)
        return _turn(reply) if reply is not None else None

    async def write(self, delivery: Delivery) -> None:
        facts = (delivery.webhook, self._kept, *_queue_arguments(delivery), _ENCODER.encode(delivery))
        await self._client.run(_WRITE, (HOOKS,), facts)

    async def expire(self, before_ms: int, now_ms: int) -> int:
        ids = items(await self._client.call("ZRANGE", f"{HOOKS}:waiting", 0, -1))
        counts = [
            number(await self._client.run(_EXPIRE, (HOOKS,), (now_ms, before_ms, _AT_ONCE, *map(text, some))))
            for some in _parts(ids)
        ]
        return sum(counts)

    async def read_dropped(self, webhooks: Sequence[WebhookId]) -> Mapping[WebhookId, Dropped]:
        asked = [("HMGET", f"{HOOKS}:dropped:{webhook}", "count", "first", "last") for webhook in webhooks]
        replies = await self._client.together(asked) if asked else ()
        found = zip(webhooks, map(_read_drops, replies), strict=True)
        return {webhook: dropped for webhook, dropped in found if dropped is not None}

    async def delivery(self, webhook: WebhookId, delivery: DeliveryId) -> Delivery | None:
        reply = await self._client.call("HGET", f"{HOOKS}:deliveries:{webhook}", delivery)
        return _DELIVERY.decode(reply) if isinstance(reply, bytes) else None

    async def deliveries(self, webhook: WebhookId, below: DeliveryId | None, limit: int) -> Sequence[Delivery]:
        """Return at most *limit* deliveries, newest first, below one of them; none if that one has left the log."""
        log = f"{HOOKS}:log:{webhook}"
        start = 0
        if below is not None:
            rank = await self._client.call("ZREVRANK", log, below)
            if rank is None:
                return ()
            start = number(rank) + 1
        ids = items(await self._client.call("ZREVRANGE", log, start, start + limit - 1))
        if not ids:
            return ()
        records = items(await self._client.call("HMGET", f"{HOOKS}:deliveries:{webhook}", *map(text, ids)))
        return [_DELIVERY.decode(each) for each in records if isinstance(each, bytes)]


def _parts(found: Sequence[_T]) -> Iterator[Sequence[_T]]:
    return (found[start : start + _AT_ONCE] for start in range(0, len(found), _AT_ONCE))


def _queue_arguments(delivery: Delivery) -> tuple[Value, ...]:
    """Return what the scripts need to know of a delivery, waiting or finished."""
    time = "" if delivery.next_ms is None else delivery.next_ms
    return (delivery.id, time, int(delivery.weight), delivery.match or "", delivery.since_ms)


def _drops_of(delivery: Delivery) -> int:
    return delivery.tells if delivery.state is DeliveryState.DELIVERED else 0


def _turn(reply: Reply) -> Turn:
    webhook, untold, *deliveries = items(reply)
    assert isinstance(webhook, bytes)
    found = tuple(_DELIVERY.decode(each) for each in deliveries if isinstance(each, bytes))
    return Turn(_WEBHOOK.decode(webhook), found, _read_drops(untold))


def _read_drops(reply: Reply) -> Dropped | None:
    """Return the drops of a webhook; None if there are none."""
    count, first_ms, last_ms = items(reply) or (None, None, None)
    if count is None:
        return None
    return Dropped(count=_integer(count), first_ms=_integer(first_ms), last_ms=_integer(last_ms))


def _integer(reply: Reply) -> int:
    return int(reply) if isinstance(reply, bytes) else number(reply)
