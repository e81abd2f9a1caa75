"""Settings of webhooks."""

from __future__ import annotations

from typing import Annotated

import msgspec


class WebhookSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of webhooks.

    - webhook_waiting, webhook_waiting_in_all: maximum number of messages waiting for one webhook, and for all together.
    """

    webhook_waiting: Annotated[int, msgspec.Meta(ge=100, le=1_000_000)] = 10_000
    webhook_waiting_in_all: Annotated[int, msgspec.Meta(ge=100, le=10_000_000)] = 100_000
