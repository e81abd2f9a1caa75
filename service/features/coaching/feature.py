"""Coaching as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from .coach import Coach
from .memory import MemoryCoaching
from .port import CoachingStore
from .redis import RedisCoaching

STORE = FeatureStore[CoachingStore]("coaching", redis=lambda backing: RedisCoaching(backing.client), memory=MemoryCoaching)


def _attach(core: Core) -> Attached:
    return Attached(services={Coach: Coach(STORE.of(core.stores), core.repository, core.jobs)})


FEATURE = Feature(name="coaching", needs=("bots",), attach=_attach)
