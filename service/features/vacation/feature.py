"""Vacation as a feature."""

from __future__ import annotations

from ....domain.match import PlayerId
from ...core import Core
from ...feature import Feature, FeatureStore
from .memory import MemoryVacations
from .port import VacationStore
from .redis import RedisVacations
from .vacations import Vacations

STORE = FeatureStore[VacationStore]("vacation", redis=lambda backing: RedisVacations(backing.client), memory=MemoryVacations)


def _attach(core: Core) -> None:
    store = STORE.of(core.stores)
    vacations = core.provide(Vacations(store, core.now_ms))

    async def export(player: PlayerId) -> object:
        found = (await store.read(player)).stretches
        return [{"since_ms": each.since_ms, "until_ms": each.until_ms} for each in found]

    core.hooks.put_off.append(vacations.put_off)
    core.hooks.away.append(vacations.travellers)
    core.hooks.forget.append(store.forget)
    core.hooks.export.append(("vacation", export))


FEATURE = Feature(name="vacation", attach=_attach)
