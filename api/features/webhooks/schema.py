"""Shapes of webhooks: what owners send and receive."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ....domain.match import MatchId
from ....service.features.inbox.messages import Dropped
from ....service.features.webhooks.player_webhooks import WebhookSpec
from ....service.features.webhooks.port import Attempt, Delivery, DeliveryState, Pause, Webhook
from ....service.outgoing.http_sender import AttemptOutcome
from ...schema.common import Request, union
from ...schema.fields import END, GameName, MatchRef, Moment, PageCursor

MESSAGE = "WebhookMessage"
WEBHOOK_ID = r"^w[0-9a-f]{26}" + END
DELIVERY_ID = r"^msg_[0-9a-f]{26}" + END

WebhookRef: TypeAlias = Annotated[str, Meta(pattern=WEBHOOK_ID)]
DeliveryRef: TypeAlias = Annotated[str, Meta(pattern=DELIVERY_ID)]
Url: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=2_048, pattern=r"^[!-~]*$(?!\n)", examples=["https://example.com/"])
]
StatusCode: TypeAlias = Annotated[int, Meta(ge=100, le=999)]


class MessageType(Enum):
    """An event type that a webhook can subscribe to."""

    CREATED = "match.created"
    SEAT_CHANGED = "match.seat-changed"
    STARTED = "match.started"
    DECISION_OPENED = "match.decision-opened"
    ENDED = "match.ended"
    ABORTED = "match.aborted"
    CORRECTED = "match.corrected"
    REMATCH_OPENED = "match.rematch-opened"


Types: TypeAlias = Annotated[tuple[MessageType, ...], Meta(min_length=1, max_length=8)]


class WebhookRequest(Request, frozen=True):
    """Where to send messages, and which ones: these types, optionally of a single game or match only."""

    url: Url
    events: Types
    game: GameName | None = None
    match: MatchRef | None = None


class WebhookChange(Request, frozen=True):
    """The fields to change; omitted ones stay as they are. `paused`: stop sending, or resume."""

    url: Url | UnsetType = UNSET
    events: Types | UnsetType = UNSET
    game: GameName | UnsetType | None = UNSET
    match: MatchRef | UnsetType | None = UNSET
    paused: bool | UnsetType = UNSET


class WebhookFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook without its secret. `pause` says why nothing is sent; null: active.

    `failures` counts consecutive failed attempts. Until `previous_until_ms`, the previous secret signs as well.
    `dropped` counts the messages dropped unsent since it was created, because the queue was full or they had waited for
    three days; null: none.
    """

    id: WebhookRef
    url: str
    events: tuple[MessageType, ...]
    game: GameName | None
    match: MatchRef | None
    pause: Pause | None
    failures: int
    created_ms: Moment
    previous_until_ms: Moment | None
    dropped: Dropped | None


class WebhookIssued(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook with a new secret (`whsec_` and base64) that signs its messages. The secret is shown only once."""

    webhook: WebhookFacts
    secret: str


class WebhookList(msgspec.Struct, frozen=True, kw_only=True):
    """All webhooks of a player, oldest first."""

    items: tuple[WebhookFacts, ...]


class AttemptFacts(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt: when it started, how long it took, its outcome, and the status if there was a response."""

    at_ms: Moment
    duration_ms: int
    outcome: AttemptOutcome
    status: StatusCode | None


class DeliveryFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A message to a webhook, exactly as sent, with its latest attempts. `next_ms` is when the next attempt is due."""

    id: DeliveryRef
    webhook: WebhookRef
    type: str
    match: MatchRef | None
    state: DeliveryState
    created_ms: Moment
    next_ms: Moment | None
    attempts: tuple[AttemptFacts, ...]
    message: Annotated[msgspec.Raw, union(MESSAGE)]


class DeliveryPage(msgspec.Struct, frozen=True, kw_only=True):
    """Deliveries, newest first. `cursor`: the `after` of the next page, null at the end."""

    items: tuple[DeliveryFacts, ...]
    cursor: PageCursor | None


def webhook_facts(webhook: Webhook, dropped: Dropped | None = None) -> WebhookFacts:
    """Return a webhook as its owner sees it."""
    return WebhookFacts(
        id=webhook.id,
        url=webhook.url,
        events=tuple(map(MessageType, webhook.events)),
        game=webhook.game,
        match=webhook.match,
        pause=webhook.pause,
        failures=webhook.failures,
        created_ms=webhook.created_ms,
        previous_until_ms=webhook.previous_until_ms if webhook.previous is not None else None,
        dropped=dropped,
    )


def spec_of(change: WebhookChange) -> WebhookSpec:
    """Return what an owner wants changed."""
    return WebhookSpec(
        url=change.url,
        events=change.events if change.events is UNSET else tuple(each.value for each in change.events),
        game=change.game,
        match=MatchId(change.match) if isinstance(change.match, str) else change.match,
        paused=change.paused,
    )


def delivery_facts(delivery: Delivery) -> DeliveryFacts:
    """Return a delivery as the webhook's owner sees it."""
    return DeliveryFacts(
        id=delivery.id,
        webhook=delivery.webhook,
        type=delivery.type,
        match=delivery.match,
        state=delivery.state,
        created_ms=delivery.created_ms,
        next_ms=delivery.next_ms,
        attempts=tuple(map(_attempt, delivery.attempts)),
        message=msgspec.Raw(delivery.body),
    )


def _attempt(attempt: Attempt) -> AttemptFacts:
    return AttemptFacts(at_ms=attempt.at_ms, duration_ms=attempt.duration_ms, outcome=attempt.outcome, status=attempt.status)
