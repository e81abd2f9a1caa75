"""What webhooks add to the API."""

from __future__ import annotations

from ....service.features.webhooks.messages import MESSAGES
from ...http.feature import BODY, ApiFeature, Json, Messages, link
from ...problem_types import Kind
from . import routes
from .schema import DELIVERY_ID, MESSAGE, WEBHOOK_ID

TAG = "messages"
_OF_DELIVERY: Json = {"delivery": link("getDelivery", webhook="webhook", delivery="id")}

API = ApiFeature(
    operations=routes.OPERATIONS,
    problems={
        "too-many-webhooks": Kind(
            409,
            "Du hast schon so viele Webhooks, wie erlaubt sind.",
            "You already have the maximum number of webhooks.",
            "Delete one you no longer use.",
        ),
        "webhook-paused": Kind(
            409,
            "Dieser Webhook ist angehalten.",
            "This webhook is paused.",
            "Its `pause` says why. Set `paused` to `false` once the receiver works again.",
        ),
        "delivery-pending": Kind(
            409,
            "Diese Nachricht wird ohnehin noch einmal gesendet.",
            "This message is already scheduled to be sent again.",
            "The delivery's `next_ms` says when.",
        ),
        "webhook-url-refused": Kind(
            422,
            "An diese Adresse wird nichts gesendet.",
            "Messages cannot be sent to this address.",
            "`detail` says why. Use https and a host on the public internet; the operator can allow other networks.",
        ),
    },
    tags={
        routes.TAG: "Notify other services when something happens in a match.",
        TAG: "What is sent to webhooks, and how they should respond.",
    },
    parameters={
        "webhook": (WEBHOOK_ID, "The id of a webhook."),
        "delivery": (DELIVERY_ID, "The id of a delivery. It is also the `webhook-id` of its message."),
    },
    messages=Messages(
        union=MESSAGE,
        about="A message to a webhook.",
        kinds=MESSAGES,
        tag=TAG,
        headers={
            "webhook-id": "Identifies the message. The same for all attempts: ignore an id you have already seen.",
            "webhook-timestamp": "When this attempt was made, in Unix seconds. Reject it if it is more than a few minutes old.",
            "webhook-signature": (
                "One or more signatures, separated by spaces: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`. The key "
                "is the base64-decoded text behind `whsec_`. One valid signature is enough."
            ),
        },
        answers={
            "2XX": "Received. Respond within ten seconds; the response body is ignored.",
            "3XX": "Redirects are not followed: the attempt counts as failed.",
            "410": "The receiver is permanently gone: the webhook is paused.",
            "default": "The attempt failed and is retried with increasing delays.",
        },
    ),
    links={
        ("createWebhook", 201): {
            "webhook": link("getWebhook", webhook="webhook/id"),
            "change": {**link("changeWebhook", webhook="webhook/id"), BODY: {"paused": False}},
            "rotate": link("rotateWebhookSecret", webhook="webhook/id"),
            "ping": link("pingWebhook", webhook="webhook/id"),
            "deliveries": link("listDeliveries", webhook="webhook/id"),
            "delete": link("deleteWebhook", webhook="webhook/id"),
        },
        ("listWebhooks", 200): {"first": link("getWebhook", webhook="items/0/id")},
        ("pingWebhook", 200): _OF_DELIVERY,
        ("listDeliveries", 200): {
            "first": link("getDelivery", webhook="items/0/webhook", delivery="items/0/id"),
            "next": link("listDeliveries", webhook="path webhook", after="cursor"),
        },
        ("getDelivery", 200): {"again": link("redeliver", webhook="webhook", delivery="id")},
        ("redeliver", 200): _OF_DELIVERY,
    },
)
