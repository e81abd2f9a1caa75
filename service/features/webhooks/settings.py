"""Settings of webhooks and inboxes."""

from __future__ import annotations

from typing import Annotated

import msgspec


class WebhookSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of webhooks, and of the streams of all of a player's matches.

    - webhook_networks: non-public networks that webhooks may reach, comma-separated.
    - webhook_http: whether webhook URLs may use plain http.
    - webhook_ports: ports that new webhooks may use besides 443 and 8443, comma-separated; `*` for any. With webhook_http, 80
      and 8080 are allowed, too.
    - webhook_waiting, webhook_waiting_in_all: maximum number of messages waiting for one webhook, and for all together.
    - inbox_kept, inbox_kept_in_all: how many items the stream of all of a player's matches can be resumed from, of each player
      who listens and of all together.
    """

    webhook_networks: str = ""
    webhook_http: bool = False
    webhook_ports: str = ""
    webhook_waiting: Annotated[int, msgspec.Meta(ge=100, le=1_000_000)] = 10_000
    webhook_waiting_in_all: Annotated[int, msgspec.Meta(ge=100, le=10_000_000)] = 100_000
    inbox_kept: Annotated[int, msgspec.Meta(ge=100, le=1_000_000)] = 2_000
    inbox_kept_in_all: Annotated[int, msgspec.Meta(ge=100, le=10_000_000)] = 200_000
