"""Webhooks and inboxes as a feature: one, as both are written from one reading of the logs."""

from __future__ import annotations

from functools import partial

import msgspec

from ...core import Core
from ...feature import Feature
from ...runtime.consumer import Consumer, Ownership
from ...settings import Settings
from .address_guard import networks
from .dispatcher import Dispatcher
from .followers import Followers
from .http_sender import Post, ports_of, post_of
from .inbox_port import InboxLimits
from .inboxes import Inboxes
from .outbox import Outbox
from .player_webhooks import PlayerWebhooks
from .port import QueueLimits
from .settings import WebhookSettings
from .stores import INBOXES, WEBHOOKS

OUTBOX = "herald"
"""The name of a lease on the server: processes of several releases may run side by side, so never rename it."""


def _attach(core: Core, post: Post | None = None) -> None:
    settings = core.settings.of(WebhookSettings)
    store, inbox_store = WEBHOOKS.of(core.stores), INBOXES.of(core.stores)
    room = QueueLimits(settings.webhook_waiting, settings.webhook_waiting_in_all)
    inbox_room = InboxLimits(settings.inbox_kept, settings.inbox_kept_in_all)
    post = core.provide(post or post_of(settings), Post)
    owned = core.provide(PlayerWebhooks(store, post, core.now_ms, room))
    followers = core.provide(Followers())
    inboxes = core.provide(Inboxes(inbox_store, core.now_ms, inbox_room, followers))
    core.provide(Outbox(core.stores, core.repository, core.feeds, core.now_ms, room, inbox_room, followers))
    core.provide(Dispatcher(store, post, core.now_ms, activity=core.activity, failures=core.failures))
    core.hooks.duties.append(lambda: Consumer("webhook outbox", core.get(Outbox).step, Ownership(core.stores.leases, [OUTBOX])))
    core.hooks.duties.append(lambda: core.get(Dispatcher))
    core.hooks.beside.append(("inboxes", inboxes.run))
    core.hooks.drain.append(inboxes.drain)
    core.hooks.close.append(lambda: core.get(Post).close())
    core.hooks.forget.append(owned.forget)
    core.hooks.export.append(("webhooks", owned.export))
    core.hooks.forget.append(inbox_store.remove)


def _check(settings: Settings) -> None:
    mine = settings.of(WebhookSettings)
    networks(mine.webhook_networks)
    ports_of(mine)


FEATURE = Feature(name="webhooks", attach=_attach, settings=WebhookSettings, check=_check)


def webhooks_with(post: Post) -> Feature:
    """Return the feature with a sender of the host's own, for `features.with_own`; it is closed with the application."""
    return msgspec.structs.replace(FEATURE, attach=partial(_attach, post=post))
