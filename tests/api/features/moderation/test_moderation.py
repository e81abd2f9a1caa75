"""Moderation: what operators can do, what players see of it, and that nothing hidden comes out."""

from __future__ import annotations

import asyncio
import re
from typing import Any
from unittest.mock import AsyncMock, patch

import msgspec
import pytest

from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.service.features.moderation.feature import STORE
from tafelrunde.service.features.moderation.port import ADDRESS_MS, DAY_MS, KEPT_MS
from tafelrunde.service.features.moderation.sanctions import Sanctions
from tafelrunde.service.features.moderation.service import SETTLING_MS, Acts
from tafelrunde.service.features.quick.duty import QuickFilling
from tafelrunde.service.features.quick.service import QuickMatches
from tafelrunde.service.features.tournaments.duty import Director
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import API, NOW_MS, Table, opened
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio

WHY = "You insulted another player."
SEEK = {"game": "coup", "seats": 2, "pace": "quick", "patience_seconds": 30}
CUP = {"name": "Cup", "game": "duel", "seats": 2, "kind": "round-robin"}
HERE, ELSEWHERE = ("203.0.113.5", 40_000), ("198.51.100.7", 40_000)


def kind(answer: Answer) -> tuple[int, str]:
    """Return the status and the type of a problem."""
    return answer.status, answer.json["type"].removeprefix("urn:tafelrunde:problem:")


async def act(table: Table, admin: str, what: str, **wish: Any) -> Any:
    """Have an operator do something; return the act."""
    answer = await table.post("/moderation/acts", admin, {"kind": what, "reason": WHY, **wish})
    assert answer.status == 200, answer
    return answer.json


async def suspend(table: Table, admin: str, player: str, days: int = 7, **wish: Any) -> Any:
    """Suspend a player for some days."""
    return await act(table, admin, "suspend", player=player, until_ms=table.now_ms + days * DAY_MS, **wish)


async def lift(table: Table, admin: str, done: Any) -> Answer:
    """End a sanction."""
    return await table.ask("DELETE", f"{API}/moderation/acts/{done['id']}", token=admin)


async def say(table: Table, match: str, token: str, text: str = "hello", **more: Any) -> Answer:
    """Say a text."""
    return await table.post(f"/matches/{match}/talk", token, {"text": text}, **more)


async def sit(table: Table, match: str, token: str, **more: Any) -> Answer:
    """Ask for a seat."""
    return await table.post(f"/matches/{match}/seats", token, **more)


async def chairs(table: Table, match: str, token: str) -> list[tuple[str | None, str | None]]:
    """Return the player's name and the bot of each seat."""
    return [(each["name"], each["bot"]) for each in (await table.get(f"/matches/{match}", token)).json["chairs"]]


# Lines of talk


async def test_hidden_line_leaves_a_tombstone(table: Table) -> None:
    """For all who read the room; what it said is nowhere but in reports of it, and its author sees why."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    match = await table.begin(one, other)
    await say(table, match, other, "an insult")
    await say(table, match, one, "please")
    done = await act(table, admin, "hide-line", line={"match": match, "room": "table", "n": 1})
    assert (done["player"], done["player_name"], done["line"]["n"], done["until_ms"]) == (bert, "Bert", 1, None)
    for token in (one, other):
        page = await table.get(f"/matches/{match}/talk", token)
        assert b"an insult" not in page.body
        shown = [(each["n"], each["kind"], each["text"], each["hides"]) for each in page.json["items"]]
        assert shown == [(1, "hidden", None, None), (2, "text", "please", None), (3, "hiding", None, 1)]
    [own] = (await table.get("/me/moderation-acts", other)).json["items"]
    assert (own["kind"], own["reason"], own["line"]) == ("hide-line", WHY, {"match": match, "room": "table", "n": 1})
    assert (await table.get("/me/moderation-acts", one)).json == {"items": []}
    report = {"room": "table", "n": 1, "reason": "insult"}
    assert kind(await table.post(f"/matches/{match}/talk/reports", one, report)) == (404, "not-found")


async def test_line_is_hidden_once(table: Table) -> None:
    """However often it is asked for, also at the same time: the first reason stays, and its room hears of it once."""
    (_, one), (_, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    match = await table.begin(one, other)
    await say(table, match, other)
    line = {"match": match, "room": "table", "n": 1}
    first = await act(table, admin, "hide-line", line=line)
    rest = await asyncio.gather(*(act(table, admin, "hide-line", line=line, reason=f"reason {number}") for number in range(3)))
    assert rest == [first] * 3
    assert [each["kind"] for each in (await table.get(f"/matches/{match}/talk", one)).json["items"]] == ["hidden", "hiding"]
    for n in (2, 9):
        wish = {"kind": "hide-line", "reason": WHY, "line": {**line, "n": n}}
        assert kind(await table.post("/moderation/acts", admin, wish)) == (404, "not-found")


async def test_hidden_line_disappears_from_open_rooms(table: Table) -> None:
    """Those who listen get to know it at once, and those who come back after it as well."""
    (_, one), (_, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    match = await table.begin(one, other)
    await say(table, match, other)
    path = f"{API}/matches/{match}/talk/stream"
    async with table.listen(path, token=one) as ear:
        await ear.begin()
        await ear.hear(b'"text":"hello"')
        await act(table, admin, "hide-line", line={"match": match, "room": "table", "n": 1})
        whole = await ear.hear(b'"kind":"hiding"')
    [line] = [each for each in re.findall(rb"event: item\ndata: (.*)\n", whole) if b'"hiding"' in each]
    assert (msgspec.json.decode(line)["n"], msgspec.json.decode(line)["hides"]) == (2, 1)
    async with table.listen(path, token=one, headers=[("Last-Event-ID", "1")]) as ear:
        await ear.begin()
        assert b'"hides":1' in await ear.hear(b'"kind":"hiding"')


async def test_lines_of_the_table_stay_apart_when_one_is_hidden(table: Table) -> None:
    """Spectators of a running match get the same bytes, whether a line of the table was hidden or not."""
    (_, one), (_, other), (_, third) = [await table.player(name) for name in ("Anna", "Bert", "Cleo")]
    admin = await table.operator()
    match = await table.begin(one, other, spectators="public")
    await say(table, match, other)
    before = await table.get(f"/matches/{match}/talk", third)
    await act(table, admin, "hide-line", line={"match": match, "room": "table", "n": 1})
    after = await table.get(f"/matches/{match}/talk", third)
    assert (before.status, before.body) == (after.status, after.body)


async def test_report_is_closed_once_with_a_reason(table: Table) -> None:
    """Operators see it in the list; the player who made it reads the reason; a second report of the line changes nothing."""
    (anna, one), (_, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    match = await table.begin(one, other)
    await say(table, match, other)
    wish = {"room": "table", "n": 1, "reason": "insult"}
    report = (await table.post(f"/matches/{match}/talk/reports", one, wish)).json["id"]
    assert (await table.get("/reports", admin)).json["items"][0]["closed"] is None
    done = await act(table, admin, "close-report", report=report)
    assert await act(table, admin, "close-report", report=report, reason="again") == done
    assert (await table.post(f"/matches/{match}/talk/reports", one, {**wish, "reason": "spam"})).status == 200
    [listed] = (await table.get("/reports", admin)).json["items"]
    assert (listed["closed"], listed["reason"]) == ({"at_ms": NOW_MS, "reason": WHY}, "insult")
    assert (done["player"], done["report"]) == (anna, report)
    [own] = (await table.get("/me/moderation-acts", one)).json["items"]
    assert (own["kind"], own["report"], own["reason"]) == ("close-report", report, WHY)
    assert (await table.get("/me/moderation-acts", other)).json == {"items": []}
    missing = {"kind": "close-report", "reason": WHY, "report": "r" + 26 * "0"}
    assert kind(await table.post("/moderation/acts", admin, missing)) == (404, "not-found")


# Sanctions


async def test_silenced_player_plays_on_without_talk(table: Table) -> None:
    """Until the time, which the refusal names with the reason, in both languages."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    match = await table.begin(one, other)
    until_ms = NOW_MS + 2 * DAY_MS
    await act(table, admin, "silence", player=bert, until_ms=until_ms)
    refused = await say(table, match, other)
    assert kind(refused) == (403, "silenced")
    assert refused.json["arguments"] == {"until_ms": until_ms, "reason": WHY}
    assert refused.json["message"] == {
        "de": f"Du darfst bis zum 16.11.2023, 22:13 Uhr (UTC) nichts schreiben. Grund: {WHY}",
        "en": f"You may not write until 2023-11-16, 22:13 (UTC). Reason: {WHY}",
    }
    assert (await say(table, match, one)).status == 200
    await table.finish(match, one, other)
    table.now_ms = until_ms
    assert (await say(table, match, other)).status == 200


async def test_suspended_player_begins_nothing(table: Table) -> None:
    """No seat, no opening, no quick match, no tournament, no talk, no answer; looking stays possible, and so does leaving."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    match, waiting = await table.begin(one, other), await table.open(one, seats=3)
    cup = (await table.post("/tournaments", one, CUP)).json["facts"]["tournament"]
    view = await table.view(match, one)
    done = await suspend(table, admin, bert)
    asked = {"decision": view["question"]["decision"], "command": view["question"]["legal"][0]} if view["question"] else None
    refusals = {
        "seat": await sit(table, waiting, other),
        "own seat": await sit(table, match, other),
        "opening": await table.post("/matches", other, {"game": "duel", "seats": 2}),
        "quick match": await table.post("/quick-matches", other, SEEK),
        "tournament": await table.post("/tournaments", other, CUP),
        "entry": await table.ask("PUT", f"{API}/tournaments/{cup}/entries/me", token=other, content={}),
        "day": await table.post("/daily/coup/matches", other),
        "lesson": await table.post("/lessons/coup", other),
        "talk": await say(table, match, other),
        "answer": await table.post(f"/matches/{match}/commands", other, asked or {"decision": 1, "command": {"type": "duel.up"}}),
    }
    wrong = {name: answer for name, answer in refusals.items() if kind(answer) not in {(403, "suspended"), (404, "not-found")}}
    assert wrong == {}
    assert refusals["seat"].json["arguments"] == {"until_ms": done["until_ms"], "reason": WHY}
    assert (await table.get(f"/matches/{match}", other)).status == 200
    assert (await table.ask("DELETE", f"{API}/matches/{match}/seats/me", token=other, key=table.key())).status == 200


async def test_seat_comes_back_when_a_suspension_ends(table: Table) -> None:
    """By itself at its time, or when it is lifted; until then a bot plays on in it."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    for lifted in (False, True):
        match = await table.begin(one, other)
        done = await suspend(table, admin, bert)
        assert [(name, bot is not None) for name, bot in await chairs(table, match, one)] == [("Anna", False), ("Bert", True)]
        if lifted:
            answer = await lift(table, admin, done)
            assert (answer.json["lifted_ms"], (await lift(table, admin, done)).json) == (table.now_ms, answer.json)
        else:
            table.now_ms = done["until_ms"]
        assert (await sit(table, match, other)).status == 200
        assert await chairs(table, match, one) == [("Anna", None), ("Bert", None)]


async def test_suspended_player_leaves_what_has_not_begun(table: Table) -> None:
    """Open tables, tournaments and quick matches; what it hosts goes to the next player."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    mine = await table.open(other, seats=3)
    assert (await sit(table, mine, one)).status == 200
    cup = (await table.post("/tournaments", one, CUP)).json["facts"]["tournament"]
    assert (await table.ask("PUT", f"{API}/tournaments/{cup}/entries/me", token=other, content={})).status == 200
    sought = (await table.post("/quick-matches", other, SEEK)).json["match"]
    await suspend(table, admin, bert)
    facts = (await table.get(f"/matches/{mine}", one)).json
    assert ([each["name"] for each in facts["chairs"]], facts["host_name"]) == ([None, "Anna", None], "Anna")
    assert [each["name"] for each in (await table.get(f"/tournaments/{cup}", one)).json["standings"]] == ["Anna"]
    assert await table.application.get(QuickMatches).waiting() == []
    assert sought


async def test_stand_in_of_a_suspended_player_looks_like_any_other(table: Table) -> None:
    """In two matches, one of which the player has left by itself: all that follows has the same bytes, but for random ids."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    opaque = re.compile(rb"\"signed\":\"[^\"]*\"|[mp][0-9a-z]{24,26}|[0-9a-f]{8,64}")
    seen: list[list[bytes]] = []
    logs: list[list[tuple[str, str, int]]] = []
    matches = [await table.begin(one, other, spectators="public", options={"first_seat": 0}) for _ in range(2)]
    for match, by_itself in zip(matches, (True, False), strict=True):
        before = {token: (await table.get(f"/matches/{match}/feed", token)).json["cursor"] for token in (one, None)}
        version = (await table.application.repository.load_latest(MatchId(match))).version
        if by_itself:
            await table.ask("DELETE", f"{API}/matches/{match}/seats/me", token=other)
        else:
            await suspend(table, admin, bert)
        tails = [await table.get(f"/matches/{match}/feed?after={cursor}", token) for token, cursor in before.items()]
        facts = await table.get(f"/matches/{match}", one)
        seen.append([opaque.sub(b"#", each.body) for each in (*tails, facts)])
        loaded = await table.application.repository.load_latest(MatchId(match))
        entries = loaded.entries[version : loaded.version]
        decoded = [table.application.repository.codec.decode(entry) for entry in entries]
        logs.append(
            [
                (type(event).__name__, envelope.actor, len(envelope.command_id) + len(envelope.correlation_id))
                for envelope, event in decoded
            ]
        )
    assert seen[0] == seen[1]
    assert logs[0] == logs[1] != []


async def test_suspension_does_not_show_who_has_answered(table: Table) -> None:
    """Where several are asked, all others get the same bytes, whether the suspended player had passed before or not."""
    people = [await table.player(name) for name in ("Anna", "Bert", "Cleo")]
    (bert, other), admin = people[1], await table.operator()
    opaque = re.compile(rb"\"signed\":\"[^\"]*\"|[mp][0-9a-z]{24,26}|[0-9a-f]{8,64}")
    seen: list[list[bytes]] = []
    for answered in (True, False):
        wish = {"game": "coup", "seats": 3, "options": {"first_seat": 0}, "spectators": "public"}
        match = await table.open(people[0][1], **wish)
        for _, token in people[1:]:
            assert (await sit(table, match, token)).status == 200
        assert (await table.post(f"/matches/{match}/start", people[0][1])).status == 200
        assert (await table.play(match, people[0][1], index=1)).status == 200
        tokens = [people[0][1], people[2][1], None]
        before = [(await table.get(f"/matches/{match}/feed", token)).json["cursor"] for token in tokens]
        if answered:
            assert (await table.play(match, other, index=1)).status == 200
        done = await suspend(table, admin, bert)
        tails = [
            await table.get(f"/matches/{match}/feed?after={cursor}", token) for token, cursor in zip(tokens, before, strict=True)
        ]
        facts = [await table.get(f"/matches/{match}", token) for token in tokens]
        seen.append([opaque.sub(b"#", each.body) for each in (*tails, *facts)])
        assert (await lift(table, admin, done)).status == 200
        table.now_ms += 1
    assert seen[0] == seen[1]


async def test_suspension_wins_over_a_seat_taken_at_the_same_time(table: Table) -> None:
    """Whichever is written first: the player sits nowhere, and a bot plays in what has begun."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    matches = [await table.open(one, seats=3) for _ in range(6)]
    sitting = [sit(table, match, other) for match in matches]
    await asyncio.gather(*sitting[:3], suspend(table, admin, bert), *sitting[3:])
    await table.application.get(Acts).step()
    assert [each for match in matches for each in await chairs(table, match, one) if each[0] == "Bert"] == []


async def test_seat_is_taken_away_when_a_request_was_let_in_before_the_suspension(table: Table) -> None:
    """It may be written a while after it: for a minute, the player is taken out again and again."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    match = await table.open(one, seats=3)
    await suspend(table, admin, bert)
    acts = table.application.get(Acts)
    for late_ms in (1_000, SETTLING_MS):
        table.now_ms = NOW_MS + late_ms
        with patch.object(table.application.hooks.bars, "require", AsyncMock()):
            assert (await sit(table, match, other)).status == 200
        await acts.step()
        assert await chairs(table, match, one) == [("Anna", None), (None, None), (None, None)]
    [settled] = await STORE.of(table.application.stores).lasting(table.now_ms)
    assert settled.settled


async def test_suspended_player_gets_no_seat_by_a_quick_match_or_a_tournament(table: Table) -> None:
    """Although it had a place when it was suspended, and a process seats players at that moment."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    place = (await table.post("/quick-matches", other, {**SEEK, "seats": 3})).json["match"]
    cup = (await table.post("/tournaments", one, {**CUP, "bots": ["random", "random"]})).json["facts"]["tournament"]
    assert (await table.ask("PUT", f"{API}/tournaments/{cup}/entries/me", token=other, content={})).status == 200
    assert (await table.post(f"/tournaments/{cup}/start", one)).status == 200
    await asyncio.gather(
        suspend(table, admin, bert), table.application.get(QuickFilling).step(), table.application.get(Director).step()
    )
    table.now_ms += 60_000
    for _ in range(3):
        await table.application.get(QuickFilling).step()
        await table.application.get(Director).step()
        await table.application.get(Acts).step()
    match_ids = [place, *(row["match"] for row in (await table.get("/me/matches", other)).json["items"])]
    for match_id in match_ids:
        match = (await table.application.repository.load_latest(MatchId(match_id))).match
        seat = match.seat_of(PlayerId(bert))
        assert match.status.finished or seat is None or match.chairs[seat].bot is not None


async def test_new_guest_from_the_same_address_is_treated_alike(table: Table) -> None:
    """For at most 30 days, and without the reason; players who were there before, and others elsewhere, are not concerned."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    _, neighbour = await table.player("Cleo")
    match = await table.open(one, seats=4)
    assert (await say(table, match, other, peer=HERE)).status == 200
    table.now_ms += 1000
    done = await suspend(table, admin, bert, days=60, address=True)
    assert done["address"] is True
    _, guest = await table.player()
    refused = await sit(table, match, guest, peer=HERE)
    assert kind(refused) == (403, "suspended")
    assert refused.json["arguments"] == {"until_ms": done["at_ms"] + ADDRESS_MS}
    assert WHY not in refused.body.decode()
    assert kind(await say(table, match, guest, peer=HERE)) == (403, "suspended")
    assert (await sit(table, match, neighbour, peer=HERE)).status == 200
    assert (await sit(table, match, guest, peer=ELSEWHERE)).status == 200
    table.now_ms = done["at_ms"] + ADDRESS_MS
    assert (await say(table, match, guest, peer=HERE)).status == 200
    assert kind(await say(table, match, other, peer=ELSEWHERE)) == (403, "suspended")


async def test_addresses_of_one_subscriber_are_one_for_sanctions_and_budgets() -> None:
    """Those of IPv6 with the same first 64 bits: for a suspension, what is spent, and what is held at once."""
    asked, near, far = [(f"2001:db8:0:{number}", 40_000) for number in ("1::1", "1:2:3:4:5", "2::1")]
    limits = LimitSettings(sign_ups_per_minute=2, open_matches_per_address=2)
    async with opened(Settings(bot_pause_ms=0, limits=limits)) as table:
        admin = await table.operator()
        table.now_ms += 60_000
        (_, one), (bert, other) = await table.player("Anna"), await table.player("Bert")
        match = await table.open(one, seats=4)
        assert (await say(table, match, other, peer=asked)).status == 200
        table.now_ms += 60_000
        await suspend(table, admin, bert, address=True)
        guests = [(await table.player(peer=peer))[1] for peer in (asked, near)]
        assert (await table.post("/players", content={}, peer=asked)).status == 429
        for guest, peer in zip(guests, (near, asked), strict=True):
            assert kind(await sit(table, match, guest, peer=peer)) == (403, "suspended")
        assert (await table.post("/matches", one, {"game": "duel", "seats": 2}, peer=asked)).status == 201
        assert (await table.post("/matches", one, {"game": "duel", "seats": 2}, peer=near)).status == 201
        assert (await table.post("/matches", one, {"game": "duel", "seats": 2}, peer=near)).status == 429
        assert (await table.post("/matches", one, {"game": "duel", "seats": 2}, peer=far)).status == 201
        assert (await sit(table, match, guests[0], peer=far)).status == 200


async def test_address_is_not_concerned_when_it_is_not_asked_for_or_not_known(table: Table) -> None:
    """The act says whether it is."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    assert (await suspend(table, admin, bert, address=True))["address"] is False
    match = await table.open(one, seats=4)
    assert kind(await say(table, match, other, peer=HERE)) == (403, "suspended")
    assert (await suspend(table, admin, bert))["address"] is False
    table.now_ms += 1000
    assert (await sit(table, match, (await table.player())[1], peer=HERE)).status == 200


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"kind": "suspend", "until_ms": NOW_MS + DAY_MS}, "/player"),
        ({"kind": "suspend", "player": "p" + 26 * "0"}, "/until_ms"),
        ({"kind": "silence", "player": "p" + 26 * "0", "until_ms": NOW_MS}, "/until_ms"),
        ({"kind": "silence", "player": "p" + 26 * "0", "until_ms": NOW_MS + 366 * DAY_MS}, "/until_ms"),
        ({"kind": "hide-line"}, "/line"),
        ({"kind": "close-report"}, "/report"),
        ({"kind": "suspend", "player": "p" + 26 * "0", "until_ms": NOW_MS + DAY_MS, "reason": "\u200b"}, "/reason"),
    ],
)
async def test_act_is_refused_when_something_is_missing_or_wrong(table: Table, wish: dict[str, Any], field: str) -> None:
    """The refusal names the field."""
    answer = await table.post("/moderation/acts", await table.operator(), {"reason": WHY, **wish})
    assert (*kind(answer), answer.json["field"]) == (422, "act-refused", field)


async def test_only_sanctions_are_lifted(table: Table) -> None:
    """A hidden line stays hidden; an unknown act, and an unknown player, are not found."""
    (_, one), admin = await table.player("Anna"), await table.operator()
    match = await table.open(one)
    await say(table, match, one)
    done = await act(table, admin, "hide-line", line={"match": match, "room": "table", "n": 1})
    assert kind(await lift(table, admin, done)) == (422, "act-refused")
    assert kind(await lift(table, admin, {"id": "d" + 26 * "0"})) == (404, "not-found")
    wish = {"kind": "suspend", "reason": WHY, "player": "p" + 26 * "0", "until_ms": NOW_MS + DAY_MS}
    assert kind(await table.post("/moderation/acts", admin, wish)) == (404, "not-found")


async def test_only_operators_moderate(table: Table) -> None:
    """Strangers, players, read-only tokens, seat tokens and applications are refused, whatever they ask for."""
    (anna, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    match = await table.begin(one, other)
    done = await suspend(table, admin, bert)
    key = (await table.application.accounts.issue(PlayerId(anna), "key", ["read", "play", "create", "embed"], None))[1]
    seat = (await table.post(f"/matches/{match}/seats/0/tokens", one)).json["text"]
    wish = {"kind": "suspend", "reason": WHY, "player": anna, "until_ms": NOW_MS + DAY_MS}
    for token, expected in ((None, (401, "unauthenticated")), *((each, (403, "scope-missing")) for each in (one, key, seat))):
        assert kind(await table.post("/moderation/acts", token, wish)) == expected
        assert kind(await table.get("/moderation/acts", token)) == expected
        assert kind(await table.ask("DELETE", f"{API}/moderation/acts/{done['id']}", token=token)) == expected
    assert kind(await table.get("/me/moderation-acts")) == (401, "unauthenticated")
    assert kind(await table.get("/me/moderation-acts", seat)) == (403, "scope-missing")
    assert (await table.get("/moderation/acts", admin)).json["items"] == [done]


async def test_sanction_is_one_when_its_request_is_repeated(table: Table) -> None:
    """With one key, also at the same time; the answers are the same."""
    (bert, _), admin = await table.player("Bert"), await table.operator()
    wish = {"kind": "suspend", "reason": WHY, "player": bert, "until_ms": NOW_MS + DAY_MS}
    answers = await asyncio.gather(*(table.post("/moderation/acts", admin, wish, key="once") for _ in range(4)))
    assert len({each.body for each in answers}) == 1
    assert (await table.get("/moderation/acts", admin)).json["items"] == [answers[0].json]


async def test_acts_are_listed_with_who_when_and_why(table: Table) -> None:
    """Newest first, page by page, all or those of one player; the player does not see who it was."""
    (anna, _), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    boss = PlayerId((await table.application.accounts.authenticate(admin)).player)
    made = []
    for player in (anna, bert, bert):
        table.now_ms += 1000
        made.append(await act(table, admin, "silence", player=player, until_ms=table.now_ms + DAY_MS))
    assert [(each["by"], each["at_ms"], each["reason"]) for each in made] == [
        (boss, NOW_MS + 1000 * number, WHY) for number in (1, 2, 3)
    ]
    first = (await table.get("/moderation/acts?limit=2", admin)).json
    rest = (await table.get(f"/moderation/acts?limit=2&after={first['cursor']}", admin)).json
    assert (first["items"] + rest["items"], rest["cursor"]) == (made[::-1], None)
    assert (await table.get(f"/moderation/acts?player={bert}", admin)).json["items"] == made[:0:-1]
    own = (await table.get("/me/moderation-acts", other)).json["items"]
    assert [each["id"] for each in own] == [each["id"] for each in made[:0:-1]]
    assert "by" not in own[0]


async def test_acts_go_with_their_player(table: Table) -> None:
    """The export has them; a deletion leaves of a sanction on an address only what lets it end."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    match = await table.open(one, seats=4)
    assert (await say(table, match, other, peer=HERE)).status == 200
    await act(table, admin, "hide-line", line={"match": match, "room": "stands", "n": 1})
    await act(table, admin, "silence", player=bert, until_ms=NOW_MS + DAY_MS)
    table.now_ms += 1000
    await suspend(table, admin, bert, address=True)
    held = (await table.get("/me/export", other)).json["features"]["moderation"]
    assert [each["kind"] for each in held["acts"]] == ["suspend", "silence", "hide-line"]
    assert (held["acts"][0]["reason"], held["address_known"]) == (WHY, True)
    assert (await table.ask("DELETE", f"{API}/me", token=other)).status == 204
    [left] = (await table.get("/moderation/acts", admin)).json["items"]
    assert (left["kind"], left["player"], left["reason"], left["address"]) == ("suspend", None, "", True)
    assert bert not in str(left)
    assert kind(await sit(table, match, (await table.player())[1], peer=HERE)) == (403, "suspended")
    store = STORE.of(table.application.stores)
    assert (await store.address_of(PlayerId(bert)), await store.concerning(PlayerId(bert))) == ("", [])


async def test_nothing_of_a_sanction_is_in_the_log_of_a_match(table: Table) -> None:
    """No reason, no act, no operator: the log has a player who leaves."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    match = await table.begin(one, other)
    done = await suspend(table, admin, bert)
    log = b"".join((await table.application.repository.load_latest(MatchId(match))).entries)
    assert [each for each in (WHY, done["id"], done["by"], "suspen", "moderat", "forget") if each.encode() in log] == []


async def test_deleted_player_is_in_no_act_although_another_one_changed_it_at_that_moment(table: Table) -> None:
    """A suspension of an address is lifted while its player is deleted: neither player nor reason stays."""
    (anna, token), admin = await table.player("Anna"), await table.operator()
    await say(table, await table.open(token), token, peer=HERE)
    done = await suspend(table, admin, anna, address=True)
    assert done["address"]
    store = STORE.of(table.application.stores)
    replace_now = store.replace

    async def come_second(before: Any, after: Any) -> bool:
        with patch.object(store, "replace", replace_now):
            await table.application.get(Acts).lift(None, done["id"])
        return await replace_now(before, after)

    with patch.object(store, "replace", come_second):
        await table.application.get(Acts).forget(PlayerId(anna))
    left = await store.find(done["id"])
    assert left is None
    assert await store.concerning(PlayerId(anna)) == []


async def test_deleted_player_is_in_no_act_although_it_was_settled_at_that_moment(table: Table) -> None:
    """What concerns its address stays, without player and reason."""
    (anna, token), admin = await table.player("Anna"), await table.operator()
    await say(table, await table.open(token), token, peer=HERE)
    done = await suspend(table, admin, anna, address=True)
    assert done["address"]
    store = STORE.of(table.application.stores)
    replace_now = store.replace

    async def come_second(before: Any, after: Any) -> bool:
        if not before.settled:
            assert await replace_now(before, msgspec.structs.replace(before, settled=True))
        return await replace_now(before, after)

    with patch.object(store, "replace", come_second):
        await table.application.get(Acts).forget(PlayerId(anna))
    left = await store.find(done["id"])
    assert left is not None
    assert (left.player, left.reason, left.address != "") == (None, "", True)


async def test_acts_are_deleted_a_year_after_their_end(table: Table) -> None:
    """A sanction counts from its end."""
    (anna, _), (bert, _), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    await act(table, admin, "silence", player=anna, until_ms=NOW_MS + DAY_MS)
    await act(table, admin, "silence", player=bert, until_ms=NOW_MS + 2 * DAY_MS)
    table.now_ms += KEPT_MS + DAY_MS
    await table.application.get(Acts).step()
    assert [each["player"] for each in (await table.get("/moderation/acts", admin)).json["items"]] == [bert]


async def test_sanctions_of_another_process_count_after_two_seconds(table: Table) -> None:
    """A process reads them again when what it knows is older, and at once after an act of its own."""
    (bert, other), admin = await table.player("Bert"), await table.operator()
    sanctions = table.application.get(Sanctions)
    assert (await table.post("/matches", other, {"game": "duel", "seats": 2})).status == 201
    async with opened(stores=table.application.stores) as elsewhere:
        elsewhere.now_ms = table.now_ms
        await suspend(elsewhere, admin, bert)
    assert sanctions._known is not None
    sanctions._known = sanctions._known._replace(since=sanctions._known.since - 2.1)
    assert kind(await table.post("/matches", other, {"game": "duel", "seats": 2})) == (403, "suspended")


async def test_logs_do_not_show_that_several_matches_were_left_at_once(table: Table) -> None:
    """Each command has a request of its own, as those of a player have."""
    (_, one), (bert, other), admin = await table.player("Anna"), await table.player("Bert"), await table.operator()
    matches = [await table.begin(one, other) for _ in range(3)]
    await suspend(table, admin, bert)
    codec = table.application.repository.codec
    lasts = [(await table.application.repository.load_latest(MatchId(match))).entries[-1] for match in matches]
    assert len({codec.decode(entry)[0].correlation_id for entry in lasts}) == 3
