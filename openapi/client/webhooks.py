"""Shapes of webhooks and their deliveries."""

from __future__ import annotations

import msgspec

from .shapes import Plain


class Dropped(msgspec.Struct, frozen=True, kw_only=True):
    """How many messages of a webhook were dropped unsent since it was created, and the times of the first and the last."""

    count: int
    first_ms: int
    last_ms: int


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """A URL that messages are sent to. `pause` says why nothing is sent; None: it is active."""

    id: str
    url: str
    events: tuple[str, ...]
    game: str | None
    match: str | None
    pause: str | None
    failures: int
    created_ms: int
    previous_until_ms: int | None
    dropped: Dropped | None = None


class IssuedWebhook(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook with a new secret, which signs its messages and is returned only once."""

    webhook: Webhook
    secret: str


class WebhookList(msgspec.Struct, frozen=True):
    """All webhooks of a player, oldest first."""

    items: tuple[Webhook, ...]


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt to deliver, and the status of the answer, if one came."""

    at_ms: int
    duration_ms: int
    outcome: str
    status: int | None


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """A message to a webhook, with its latest attempts; `next_ms` is when the next attempt is due."""

    id: str
    webhook: str
    type: str
    match: str | None
    state: str
    created_ms: int
    next_ms: int | None
    attempts: tuple[Attempt, ...]
    message: dict[str, Plain]


class DeliveryPage(msgspec.Struct, frozen=True, kw_only=True):
    """Deliveries, newest first, and the cursor of the next page."""

    items: tuple[Delivery, ...]
    next: str | None
