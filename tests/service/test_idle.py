"""What the duties of a deployment cost while nothing happens: how often they query the store, on a clock that jumps."""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import Clock, MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.duties import duties
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.runtime.consumer import run_together
from tafelrunde.service.settings import Settings
from tests.support.clockwork import run
from tests.support.wrapped import wrapped

BEGINNING_SECONDS, IDLE_SECONDS = 60, 60
MOST, MOST_CLAIMS = 600, 60
"""How often the store is queried meanwhile, and how often for what is due. A sweeper is 0.3 % of a core with that."""


def now_ms() -> int:
    """Return the time of the loop."""
    return 86_400_000 + round(1000 * asyncio.get_running_loop().time())


class Counted:
    """A store whose calls are counted."""

    def __init__(self, store: object, calls: Counter[str]) -> None:
        self._store = store
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if inspect.iscoroutinefunction(found):
            self._calls[f"{type(self._store).__name__}.{name}"] += 1
        return found


def test_store_is_left_alone_while_a_match_waits_for_a_player() -> None:
    """Nothing is looked for more often than it may become due without a line in a log; and the clock still strikes on time."""
    calls: Counter[str] = Counter()
    struck: list[int] = []

    async def put(kind: AgendaKind, matches: Sequence[MatchId]) -> None:
        if kind is AgendaKind.DEADLINE:
            struck.append(now_ms())

    async def main() -> int:
        stores = wrapped(memory_stores(), lambda _, store: Counted(store, calls))
        application = Application(stores, Settings(), now_ms=now_ms)
        working = asyncio.create_task(run_together(duties(application, put)))
        clock = Clock(turn_seconds=200, reaction_seconds=200)
        host, guest = PlayerId("host"), PlayerId("guest")
        match = (await application.matches.open(host, NewMatch(game=GameId("coup"), seats=2, clock=clock), "open")).match
        await application.matches.take_seat(guest, match, None, "", "sit")
        await application.matches.start(host, match, "start")
        await asyncio.sleep(BEGINNING_SECONDS)
        calls.clear()
        await asyncio.sleep(IDLE_SECONDS)
        found = calls.copy()
        ask = (await application.repository.load_latest(match)).match.asked
        assert ask is not None
        await asyncio.sleep((ask.deadline_ms - now_ms()) / 1000 + 1)
        working.cancel()
        await asyncio.wait([working])
        assert sum(found.values()) <= MOST, found
        assert found["MemoryAgenda.claim"] <= MOST_CLAIMS, found
        return ask.deadline_ms

    deadline_ms = run(main())
    assert 0 <= struck[0] - deadline_ms < 10
