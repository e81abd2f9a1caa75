"""Webhooks, and the log of what was sent to them."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta

from ....domain.match import MatchId
from ....service.features.webhooks import signing
from ....service.features.webhooks.player_webhooks import PlayerWebhooks, UrlRefused
from ....service.features.webhooks.port import DeliveryId, Webhook, WebhookId
from ...http import response
from ...http.operation import Answer, AnyCall, Call, Key, operation
from ...http.response import SECRET, Header, Reply
from ...problems import Refused
from ...schema.common import Nothing, Request, Scope
from ...schema.fields import PageCursor
from .schema import (
    DELIVERY_ID,
    WEBHOOK_ID,
    DeliveryFacts,
    DeliveryPage,
    WebhookChange,
    WebhookFacts,
    WebhookIssued,
    WebhookList,
    WebhookRequest,
    delivery_facts,
    spec_of,
    webhook_facts,
)

TAG = "webhooks"


class DeliveryQuery(Request, frozen=True):
    """Which page."""

    after: PageCursor | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


def _webhook(call: AnyCall) -> WebhookId:
    return WebhookId(call.path("webhook", WEBHOOK_ID))


def _delivery(call: AnyCall) -> DeliveryId:
    return DeliveryId(call.path("delivery", DELIVERY_ID))


@contextmanager
def _refusing_urls() -> Generator[None]:
    try:
        yield
    except UrlRefused as error:
        raise Refused("webhook-url-refused", field="/url", detail=error.reason) from None


async def _facts(call: AnyCall, *webhooks: Webhook) -> tuple[WebhookFacts, ...]:
    dropped = await call.application.get(PlayerWebhooks).read_dropped(webhooks)
    return tuple(webhook_facts(each, dropped.get(each.id)) for each in webhooks)


async def _reply_issued(call: AnyCall, webhook: Webhook, *headers: Header, status: int) -> Reply:
    (facts,) = await _facts(call, webhook)
    body = WebhookIssued(webhook=facts, secret=signing.show_secret(webhook.secret))
    return response.json(body, *headers, *SECRET, status=status)


@operation(
    "POST",
    "/webhooks",
    "createWebhook",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.CREATE,
    body=WebhookRequest,
    problems=("webhook-url-refused", "too-many-webhooks"),
    answers=(Answer(201, WebhookIssued, "The webhook. Its secret is shown only once.", ("Location",)),),
)
async def create_webhook(call: Call[WebhookRequest, Nothing]) -> Reply:
    """Create a webhook for the matches you host, play in, or have seated users of your application in.

    It receives only what happens from now on. The URL is checked again for every message.
    """
    wish = call.body
    events = [event.value for event in wish.events]
    match_id = MatchId(wish.match) if wish.match is not None else None
    with _refusing_urls():
        webhook = await call.application.get(PlayerWebhooks).make(call.player, wish.url, events, wish.game, match_id)
    location = f"{call.running.base(call.root)}/api/v1/webhooks/{webhook.id}".encode()
    return await _reply_issued(call, webhook, (b"location", location), status=201)


@operation(
    "GET",
    "/webhooks",
    "listWebhooks",
    tag=TAG,
    scope=Scope.CREATE,
    answers=(Answer(200, WebhookList, "All webhooks, without their secrets."),),
)
async def list_webhooks(call: Call[Nothing, Nothing]) -> Reply:
    """List your webhooks."""
    found = await call.application.get(PlayerWebhooks).all(call.player)
    return response.json(WebhookList(items=await _facts(call, *found)), *SECRET)


@operation(
    "GET",
    "/webhooks/{webhook}",
    "getWebhook",
    tag=TAG,
    scope=Scope.CREATE,
    answers=(Answer(200, WebhookFacts, "The webhook, without its secret."),),
)
async def get_webhook(call: Call[Nothing, Nothing]) -> Reply:
    """Get one of your webhooks."""
    (facts,) = await _facts(call, await call.application.get(PlayerWebhooks).one(call.player, _webhook(call)))
    return response.json(facts, *SECRET)


@operation(
    "PATCH",
    "/webhooks/{webhook}",
    "changeWebhook",
    tag=TAG,
    scope=Scope.CREATE,
    body=WebhookChange,
    problems=("webhook-url-refused",),
    answers=(Answer(200, WebhookFacts, "The updated webhook."),),
)
async def change_webhook(call: Call[WebhookChange, Nothing]) -> Reply:
    """Change, pause or resume a webhook. Resuming sends the waiting messages and resets the failure count."""
    with _refusing_urls():
        changed = await call.application.get(PlayerWebhooks).change(call.player, _webhook(call), spec_of(call.body))
    (facts,) = await _facts(call, changed)
    return response.json(facts, *SECRET)


@operation(
    "DELETE",
    "/webhooks/{webhook}",
    "deleteWebhook",
    tag=TAG,
    scope=Scope.CREATE,
    answers=(Answer(204, None, "The webhook and its deliveries were deleted."),),
)
async def delete_webhook(call: Call[Nothing, Nothing]) -> Reply:
    """Delete a webhook. Messages in flight may still arrive."""
    await call.application.get(PlayerWebhooks).remove(call.player, _webhook(call))
    return response.nothing(204)


@operation(
    "POST",
    "/webhooks/{webhook}/secret",
    "rotateWebhookSecret",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.CREATE,
    answers=(Answer(200, WebhookIssued, "The webhook. Its new secret is shown only once."),),
)
async def rotate_webhook_secret(call: Call[Nothing, Nothing]) -> Reply:
    """Rotate a webhook's secret. For a day, every message is also signed with the old one."""
    return await _reply_issued(call, await call.application.get(PlayerWebhooks).rotate(call.player, _webhook(call)), status=200)


@operation(
    "POST",
    "/webhooks/{webhook}/ping",
    "pingWebhook",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.CREATE,
    problems=("webhook-paused",),
    answers=(Answer(200, DeliveryFacts, "The pending delivery."),),
)
async def ping_webhook(call: Call[Nothing, Nothing]) -> Reply:
    """Send a test message to a webhook. See the result in its deliveries."""
    return response.json(delivery_facts(await call.application.get(PlayerWebhooks).ping(call.player, _webhook(call))), *SECRET)


@operation(
    "GET",
    "/webhooks/{webhook}/deliveries",
    "listDeliveries",
    tag=TAG,
    scope=Scope.CREATE,
    query=DeliveryQuery,
    problems=("cursor-unknown",),
    answers=(Answer(200, DeliveryPage, "A page of deliveries."),),
)
async def list_deliveries(call: Call[Nothing, DeliveryQuery]) -> Reply:
    """List the deliveries of a webhook, newest first. All pending ones are kept, and the last 500 others."""
    after = call.query.after
    if after is not None and re.search(DELIVERY_ID, after) is None:
        raise Refused("cursor-unknown", field="after")
    below = DeliveryId(after) if after is not None else None
    found = await call.application.get(PlayerWebhooks).deliveries(call.player, _webhook(call), below, call.query.limit)
    full = len(found) == call.query.limit
    return response.json(DeliveryPage(items=tuple(map(delivery_facts, found)), cursor=found[-1].id if full else None), *SECRET)


@operation(
    "GET",
    "/webhooks/{webhook}/deliveries/{delivery}",
    "getDelivery",
    tag=TAG,
    scope=Scope.CREATE,
    answers=(Answer(200, DeliveryFacts, "The delivery."),),
)
async def get_delivery(call: Call[Nothing, Nothing]) -> Reply:
    """Get a delivery of a webhook, with its latest attempts."""
    found = await call.application.get(PlayerWebhooks).delivery(call.player, _webhook(call), _delivery(call))
    return response.json(delivery_facts(found), *SECRET)


@operation(
    "POST",
    "/webhooks/{webhook}/deliveries/{delivery}/redeliveries",
    "redeliver",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.CREATE,
    problems=("webhook-paused", "delivery-pending"),
    answers=(Answer(200, DeliveryFacts, "The delivery, pending again."),),
)
async def redeliver(call: Call[Nothing, Nothing]) -> Reply:
    """Redeliver a message that was received or given up, with the same `webhook-id` and a new round of attempts."""
    found = await call.application.get(PlayerWebhooks).again(call.player, _webhook(call), _delivery(call))
    return response.json(delivery_facts(found), *SECRET)


OPERATIONS = (
    create_webhook,
    list_webhooks,
    get_webhook,
    change_webhook,
    delete_webhook,
    rotate_webhook_secret,
    ping_webhook,
    list_deliveries,
    get_delivery,
    redeliver,
)
