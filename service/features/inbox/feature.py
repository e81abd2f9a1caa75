"""Inboxes as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...runtime.consumer import Consumer, Ownership
from .duty import Outbox
from .followers import Followers
from .memory import MemoryInboxes
from .port import InboxLimits, InboxStore
from .redis import RedisInboxes
from .service import Inboxes
from .settings import InboxSettings

STORE = FeatureStore[InboxStore]("inboxes", redis=lambda backing: RedisInboxes(backing.client), memory=MemoryInboxes)
OUTBOX = "herald"
"""The name of a lease on the server: processes of several releases may run side by side, so never rename it."""


def _attach(core: Core) -> Attached:
    settings = core.settings.of(InboxSettings)
    store = STORE.of(core.stores)
    room = InboxLimits(settings.inbox_kept, settings.inbox_kept_in_all)
    followers = Followers()
    inboxes = Inboxes(store, core.now_ms, room, followers)
    outbox = Outbox(core.stores, core.repository, core.feeds, core.now_ms, store, room, followers)
    return Attached(
        services={Followers: followers, Inboxes: inboxes, Outbox: outbox},
        duties=[lambda: Consumer("outbox", outbox.step, Ownership(core.stores.leases, [OUTBOX]))],
        background_tasks=[("inboxes", inboxes.run)],
        drain=[inboxes.drain],
        erase=[store.remove],
    )


FEATURE = Feature(name="inbox", attach=_attach, settings=InboxSettings)
