"""Vacation as a feature."""

from __future__ import annotations

from ....domain.match import PlayerId
from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from .memory import MemoryVacations
from .port import VacationStore
from .redis import RedisVacations
from .service import Vacations

STORE = FeatureStore[VacationStore]("vacation", redis=lambda backing: RedisVacations(backing.client), memory=MemoryVacations)


def _attach(core: Core) -> Attached:
    store = STORE.of(core.stores)
    vacations = Vacations(store, core.now_ms)

    async def export(player: PlayerId) -> object:
        found = (await store.read(player)).stretches
        return [{"since_ms": each.since_ms, "until_ms": each.until_ms} for each in found]

    return Attached(
        services={Vacations: vacations},
        erase=[store.forget],
        export=export,
        away=[vacations.travellers],
        deadline_extension=[vacations.put_off],
    )


FEATURE = Feature(name="vacation", attach=_attach)
