"""Webhooks and their deliveries on a server: all in one slot, each writing call one script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import msgspec

from ...domain.match import PlayerId
from ..webhooks.store import KEPT, Delivery, DeliveryId, Turn, Turns, Webhook, WebhookId
from . import keys
from .wire import Reply, Script, Wire, items, number, text

_PUT = Script("webhook_put")
_REMOVE = Script("webhook_remove")
_ADD = Script("webhook_add")
_CLAIM = Script("webhook_claim")
_WRITE = Script("webhook_write")
_RELEASE = Script("webhook_release")
_ENCODER = msgspec.msgpack.Encoder()
_WEBHOOK = msgspec.msgpack.Decoder(Webhook)
_DELIVERY = msgspec.msgpack.Decoder(Delivery)


class RedisWebhooks:
    """Webhooks and their deliveries, on a server."""

    def __init__(self, wire: Wire, kept: int = KEPT) -> None:
        self._wire = wire
        self._kept = kept

    async def put(self, webhook: Webhook, most: int | None = None) -> bool:
        """Write a webhook if the stored one has the revision before; a new one only if its player has not *most* already."""
        paused, limit = "1" if webhook.pause is not None else "", "" if most is None else most
        facts = (webhook.id, webhook.revision, webhook.player, paused, _ENCODER.encode(webhook), limit)
        return number(await self._wire.run(_PUT, (keys.WEBHOOKS,), facts)) == 1

    async def webhook(self, webhook: WebhookId) -> Webhook | None:
        """Return a webhook; None if unknown."""
        reply = await self._wire.call("HGET", f"{keys.WEBHOOKS}:all", webhook)
        return _WEBHOOK.decode(reply) if isinstance(reply, bytes) else None

    async def of(self, players: Sequence[PlayerId]) -> Sequence[Webhook]:
        """Return the webhooks of players, oldest first."""
        if not players:
            return ()
        replies = await self._wire.together(("SMEMBERS", f"{keys.WEBHOOKS}:of:{player}") for player in players)
        ids = [text(each) for reply in replies for each in items(reply)]
        if not ids:
            return ()
        records = items(await self._wire.call("HMGET", f"{keys.WEBHOOKS}:all", *ids))
        found = [_WEBHOOK.decode(each) for each in records if isinstance(each, bytes)]
        return sorted(found, key=lambda webhook: (webhook.created_ms, webhook.id))

    async def owners(self) -> Set[PlayerId]:
        """Return all players that have a webhook."""
        return {PlayerId(text(each)) for each in items(await self._wire.call("SMEMBERS", f"{keys.WEBHOOKS}:owners"))}

    async def remove(self, webhook: Webhook) -> None:
        """Remove a webhook with all its deliveries; nothing happens if there is none."""
        await self._wire.run(_REMOVE, (keys.WEBHOOKS,), (webhook.id, webhook.player))

    async def add(self, deliveries: Sequence[Delivery]) -> None:
        """Add deliveries that are not in the log of their webhook; one without a webhook is dropped."""
        facts = [part for each in deliveries for part in (each.webhook, each.id, each.next_ms or 0, _ENCODER.encode(each))]
        await self._wire.run(_ADD, (keys.WEBHOOKS,), (self._kept, *facts))

    async def claim(self, now_ms: int, lease_ms: int, webhooks: int, each: int) -> Turns:
        """Return webhooks with some of their due deliveries; nobody else gets them until the lease has run out."""
        reply = await self._wire.run(_CLAIM, (keys.WEBHOOKS,), (now_ms, now_ms + lease_ms, webhooks, each))
        next_ms, *turns = items(reply)
        return Turns(tuple(map(_turn, turns)), number(next_ms) if next_ms is not None else None)

    async def write(self, delivery: Delivery) -> None:
        """Replace a delivery, and send it at its `next_ms`; nothing happens if it has left the log."""
        at_ms = "" if delivery.next_ms is None else delivery.next_ms
        await self._wire.run(_WRITE, (keys.WEBHOOKS,), (delivery.webhook, delivery.id, at_ms, _ENCODER.encode(delivery)))

    async def release(self, webhook: WebhookId) -> None:
        """End a turn: the webhook is due again with its next delivery."""
        await self._wire.run(_RELEASE, (keys.WEBHOOKS,), (webhook,))

    async def delivery(self, webhook: WebhookId, delivery: DeliveryId) -> Delivery | None:
        """Return a delivery; None if the log does not have it (any more)."""
        reply = await self._wire.call("HGET", f"{keys.WEBHOOKS}:deliveries:{webhook}", delivery)
        return _DELIVERY.decode(reply) if isinstance(reply, bytes) else None

    async def deliveries(self, webhook: WebhookId, below: DeliveryId | None, limit: int) -> Sequence[Delivery]:
        """Return at most *limit* deliveries, newest first, below one of them; none if that one has left the log."""
        log, start = f"{keys.WEBHOOKS}:log:{webhook}", 0
        if below is not None:
            rank = await self._wire.call("ZREVRANK", log, below)
            if rank is None:
                return ()
            start = number(rank) + 1
        ids = items(await self._wire.call("ZREVRANGE", log, start, start + limit - 1))
        if not ids:
            return ()
        records = items(await self._wire.call("HMGET", f"{keys.WEBHOOKS}:deliveries:{webhook}", *map(text, ids)))
        return [_DELIVERY.decode(each) for each in records if isinstance(each, bytes)]

    async def positions(self) -> Mapping[int, str]:
        """Return up to which line of the log of a shard its news were turned into deliveries."""
        pairs = items(await self._wire.call("HGETALL", f"{keys.WEBHOOKS}:at"))
        return {int(text(shard)): text(position) for shard, position in zip(pairs[::2], pairs[1::2], strict=True)}

    async def advance(self, positions: Mapping[int, str]) -> None:
        """Note new positions."""
        pairs = [part for shard, position in positions.items() for part in (shard, position)]
        if pairs:
            await self._wire.call("HSET", f"{keys.WEBHOOKS}:at", *pairs)


def _turn(reply: Reply) -> Turn:
    webhook, *deliveries = [each for each in items(reply) if isinstance(each, bytes)]
    return Turn(_WEBHOOK.decode(webhook), tuple(map(_DELIVERY.decode, deliveries)))
