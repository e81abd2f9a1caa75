"""Webhooks and their deliveries in memory."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence, Set

import msgspec

from ....domain.match import MatchId, PlayerId
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
    Weight,
)

OVER = 0
"""The weight of a question that is over."""


class _Queue:
    """Deliveries by the time when they are due; those of one millisecond in the order in which they were added."""

    def __init__(self) -> None:
        self.times: dict[DeliveryId, tuple[int, int]] = {}
        self._heap: list[tuple[int, int, DeliveryId]] = []

    def put(self, delivery: DeliveryId, time: tuple[int, int]) -> None:
        self.times[delivery] = time
        heapq.heappush(self._heap, (*time, delivery))

    def first_ms(self) -> int | None:
        """Return when the next delivery is due."""
        while self._heap and self.times.get(self._heap[0][2]) != self._heap[0][:2]:
            heapq.heappop(self._heap)  # it was removed, or rescheduled
        return self._heap[0][0] if self._heap else None

    def due(self, now_ms: int, most: int) -> Iterator[tuple[DeliveryId, tuple[int, int]]]:
        """Take deliveries that are due, the oldest first."""
        for _ in range(most):
            first_ms = self.first_ms()
            if first_ms is None or first_ms > now_ms:
                return
            delivery = heapq.heappop(self._heap)[2]
            yield delivery, self.times.pop(delivery)


class _Box:
    """All that belongs to one webhook."""

    def __init__(self, webhook: Webhook) -> None:
        self.webhook = webhook
        self.log: dict[DeliveryId, Delivery] = {}
        self.places: dict[DeliveryId, int] = {}
        self.added = 0
        self.queue = _Queue()
        self.flight: dict[DeliveryId, tuple[int, int]] = {}
        self.ranks: dict[DeliveryId, tuple[int, int]] = {}
        self.questions: dict[MatchId | None, DeliveryId] = {}
        self.dispatcher: DispatcherId | None = None
        self.until_ms: int | None = None
        self.dropped: Dropped | None = None
        self.reported = 0

    @property
    def waiting(self) -> int:
        return len(self.queue.times) + len(self.flight)

    def waits(self, delivery: DeliveryId) -> bool:
        return delivery in self.queue.times or delivery in self.flight

    def due_ms(self) -> int | None:
        """Return when its lease ends, or else its next delivery is due; None while it is paused, or nothing waits."""
        if self.webhook.pause is not None:
            return None
        return self.until_ms if self.until_ms is not None else self.queue.first_ms()

    def add(self, delivery: Delivery) -> None:
        self.added += 1
        self.log[delivery.id] = delivery
        self.places[delivery.id] = self.added
        if delivery.weight is not Weight.OTHER:
            self._close_question(delivery.match)
        if delivery.weight is Weight.QUESTION:
            self.questions[delivery.match] = delivery.id
        self.wait(delivery)

    def _close_question(self, match_id: MatchId | None) -> None:
        question = self.questions.pop(match_id, None)
        if question is not None and question in self.ranks:
            self.ranks[question] = (OVER, self.ranks[question][1])

    def wait(self, delivery: Delivery) -> None:
        """Let a delivery wait for its time."""
        self.queue.put(delivery.id, (delivery.next_ms or 0, self.places[delivery.id]))
        over = delivery.weight is Weight.QUESTION and self.questions.get(delivery.match) != delivery.id
        self.ranks[delivery.id] = (OVER if over else delivery.weight, delivery.since_ms)

    def finish(self, delivery: Delivery, kept: int) -> None:
        """Move a finished delivery out of the queue; the oldest finished ones make room."""
        for held in (self.queue.times, self.flight, self.ranks):
            held.pop(delivery.id, None)
        if self.questions.get(delivery.match) == delivery.id:
            del self.questions[delivery.match]
        while len(self.log) - self.waiting > kept:
            self._erase(next(each for each in self.log if not self.waits(each)))

    def _erase(self, delivery: DeliveryId) -> None:
        del self.log[delivery], self.places[delivery]

    def drop(self, delivery: DeliveryId, now_ms: int) -> None:
        self._erase(delivery)
        del self.queue.times[delivery], self.ranks[delivery]
        old = self.dropped or Dropped(count=0, first_ms=now_ms, last_ms=now_ms)
        self.dropped = msgspec.structs.replace(old, count=old.count + 1, last_ms=now_ms)

    def drop_least(self, now_ms: int) -> bool:
        """Drop the least important delivery; return False if none can be dropped."""
        least = min(self.ranks, key=self.ranks.__getitem__, default=None)
        if least is not None:
            self.drop(least, now_ms)
        return least is not None

    def take(self, now_ms: int, most: int) -> tuple[Delivery, ...]:
        """Return deliveries that are due, and are being sent from now on."""
        found = list(self.queue.due(now_ms, most))
        self.flight.update(found)
        for delivery, _ in found:
            self.ranks.pop(delivery, None)
        return tuple(self.log[delivery] for delivery, _ in found)

    def give_back(self, deliveries: Sequence[DeliveryId]) -> None:
        """Requeue deliveries that no process is sending."""
        for delivery in deliveries:
            self.queue.put(delivery, self.flight.pop(delivery))

    def note(self, delivery: Delivery, kept: int, *, held: bool) -> None:
        """Record an attempt, unless the delivery is over, or another process is sending it and this is not its end."""
        flying = delivery.id in self.flight and (held or delivery.next_ms is None)
        if flying or delivery.id in self.queue.times:
            self.log[delivery.id] = delivery
            self.flight.pop(delivery.id, None)
            if delivery.next_ms is None:
                self.finish(delivery, kept)
            else:
                self.wait(delivery)
        if delivery.state is DeliveryState.DELIVERED:
            self.reported = max(self.reported, delivery.tells)

    def hold(self, dispatcher: DispatcherId | None, until_ms: int | None) -> None:
        self.dispatcher = dispatcher
        self.until_ms = until_ms

    def turn(self, deliveries: tuple[Delivery, ...]) -> Turn:
        untold = self.dropped if self.dropped is not None and self.dropped.count > self.reported else None
        return Turn(self.webhook, deliveries, untold)


class MemoryWebhooks:
    """Webhooks, their deliveries, and when each is due."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._boxes: dict[WebhookId, _Box] = {}

    async def put(self, webhook: Webhook, most: int | None = None) -> bool:
        """Write a webhook if the stored one has the revision before; a new one only if its player has not *most* already."""
        held = self._boxes.get(webhook.id)
        if held is not None and held.webhook == webhook:
            return True
        if (held.webhook.revision if held is not None else 0) != webhook.revision - 1:
            return False
        if held is None and most is not None and len(await self.of([webhook.player])) >= most:
            return False
        self._boxes.setdefault(webhook.id, _Box(webhook)).webhook = webhook
        return True

    async def webhook(self, webhook: WebhookId) -> Webhook | None:
        found = self._boxes.get(webhook)
        return found.webhook if found is not None else None

    async def of(self, players: Sequence[PlayerId]) -> Sequence[Webhook]:
        found = [box.webhook for box in self._boxes.values() if box.webhook.player in players]
        return sorted(found, key=lambda webhook: (webhook.created_ms, webhook.id))

    async def owners(self) -> Set[PlayerId]:
        return {box.webhook.player for box in self._boxes.values()}

    async def remove(self, webhook: Webhook) -> None:
        self._boxes.pop(webhook.id, None)

    async def add(self, deliveries: Sequence[Delivery], now_ms: int, room: QueueLimits) -> None:
        """Add deliveries that are not in the log of their webhook, and drop what there is no room for."""
        for delivery in deliveries:
            box = self._boxes.get(delivery.webhook)
            if box is not None and delivery.id not in box.log:
                box.add(delivery)
                while box.waiting > room.each and box.drop_least(now_ms):
                    pass
        total = sum(box.waiting for box in self._boxes.values())
        while total > room.in_all and max(self._boxes.values(), key=lambda box: box.waiting).drop_least(now_ms):
            total -= 1

    async def claim(self, dispatcher: DispatcherId, now_ms: int, lease_ms: int, webhooks: int, each: int) -> Turns:
        times = ((box.due_ms(), id_) for id_, box in self._boxes.items())
        due = sorted((at_ms, id_) for at_ms, id_ in times if at_ms is not None and at_ms <= now_ms)
        turns: list[Turn] = []
        for _, id_ in due[:webhooks]:
            box = self._boxes[id_]
            box.give_back(list(box.flight))
            found = box.take(now_ms, 1 if box.webhook.failures else each)
            box.hold(dispatcher if found else None, now_ms + lease_ms if found else None)
            if found:
                turns.append(box.turn(found))
        return Turns(tuple(turns), min((at for box in self._boxes.values() if (at := box.due_ms()) is not None), default=None))

    async def renew(self, dispatcher: DispatcherId, webhooks: Sequence[WebhookId], until_ms: int) -> None:
        for webhook in webhooks:
            box = self._boxes.get(webhook)
            if box is not None and box.dispatcher == dispatcher:
                box.hold(dispatcher, until_ms)

    async def exchange(self, dispatcher: DispatcherId, webhook: WebhookId, tried: Tried, now_ms: int, more: int) -> Turn | None:
        box = self._boxes.get(webhook)
        if box is None:
            return None
        held = box.dispatcher == dispatcher
        goes_on = held and box.webhook.pause is None
        for delivery in tried.deliveries:
            box.note(delivery, self._kept, held=held)
        found: tuple[Delivery, ...] = ()
        if held:
            box.give_back([each for each in box.flight if each not in tried.sending])
            found = box.take(now_ms, more if goes_on else 0)
            if not box.flight:
                box.hold(None, None)
        return box.turn(found) if goes_on else None

    async def write(self, delivery: Delivery) -> None:
        box = self._boxes.get(delivery.webhook)
        if box is None or delivery.id not in box.log:
            return
        box.log[delivery.id] = delivery
        if delivery.id in box.flight:
            return
        if delivery.next_ms is None:
            box.finish(delivery, self._kept)
        else:
            box.wait(delivery)

    async def expire(self, before_ms: int, now_ms: int) -> int:
        old = [(box, id_) for box in self._boxes.values() for id_, (_, since) in box.ranks.items() if since < before_ms]
        for box, delivery in old:
            box.drop(delivery, now_ms)
        return len(old)

    async def read_dropped(self, webhooks: Sequence[WebhookId]) -> Mapping[WebhookId, Dropped]:
        found = {each: self._boxes[each].dropped for each in webhooks if each in self._boxes}
        return {webhook: dropped for webhook, dropped in found.items() if dropped is not None}

    async def delivery(self, webhook: WebhookId, delivery: DeliveryId) -> Delivery | None:
        return self._boxes[webhook].log.get(delivery) if webhook in self._boxes else None

    async def deliveries(self, webhook: WebhookId, below: DeliveryId | None, limit: int) -> Sequence[Delivery]:
        """Return at most *limit* deliveries, newest first, below one of them; none if that one has left the log."""
        found = list(reversed(self._boxes[webhook].log.values())) if webhook in self._boxes else []
        if below is not None:
            place = next((place for place, each in enumerate(found) if each.id == below), len(found))
            found = found[place + 1 :]
        return found[:limit]
