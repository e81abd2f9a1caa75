"""The store of tournaments: facts in their order, and whose turn it is."""

from __future__ import annotations

import asyncio

import pytest

from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.features.tournaments.events import AnyFact, TournamentKind, encode
from tafelrunde.service.features.tournaments.feature import STORE
from tafelrunde.service.features.tournaments.ledger import Ledger
from tafelrunde.service.features.tournaments.port import TournamentId
from tafelrunde.service.features.tournaments.rules import leave
from tafelrunde.service.ports.stores import Stores
from tests.service.features.tournaments.test_standings import opening

pytestmark = pytest.mark.anyio
ONE, TWO, THREE = (TournamentId("c" + letter * 24) for letter in "abc")
ANNA, BERT = PlayerId("anna"), PlayerId("bert")


async def test_facts_are_added_by_one_writer_at_a_time(stores: Stores) -> None:
    """Of all who go on from the same place one does; a write that is repeated is no second one."""
    store = STORE.of(stores)
    assert await store.read(ONE, 0) is None
    assert await store.append(ONE, 0, [b"a", b"b\x00\xff"])
    assert await store.append(ONE, 0, [b"a", b"b\x00\xff"])
    assert not await store.append(ONE, 0, [b"a"] * 3)
    assert not await store.append(ONE, 1, [b"c"])
    assert not await store.append(ONE, 3, [b"c"])
    going_on = await asyncio.gather(*(store.append(ONE, 2, [b"%d" % each]) for each in range(5)))
    assert sorted(going_on) == [False] * 4 + [True]
    assert await store.read(ONE, 1) == [b"b\x00\xff", b"%d" % going_on.index(True)]
    assert await store.read(ONE, 3) == []
    assert await store.read(TWO, 0) is None
    await store.remove(ONE)
    assert await store.read(ONE, 0) is None


async def test_list_has_the_newest_first(stores: Stores) -> None:
    """Page by page; what is put there twice is there once, and what was taken out is gone."""
    store = STORE.of(stores)
    for tournament, at_ms in ((ONE, 5), (THREE, 2_000), (TWO, 2_000), (ONE, 5)):
        await store.enlist(tournament, at_ms)
    assert [each for _, each in await store.listed(None, 9)] == [THREE, TWO, ONE]
    (place, first), *_ = await store.listed(None, 1)
    assert (first, [each for _, each in await store.listed(place, 9)]) == (THREE, [TWO, ONE])
    await store.strike(TWO, 2_000)
    await store.strike(TWO, 2_000)
    assert [each for _, each in await store.listed(place, 9)] == [ONE]


async def test_tournaments_of_a_player_are_its_own(stores: Stores) -> None:
    """Newest first; forgotten with the player, and no one else's."""
    store = STORE.of(stores)
    for player, tournament, at_ms in ((ANNA, ONE, 1), (ANNA, TWO, 2), (BERT, ONE, 1), (ANNA, ONE, 1)):
        await store.note_player(player, tournament, at_ms)
    assert await store.of_player(ANNA) == [TWO, ONE]
    await store.drop_player(ANNA, TWO)
    await store.drop_player(ANNA, TWO)
    assert await store.of_player(ANNA) == [ONE]
    await store.forget(ANNA)
    await store.forget(ANNA)
    assert (await store.of_player(ANNA), await store.of_player(BERT)) == ([], [ONE])


async def test_tournament_is_claimed_once_when_its_time_has_come(stores: Stores) -> None:
    """Then it is due again later; an earlier time wins over a later one, and nothing is planned by moving it."""
    store = STORE.of(stores)
    await store.advance(ONE, 1)
    assert await store.claim(100, 200, 9) == []
    for tournament, at_ms in ((ONE, 50), (TWO, 40), (THREE, 101)):
        await store.plan(tournament, at_ms)
    assert await store.claim(100, 200, 1) == [TWO]
    claimed = await asyncio.gather(*(store.claim(100, 200, 9) for _ in range(4)))
    assert sorted(each for some in claimed for each in some) == [ONE]
    await store.advance(ONE, 150)
    await store.advance(ONE, 180)
    assert await store.claim(150, 300, 9) == [THREE, ONE]
    await store.unplan(ONE)
    await store.unplan(ONE)
    assert await store.claim(300, 400, 9) == [TWO, THREE]


async def test_match_leads_to_its_tournament(stores: Stores) -> None:
    """Until that is forgotten."""
    store = STORE.of(stores)
    first, second = MatchId("m" + "a" * 24), MatchId("m" + "b" * 24)
    await store.note_matches(ONE, [first, second])
    assert [await store.tournament_of(each) for each in (first, second, MatchId("m"))] == [ONE, ONE, None]
    await store.forget_matches([first])
    assert [await store.tournament_of(each) for each in (first, second)] == [None, ONE]


async def test_ledger_reads_again_what_it_cannot_go_on_from(stores: Stores) -> None:
    """Where the store has lost its newest facts, a process that knew them writes behind those that are left."""
    store = STORE.of(stores)
    ledger = Ledger(store)
    facts: list[AnyFact] = [*opening(TournamentKind.SWISS, 2, 4, 0)]
    await ledger.begin(ONE, facts)
    await store.remove(ONE)
    await store.append(ONE, 0, [encode(each) for each in facts[:-1]])
    state, changed = await ledger.change(ONE, lambda now: leave(now, PlayerId("p0"), 9))
    assert (changed, len(state.entrants), len(await store.read(ONE, 0) or ())) == (True, 3, 6)
