"""Moderation as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...runtime.consumer import Consumer
from ..talk.moderation import Reports, Tombstones
from .acts import Acts
from .memory import MemoryActs
from .port import ActStore
from .redis import RedisActs
from .sanctions import Sanctions

STORE = FeatureStore[ActStore]("moderation", redis=lambda backing: RedisActs(backing.client), memory=MemoryActs)


def _attach(core: Core) -> None:
    store = STORE.of(core.stores)
    sanctions = core.provide(Sanctions(store, core.accounts, core.now_ms, core.stores.id_key))
    acts = core.provide(
        Acts(
            store=store,
            sanctions=sanctions,
            tombstones=core.get(Tombstones),
            reports=core.get(Reports),
            departures=core.departures,
            accounts=core.accounts,
            withdraw=core.hooks.withdraw,
            now_ms=core.now_ms,
        )
    )
    core.hooks.bars.add(sanctions.bar)
    core.hooks.duties.append(lambda: Consumer("moderation", acts.step))
    core.hooks.forget.append(acts.forget)
    core.hooks.export.append(("moderation", acts.export))


FEATURE = Feature(name="moderation", attach=_attach, needs=("talk",))
