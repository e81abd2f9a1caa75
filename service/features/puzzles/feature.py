"""Puzzles as a feature."""

from __future__ import annotations

from typing import Annotated

import msgspec

from ...core import Core
from ...feature import Feature, FeatureStore
from ...runtime.consumer import Consumer, Ownership
from ..coaching.coach import Coach
from ..daily.deals import DailyDeals
from .memory import MemoryPuzzles
from .port import PuzzleStore
from .puzzles import LEASE, Puzzles
from .redis import RedisPuzzles

STORE = FeatureStore[PuzzleStore]("puzzles", redis=lambda backing: RedisPuzzles(backing.client), memory=MemoryPuzzles)


class PuzzleSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the puzzles of the day.

    - puzzle_matches: how many matches of bots the service plays and reviews at most for the puzzle of a game and day, where no
      reviewed match of people has one; 0: none.
    """

    puzzle_matches: Annotated[int, msgspec.Meta(ge=0, le=100)] = 3


def _attach(core: Core) -> None:
    puzzles = core.provide(
        Puzzles(
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
    )
    core.get(DailyDeals).mention_puzzles(puzzles)
    core.accounts.on_use(puzzles.note_visit)
    core.hooks.duties.append(lambda: Consumer("puzzles", puzzles.step))
    core.hooks.forget.append(puzzles.forget)
    core.hooks.export.append(("puzzles", puzzles.export))


FEATURE = Feature(name="puzzles", needs=("coaching", "daily"), attach=_attach, settings=PuzzleSettings)
