"""What the webhooks need of a store: webhooks, their deliveries in a log of bounded length, and what is to be sent when.

A webhook is claimed as a whole by one courier at a time, so that no receiver gets more at once than one turn has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from enum import Enum
from typing import NewType, Protocol

import msgspec

from ...domain.match import MatchId, PlayerId

WebhookId = NewType("WebhookId", str)
DeliveryId = NewType("DeliveryId", str)

KEPT = 500
"""Deliveries in the log of one webhook; the oldest ones make room, sent or not."""
KEPT_ATTEMPTS = 20


class Pause(Enum):
    """Why nothing is sent: its owner wants it so, the receiver said 410, or it has failed for too long."""

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


class AttemptOutcome(Enum):
    """How an attempt ended: 2xx, another status, a redirect (never followed), no answer in time, no connection, or no address.

    An address that is refused and a name that leads nowhere look the same.
    """

    DELIVERED = "delivered"
    REFUSED = "refused"
    REDIRECTED = "redirected"
    TIMED_OUT = "timed-out"
    UNREACHABLE = "unreachable"
    ADDRESS_REFUSED = "address-refused"


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One try: when it began, how long it took, how it ended, and with which status, if an answer came."""

    at_ms: int
    duration_ms: int
    outcome: AttemptOutcome
    status: int | None = None


class DeliveryState(Enum):
    """Still to be sent (again), received, or given up."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """One message to one webhook: the bytes that are sent in every attempt, and the newest attempts.

    `tries` counts attempts since the delivery was made or asked for again; `next_ms` is when the next one is due.
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


class Turn(msgspec.Struct, frozen=True):
    """A webhook that has been claimed, with the deliveries that are due."""

    webhook: Webhook
    deliveries: tuple[Delivery, ...]


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

    async def add(self, deliveries: Sequence[Delivery]) -> None:
        """Add deliveries that are not in the log of their webhook; one without a webhook is dropped."""
        ...

    async def claim(self, now_ms: int, lease_ms: int, webhooks: int, each: int) -> Turns:
        """Return that many webhooks, with some due deliveries of each; nobody else gets them until the lease has run out."""
        ...

    async def write(self, delivery: Delivery) -> None:
        """Replace a delivery, and send it at its `next_ms`; nothing happens if it has left the log."""
        ...

    async def release(self, webhook: WebhookId) -> None:
        """End a turn: the webhook is due again with its next delivery."""
        ...

    async def delivery(self, webhook: WebhookId, delivery: DeliveryId) -> Delivery | None:
        """Return a delivery; None if the log does not have it (any more)."""
        ...

    async def deliveries(self, webhook: WebhookId, below: DeliveryId | None, limit: int) -> Sequence[Delivery]:
        """Return at most *limit* deliveries, newest first, below one of them; an empty page if that one has left the log."""
        ...

    async def positions(self) -> Mapping[int, str]:
        """Return up to which line of its log the news of a shard were turned into deliveries."""
        ...

    async def advance(self, positions: Mapping[int, str]) -> None:
        """Note new positions."""
        ...
