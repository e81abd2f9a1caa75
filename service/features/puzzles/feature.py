"""Puzzles as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...runtime.consumer import Consumer, Ownership
from ..coaching.coach import Coach
from ..daily.deals import DailyDeals
from .memory import MemoryPuzzles
from .port import PuzzleStore
from .redis import RedisPuzzles
from .service import LEASE, Puzzles
from .settings import PuzzleSettings

STORE = FeatureStore[PuzzleStore]("puzzles", redis=lambda backing: RedisPuzzles(backing.client), memory=MemoryPuzzles)


def _attach(core: Core) -> Attached:
    puzzles = Puzzles(
        store=STORE.of(core.stores),
        coach=core.get(Coach),
        repository=core.repository,
        queries=core.queries,
        accounts=core.accounts,
        handler=core.handler,
        games=core.games,
        ids=core.ids,
        now_ms=core.now_ms,
        most=core.settings.of(PuzzleSettings).puzzle_matches,
        owned=Ownership(core.stores.leases, [LEASE]).renew,
    )
    core.get(DailyDeals).mention_puzzles(puzzles)
    return Attached(
        services={Puzzles: puzzles},
        duties=[lambda: Consumer("puzzles", puzzles.step)],
        erase=[puzzles.forget],
        export=puzzles.export,
        token_used=[puzzles.note_visit],
    )


FEATURE = Feature(name="puzzles", needs=("coaching", "daily"), attach=_attach, settings=PuzzleSettings)
