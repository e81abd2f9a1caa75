"""Ratings as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...runtime.consumer import Consumer, Ownership
from ..transparency.feature import STORE as TREE
from .duty import RatingProjector
from .leaderboards import Ratings
from .memory import MemoryRatings
from .port import RatingStore
from .redis import RedisRatings

STORE = FeatureStore[RatingStore]("ratings", redis=lambda backing: RedisRatings(backing.client), memory=MemoryRatings)
RATER = "rater"
"""Name of the lease on the server: processes of several releases may run side by side, so never rename it."""


def _attach(core: Core) -> Attached:
    store = STORE.of(core.stores)
    ratings = Ratings(store, list(core.games))
    projector = RatingProjector(store, TREE.of(core.stores), core.repository, core.stores.players)
    return Attached(
        services={Ratings: ratings, RatingProjector: projector},
        duties=[lambda: Consumer("ratings", projector.step, Ownership(core.stores.leases, [RATER]))],
        export=ratings.export,
        rebuild=[projector.rebuild],
        ratings=ratings.standings,
    )


FEATURE = Feature(name="ratings", attach=_attach, needs=("transparency",))
