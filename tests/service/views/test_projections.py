"""The projector's steps: what they ask of the store, and what they make of a log that others write to as well."""

from __future__ import annotations

from collections import Counter

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.events import Shard, shard_of
from tafelrunde.service.ports.rows import Listing, RowStore
from tafelrunde.service.settings import Settings
from tafelrunde.service.views import projections
from tafelrunde.service.views.projections import read_row
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.anyio

ALL = frozenset(Shard(number) for number in range(64))


@pytest.fixture(autouse=True)
def _prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let steps not wait for events, and look but once for what has become public."""
    monkeypatch.setattr(projections, "BLOCK_MS", 0)
    monkeypatch.setattr(projections, "FRESHEN_SECONDS", PATIENCE_SECONDS)


class Counting:
    """The rows, with a count of the calls by name."""

    def __init__(self, rows: RowStore) -> None:
        self._rows = rows
        self.calls: Counter[str] = Counter()

    def __getattr__(self, name: str) -> object:
        """Count a call of a method, and let it be done."""
        self.calls[name] += 1
        return getattr(self._rows, name)


def application() -> Application:
    """Return one on stores in memory, with the rows counted."""
    made = Application(memory_stores(), Settings(bot_pause_ms=0))
    made.projector._rows = Counting(made.stores.rows)  # type: ignore[assignment]  # it has all methods
    return made


async def opened(made: Application, key: str) -> MatchId:
    """Open a match."""
    return (await made.matches.open(PlayerId("host"), NewMatch(game=GameId("coup"), seats=3), key)).match


async def shown(made: Application) -> dict[MatchId, int]:
    """Return how many seats of each listed match are taken."""
    rows = await made.stores.rows.rows(Listing(limit=100))
    return {row.match: sum(chair.player is not None for chair in read_row(row, None).chairs) for row in rows}


async def test_matches_that_moved_often_are_written_once() -> None:
    """What happens between two steps costs a row for each match and one call of the rows for each shard, however much it is."""
    made = application()
    matches = [await opened(made, f"m{number}") for number in range(5)]
    await made.projector.step(ALL)
    rows = made.projector._rows
    assert isinstance(rows, Counting)
    for match in matches:
        for number in range(2):
            await made.matches.take_seat(PlayerId(f"p{number}"), match, None, "", f"s{number}")
    rows.calls.clear()
    await made.projector.step(ALL)
    assert rows.calls == {"project": len({shard_of(match) for match in matches})}
    assert await shown(made) == dict.fromkeys(matches, 3)


async def test_rows_are_right_when_two_processes_write_them() -> None:
    """A process whose checkpoint another one has moved reads on from there: nothing is left out."""
    made = application()
    other = Application(made.stores, Settings(bot_pause_ms=0))
    for each in (made, other):
        await each.projector.step(ALL)
    first = await opened(made, "first")
    await made.projector.step(ALL)
    second = await opened(made, "second")
    await made.projector.step(ALL)
    await made.matches.take_seat(PlayerId("p1"), first, None, "", "seat")
    await other.projector.step(ALL)
    await made.matches.take_seat(PlayerId("p1"), second, None, "", "seat")
    await made.projector.step(ALL)
    assert await shown(made) == {first: 2, second: 2}
    assert await made.projector.ahead() == set()
