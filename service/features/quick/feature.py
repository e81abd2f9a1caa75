"""Quick matches as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...runtime.consumer import Consumer, Ownership
from ..inbox.service import Inboxes
from .duty import QuickFilling
from .memory import MemoryQuick
from .port import QuickStore
from .redis import RedisQuick
from .service import QuickMatches

STORE = FeatureStore[QuickStore]("quick", redis=lambda backing: RedisQuick(backing.client), memory=MemoryQuick)
USHER = "usher"
"""The name of a lease on the server: processes of several releases may run side by side, so never rename it."""


def _attach(core: Core) -> Attached:
    store = STORE.of(core.stores)
    quick = QuickMatches(
        store=store,
        handler=core.handler,
        repository=core.repository,
        caps=core.caps,
        ids=core.ids,
        games=core.games,
        apart=core.hooks.may_not_meet,
        bars=core.hooks.bars,
        now_ms=core.now_ms,
        is_guest=core.accounts.is_guest,
    )
    filling = QuickFilling(store, quick, core.handler, core.repository, core.get(Inboxes), core.now_ms, core.failures)
    return Attached(
        services={QuickMatches: quick, QuickFilling: filling},
        duties=[lambda: Consumer("quick matches", filling.step, Ownership(core.stores.leases, [USHER]))],
        erase=[quick.forget],
        withdraw=[quick.forget],
        export=quick.export,
        may_not_meet=[core.table_names.are_alike],
    )


FEATURE = Feature(name="quick", needs=("bots", "inbox"), attach=_attach)
