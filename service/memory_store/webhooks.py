"""Webhooks and their deliveries in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from itertools import islice

from ...domain.match import PlayerId
from ..webhooks.store import KEPT, Delivery, DeliveryId, Turn, Turns, Webhook, WebhookId


class MemoryWebhooks:
    """Webhooks, their deliveries, and when each is due."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._webhooks: dict[WebhookId, Webhook] = {}
        self._logs: defaultdict[WebhookId, dict[DeliveryId, Delivery]] = defaultdict(dict)
        self._queues: defaultdict[WebhookId, dict[DeliveryId, int]] = defaultdict(dict)
        self._due: dict[WebhookId, int] = {}
        self._busy: dict[WebhookId, int] = {}
        self._positions: dict[int, str] = {}

    async def put(self, webhook: Webhook, most: int | None = None) -> bool:
        """Write a webhook if the stored one has the revision before; a new one only if its player has not *most* already."""
        held = self._webhooks.get(webhook.id)
        if held == webhook:
            return True
        if (held.revision if held is not None else 0) != webhook.revision - 1:
            return False
        if held is None and most is not None and len(await self.of([webhook.player])) >= most:
            return False
        self._webhooks[webhook.id] = webhook
        self._set_due(webhook.id)
        return True

    def _set_due(self, webhook: WebhookId) -> None:
        """Make a webhook due when its turn or its lease ends, or else with its next delivery, unless it is paused."""
        first = self._busy.get(webhook, min(self._queues[webhook].values(), default=None))
        if first is None or self._webhooks[webhook].pause is not None:
            self._due.pop(webhook, None)
        else:
            self._due[webhook] = first

    async def webhook(self, webhook: WebhookId) -> Webhook | None:
        """Return a webhook; None if unknown."""
        return self._webhooks.get(webhook)

    async def of(self, players: Sequence[PlayerId]) -> Sequence[Webhook]:
        """Return the webhooks of players, oldest first."""
        found = [webhook for webhook in self._webhooks.values() if webhook.player in players]
        return sorted(found, key=lambda webhook: (webhook.created_ms, webhook.id))

    async def owners(self) -> Set[PlayerId]:
        """Return all players that have a webhook."""
        return {webhook.player for webhook in self._webhooks.values()}

    async def remove(self, webhook: Webhook) -> None:
        """Remove a webhook with all its deliveries; nothing happens if there is none."""
        for held in (self._webhooks, self._logs, self._queues, self._due, self._busy):
            held.pop(webhook.id, None)

    async def add(self, deliveries: Sequence[Delivery]) -> None:
        """Add deliveries that are not in the log of their webhook; one without a webhook is dropped."""
        for delivery in deliveries:
            log = self._logs[delivery.webhook]
            if delivery.webhook in self._webhooks and delivery.id not in log:
                log[delivery.id] = delivery
                self._queues[delivery.webhook][delivery.id] = delivery.next_ms or 0
                if len(log) > self._kept:
                    oldest = next(iter(log))
                    del log[oldest]
                    self._queues[delivery.webhook].pop(oldest, None)
                self._set_due(delivery.webhook)

    async def claim(self, now_ms: int, lease_ms: int, webhooks: int, each: int) -> Turns:
        """Return webhooks with some of their due deliveries; nobody else gets them until the lease has run out."""
        due = sorted((at_ms, webhook) for webhook, at_ms in self._due.items() if at_ms <= now_ms)
        turns = [turn for _, webhook in due[:webhooks] if (turn := self._turn(webhook, now_ms, lease_ms, each)) is not None]
        return Turns(tuple(turns), min(self._due.values(), default=None))

    def _turn(self, webhook: WebhookId, now_ms: int, lease_ms: int, each: int) -> Turn | None:
        queue = self._queues[webhook]
        due = sorted((at_ms, delivery) for delivery, at_ms in queue.items() if at_ms <= now_ms)
        self._busy.pop(webhook, None)
        if due:
            self._busy[webhook] = now_ms + lease_ms
        chosen = [delivery for _, delivery in islice(due, each)]
        queue.update((delivery, now_ms + lease_ms) for delivery in chosen)
        self._set_due(webhook)
        return Turn(self._webhooks[webhook], tuple(self._logs[webhook][delivery] for delivery in chosen)) if due else None

    async def write(self, delivery: Delivery) -> None:
        """Replace a delivery, and send it at its `next_ms`; nothing happens if it has left the log."""
        if delivery.id not in self._logs.get(delivery.webhook, ()):
            return
        self._logs[delivery.webhook][delivery.id] = delivery
        queue = self._queues[delivery.webhook]
        queue.pop(delivery.id, None)
        if delivery.next_ms is not None:
            queue[delivery.id] = delivery.next_ms
        self._set_due(delivery.webhook)

    async def release(self, webhook: WebhookId) -> None:
        """End a turn: the webhook is due again with its next delivery."""
        self._busy.pop(webhook, None)
        if webhook in self._webhooks:
            self._set_due(webhook)

    async def delivery(self, webhook: WebhookId, delivery: DeliveryId) -> Delivery | None:
        """Return a delivery; None if the log does not have it (any more)."""
        return self._logs[webhook].get(delivery) if webhook in self._logs else None

    async def deliveries(self, webhook: WebhookId, below: DeliveryId | None, limit: int) -> Sequence[Delivery]:
        """Return at most *limit* deliveries, newest first, below one of them; none if that one has left the log."""
        found = list(reversed(self._logs[webhook].values())) if webhook in self._logs else []
        if below is not None:
            place = next((place for place, each in enumerate(found) if each.id == below), len(found))
            found = found[place + 1 :]
        return found[:limit]

    async def positions(self) -> Mapping[int, str]:
        """Return up to which line of the log of a shard its news were turned into deliveries."""
        return dict(self._positions)

    async def advance(self, positions: Mapping[int, str]) -> None:
        """Note new positions."""
        self._positions.update(positions)
