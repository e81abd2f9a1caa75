"""Standard Webhooks signatures: HMAC-SHA256 over `id.timestamp.body`, in base64, prefixed with `v1,`."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Mapping, Sequence

from .port import Delivery, Webhook

SECRET_BYTES = 32
PREFIX = "whsec_"
AGENT = "Tafelrunde-Webhooks/1"


def show_secret(secret: bytes) -> str:
    """Return a secret as it is shown to its owner."""
    return PREFIX + base64.b64encode(secret).decode()


def secrets_of(webhook: Webhook, now_ms: int) -> Sequence[bytes]:
    """Return the secrets that sign now: the newest one first."""
    if webhook.previous is None or now_ms >= webhook.previous_until_ms:
        return (webhook.secret,)
    return (webhook.secret, webhook.previous)


def signature(secret: bytes, delivery: str, seconds: int, body: bytes) -> str:
    """Return one signature."""
    digest = hmac.digest(secret, b"%s.%d.%s" % (delivery.encode(), seconds, body), "sha256")
    return "v1," + base64.b64encode(digest).decode()


def headers(webhook: Webhook, delivery: Delivery, now_ms: int) -> Mapping[str, str]:
    """Return the headers of one attempt: the id is the same in all attempts, the time is that of this one."""
    seconds = now_ms // 1_000
    signed = (signature(secret, delivery.id, seconds, delivery.body) for secret in secrets_of(webhook, now_ms))
    return {
        "content-type": "application/json",
        "user-agent": AGENT,
        "webhook-id": delivery.id,
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(signed),
    }
