"""The stores of webhooks and of inboxes."""

from __future__ import annotations

from ...feature import FeatureStore
from .inbox_memory import MemoryInboxes
from .inbox_port import InboxStore
from .inbox_redis import RedisInboxes
from .memory import MemoryWebhooks
from .port import WebhookStore
from .redis import RedisWebhooks

WEBHOOKS = FeatureStore[WebhookStore]("webhooks", redis=lambda backing: RedisWebhooks(backing.client), memory=MemoryWebhooks)
INBOXES = FeatureStore[InboxStore]("inboxes", redis=lambda backing: RedisInboxes(backing.client), memory=MemoryInboxes)
