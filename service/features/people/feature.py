"""People as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...players.blocks import Blocks
from .avatars import avatar_of
from .memory import MemoryPeople
from .port import PeopleStore, Relation
from .redis import RedisPeople

STORE = FeatureStore[PeopleStore]("people", redis=lambda backing: RedisPeople(backing.client), memory=MemoryPeople)


def _attach(core: Core) -> None:
    store = STORE.of(core.stores)
    core.accounts.draw_avatars(avatar_of)
    blocks = core.provide(Blocks(lambda one, other: store.any_related(Relation.BLOCKED, ((one, other), (other, one)))))
    core.hooks.apart.append(blocks.blocked)
    core.hooks.forget.append(store.forget)


FEATURE = Feature(name="people", attach=_attach, needs=("webhooks",))
