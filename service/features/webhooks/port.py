"""The store of webhooks: webhooks, their deliveries in a log of bounded length, and when each is due.

A webhook is held by one dispatcher at a time, which decides how much its receiver gets at once. Waiting messages are dropped
only by age or a stated limit, and every drop is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from enum import Enum, IntEnum
from typing import NewType, Protocol

import msgspec

from ....domain.match import MatchId, PlayerId
from ...outgoing.http_sender import AttemptOutcome
from ..inbox.messages import Dropped

WebhookId = NewType("WebhookId", str)
DeliveryId = NewType("DeliveryId", str)

DispatcherId = NewType("DispatcherId", str)

KEPT = 500
"""Finished deliveries of one webhook that stay in its log; the oldest ones make room. Waiting ones do not count."""
KEPT_ATTEMPTS = 20


class Pause(Enum):
    """Why a webhook is paused: by its owner, because the receiver responded 410, or because it failed for too long."""

    OWNER = "owner"
    GONE = "gone"
    FAILING = "failing"


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """Where a player wants which messages. `game` and `match` narrow them down; the secret signs, so it is stored as it is.

    For a while after a rotation the previous secret signs as well. `failures` in a row happened since `failing_since_ms`.
    `proven`: its receiver has taken a message. Each change has the next `revision`.
    """

    id: WebhookId
    player: PlayerId
    url: str
    events: tuple[str, ...]
    game: str | None
    match: MatchId | None
    secret: bytes
    created_ms: int
    previous: bytes | None = None
    previous_until_ms: int = 0
    pause: Pause | None = None
    failures: int = 0
    failing_since_ms: int | None = None
    proven: bool = False
    revision: int = 1


def following(webhook: Webhook, **changes: object) -> Webhook:
    """Return the next revision of a webhook."""
    return msgspec.structs.replace(webhook, revision=webhook.revision + 1, **changes)


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One try: when it began, how long it took, how it ended, and with which status, if an answer came."""

    at_ms: int
    duration_ms: int
    outcome: AttemptOutcome
    status: int | None = None


class DeliveryState(Enum):
    """Waiting to be sent or retried, received, or given up."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Weight(IntEnum):
    """What is dropped first when there is no room: questions, then other messages, and the life cycle of matches last.

    A question that is over goes before all others: the next one of its match, or any message of `LIFE`, ends it.
    """

    QUESTION = 1
    OTHER = 2
    LIFE = 3


class QueueLimits(msgspec.Struct, frozen=True):
    """How many deliveries may wait for one webhook, and for all together."""

    each: int = 10_000
    in_all: int = 100_000


ROOM = QueueLimits()


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """One message to one webhook: the bytes that are sent in every attempt, and the newest attempts.

    `tries` counts attempts since the delivery was made or asked for again, which was at `since_ms`; `next_ms` is when the next
    one is due. `tells`: of how many drops its body tells.
    """

    id: DeliveryId
    webhook: WebhookId
    type: str
    match: MatchId | None
    body: bytes
    created_ms: int
    next_ms: int | None
    state: DeliveryState = DeliveryState.PENDING
    tries: int = 0
    attempts: tuple[Attempt, ...] = ()
    weight: Weight = Weight.OTHER
    since_ms: int = 0
    tells: int = 0


class Turn(msgspec.Struct, frozen=True):
    """A webhook that a dispatcher holds, with deliveries that are due, and drops of which no receiver knows."""

    webhook: Webhook
    deliveries: tuple[Delivery, ...]
    untold: Dropped | None = None


class Tried(msgspec.Struct, frozen=True):
    """Deliveries of a webhook as they are after an attempt, and those that a dispatcher is still sending."""

    deliveries: Sequence[Delivery] = ()
    sending: Sequence[DeliveryId] = ()


class Turns(msgspec.Struct, frozen=True):
    """What has been claimed, and when the next webhook comes due, if any."""

    turns: tuple[Turn, ...]
    next_ms: int | None


class WebhookStore(Protocol):
    """Webhooks and deliveries. Every method may raise StoreUnavailable."""

    async def put(self, webhook: Webhook, most: int | None = None) -> bool:
        """Write a webhook if the stored one has the revision before; False, and nothing written, else. There is none before 1.

        A new one is not written either if its player has *most* already. One that stands there as it is counts as written.
        One that is paused is never due; one that is not is due with its deliveries.
        """
        ...

    async def webhook(self, webhook: WebhookId) -> Webhook | None:
        """Return a webhook; None if unknown."""
        ...

    async def of(self, players: Sequence[PlayerId]) -> Sequence[Webhook]:
        """Return the webhooks of players, oldest first."""
        ...

    async def owners(self) -> Set[PlayerId]:
        """Return all players that have a webhook."""
        ...

    async def remove(self, webhook: Webhook) -> None:
        """Remove a webhook with all its deliveries; nothing happens if there is none."""
        ...

    async def add(self, deliveries: Sequence[Delivery], now_ms: int, room: QueueLimits) -> None:
        """Add deliveries that are not in the log of their webhook; one without a webhook is ignored.

        If more wait then than there is room for, some are dropped by their `Weight`, the oldest of equal weight first: of that
        webhook, and for the room in all of the webhook for which most wait. What is being sent just now is not dropped.
        """
        ...

    async def claim(self, dispatcher: DispatcherId, now_ms: int, lease_ms: int, webhooks: int, each: int) -> Turns:
        """Return up to that many webhooks that are due, with some due deliveries of each, which the dispatcher holds from now on.

        A webhook with failures gets one delivery. Deliveries of a dispatcher whose lease has expired are due again at once.
        """
        ...

    async def renew(self, dispatcher: DispatcherId, webhooks: Sequence[WebhookId], until_ms: int) -> None:
        """Hold those webhooks until then that the dispatcher still holds."""
        ...

    async def exchange(self, dispatcher: DispatcherId, webhook: WebhookId, tried: Tried, now_ms: int, more: int) -> Turn | None:
        """Record attempts, and return the next deliveries; None if there are none: the webhook is not held, paused or gone.

        A delivery is sent again at its `next_ms`; one that is over already stays so. What the dispatcher holds and does not name
        comes back. The webhook is no longer held when nothing of it is being sent.
        """
        ...

    async def write(self, delivery: Delivery) -> None:
        """Replace a delivery, and unless it is being sent just now, send it at its `next_ms`.

        Nothing happens if it has left the log.
        """
        ...

    async def expire(self, before_ms: int, now_ms: int) -> int:
        """Drop deliveries queued before that time and not being sent; return how many there were. It may check only a part."""
        ...

    async def read_dropped(self, webhooks: Sequence[WebhookId]) -> Mapping[WebhookId, Dropped]:
        """Return what was dropped, for those webhooks of which something was."""
        ...

    async def delivery(self, webhook: WebhookId, delivery: DeliveryId) -> Delivery | None:
        """Return a delivery; None if the log does not have it (any more)."""
        ...

    async def deliveries(self, webhook: WebhookId, below: DeliveryId | None, limit: int) -> Sequence[Delivery]:
        """Return at most *limit* deliveries, newest first, below one of them; an empty page if that one has left the log."""
        ...
