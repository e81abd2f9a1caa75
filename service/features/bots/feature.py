"""Bots as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from .hints import Hints
from .memory import MemoryThoughts
from .port import ThoughtStore
from .redis import RedisThoughts
from .turns import Bots

STORE = FeatureStore[ThoughtStore]("thoughts", redis=lambda backing: RedisThoughts(backing.client), memory=MemoryThoughts)


def _attach(core: Core) -> None:
    thoughts = STORE.of(core.stores)
    core.process_manager.play_with(
        core.provide(Bots(core.handler, core.repository, thoughts, core.stores.agenda, core.settings, core.now_ms))
    )
    core.provide(Hints(core.matches))
    core.hooks.alarms.append(thoughts.alarms)


FEATURE = Feature(name="bots", attach=_attach)
