"""The store of the puzzles of the day: candidates, choices that stay, and first answers."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.days import Day
from tafelrunde.service.features.puzzles.feature import STORE
from tafelrunde.service.features.puzzles.memory import MemoryPuzzles
from tafelrunde.service.features.puzzles.port import POOLED, Candidate, Chosen, Solution
from tafelrunde.service.features.puzzles.service import Puzzles
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import Settings
from tests.service.story import NOON_MS

pytestmark = pytest.mark.anyio
COUP, DUEL = GameId("coup"), GameId("duel")
DAY, NEXT = Day("2026-11-23"), Day("2026-11-24")
ANNA, BERT = PlayerId("anna"), PlayerId("bert")
RIGHT, WRONG = Solution(b'{"type":"right"}', right=True), Solution(b'{"type":"wrong"}', right=False)


def candidate(number: int, seat: int = 0) -> Candidate:
    """Return a decision that could become a puzzle."""
    return Candidate(MatchId(f"m{number}"), Seat(seat), 10 + number)


async def test_visit_counts_for_its_day(stores: Stores) -> None:
    """And for no other one."""
    assert not await STORE.of(stores).is_visited(DAY)
    await STORE.of(stores).note_visit(DAY)
    assert await STORE.of(stores).is_visited(DAY)
    assert not await STORE.of(stores).is_visited(NEXT)


async def test_candidates_with_the_widest_margins_come_first(stores: Stores) -> None:
    """Those of the game alone; one that is offered again, or dropped, is there once or not at all."""
    for number, margin in ((1, 0.2), (2, 0.4), (3, 0.3), (1, 0.2)):
        await STORE.of(stores).offer(COUP, candidate(number), margin)
    await STORE.of(stores).offer(COUP, candidate(2, seat=1), 0.1)
    expected = [candidate(2), candidate(3), candidate(1), candidate(2, seat=1)]
    assert await STORE.of(stores).candidates(COUP) == expected
    assert await STORE.of(stores).take(COUP, candidate(3)) == 0.3
    assert await STORE.of(stores).take(DUEL, candidate(2)) is None
    assert await STORE.of(stores).candidates(COUP) == [expected[0], *expected[2:]]
    assert await STORE.of(stores).candidates(DUEL) == []


async def test_candidate_is_taken_once(stores: Stores) -> None:
    """Of all who take it at the same time."""
    await STORE.of(stores).offer(COUP, candidate(1), 0.25)
    taken = await asyncio.gather(*(STORE.of(stores).take(COUP, candidate(1)) for _ in range(5)))
    assert [each for each in taken if each is not None] == [0.25]


async def test_processes_that_choose_at_once_lose_no_candidate(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """One candidate becomes the puzzle, and all others wait for other days."""

    async def usable(*_: object) -> bool:
        await asyncio.sleep(0)
        return True

    monkeypatch.setattr(Puzzles, "_usable", usable)
    everything = {candidate(each) for each in range(8)}
    for each in everything:
        await STORE.of(stores).offer(COUP, each, each.version / 100)
    processes = [Application(stores, Settings(), now_ms=lambda: NOON_MS).get(Puzzles) for _ in range(5)]
    assert await asyncio.gather(*(each._choose(COUP, DAY) for each in processes)) == [False] * 5
    chosen = (await STORE.of(stores).choices(DAY))[COUP].candidate
    assert {*await STORE.of(stores).candidates(COUP)} == everything - {chosen}


async def test_pool_has_a_size(stores: Stores) -> None:
    """The candidates with the smallest margins make room."""
    for number in range(POOLED + 3):
        await STORE.of(stores).offer(COUP, candidate(number), number / 1_000)
    found = await STORE.of(stores).candidates(COUP)
    assert [each.match for each in found] == [f"m{number}" for number in range(POOLED + 2, 2, -1)]


async def test_first_choice_of_a_day_stays(stores: Stores) -> None:
    """All who choose at the same time get the same one, for this game and day alone."""
    found = await asyncio.gather(*(STORE.of(stores).choose(COUP, DAY, candidate(number)) for number in range(5)))
    assert len(set(found)) == 1
    assert await STORE.of(stores).choices(DAY) == {COUP: found[0]}
    await STORE.of(stores).choose(DUEL, DAY, candidate(9))
    assert set(await STORE.of(stores).choices(DAY)) == {COUP, DUEL}
    assert await STORE.of(stores).choices(NEXT) == {}


async def test_withdrawn_puzzle_gets_no_successor(stores: Stores) -> None:
    """A later choice changes nothing; where there is none, there is nothing to withdraw."""
    await STORE.of(stores).choose(COUP, DAY, candidate(1))
    await STORE.of(stores).withdraw(COUP, DAY)
    await STORE.of(stores).withdraw(COUP, NEXT)
    assert await STORE.of(stores).choose(COUP, DAY, candidate(2)) == Chosen(candidate(1), withdrawn=True)
    assert await STORE.of(stores).choices(NEXT) == {}


async def test_first_answer_of_a_player_stays_and_counts(stores: Stores) -> None:
    """Answered again, right or wrong, it is the same, and one player is one."""
    assert await STORE.of(stores).answer(COUP, DAY, ANNA, WRONG) == WRONG
    assert await STORE.of(stores).answer(COUP, DAY, ANNA, RIGHT) == WRONG
    assert await STORE.of(stores).answer(COUP, DAY, BERT, RIGHT) == RIGHT
    assert await STORE.of(stores).answer(COUP, NEXT, ANNA, RIGHT) == RIGHT
    assert await STORE.of(stores).tally(COUP, DAY) == (2, 1)
    assert await STORE.of(stores).tally(DUEL, DAY) == (0, 0)
    assert await STORE.of(stores).answers(ANNA) == {(DAY, COUP): WRONG, (NEXT, COUP): RIGHT}


async def test_forgotten_player_has_no_answers_and_is_not_counted(stores: Stores) -> None:
    """The others are."""
    for player, solution in ((ANNA, RIGHT), (BERT, WRONG)):
        await STORE.of(stores).answer(COUP, DAY, player, solution)
    await STORE.of(stores).answer(DUEL, NEXT, ANNA, WRONG)
    await STORE.of(stores).forget(ANNA)
    assert await STORE.of(stores).answers(ANNA) == {}
    assert await STORE.of(stores).tally(COUP, DAY) == (1, 0)
    assert await STORE.of(stores).tally(DUEL, NEXT) == (0, 0)
    assert await STORE.of(stores).answers(BERT) == {(DAY, COUP): WRONG}


async def test_answers_of_long_ago_are_forgotten_with_the_next_one(stores: Stores) -> None:
    """A player's answers take no more room than those of the days that are kept."""
    for day in ("2026-10-01", "2026-10-23", "2026-10-24"):
        await STORE.of(stores).answer(COUP, Day(day), ANNA, RIGHT)
    await STORE.of(stores).answer(COUP, DAY, ANNA, WRONG)
    assert set(await STORE.of(stores).answers(ANNA)) == {(Day("2026-10-24"), COUP), (DAY, COUP)}


async def test_memory_keeps_no_more_than_a_server_does() -> None:
    """Days that are kept no longer are forgotten, also of players who never came back."""
    kept = MemoryPuzzles()
    for player in (ANNA, BERT):
        await kept.answer(COUP, Day("2026-10-01"), player, RIGHT)
    await kept.choose(COUP, Day("2026-10-01"), candidate(1))
    await kept.choose(COUP, DAY, candidate(2))
    await kept.answer(COUP, DAY, ANNA, WRONG)
    assert await kept.answers(BERT) == {}
    assert await kept.choices(Day("2026-10-01")) == {}
