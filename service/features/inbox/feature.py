"""Inboxes as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...runtime.consumer import Consumer, Ownership
from .followers import Followers
from .inboxes import Inboxes
from .memory import MemoryInboxes
from .outbox import Outbox
from .port import InboxLimits, InboxStore
from .redis import RedisInboxes
from .settings import InboxSettings

STORE = FeatureStore[InboxStore]("inboxes", redis=lambda backing: RedisInboxes(backing.client), memory=MemoryInboxes)
OUTBOX = "herald"
"""The name of a lease on the server: processes of several releases may run side by side, so never rename it."""


def _attach(core: Core) -> None:
    settings = core.settings.of(InboxSettings)
    store = STORE.of(core.stores)
    room = InboxLimits(settings.inbox_kept, settings.inbox_kept_in_all)
    followers = core.provide(Followers())
    inboxes = core.provide(Inboxes(store, core.now_ms, room, followers))
    outbox = core.provide(Outbox(core.stores, core.repository, core.feeds, core.now_ms, store, room, followers))
    core.hooks.duties.append(lambda: Consumer("outbox", outbox.step, Ownership(core.stores.leases, [OUTBOX])))
    core.hooks.beside.append(("inboxes", inboxes.run))
    core.hooks.drain.append(inboxes.drain)
    core.hooks.forget.append(store.remove)


FEATURE = Feature(name="inbox", attach=_attach, settings=InboxSettings)
