"""Matches that all their players have left, and how many matches are opened a day: no guest has bots play without end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.errors import ClockMoved
from tafelrunde.service.matches import caps
from tafelrunde.service.matches.process_manager import RemainingWork
from tafelrunde.service.ports.events import Batch, Written
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import Table, opened
from tests.support.wire import Answer, told

pytestmark = pytest.mark.anyio
LIMITED = Settings(bot_pause_ms=0, limits=LimitSettings(bot_matches_per_host=2, bot_matches_per_address=3))
SOMEWHERE, ELSEWHERE = ("198.51.100.1", 1), ("198.51.100.2", 1)
TOO_MANY = (429, "urn:tafelrunde:problem:too-many-bot-matches")
BOT = [{"seat": 1, "bot": "steady"}]


@pytest.fixture
async def table(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """A service with limits, where a start with a player is refused early: at a host's cap, and at five times an address's."""
    monkeypatch.setattr(caps, "HOST_START_FACTOR", 1)
    monkeypatch.setattr(caps, "ADDRESS_START_FACTOR", 5)
    async with opened(LIMITED) as table:
        yield table


async def start(table: Table, host: str, *others: str, peer: tuple[str, int] = SOMEWHERE) -> tuple[str, Answer]:
    """Open a match of a host and others, or of a host and a bot, and start it; return what was answered to that."""
    match = await table.open(host, bots=[] if others else BOT, clock={"away_seconds": 0})
    for other in others:
        assert (await table.post(f"/matches/{match}/seats", other)).status == 200
    return match, await table.post(f"/matches/{match}/start", host, peer=peer)


async def leave(table: Table, match: str, *tokens: str) -> None:
    """Have players leave a match."""
    for token in tokens:
        assert (await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=token, peer=ELSEWHERE)).status == 200


async def started(table: Table, *, company: bool) -> int:
    """Start matches of fresh guests and leave them, over and over, until one is refused; return how many were started."""
    for number in range(20):
        players = [(await table.player())[1] for _ in range(2 if company else 1)]
        match, answer = await start(table, *players)
        if answer.status != 200:
            assert told(answer) == TOO_MANY
            return number
        await leave(table, match, *players)
    pytest.fail("it never ends")


async def test_host_starts_no_match_while_it_has_left_too_many(table: Table) -> None:
    """Two accomplices open, start and leave again and again: the third start is refused until bots have played one out."""
    one, other = [(await table.player())[1] for _ in range(2)]
    left = []
    for _ in range(2):
        match, answer = await start(table, one, other)
        assert answer.status == 200
        await leave(table, match, one, other)
        left.append(match)
    table.now_ms += caps.IN_FLIGHT_MS
    for others in ((other,), ()):
        match, refused = await start(table, one, *others)
        assert told(refused) == TOO_MANY
        assert "at most 2 running matches without players, bot-only or left by all, per host" in refused.json["detail"]
    bots = {"game": "duel", "seats": 2, "seat": None, "bots": [{"seat": 0, "bot": "steady"}, *BOT], "start": True}
    assert told(await table.post("/matches", one, bots)) == TOO_MANY
    await table.application.process_manager.play_bots(MatchId(left[0]))
    assert (await table.get(f"/matches/{left[0]}", one)).json["status"] == "over"
    assert (await table.post(f"/matches/{match}/start", one)).status == 200


async def test_left_matches_count_for_the_address_that_started_them_no_matter_who_left(table: Table) -> None:
    """Guests made for each match get no farther than one, with company or with a bot."""
    assert await started(table, company=False) == 15
    assert await started(table, company=True) == 0
    host = (await table.player())[1]
    assert (await start(table, host, peer=ELSEWHERE))[1].status == 200


async def test_match_with_a_player_starts_when_guests_fill_the_address_with_bots() -> None:
    """Guests take no more than half of the bot-only matches of an address; all others play on there, also the deal of the day."""
    bots = {"game": "duel", "seats": 2, "seat": None, "bots": [{"seat": 0, "bot": "steady"}, *BOT], "start": True}
    async with opened(Settings(bot_pause_ms=0)) as table:
        guests = [(await table.player())[1] for _ in range(7)]
        answers = [await table.post("/matches", guest, bots, peer=SOMEWHERE) for guest in guests for _ in range(3)]
        assert [answer.status for answer in answers] == [201] * 10 + [429] * 11
        _, token = await table.player()
        assert told(await table.post("/matches", token, bots, peer=SOMEWHERE)) == TOO_MANY
        assert (await table.post("/matches", (await table.player("Ann"))[1], bots, peer=SOMEWHERE)).status == 201
        against = {"game": "duel", "seats": 2, "bots": BOT, "start": True}
        assert (await table.post("/matches", token, against, peer=SOMEWHERE)).status == 201
        assert (await start(table, token))[1].status == 200
        assert (await table.post("/daily/duel", token, peer=SOMEWHERE)).status == 201


async def test_host_starts_the_next_match_when_it_has_left_as_many_as_it_may_have_of_bots_alone() -> None:
    """With itself in it, up to five times as many; so no guest leaves matches without end."""
    async with opened(LIMITED) as table:
        _, host = await table.player()
        for _ in range(10):
            match, answer = await start(table, host, peer=ELSEWHERE)
            assert answer.status == 200
            await leave(table, match, host)
            table.now_ms += caps.IN_FLIGHT_MS
        refused = (await start(table, host, peer=ELSEWHERE))[1]
        assert told(refused) == TOO_MANY
        assert "at most 10 running matches without players" in refused.json["detail"]


async def test_left_and_bot_only_matches_are_one_count(table: Table) -> None:
    """Neither kind makes room for the other, of a host and of an address."""
    bots = {"game": "duel", "seats": 2, "seat": None, "bots": [{"seat": 0, "bot": "steady"}, *BOT], "start": True}
    one, other, third = [(await table.player(name))[1] for name in ("Ann", "Ben", "Cleo")]
    match, _ = await start(table, one)
    await leave(table, match, one)
    assert (await table.post("/matches", one, bots, peer=SOMEWHERE)).status == 201
    assert told(await table.post("/matches", one, bots, peer=ELSEWHERE)) == TOO_MANY
    assert told((await start(table, one, peer=ELSEWHERE))[1]) == TOO_MANY
    assert (await table.post("/matches", other, bots, peer=SOMEWHERE)).status == 201
    answer = await table.post("/matches", third, bots, peer=SOMEWHERE)
    assert told(answer) == TOO_MANY
    assert "at most 3 running matches without players, bot-only or left by all, per address" in answer.json["detail"]
    assert (await start(table, third))[1].status == 200


async def test_where_a_match_was_started_is_forgotten_when_it_is_over(table: Table) -> None:
    """Its address is of no use any more."""
    _, token = await table.player()
    match, _ = await start(table, token)

    async def noted() -> int:
        return len(await table.application.stores.holdings.hold(f"started:{match}", MatchId(""), 0, table.now_ms, 0))

    assert await noted() == 1
    await leave(table, match, token)
    await table.application.process_manager.play_bots(MatchId(match))
    assert await noted() == 0


async def test_match_without_present_players_waits_behind_those_of_people(table: Table) -> None:
    """While one player is there its bots answer with the others, afterwards only where bots alone do."""
    one, other = [(await table.player())[1] for _ in range(2)]
    match, _ = await start(table, one, other)
    manager = table.application.process_manager
    await leave(table, match, one)
    assert await manager.play_bots(MatchId(match), alone=False) is RemainingWork.NOTHING
    await leave(table, match, other)
    assert await manager.play_bots(MatchId(match), alone=False) is RemainingWork.ALONE


async def test_match_does_not_count_while_a_player_is_back(table: Table) -> None:
    """One who comes back takes it off the count, and puts it there again by leaving; leaving is never refused."""
    one, other = [(await table.player())[1] for _ in range(2)]
    matches = []
    for _ in range(4):  # all are started before the first is left
        match, answer = await start(table, one, other)
        assert answer.status == 200
        matches.append(match)
    for match in matches:
        await leave(table, match, one, other)
    for match in matches[1:]:
        assert (await table.post(f"/matches/{match}/seats", other)).status == 200
    table.now_ms += caps.IN_FLIGHT_MS
    again, answer = await start(table, one, other)
    assert answer.status == 200
    await leave(table, matches[1], other)
    await leave(table, again, one)
    await leave(table, again, other)
    table.now_ms += caps.IN_FLIGHT_MS
    assert told((await start(table, one, other))[1]) == TOO_MANY


async def test_match_counts_when_bots_stand_in_for_all_who_are_late(table: Table) -> None:
    """No one has to leave: a player who never answers is replaced, and the match counts for its host and address all the same."""
    one, other = [(await table.player())[1] for _ in range(2)]
    clock = {"turn_seconds": 1, "reaction_seconds": 1, "stand_in_after": 1}
    for _ in range(2):
        match = await table.begin(one, other, clock=clock, options={"first_seat": 0})
        for _ in range(2):
            table.now_ms += 1_000
            await table.application.process_manager.time_out(MatchId(match))
            await table.application.process_manager.play_bots(MatchId(match), alone=False)
        chairs = (await table.get(f"/matches/{match}", one)).json["chairs"]
        assert all(chair["bot"] for chair in chairs)
    table.now_ms += caps.IN_FLIGHT_MS
    assert told((await start(table, one, other))[1]) == TOO_MANY


async def test_new_host_has_what_it_starts_when_the_host_has_passed_on(table: Table) -> None:
    """Who opens and leaves before the start has nothing to answer for; who starts has."""
    one, other, third = [(await table.player())[1] for _ in range(3)]
    for _ in range(2):
        match = await table.open(one)
        await table.post(f"/matches/{match}/seats", other)
        await leave(table, match, one)
        await table.post(f"/matches/{match}/seats", third)
        assert (await table.post(f"/matches/{match}/start", other)).status == 200
        await leave(table, match, other, third)
    table.now_ms += caps.IN_FLIGHT_MS
    assert told((await start(table, other, third))[1]) == TOO_MANY
    assert (await start(table, one, third))[1].status == 200


async def test_rematch_is_no_way_around(table: Table) -> None:
    """The agreement that would start it is refused as a start is, and can be given again."""
    (_, one), (_, other) = await table.player(), await table.player()
    over = await table.begin(one, other)
    await table.finish(over, one, other)
    left = [(await start(table, one, other))[0] for _ in range(2)]
    for match in left:
        await leave(table, match, one, other)
    assert (await table.post(f"/matches/{over}/rematch", other)).status == 200
    assert told(await table.post(f"/matches/{over}/rematch", one, key="again")) == TOO_MANY
    await table.application.process_manager.play_bots(MatchId(left[0]))
    assert (await table.post(f"/matches/{over}/rematch", one, key="again")).status == 200
    assert (await table.get(f"/matches/{over}", one)).json["rematch"] is not None


async def test_left_matches_are_counted_when_many_leave_at_once(table: Table) -> None:
    """A race is no way around it."""
    (_, one), (_, other) = await table.player(), await table.player()
    matches = [(await start(table, one, other))[0] for _ in range(6)]
    await asyncio.gather(*(leave(table, match, one, other) for match in matches))
    table.now_ms += caps.IN_FLIGHT_MS
    assert told((await start(table, one, other))[1]) == TOO_MANY


async def test_player_and_address_open_a_number_of_matches_a_day() -> None:
    """Whatever becomes of them; one more is there after a part of the day, and a retry costs nothing."""
    async with opened(Settings(limits=LimitSettings(matches_per_player_daily=3, matches_per_address_daily=5))) as table:
        tokens = [(await table.player(name))[1] for name in ("Ann", "Ben", "Cleo")]

        async def open_one(token: str, **more: object) -> Answer:
            answer = await table.post("/matches", token, {"game": "duel", "seats": 2}, **more)
            if answer.status == 201 and not answer.header("idempotency-replayed"):
                assert (await table.post(f"/matches/{answer.json['match']}/abort", token)).status == 200
            return answer

        first = [await open_one(tokens[0], key=f"k{number}") for number in range(4)]
        assert [answer.status for answer in first] == [201, 201, 201, 429]
        assert told(first[3]) == (429, "urn:tafelrunde:problem:too-many-requests")
        assert "at most 3 new matches a day per player" in first[3].json["detail"]
        assert first[3].header("retry-after") == str(86_400 // 3)
        assert (await open_one(tokens[0], key="k1")).status == 201
        second = [await open_one(token) for token in tokens[1:] for _ in range(2)]
        assert [answer.status for answer in second] == [201, 201, 429, 429]
        assert "at most 5 new matches a day per address" in second[3].json["detail"]
        assert (await open_one(tokens[2], peer=ELSEWHERE)).status == 201
        table.now_ms += 1_000 * int(first[3].header("retry-after") or "")
        assert (await open_one(tokens[0], key="k3")).status == 201


async def test_refusal_by_an_address_costs_the_player_nothing() -> None:
    """It can open its match from elsewhere."""
    wish = {"game": "duel", "seats": 2}
    async with opened(Settings(limits=LimitSettings(matches_per_player_daily=1, matches_per_address_daily=1))) as table:
        one, other = [(await table.player())[1] for _ in range(2)]
        assert (await table.post("/matches", one, wish, peer=SOMEWHERE)).status == 201
        assert "per address" in (await table.post("/matches", other, wish, peer=SOMEWHERE)).json["detail"]
        assert (await table.post("/matches", other, wish, peer=ELSEWHERE)).status == 201
        assert "per player" in (await table.post("/matches", other, wish, peer=("198.51.100.3", 1))).json["detail"]


async def test_match_is_paid_for_once_when_it_has_to_be_decided_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another command was first, or the clock was set: that is not the player's doing."""
    async with opened(Settings(limits=LimitSettings(matches_per_player_daily=1, bot_matches_per_minute=1))) as table:
        append = table.application.stores.events.append
        moved = [ClockMoved("set"), ClockMoved("set")]

        async def overtaken(batch: Batch) -> Written:
            if moved:
                raise moved.pop()
            return await append(batch)

        monkeypatch.setattr(table.application.stores.events, "append", overtaken)
        bots = {"game": "duel", "seats": 2, "seat": None, "bots": [{"seat": 0, "bot": "steady"}, *BOT], "start": True}
        _, token = await table.player()
        assert (await table.post("/matches", token, bots)).status == 201
        assert not moved


async def test_practice_and_rematches_are_paid_from_the_same_day() -> None:
    """They are stored like any other match."""
    async with opened(Settings(limits=LimitSettings(matches_per_player_daily=2))) as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other)
        await table.finish(match, one, other)
        wish = {"decision": 1, "seat": 0}
        practice = (await table.post(f"/matches/{match}/what-if", one, wish)).json["match"]
        assert told(await table.post(f"/matches/{match}/what-if", one, wish)) == (429, "urn:tafelrunde:problem:too-many-requests")
        assert (await table.get(f"/matches/{practice}", one)).json["status"] == "running"
        assert (await table.post(f"/matches/{match}/rematch", other)).status == 200
        assert told(await table.post(f"/matches/{match}/rematch", one)) == (429, "urn:tafelrunde:problem:too-many-requests")


async def test_application_that_embeds_opens_as_many_matches_as_its_users_want() -> None:
    """An operator has given it a token for that; its requests use up nothing of the others at its address."""
    async with opened(Settings(limits=LimitSettings(matches_per_player_daily=1, matches_per_address_daily=1))) as table:
        embedding = await application_token(table)
        wish = {"game": "duel", "seats": 2}
        for _ in range(3):
            assert (await table.post("/matches", embedding, wish, peer=SOMEWHERE)).status == 201
        _, neighbour = await table.player()
        assert (await table.post("/matches", neighbour, wish, peer=SOMEWHERE)).status == 201


async def test_application_that_embeds_may_have_as_many_left_matches_as_company(table: Table) -> None:
    """It hosts for all of its users, who come from its address: a few of them who leave stop no others, nor the address."""
    embedding = await application_token(table)
    for number in range(15):
        match, answer = await start(table, embedding)
        assert answer.status == 200, number
        await leave(table, match, embedding)
        table.now_ms += caps.IN_FLIGHT_MS
    assert told((await start(table, embedding))[1]) == TOO_MANY
    assert (await start(table, (await table.player())[1]))[1].status == 200


async def application_token(table: Table) -> str:
    """Return the token of an application that seats users of its own."""
    player, _, _ = await table.application.accounts.register("Club")
    _, token = await table.application.accounts.issue(player.id, "app", ("read", "play", "create", "embed"), None)
    return token
