"""Bots as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from .hints import Hints
from .memory import MemoryThoughts
from .port import ThoughtStore
from .redis import RedisThoughts
from .service import Bots

STORE = FeatureStore[ThoughtStore]("thoughts", redis=lambda backing: RedisThoughts(backing.client), memory=MemoryThoughts)


def _attach(core: Core) -> Attached:
    thoughts = STORE.of(core.stores)
    bots = Bots(core.handler, core.repository, thoughts, core.stores.agenda, core.settings, core.now_ms)
    return Attached(services={Bots: bots, Hints: Hints(core.matches)}, bots=bots, alarms=[thoughts.alarms])


FEATURE = Feature(name="bots", attach=_attach)
