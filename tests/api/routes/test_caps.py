"""What one player or one address may hold: bot-only matches, seats in open matches, practice matches. And what expires."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.application import Application
from tafelrunde.service.matches import caps
from tafelrunde.service.matches.caps import IN_FLIGHT_MS
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import GAMES, Table, opened
from tests.support.wire import Answer, told

pytestmark = pytest.mark.anyio
BOTS = [{"seat": seat, "bot": "steady"} for seat in range(2)]
LIMITED = Settings(
    bot_pause_ms=0, limits=LimitSettings(bot_matches_per_address=5, open_seats_per_player=4, practice_matches_per_address=3)
)
SOMEWHERE, ELSEWHERE = ("198.51.100.1", 1), ("198.51.100.2", 1)
DAY_MS = 86_400_000
TOO_MANY_BOTS, TOO_MANY_SEATS = (
    (429, "urn:tafelrunde:problem:too-many-bot-matches"),
    (409, "urn:tafelrunde:problem:too-many-seats"),
)


@pytest.fixture
async def table() -> AsyncIterator[Table]:
    """A service with limits."""
    async with opened(LIMITED) as table:
        yield table


async def bots_only(table: Table, token: str, **more: Any) -> Answer:
    """Ask for a running match of bots alone."""
    wish = {"game": "duel", "seats": 2, "seat": None, "bots": BOTS, "start": True}
    return await table.post("/matches", token, wish, **more)


async def test_host_has_three_running_matches_without_people_at_once(table: Table) -> None:
    """The next one is refused with the limit, until one of them is over; a retry with the same key then works."""
    _, token = await table.player()
    matches = [(await bots_only(table, token)).json["match"] for _ in range(3)]
    refused = await bots_only(table, token, key="once-more")
    assert told(refused) == TOO_MANY_BOTS
    assert "at most 3 " in refused.json["detail"]
    assert refused.header("retry-after") is not None
    await table.application.process_manager.play_bots(MatchId(matches[1]))
    assert (await table.get(f"/matches/{matches[1]}", token)).json["status"] == "over"
    assert (await bots_only(table, token, key="once-more")).status == 201
    assert told(await bots_only(table, token)) == TOO_MANY_BOTS


async def test_host_begins_so_many_matches_without_people_a_minute() -> None:
    """From a quota of their own, however soon they end; other commands keep working."""
    async with opened(Settings(limits=LimitSettings(bot_matches_per_host=100, bot_matches_per_minute=4))) as table:
        _, token = await table.player()
        answers = [await bots_only(table, token) for _ in range(5)]
        assert [answer.status for answer in answers[:4]] == [201] * 4
        assert told(answers[4]) == TOO_MANY_BOTS
        assert "at most 4 bot-only matches a minute" in answers[4].json["detail"]
        assert (await table.post("/matches", token, {"game": "duel", "seats": 2})).status == 201
        _, other = await table.player()
        assert (await bots_only(table, other)).status == 201


async def test_address_has_its_own_number_of_matches_without_people(table: Table) -> None:
    """Many players at one address count as one; those at another are not affected."""
    tokens = [(await table.player(f"P{number}"))[1] for number in range(6)]
    answers = [await bots_only(table, token, peer=SOMEWHERE) for token in tokens]
    assert [answer.status for answer in answers] == [201] * 5 + [429]
    assert "at most 5 " in answers[-1].json["detail"]
    assert (await bots_only(table, tokens[-1], peer=ELSEWHERE)).status == 201


async def test_cap_holds_when_many_ask_at_once(table: Table) -> None:
    """A race is no way around it."""
    _, token = await table.player()
    answers = await asyncio.gather(*(bots_only(table, token) for _ in range(12)))
    assert sorted(answer.status for answer in answers) == [201] * 3 + [429] * 9


async def test_match_without_people_counts_from_its_start(table: Table) -> None:
    """Also when it was opened earlier, with its host in a seat, and started later."""
    _, token = await table.player()
    first, *_ = [(await bots_only(table, token)).json["match"] for _ in range(3)]
    match = await table.open(token, bots=BOTS[1:])
    await table.ask("DELETE", f"/api/v1/matches/{match}/seats/0", token=token)
    await table.ask("PUT", f"/api/v1/matches/{match}/seats/0/bot", token=token, content={"bot": "steady"})
    assert told(await table.post(f"/matches/{match}/start", token)) == TOO_MANY_BOTS
    await table.ask("DELETE", f"/api/v1/matches/{match}/seats/0", token=token)
    await table.application.process_manager.play_bots(MatchId(first))
    await table.ask("PUT", f"/api/v1/matches/{match}/seats/0/bot", token=token, content={"bot": "steady"})
    assert (await table.post(f"/matches/{match}/start", token)).status == 200


async def test_request_that_was_answered_is_answered_again_when_there_are_too_many(table: Table) -> None:
    """A retry holds nothing new."""
    _, token = await table.player()
    first = await bots_only(table, token, key="first")
    for _ in range(2):
        await bots_only(table, token)
    assert told(await bots_only(table, token)) == TOO_MANY_BOTS
    again = await bots_only(table, token, key="first")
    assert (again.status, again.body, again.header("idempotency-replayed")) == (201, first.body, "true")


async def test_player_has_so_many_seats_in_open_matches(table: Table) -> None:
    """A match that starts, ends or is left frees its place."""
    (_, host), (_, token) = await table.player(), await table.player()
    own = await table.open(token)
    others = [await table.open(host) for _ in range(4)]
    for match in others[:3]:
        assert (await table.post(f"/matches/{match}/seats", token)).status == 200
    refused = await table.post(f"/matches/{others[3]}/seats", token)
    assert told(refused) == TOO_MANY_SEATS
    assert "at most 4 " in refused.json["detail"]
    assert told(await table.post("/matches", token, {"game": "duel", "seats": 2})) == TOO_MANY_SEATS
    await table.post(f"/matches/{others[0]}/start", host)
    await table.post(f"/matches/{own}/abort", token)
    table.now_ms += IN_FLIGHT_MS
    assert (await table.post(f"/matches/{others[3]}/seats", token)).status == 200
    assert (await table.post("/matches", token, {"game": "duel", "seats": 2})).status == 201
    await table.ask("DELETE", f"/api/v1/matches/{others[3]}/seats/me", token=token)
    table.now_ms += IN_FLIGHT_MS
    assert (await table.post("/matches", token, {"game": "duel", "seats": 2})).status == 201


async def test_seat_counts_although_it_was_left_and_taken_in_turn(table: Table) -> None:
    """Repeatedly leaving and joining adds no seat."""
    (_, host), (_, token) = await table.player(), await table.player()
    matches = [await table.open(host) for _ in range(4)] + [await table.open((await table.player())[1])]
    for match in matches[:4]:
        for _ in range(3):
            await table.post(f"/matches/{match}/seats", token)
            await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=token)
        await table.post(f"/matches/{match}/seats", token)
    table.now_ms += 2 * IN_FLIGHT_MS
    assert told(await table.post(f"/matches/{matches[4]}/seats", token)) == TOO_MANY_SEATS


async def over(table: Table, token: str, **wishes: Any) -> str:
    """Return a finished match of a player against a bot."""
    match = await table.open(token, bots=BOTS[1:], start=True, **wishes)
    while (await table.get(f"/matches/{match}", token)).json["status"] == "running":
        await table.application.process_manager.play_bots(MatchId(match))
        if (await table.view(match, token))["question"] is not None:
            await table.play(match, token)
    return match


async def practice(table: Table, match: str, token: str, **more: Any) -> str:
    """Branch off a finished match, each time from another address."""
    table.now_ms += 1
    more = {"peer": (f"203.0.113.{table.now_ms % 250}", 1), **more}
    answer = await table.post(f"/matches/{match}/what-if", token, {"decision": 1, "seat": 0}, **more)
    assert answer.status == 201, answer
    return answer.json["match"]


async def statuses(table: Table, matches: list[str], token: str) -> list[str]:
    """Return the status of matches."""
    return [(await table.get(f"/matches/{match}", token)).json["status"] for match in matches]


@pytest.mark.parametrize("what", ["seat", "bot"])
async def test_open_match_does_not_grow_forever(what: str, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat can be taken and left, or filled and cleared, a limited number of times per player; others are not affected."""
    monkeypatch.setattr(caps, "MAX_SEAT_FILLS", 3)
    (_, host), (_, guest), (_, friend) = [await table.player() for _ in range(3)]
    match = await table.open(host)
    seats = f"/api/v1/matches/{match}/seats"
    asker = guest
    fill = ("POST", seats, {"seat": 1})
    empty = f"{seats}/me"
    if what == "bot":
        asker = host
        fill = ("PUT", f"{seats}/1/bot", {"bot": "steady"})
        empty = f"{seats}/1"

    async def filled(key: str) -> Answer:
        return await table.ask(*fill[:2], token=asker, content=fill[2], key=key)

    for number in range(3 if what == "seat" else 2):  # the host has filled its own seat
        assert (await filled(f"k{number}")).status == 200
        assert (await table.ask("DELETE", empty, token=asker)).status == 200
    refused = await filled("more")
    assert (refused.status, refused.json["code"]) == (409, "match.seated-too-often")
    assert (await filled("k0")).status == 200
    assert (await table.post(f"/matches/{match}/seats", friend, {"seat": 1})).status == 200


async def test_address_has_its_own_number_of_open_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hosts with or without a seat; a match that starts or ends makes room, and another address has its own limit."""
    monkeypatch.setattr(caps, "CHECKED_PER_REQUEST", 2)
    async with opened(Settings(limits=LimitSettings(open_matches_per_address=3))) as table:

        async def open_one(**more: Any) -> Answer:
            _, token = await table.player("Ann")
            answer = await table.post("/matches", token, {"game": "duel", "seats": 2, "seat": None}, **more)
            tokens.append(token)
            return answer

        tokens: list[str] = []
        matches = [(await open_one()).json["match"] for _ in range(3)]
        refused = await open_one()
        assert told(refused) == (429, "urn:tafelrunde:problem:too-many-requests")
        assert "at most 3 concurrent open matches per address" in refused.json["detail"]
        assert (await open_one(peer=ELSEWHERE)).status == 201
        assert (await table.post(f"/matches/{matches[0]}/abort", tokens[0])).status == 200
        answers = [await open_one() for _ in range(12)]  # each checks two of the three, so one soon finds the ended one
        assert [answer.status for answer in answers].count(201) == 1


async def test_rematch_that_no_one_has_come_to_is_an_open_match_of_its_address() -> None:
    """It waits for players like any other, so the agreement that would open one too many is refused."""
    async with opened(Settings(limits=LimitSettings(open_matches_per_address=1))) as table:
        (_, one), (_, other) = await table.player(), await table.player()
        match = await table.begin(one, other)
        await table.finish(match, one, other)
        waiting = await table.open(one)
        assert (await table.post(f"/matches/{match}/rematch", one)).status == 200
        assert told(await table.post(f"/matches/{match}/rematch", other)) == (429, "urn:tafelrunde:problem:too-many-requests")
        assert (await table.post(f"/matches/{waiting}/abort", one)).status == 200
        assert (await table.post(f"/matches/{match}/rematch", other)).status == 200


async def test_rematch_ends_after_a_day_in_which_no_one_comes(table: Table) -> None:
    """Like any open match."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    successor = await table.agree_rematch(match, one, other)
    table.now_ms += DAY_MS
    await sweep(table)
    assert await statuses(table, [successor], one) == ["aborted"]


async def test_oldest_practice_match_ends_when_there_are_more_than_five(table: Table) -> None:
    """A player practises as often as it likes; abandoned practice matches do not pile up."""
    _, token = await table.player()
    origin = await over(table, token)
    matches = list[str]()
    for _ in range(7):
        table.now_ms += 1
        matches.append(await practice(table, origin, token))
    assert await statuses(table, matches, token) == ["aborted"] * 2 + ["running"] * 5
    feed = (await table.get(f"/matches/{matches[0]}/feed?limit=500", token)).json["items"]
    assert feed[-2]["event"] == {"type": "match.expired.1", "reason": "replaced"}
    assert await practice(table, origin, token, key="a") == await practice(table, origin, token, key="a")
    assert (await statuses(table, matches, token)).count("running") == 4


async def test_address_has_its_own_number_of_practice_matches(table: Table) -> None:
    """Copies of matches are large, and sign-up is free. The caller's oldest is not ended if the new one is refused."""
    tokens = [(await table.player(f"P{number}"))[1] for number in range(4)]
    origin = await over(table, tokens[0], spectators="public")
    for token in tokens[:3]:
        await practice(table, origin, token, peer=SOMEWHERE)
    wish = {"decision": 1, "seat": 0}
    refused = await table.post(f"/matches/{origin}/what-if", tokens[3], wish, peer=SOMEWHERE)
    assert told(refused) == (429, "urn:tafelrunde:problem:too-many-requests")
    assert "at most 3 " in refused.json["detail"]
    assert (await table.post(f"/matches/{origin}/what-if", tokens[3], wish, peer=ELSEWHERE)).status == 201


async def test_ended_practice_match_gives_its_memory_back(table: Table) -> None:
    """It is recorded and archived like any match that has ended, but at once: many may end within the usual delay."""
    _, token = await table.player()
    origin = await over(table, token)
    first = await practice(table, origin, token)
    for _ in range(5):
        await practice(table, origin, token)
    while await table.application.finalizer.portion() == 0:
        pass
    head = await table.application.stores.events.head(MatchId(first))
    assert head is not None
    assert head.archived == head.version
    kept = await table.application.stores.events.head(MatchId(origin))
    assert kept is not None
    assert kept.archived == 0
    assert (await statuses(table, [first], token)) == ["aborted"]


async def sweep(table: Table) -> None:
    """Run what is due by the clock."""
    application = table.application
    for kind, work in (
        (AgendaKind.DEADLINE, application.process_manager.time_out),
        (AgendaKind.WORK, application.process_manager.play_bots),
    ):
        for match, _ in (await application.stores.agenda.claim(kind, table.now_ms, application.settings.lease_ms, 100)).due:
            await work(match)


async def test_open_match_ends_after_a_day_in_which_nothing_happens(table: Table) -> None:
    """Any activity restarts the day."""
    (_, host), (_, token) = await table.player(), await table.player()
    quiet, joined = await table.open(host), await table.open(host)
    table.now_ms += DAY_MS - 1
    await table.post(f"/matches/{joined}/seats", token)
    await sweep(table)
    assert await statuses(table, [quiet, joined], host) == ["open", "open"]
    table.now_ms += 1
    await sweep(table)
    assert await statuses(table, [quiet, joined], host) == ["aborted", "open"]
    feed = (await table.get(f"/matches/{quiet}/feed", host)).json["items"]
    assert [item["event"]["type"] for item in feed[-2:]] == ["match.expired.1", "match.aborted.1"]
    table.now_ms += DAY_MS
    await sweep(table)
    assert await statuses(table, [joined], host) == ["aborted"]


async def test_running_match_does_not_expire(table: Table) -> None:
    """People may take a week for each decision."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, clock={"turn_seconds": 604_800, "reaction_seconds": 604_800})
    table.now_ms += 3 * DAY_MS
    await sweep(table)
    assert await statuses(table, [match], one) == ["running"]


async def test_practice_match_ends_after_a_week_in_which_no_one_plays_it(table: Table) -> None:
    """Timeouts and bots do not count as playing; an answer of its player does."""
    _, token = await table.player()
    three_days = {"turn_seconds": 259_200, "reaction_seconds": 259_200, "stand_in_after": 0}
    origin = await over(table, token, clock=three_days, options={"first_seat": 0, "cards": 4})
    left, played = await practice(table, origin, token), await practice(table, origin, token)
    for days in (3, 3):
        table.now_ms += days * DAY_MS
        await sweep(table)
    while (await table.view(played, token))["question"] is None:
        await sweep(table)
    await table.play(played, token)
    table.now_ms += DAY_MS
    await sweep(table)
    assert await statuses(table, [left, played], token) == ["aborted", "running"]
    assert {"match.timed-out.1", "match.expired.1"} <= set(await kinds(table, left, token))


async def test_match_that_no_one_plays_for_a_week_is_played_to_its_end(table: Table) -> None:
    """Bots stand in, even with clocks off, so that it gets a result; while one player is playing, nothing changes."""
    (_, one), (_, other) = await table.player(), await table.player()
    slow = {"turn_seconds": 259_200, "reaction_seconds": 259_200, "stand_in_after": 0}
    left, played = [await table.begin(one, other, clock=slow, options={"first_seat": 0, "cards": 4}) for _ in range(2)]
    for _ in range(5):
        table.now_ms += 3 * DAY_MS
        for _ in range(4):
            await sweep(table)
        if (await table.view(played, one))["question"] is not None:
            await table.play(played, one)
    assert await statuses(table, [left], one) == ["over"]
    assert "match.stand-in-seated.1" in await kinds(table, left, one)
    assert "match.stand-in-seated.1" not in await kinds(table, played, one)
    verified = (await table.get(f"/matches/{left}/verification", one)).json
    assert verified["right"], verified


async def kinds(table: Table, match: str, token: str) -> list[str]:
    """Return the types of all events of a match that its player sees."""
    return [item["event"]["type"] for item in (await table.get(f"/matches/{match}/feed?limit=500", token)).json["items"]]


async def test_match_of_before_the_clock_is_found_and_ended(table: Table) -> None:
    """A match stored without a deadline: the next start finds it, and it is checked again after an hour or a day."""
    _, host = await table.player()
    match = await table.open(host)
    table.now_ms += 2 * DAY_MS
    await table.application.stores.agenda.claim(AgendaKind.DEADLINE, table.now_ms, 10 * DAY_MS, 100)
    fresh = Application(table.application.stores, LIMITED, games=GAMES, now_ms=lambda: table.now_ms)
    for _ in range(64):
        await fresh.expiry.step()
    assert await statuses(table, [match], host) == ["aborted"]
