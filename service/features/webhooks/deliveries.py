"""Deliveries: the messages of a match for the webhooks that want them."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from ....domain.match import PlayerId
from ..inbox.duty import MatchUpdate
from .messages import delivery, delivery_id, wants
from .port import ROOM, QueueLimits, WebhookStore


class Deliveries:
    """Puts messages into the queues of webhooks; the same messages lead to the same deliveries."""

    def __init__(self, store: WebhookStore, id_key: bytes, now_ms: Callable[[], int], room: QueueLimits = ROOM) -> None:
        self._store = store
        self._id_key = id_key
        self._now_ms = now_ms
        self._room = room

    async def owners(self) -> Set[PlayerId]:
        """Return all players that have a webhook."""
        return await self._store.owners()

    async def deliver(self, update: MatchUpdate, owners: Sequence[PlayerId]) -> None:
        """Queue the messages of a match for the webhooks of some players."""
        now_ms = self._now_ms()
        webhooks = await self._store.of(owners)
        made = [
            delivery(webhook, id_, update.match, keyed.message, update.due_ms(webhook.player, keyed, now_ms))
            for keyed in update.messages
            for webhook in webhooks
            if wants(webhook, keyed.message, update.match, update.game, keyed.at_ms)
            for id_ in [delivery_id(self._id_key, webhook.id, update.match, keyed.n)]
        ]
        if made:
            await self._store.add(made, now_ms, self._room)
