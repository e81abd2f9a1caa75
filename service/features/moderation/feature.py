"""Moderation as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...runtime.consumer import Consumer
from ..talk.moderation import Reports, Tombstones
from .memory import MemoryActs
from .port import ActStore
from .redis import RedisActs
from .sanctions import Sanctions
from .service import Acts

STORE = FeatureStore[ActStore]("moderation", redis=lambda backing: RedisActs(backing.client), memory=MemoryActs)


def _attach(core: Core) -> Attached:
    store = STORE.of(core.stores)
    sanctions = Sanctions(store, core.accounts, core.now_ms, core.stores.id_key)
    acts = Acts(
        store=store,
        sanctions=sanctions,
        tombstones=core.get(Tombstones),
        reports=core.get(Reports),
        departures=core.departures,
        accounts=core.accounts,
        withdraw=core.hooks.withdraw,
        now_ms=core.now_ms,
    )
    return Attached(
        services={Sanctions: sanctions, Acts: acts},
        duties=[lambda: Consumer("moderation", acts.step)],
        erase=[acts.forget],
        export=acts.export,
        bars=[sanctions.bar],
    )


FEATURE = Feature(name="moderation", attach=_attach, needs=("talk",))
