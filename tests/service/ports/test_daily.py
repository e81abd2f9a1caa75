"""The store of the deals of the day: secrets that never change, and rankings."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.days import Day, add_days
from tafelrunde.service.features.daily.deals import DailyDeals
from tafelrunde.service.features.daily.feature import STORE
from tafelrunde.service.features.daily.port import DailyResult
from tafelrunde.service.features.transparency.feature import STORE as TREE
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import Settings
from tests.service.story import NOON_MS

pytestmark = pytest.mark.anyio
COUP, DUEL = GameId("coup"), GameId("duel")
DAY, NEXT = Day("2026-11-23"), Day("2026-11-24")


def result(player: str, rank: int, score: int | None = None, decisions: int = 20, match: str = "m") -> DailyResult:
    """Return what a player has reached."""
    return DailyResult(player=PlayerId(player), match=MatchId(match), rank=rank, score=score, decisions=decisions)


async def test_first_secret_of_a_day_stays(stores: Stores) -> None:
    """All who ask at the same time get the same one, and a later one changes nothing."""
    assert await STORE.of(stores).known_secret(DAY) is None
    found = await asyncio.gather(*(STORE.of(stores).secret(DAY, f"{number}" * 64) for number in range(5)))
    assert len(set(found)) == 1
    assert await STORE.of(stores).secret(DAY, "f" * 64) == found[0] == await STORE.of(stores).known_secret(DAY)
    assert await STORE.of(stores).known_secret(NEXT) is None


async def test_day_that_was_closed_stays_closed(stores: Stores) -> None:
    """Matches that do not count are those of that day only."""
    store = STORE.of(stores)
    assert not await store.is_closed(DAY)
    for _ in range(2):
        await store.close(DAY)
        await store.disqualify(DAY, MatchId("m-1"))
    assert [await store.is_closed(each) for each in (DAY, NEXT)] == [True, False]
    assert [await store.is_disqualified(DAY, MatchId(each)) for each in ("m-1", "m-2")] == [True, False]
    assert not await store.is_disqualified(NEXT, MatchId("m-1"))


async def test_days_on_which_a_player_has_a_result_are_found(stores: Stores) -> None:
    """Of some days and games; those of others do not count."""
    store = STORE.of(stores)
    await store.note(COUP, DAY, result("ann", 1))
    await store.note(DUEL, NEXT, result("ann", 2))
    await store.note(COUP, NEXT, result("ben", 1))
    days = [add_days(DAY, back) for back in range(-2, 3)]
    assert await store.days_of(PlayerId("ann"), [COUP, DUEL], days) == {DAY, NEXT}
    assert await store.days_of(PlayerId("ann"), [COUP], days) == {DAY}
    assert await store.days_of(PlayerId("ann"), [COUP, DUEL], [NEXT]) == {NEXT}
    assert await store.days_of(PlayerId("cleo"), [COUP, DUEL], days) == set()


async def test_ranking_is_by_place_then_score_then_by_few_decisions_of_winners(stores: Stores) -> None:
    """Who did equally well shares a place; losing fast is no merit."""
    for each in (
        result("late-loser", 3, 2, 40),
        result("loser", 3, 2, 10),
        result("poor-winner", 1, 5, 10),
        result("slow-winner", 1, 9, 30),
        result("winner", 1, 9, 20),
        result("second", 2, -4, 20),
    ):
        await STORE.of(stores).note(COUP, DAY, each)
    found = await STORE.of(stores).ranking(COUP, DAY, 0, 10)
    assert [(each.place, each.result.player) for each in found] == [
        (1, "winner"),
        (2, "slow-winner"),
        (3, "poor-winner"),
        (4, "second"),
        (5, "late-loser"),
        (5, "loser"),
    ]
    assert [each.result.player for each in await STORE.of(stores).ranking(COUP, DAY, 4, 1)] == ["late-loser"]
    assert await STORE.of(stores).count(COUP, DAY) == 6
    loser = await STORE.of(stores).result(COUP, DAY, PlayerId("loser"))
    assert loser is not None
    assert (loser.place, loser.result) == (5, result("loser", 3, 2, 10))
    assert await STORE.of(stores).count(DUEL, DAY) == await STORE.of(stores).count(COUP, NEXT) == 0


async def test_first_result_of_a_player_stays(stores: Stores) -> None:
    """Noted again, better or worse, it is the same."""
    await STORE.of(stores).note(COUP, DAY, result("anna", 2, 3))
    await STORE.of(stores).note(COUP, DAY, result("anna", 1, 9, match="n"))
    found = await STORE.of(stores).ranking(COUP, DAY, 0, 10)
    assert [each.result for each in found] == [result("anna", 2, 3)]


async def test_forgotten_player_is_in_no_ranking(stores: Stores) -> None:
    """Of the deals that are named; the others move up."""
    for game, day in ((COUP, DAY), (COUP, NEXT), (DUEL, DAY)):
        await STORE.of(stores).note(game, day, result("anna", 1, None))
        await STORE.of(stores).note(game, day, result("bert", 2, None))
    await STORE.of(stores).forget(PlayerId("anna"), [(COUP, DAY), (COUP, NEXT), (DUEL, NEXT)])
    assert await STORE.of(stores).result(COUP, DAY, PlayerId("anna")) is None
    assert [(each.place, each.result.player) for each in await STORE.of(stores).ranking(COUP, NEXT, 0, 10)] == [(1, "bert")]
    assert await STORE.of(stores).count(DUEL, DAY) == 2


async def test_day_has_one_leaf_however_many_enter_it(stores: Stores) -> None:
    """Sweepers that step at once, in all processes: one secret, and its commitment is in the log once."""
    processes = [Application(stores, Settings(), now_ms=lambda: NOON_MS) for _ in range(6)]
    await asyncio.gather(*(each.get(DailyDeals).step() for each in processes for _ in range(2)))
    leaves = await TREE.of(stores).leaves(0, 100)
    today = processes[0].get(DailyDeals).today()
    days = [await processes[-1].get(DailyDeals).day(day) for day in (today, add_days(today, 1))]
    assert [leaf.lines for leaf in leaves] == [(day.day, day.commitment) for day in days if day is not None]
