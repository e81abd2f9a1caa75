"""Matches over HTTP: opening, seats, start, end, lists."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tafelrunde.domain.match.terms import DRAWS
from tafelrunde.service.ports.events import SHARDS, Shard
from tests.support.table import API, NOW_MS, Table
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio
ALL_SHARDS = {Shard(number) for number in range(SHARDS)}
HOUR_MS = 3_600_000


async def test_match_is_opened_with_a_place_and_a_receipt(table: Table) -> None:
    """201, where the match is, and what the host may know of it."""
    player, token = await table.player("Anna")
    answer = await table.post("/matches", token, {"game": "duel", "seats": 3, "bots": [{"seat": 2, "bot": "steady"}]})
    match = answer.json["match"]
    assert (answer.status, answer.header("location")) == (201, f"/api/v1/matches/{match}")
    assert [item["event"]["type"] for item in answer.json["items"]] == [
        "match.opened.1",
        "match.draws-keyed.1",
        "match.seat-taken.1",
        "match.bot-seated.1",
    ]
    assert answer.json["items"][1]["event"]["version"] == DRAWS
    facts = (await table.get(f"/matches/{match}", token)).json
    assert [chair["name"] for chair in facts["chairs"]] == ["Anna", None, None]
    assert [chair["bot"] for chair in facts["chairs"]] == [None, None, "steady"]
    assert (facts["host"], facts["host_name"], facts["status"], facts["your_turn"]) == (player, "Anna", "open", False)
    assert facts["links"]["view"] == f"/api/v1/matches/{match}/view"


async def test_match_is_opened_once_when_the_answer_was_lost(table: Table) -> None:
    """The same key leads to the same match, byte for byte, and says that it did."""
    _, token = await table.player()
    first, again = [await table.post("/matches", token, {"game": "duel", "seats": 2}, key="k") for _ in range(2)]
    assert (again.status, again.body, again.header("location")) == (201, first.body, first.header("location"))
    assert (first.header("idempotency-replayed"), again.header("idempotency-replayed")) == (None, "true")


async def test_match_is_refused_when_the_key_was_for_another(table: Table) -> None:
    """A key stands for one request of its player; another player's same key is another key."""
    (_, one), (_, other) = await table.player(), await table.player()
    await table.post("/matches", one, {"game": "duel", "seats": 2}, key="k")
    answer = await table.post("/matches", one, {"game": "duel", "seats": 3}, key="k")
    assert (answer.status, answer.json["type"]) == (422, "urn:tafelrunde:problem:key-reused")
    assert (await table.post("/matches", other, {"game": "duel", "seats": 3}, key="k")).status == 201


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"game": "chess"}, "/game"),
        ({"seats": 9}, "/seats"),
        ({"options": {"cards": 9}}, "/options/cards"),
        ({"options": {"colour": "red"}}, "/options/colour"),
        ({"options": {"first_seat": 3}}, "/options/first_seat"),
        ({"options": {"cards": 2, "prizes": [1]}}, "/options/prizes"),
        ({"bots": [{"seat": 1, "bot": "random"}, {"seat": 1, "bot": "steady"}]}, "/bots"),
    ],
    ids=["game", "seats", "value", "unknown", "for-seats", "together", "bots"],
)
async def test_options_are_refused_by_the_name_of_the_first_wrong_one(table: Table, change: dict[str, Any], field: str) -> None:
    """422, and where it is."""
    _, token = await table.player()
    answer = await table.post("/matches", token, {"game": "duel", "seats": 2, **change})
    assert (answer.status, answer.json["type"], answer.json["field"]) == (422, "urn:tafelrunde:problem:invalid-options", field)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"colour": "red"}, "/colour"),
        ({"clock": {"turn_seconds": 0}}, "/clock/turn_seconds"),
        ({"clock": {"hours": 1}}, "/clock/hours"),
        ({"bots": [{"seat": 1}]}, "/bots/0/bot"),
        ({"seat": -1}, "/seat"),
        ({"seats": 1 << 70}, "/seats"),
        ({"options": {"cards": 1 << 40}}, "/options/..."),
        ({"nonce": "a\n"}, "/nonce"),
        ({"game": "duel\n"}, "/game"),
        ({"spectators": "all"}, "/spectators"),
    ],
    ids=["unknown", "range", "nested-unknown", "missing", "negative", "huge", "huge-option", "newline", "id-newline", "enum"],
)
async def test_wish_is_refused_by_the_place_that_breaks_the_schema(table: Table, change: dict[str, Any], field: str) -> None:
    """400, and a JSON pointer."""
    _, token = await table.player()
    answer = await table.post("/matches", token, {"game": "duel", "seats": 2, **change})
    assert (answer.status, answer.json["type"], answer.json["field"]) == (400, "urn:tafelrunde:problem:invalid-request", field)


async def test_nonce_in_the_opening_is_refused_unless_it_is_wished_for(table: Table) -> None:
    """422: the service knows such a nonce before it chooses its secret. One that comes later is taken."""
    _, token = await table.player()
    wish = {"game": "duel", "seats": 2, "nonce": "mine"}
    answer = await table.post("/matches", token, wish)
    assert (answer.status, answer.json["type"], answer.json["field"]) == (
        422,
        "urn:tafelrunde:problem:nonce-with-opening",
        "/nonce",
    )
    assert (await table.post("/matches", token, {**wish, "nonce_with_opening": True})).status == 201
    assert (await table.post("/matches", token, {**wish, "nonce": ""})).status == 201
    match = await table.open(token, seat=None)
    taken = (await table.post(f"/matches/{match}/seats", token, {"nonce": "mine"})).json["items"][0]["event"]
    assert (taken["type"], taken["nonce"]) == ("match.seat-taken.1", "mine")


async def test_seat_tells_that_a_program_plays(table: Table) -> None:
    """A program declares itself when it signs up; all viewers of a match see it, and people and bots have no such mark."""
    program = (await table.post("/players", content={"name": "Robot", "bot": True})).json["text"]
    _, person = await table.player()
    match = (await table.post("/matches", program, {"game": "duel", "seats": 3, "bots": [{"seat": 2, "bot": "steady"}]})).json[
        "match"
    ]
    await table.post(f"/matches/{match}/seats", person, {})
    assert [chair["program"] for chair in (await table.get(f"/matches/{match}")).json["chairs"]] == [True, False, False]


@pytest.mark.parametrize("hints", [False, True])
async def test_match_tells_whether_it_has_hints(table: Table, hints: bool) -> None:
    """In its facts, and in lists."""
    _, token = await table.player()
    match = (await table.post("/matches", token, {"game": "duel", "seats": 2, "hints": hints})).json["match"]
    assert (await table.get(f"/matches/{match}", token)).json["hints"] is hints


async def test_seats_are_taken_left_given_to_bots_and_cleared(table: Table) -> None:
    """The way of a table before the start."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.open(one)
    seats = f"/matches/{match}/seats"
    assert (await table.post(seats, other)).json["items"][0]["event"]["seat"] == 1
    assert (await table.ask("DELETE", f"/api/v1{seats}/me", token=other)).json["items"][0]["event"]["type"] == "match.seat-left.1"
    assert (await table.ask("PUT", f"/api/v1{seats}/1/bot", token=one, content={"bot": "steady"})).status == 200
    assert (await table.ask("DELETE", f"/api/v1{seats}/1", token=one)).status == 200
    assert (await table.post(seats, other, {"seat": 1, "nonce": "mine"})).json["items"][0]["event"]["nonce"] == "mine"
    assert (await table.post(f"/matches/{match}/start", one)).json["items"][0]["event"]["type"] == "match.started.1"


async def test_action_is_done_once_when_its_key_comes_again(table: Table) -> None:
    """Keys are optional here, and work the same."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.open(one)
    first, again = [await table.post(f"/matches/{match}/seats", other, key="sit") for _ in range(2)]
    assert (first.body, again.header("idempotency-replayed")) == (again.body, "true")


async def test_next_player_is_host_when_the_host_leaves(table: Table) -> None:
    """The facts name the new host, who may do what hosts may; the old one has no more to say."""
    (old, one), (heir, other) = await table.player(), await table.player("Ben")
    match = await table.open(one)
    await table.post(f"/matches/{match}/seats", other)
    assert (await table.get(f"/matches/{match}")).json["host"] == old
    left = await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=one)
    assert [item["event"]["type"] for item in left.json["items"]] == ["match.seat-left.1", "match.host-passed.1"]
    facts = (await table.get(f"/matches/{match}")).json
    assert (facts["host"], facts["host_name"]) == (heir, "Ben")
    await table.project(match)
    assert [each["host"] for each in (await table.get("/me/matches", other)).json["items"]] == [heir]
    for token, status in ((one, 409), (other, 200)):
        answer = await table.ask("PUT", f"/api/v1/matches/{match}/seats/0/bot", token=token, content={"bot": "steady"})
        assert answer.status == status
    assert (await table.post(f"/matches/{match}/start", other)).status == 200


async def test_turns_are_listed_by_the_time_that_is_left(table: Table) -> None:
    """Only matches in which the player has to act now, whatever their order of opening; a stranger has none."""
    (_, one), (_, other), (_, stranger) = await table.player(), await table.player(), await table.player()
    seconds = {}
    for turn in (300, 20, 86_400, 60):
        clock = {"turn_seconds": turn, "reaction_seconds": turn}
        match = await table.begin(one, other, clock=clock, options={"first_seat": 0})
        seconds[match] = turn
        await table.project(match)
    waiting = [match for match in sorted(seconds, key=seconds.__getitem__) if (await table.view(match, one))["question"]]
    found = (await table.get("/me/turns", one)).json
    assert [each["match"] for each in found["items"]] == waiting
    assert [each["deadline_ms"] for each in found["items"]] == [found["now_ms"] + 1000 * seconds[match] for match in waiting]
    assert len((await table.get("/me/turns?limit=1", one)).json["items"]) == 1
    assert (await table.get("/me/turns", stranger)).json["items"] == []
    await table.play(waiting[0], one)
    await table.project(waiting[0])
    assert [each["match"] for each in (await table.get("/me/turns", one)).json["items"]] == waiting[1:]


async def test_host_hands_the_table_on(table: Table) -> None:
    """To a player who sits there, before the start; a key that comes again changes nothing."""
    (_, one), (heir, other), (stranger, _) = await table.player(), await table.player("Ben"), await table.player()
    match = await table.open(one)
    await table.post(f"/matches/{match}/seats", other)
    ask = f"/api/v1/matches/{match}/host"
    refused = await table.ask("PUT", ask, token=one, content={"player": stranger})
    assert (refused.status, refused.json["code"]) == (409, "match.heir-not-seated")
    handed = [await table.ask("PUT", ask, token=one, content={"player": heir}, key="on") for _ in range(2)]
    assert [item["event"]["type"] for item in handed[0].json["items"]] == ["match.host-passed.1"]
    assert handed[0].body == handed[1].body
    assert (await table.get(f"/matches/{match}")).json["host_name"] == "Ben"
    assert (await table.post(f"/matches/{match}/start", one)).json["code"] == "match.not-host"
    assert (await table.post(f"/matches/{match}/start", other)).status == 200


async def test_former_host_sees_no_more_than_a_stranger(table: Table) -> None:
    """For a match that may not be watched; the same process had cached its host."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.open(one, spectators="off", visibility="unlisted")
    await table.post(f"/matches/{match}/seats", other)
    await table.get(f"/matches/{match}", one)
    await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=one)
    await table.ask("PUT", f"/api/v1/matches/{match}/seats/0/bot", token=other, content={"bot": "steady"})
    await table.post(f"/matches/{match}/start", other)
    assert (await table.get(f"/matches/{match}", one)).status == 404
    assert (await table.get(f"/matches/{match}", other)).status == 200


async def test_rematch_has_the_host_that_the_match_had_at_last(table: Table) -> None:
    """Not the one who opened the first match and left."""
    (_, one), (heir, other), (_, third) = await table.player(), await table.player(), await table.player()
    match = await table.open(one)
    await table.post(f"/matches/{match}/seats", other)
    await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=one)
    await table.post(f"/matches/{match}/seats", third)
    await table.post(f"/matches/{match}/start", other)
    await table.finish(match, other, third)
    again = await table.agree_rematch(match, other, third)
    assert (await table.get(f"/matches/{again}", other)).json["host"] == heir


async def test_match_ends_once_when_all_leave_at_one_moment(table: Table) -> None:
    """The first player to leave hands the match on, and the last one ends it; none of them gets an error."""
    tokens = [(await table.player())[1] for _ in range(3)]
    match = await table.open(tokens[0], seats=3)
    for token in tokens[1:]:
        await table.post(f"/matches/{match}/seats", token)
    leaving = [table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=token) for token in tokens]
    assert [answer.status for answer in await asyncio.gather(*leaving)] == [200] * 3
    assert (await table.get(f"/matches/{match}")).json["status"] == "aborted"


async def test_removed_player_cannot_sit_down_again(table: Table) -> None:
    """The host decides who plays; neither another token nor taking a name gets a removed player back in."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.open(one)
    await table.post(f"/matches/{match}/seats", other)
    cleared = await table.ask("DELETE", f"/api/v1/matches/{match}/seats/1", token=one)
    assert cleared.json["items"][0]["event"] == {"type": "match.seat-cleared.1", "seat": 1}
    another = (await table.post("/me/tokens", other, {})).json["text"]
    assert (await table.ask("PATCH", "/api/v1/me", token=other, content={"name": "Somebody Else"})).status == 200
    for token in (other, another):
        answer = await table.post(f"/matches/{match}/seats", token)
        assert (answer.status, answer.json["code"]) == (409, "match.cleared-by-host")


async def test_same_request_is_the_same_when_a_guest_takes_a_name_between(table: Table) -> None:
    """A retry of sitting down is answered as the first try was."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.open(one)
    first = await table.post(f"/matches/{match}/seats", other, key="sit")
    await table.ask("PATCH", "/api/v1/me", token=other, content={"name": "Berta"})
    again = await table.post(f"/matches/{match}/seats", other, key="sit")
    assert (again.status, again.body) == (200, first.body)


REFUSALS = [
    pytest.param("POST", "seats", None, 0, "already-seated", id="already-seated"),
    pytest.param("POST", "seats", {"seat": 0}, 1, "seat-taken", id="seat-taken"),
    pytest.param("POST", "seats", {"seat": 50}, 1, "seat-unknown", id="seat-unknown"),
    pytest.param("POST", "start", None, 0, "seats-empty", id="seats-empty"),
    pytest.param("POST", "start", None, 1, "not-host", id="not-host"),
    pytest.param("POST", "rematch", None, 0, "not-over", id="not-over"),
    pytest.param("DELETE", "seats/me", None, 1, "not-seated", id="not-seated"),
    pytest.param("DELETE", "seats/1", None, 0, "seat-empty", id="seat-empty"),
    pytest.param("PUT", "seats/1/bot", {"bot": "nobody"}, 0, "bot-unknown", id="bot-unknown"),
]


@pytest.mark.parametrize(("method", "path", "content", "who", "code"), REFUSALS)
async def test_match_refuses_with_a_code_and_a_text(
    table: Table, method: str, path: str, content: object, who: int, code: str
) -> None:
    """409, a stable code, and what it says to people in both languages."""
    tokens = [(await table.player())[1] for _ in range(2)]
    match = await table.open(tokens[0])
    answer = await table.ask(method, f"/api/v1/matches/{match}/{path}", token=tokens[who], content=content)
    assert (answer.status, answer.json["type"], answer.json["code"]) == (409, "urn:tafelrunde:problem:refused", f"match.{code}")
    assert answer.json["message"]["de"] != answer.json["message"]["en"]


async def test_running_match_is_aborted_by_agreement(table: Table) -> None:
    """One alone only proposes it."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    assert [item["event"]["type"] for item in (await table.post(f"/matches/{match}/abort", one)).json["items"]] == [
        "match.abort-agreed.1"
    ]
    assert (await table.post(f"/matches/{match}/abort", other)).json["items"][-1]["event"]["type"] == "match.aborted.1"


async def test_rematch_opens_when_all_have_agreed(table: Table) -> None:
    """The view of the old match names the new one, which names the old one and keeps their seats."""
    (first, one), (second, other) = await table.player("Anna"), await table.player("Bert")
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    successor = await table.agree_rematch(match, one, other)
    facts = (await table.get(f"/matches/{successor}")).json
    assert (facts["status"], facts["parent"]) == ("open", match)
    kept = [(chair["player"], chair["reserved"], chair["name"]) for chair in facts["chairs"]]
    assert kept == [(None, first, "Anna"), (None, second, "Bert")]


async def test_nonce_of_a_rematch_comes_after_its_commitment(table: Table) -> None:
    """The commitment is there before anyone sits down, and only the nonces with which they do count."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.open(one, seat=None)
    for token, nonce in ((one, "old-1"), (other, "old-2")):
        await table.post(f"/matches/{match}/seats", token, {"nonce": nonce})
    await table.post(f"/matches/{match}/start", one)
    await table.finish(match, one, other)
    successor = await table.agree_rematch(match, one, other)
    facts = (await table.get(f"/matches/{successor}", one)).json
    for token, nonce in ((one, "new-1"), (other, "new-2")):
        assert (await table.view(successor, token))["status"] == "open"
        assert (await table.post(f"/matches/{successor}/seats", token, {"nonce": nonce})).status == 200
    await table.finish(successor, one, other)
    head, *_, end, _ = (await table.get(f"/matches/{successor}/record", one)).json["lines"]
    assert (head["commitment"], end["nonces"]) == (facts["commitment"], ["new-1", "new-2"])
    assert (await table.get(f"/matches/{successor}/verification", one)).json["right"] is True


async def test_rematch_is_in_the_lists_of_those_for_whom_a_seat_is_reserved(table: Table) -> None:
    """They find it without its address, and before they have sat down."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    successor = await table.agree_rematch(match, one, other)
    await table.project(successor)
    for token in (one, other):
        assert successor in [each["match"] for each in (await table.get("/me/matches", token)).json["items"]]


async def test_reserved_seat_is_refused_to_others(table: Table) -> None:
    """Its player takes it without naming it, and with the last one the match runs."""
    (_, one), (_, other), (_, third) = await table.player(), await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    successor = await table.agree_rematch(match, one, other)
    codes = [(await table.post(f"/matches/{successor}/seats", third, wish)).json["code"] for wish in ({}, {"seat": 1})]
    assert codes == ["match.match-full", "match.seat-taken"]
    answers = await asyncio.gather(*(table.post(f"/matches/{successor}/seats", token) for token in (other, one)))
    assert [answer.status for answer in answers] == [200, 200]
    started = [item["event"]["type"] for answer in answers for item in answer.json["items"]].count("match.started.1")
    assert (started, (await table.view(successor, one))["status"]) == (1, "running")


async def test_player_sits_or_is_too_late_when_the_host_ends_the_reservation_meanwhile(table: Table) -> None:
    """One of the two is first; the other is refused, and nothing is lost."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    successor = await table.agree_rematch(match, one, other)
    await table.post(f"/matches/{successor}/seats", one)
    bot = {"bot": "steady"}
    seated, given = await asyncio.gather(
        table.post(f"/matches/{successor}/seats", other),
        table.ask("PUT", f"/api/v1/matches/{successor}/seats/1/bot", token=one, content=bot, key=table.key()),
    )
    chair = (await table.get(f"/matches/{successor}", one)).json["chairs"][1]
    assert sorted((seated.status, given.status)) == [200, 409]
    assert (chair["player"] is not None) == (seated.status == 200)
    assert (chair["bot"] is not None) == (given.status == 200)


async def test_lobby_is_read_page_by_page_without_gap_or_double(table: Table) -> None:
    """Newest first; the cursor stands behind the last one of a page."""
    _, token = await table.player()
    opened: list[str] = []
    for _ in range(7):
        table.now_ms += 1
        opened.append(await table.open(token))
        await table.project(opened[-1])
    pages = []
    cursor = ""
    while cursor is not None:
        page = (await table.get(f"/matches?limit=3{cursor}")).json
        pages += [facts["match"] for facts in page["items"]]
        cursor = f"&after={page['cursor']}" if page["cursor"] else None
    assert pages == opened[::-1]


async def test_lobby_is_filtered_by_game_and_status(table: Table) -> None:
    """Only what is asked for; what is not listed never."""
    (_, one), (_, other) = await table.player(), await table.player()
    running = await table.begin(one, other)
    duel = await table.open(one)
    coup = await table.open(one, game="coup")
    unlisted = await table.open(one, visibility="unlisted")
    for match in (running, duel, coup, unlisted):
        await table.project(match)

    async def found(query: str) -> set[str]:
        return {facts["match"] for facts in (await table.get(f"/matches?{query}")).json["items"]}

    assert await found("game=coup") == {coup}
    assert await found("status=open") == {duel, coup}
    assert await found("game=duel&status=running") == {running}


async def test_matches_to_watch_are_those_that_run_and_let_anyone_look(table: Table) -> None:
    """Not what is open, over or unlisted, nor what has no spectators; with a delay as soon as they know of it."""
    (_, one), (_, other) = await table.player(), await table.player()
    await table.open(one, spectators="public")
    over = await table.begin(one, other, spectators="public")
    await table.finish(over, one, other)
    wishes = ({"spectators": "off"}, {"spectators": "public", "visibility": "unlisted"}, {"spectators": "public"})
    *_, shown = [await table.begin(one, other, **wish) for wish in wishes]
    late = await table.begin(one, other, spectators="delayed")
    await table.application.projector.step(ALL_SHARDS)

    async def listed(query: str = "") -> list[str]:
        return [each["match"] for each in (await table.get(f"/matches?watchable=true{query}")).json["items"]]

    assert await listed() == await listed("&status=running&game=duel") == [shown]
    assert await listed("&status=open") == await listed("&game=coup") == []
    table.now_ms += HOUR_MS
    await table.application.projector.freshen(ALL_SHARDS)
    assert sorted(await listed()) == sorted([shown, late])
    assert (await table.get("/me/matches?watchable=true", one)).status == 400


async def test_own_matches_say_whose_turn_it_is(table: Table) -> None:
    """A list of one's own matches, also of those that are not listed."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, visibility="unlisted")
    await table.play(match, one)
    await table.project(match)
    mine, theirs = [(await table.get("/me/matches", token)).json["items"][0] for token in (one, other)]
    assert (mine["match"], theirs["your_turn"]) == (match, True)
    assert (await table.get("/me/matches")).status == 401


async def test_host_without_a_seat_finds_its_matches(table: Table) -> None:
    """An application that opens tables for others never has a turn, but has to find them again. Others see nothing of them."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.open(one, seat=None, visibility="unlisted")
    await table.project(match)
    [mine] = (await table.get("/me/matches", one)).json["items"]
    assert (mine["match"], mine["your_turn"]) == (match, None)
    assert (await table.get("/me/matches", other)).json["items"] == []


@pytest.mark.parametrize("query", ["after=AAAA", "after=" + "x" * 128, "after=MTIz"])
async def test_page_cursor_is_refused_when_it_is_none(table: Table, query: str) -> None:
    """A cursor of another listing gets a different problem than a malformed one."""
    assert (await table.get(f"/matches?{query}")).json["type"] == "urn:tafelrunde:problem:cursor-unknown"


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=x",
        "limit=1&limit=2",
        "status=",
        "status=null",
        "game=a%0A",
        "after=",
        "colour=red",
        "limit",
    ],
)
async def test_parameters_are_refused_when_they_break_the_schema(table: Table, query: str) -> None:
    """Out of range, malformed, doubled, null, unknown."""
    answer = await table.get(f"/matches?{query}")
    assert (answer.status, answer.json["field"]) == (400, query.partition("=")[0])


async def concerned(table: Table, match: str, token: str | None) -> list[Answer]:
    """Return all answers that a stranger gets to whatever it asks of a match."""
    paths = ["", "/view", "/feed", "/stream"]
    answers = [await table.get(f"/matches/{match}{path}", token) for path in paths]
    if token is not None:
        content = {"decision": 1, "command": {"type": "duel.bid", "tricks": 0}}
        answers.append(await table.post(f"/matches/{match}/commands", token, content))
        answers.append(await table.post(f"/matches/{match}/commands?dry_run=true", token, content))
        answers += [await table.post(f"/matches/{match}/{verb}", token) for verb in ("seats", "start", "rematch", "abort")]
        answers.append(await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=token))
        answers.append(await table.ask("DELETE", f"/api/v1/matches/{match}/seats/1", token=token))
        answers.append(await table.ask("PUT", f"/api/v1/matches/{match}/seats/1/bot", token=token, content={"bot": "steady"}))
    return answers


@pytest.mark.parametrize("signed_in", [False, True])
async def test_private_match_looks_like_none_to_strangers(table: Table, signed_in: bool) -> None:
    """Once it runs, an unlisted match without spectators is indistinguishable from one that does not exist."""
    (_, one), (_, other), (_, stranger) = [await table.player() for _ in range(3)]
    token = stranger if signed_in else None
    real = await table.begin(one, other, visibility="unlisted")
    assert await concerned(table, real, token) == await concerned(table, "m" + "a" * 24, token)


async def test_facts_have_a_tag_that_follows_names(table: Table) -> None:
    """Facts hold display names, which no cursor knows of: their tag is that of the bytes."""
    _, token = await table.player("Anna")
    match = await table.open(token)
    tag = (await table.get(f"/matches/{match}", token)).header("etag") or ""
    assert (await table.get(f"/matches/{match}", token, headers=[("If-None-Match", tag)])).status == 304
    await table.ask("PATCH", "/api/v1/me", token=token, content={"name": "Berta"})
    assert (await table.get(f"/matches/{match}", token, headers=[("If-None-Match", tag)])).status == 200


async def test_times_are_reported_in_milliseconds(table: Table) -> None:
    """The clock of the application."""
    _, token = await table.player()
    assert (await table.get(f"/matches/{await table.open(token)}", token)).json["opened_ms"] == NOW_MS


async def test_request_of_who_has_no_seat_is_answered_again_with_the_same_bytes_after_the_start(table: Table) -> None:
    """What happened before the start was public; a command that starts the match shows nothing to a host without a seat."""
    (_, host), (_, anna), (_, ben) = await table.player(), await table.player(), await table.player()
    wish = {"game": "duel", "seats": 2, "seat": None, "spectators": "off"}
    match = (await table.post("/matches", host, wish, key="open")).json["match"]

    async def asked() -> list[bytes]:
        again = [
            await table.post("/matches", host, wish, key="open"),
            await table.post(f"/matches/{match}/seats", anna, key="sit"),
            await table.ask("DELETE", f"{API}/matches/{match}/seats/me", token=anna, key="leave"),
        ]
        assert all(answer.status in {200, 201} and answer.json["items"] for answer in again)
        return [answer.body for answer in again]

    before = await asked()
    for token in (ben, (await table.player())[1]):
        assert (await table.post(f"/matches/{match}/seats", token)).status == 200
    for _ in range(2):
        started = (await table.post(f"/matches/{match}/start", host, key="start")).json
        assert (started["items"], started["cursor"]) == ([], "0-00000000")
    assert await asked() == before
