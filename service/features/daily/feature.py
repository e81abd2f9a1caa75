"""The deal of the day as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...runtime.consumer import Consumer
from ..transparency.log import TransparencyLog
from .deals import DailyDeals
from .memory import MemoryDaily
from .port import DailyStore
from .redis import RedisDaily

STORE = FeatureStore[DailyStore]("daily", redis=lambda backing: RedisDaily(backing.client), memory=MemoryDaily)


def _attach(core: Core) -> Attached:
    log = core.get(TransparencyLog)
    deals = DailyDeals(
        store=STORE.of(core.stores),
        repository=core.repository,
        matches=core.matches,
        accounts=core.accounts,
        log=log,
        games=core.games,
        ids=core.ids,
        now_ms=core.now_ms,
    )
    log.reveal_days(deals.reveal)
    return Attached(
        services={DailyDeals: deals},
        duties=[lambda: Consumer("days", deals.step)],
        erase=[deals.forget],
        export=deals.export,
        match_ending=[deals.note_ending],
        match_over=[deals.note],
        follow_ends=[deals.note_finished],
    )


FEATURE = Feature(name="daily", needs=("bots", "transparency"), attach=_attach)
