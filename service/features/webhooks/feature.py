"""Webhooks as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ..inbox.duty import Outbox
from .deliveries import Deliveries
from .duty import Dispatcher
from .memory import MemoryWebhooks
from .player_webhooks import PlayerWebhooks
from .port import QueueLimits, WebhookStore
from .redis import RedisWebhooks
from .settings import WebhookSettings

STORE = FeatureStore[WebhookStore]("webhooks", redis=lambda backing: RedisWebhooks(backing.client), memory=MemoryWebhooks)


def _attach(core: Core) -> Attached:
    settings = core.settings.of(WebhookSettings)
    store = STORE.of(core.stores)
    room = QueueLimits(settings.webhook_waiting, settings.webhook_waiting_in_all)
    webhooks = PlayerWebhooks(store, core.post, core.now_ms, room)
    dispatcher = Dispatcher(store, core.post, core.now_ms, activity=core.activity, failures=core.failures)
    core.get(Outbox).subscribers.append(Deliveries(store, core.stores.id_key, core.now_ms, room))
    return Attached(
        services={PlayerWebhooks: webhooks, Dispatcher: dispatcher},
        duties=[lambda: core.get(Dispatcher)],
        erase=[webhooks.forget],
        export=webhooks.export,
    )


FEATURE = Feature(name="webhooks", attach=_attach, needs=("inbox",), settings=WebhookSettings)
