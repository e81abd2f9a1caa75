"""Who asks for it hears of each match that has just ended; nothing of that can undo the end."""

from __future__ import annotations

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.errors import StoreUnavailable
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio


async def ended(table: Table) -> MatchId:
    """Play a match to its end."""
    (_, one), (_, other) = await table.player("Anna"), await table.player("Bert")
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    return MatchId(match)


async def test_all_listeners_are_notified_when_one_of_them_lacks_its_store() -> None:
    """The last command is accepted, and the other listeners hear of the match, once."""
    heard = list[MatchId]()

    async def fail(match: MatchId) -> None:
        raise StoreUnavailable("gone")

    async def hear(match: MatchId) -> None:
        heard.append(match)

    async with opened() as table:
        table.application.handler.on_over(fail)
        table.application.handler.on_over(hear)
        match = await ended(table)
        assert heard == [match]
