"""The deal of the day as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...runtime.consumer import Consumer
from ..transparency.log import TransparencyLog
from .deals import DailyDeals
from .memory import MemoryDaily
from .port import DailyStore
from .redis import RedisDaily

STORE = FeatureStore[DailyStore]("daily", redis=lambda backing: RedisDaily(backing.client), memory=MemoryDaily)


def _attach(core: Core) -> None:
    log = core.get(TransparencyLog)
    deals = core.provide(
        DailyDeals(
            store=STORE.of(core.stores),
            repository=core.repository,
            matches=core.matches,
            accounts=core.accounts,
            log=log,
            games=core.games,
            ids=core.ids,
            now_ms=core.now_ms,
        )
    )
    log.reveal_days(deals.reveal)
    core.handler.on_ending(deals.note_ending)
    core.handler.on_over(deals.note)
    core.finalizer.on_over(deals.note_finished)
    core.hooks.duties.append(lambda: Consumer("days", deals.step))
    core.hooks.forget.append(deals.forget)
    core.hooks.export.append(("daily", deals.export))


FEATURE = Feature(name="daily", needs=("bots", "transparency"), attach=_attach)
