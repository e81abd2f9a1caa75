"""The deal of the day over HTTP: the same for all, one try, and nothing of it revealed before the day is over."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from typing import Any

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.days import DAY_MS
from tafelrunde.service.features.daily.deals import DailyDeals
from tafelrunde.service.features.transparency.log import TransparencyLog
from tests.support.table import NOW_MS, Table

pytestmark = pytest.mark.anyio

TODAY, TOMORROW, YESTERDAY = "2023-11-14", "2023-11-15", "2023-11-13"
ENDS_MS = NOW_MS - NOW_MS % DAY_MS + DAY_MS
MOST, SECOND_MS = 600, 1_000


async def deal(table: Table, token: str, game: str = "duel") -> str:
    """Open the deal of the day; return the match."""
    answer = await table.post(f"/daily/{game}", token)
    assert answer.status == 201
    return answer.json["match"]


async def played(table: Table, token: str, game: str = "duel") -> tuple[str, list[Any]]:
    """Play the deal of the day to its end by the first legal command each time; return it, and what the player saw happen."""
    match = await deal(table, token, game)
    for _ in range(MOST):
        await table.play_bots(match)
        if (view := await table.view(match, token))["status"] != "running":
            break
        table.now_ms += SECOND_MS  # for bots that think until it is time
        if view["question"] is None:
            continue
        assert (await table.play(match, token)).status == 200
    seen = list[Any]()
    after = "0-00000000"
    while (page := (await table.get(f"/matches/{match}/feed?limit=500&after={after}", token)).json)["items"]:
        seen += [item["event"] for item in page["items"]]
        after = page["cursor"]
    assert seen[-1]["type"] == "match.ended.1"
    return match, [event for event in seen if not event["type"].startswith("match.")]


async def test_commitments_are_there_a_day_before_and_secrets_a_day_after(table: Table) -> None:
    """The commitment of tomorrow stays that of today; the secret comes when the day is over, and fits."""
    before = (await table.get("/daily/coup")).json
    assert (before["today"]["day"], before["tomorrow"]["day"], before["yesterday"]) == (TODAY, TOMORROW, None)
    assert before["today"]["secret"] is before["tomorrow"]["secret"] is None
    assert (before["starts_ms"], before["ends_ms"], before["yours"]) == (ENDS_MS - DAY_MS, ENDS_MS, None)
    table.now_ms = ENDS_MS - 1
    assert (await table.get("/daily/mondkrone")).json["today"] == before["today"]
    table.now_ms = ENDS_MS
    after = (await table.get("/daily/coup")).json
    assert after["today"] == before["tomorrow"]
    assert after["yesterday"]["commitment"] == before["today"]["commitment"]
    text = f"tafelrunde/day-commitment/1|{TODAY}|{after['yesterday']['secret']}"
    assert hashlib.sha256(text.encode()).hexdigest() == before["today"]["commitment"]


async def test_duty_makes_tomorrows_secret_although_no_one_asks(table: Table) -> None:
    """So its commitment is older than the day."""
    assert 0 < await table.application.get(DailyDeals).step() <= 3_600
    table.now_ms = ENDS_MS + DAY_MS
    assert (await table.get("/daily/coup")).json["yesterday"]["day"] == TOMORROW


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_all_get_the_same_deal_and_another_one_on_another_day(table: Table, game: str) -> None:
    """Of two players and a named one, with their own ids and matches; seats and bots are those that the sheet says."""
    hands: list[Any] = []
    for name in (None, None, "Anna", None):
        if len(hands) == 3:
            table.now_ms += DAY_MS
        token = (await table.player(name))[1]
        sheet = (await table.get(f"/daily/{game}", token)).json
        match = await deal(table, token, game)
        facts = (await table.get(f"/matches/{match}", token)).json
        assert (facts["daily"], facts["rated"], facts["hints"]) == (sheet["today"]["day"], False, False)
        assert (facts["visibility"], facts["spectators"], facts["seats"]) == ("unlisted", "delayed", sheet["seats"])
        assert [chair["bot"] for chair in facts["chairs"]] == [None, *[sheet["bot"]] * (sheet["seats"] - 1)]
        hands.append((await table.view(match, token))["table"])
    assert hands[0] == hands[1] == hands[2]
    assert hands[2] != hands[3]


@pytest.mark.parametrize(("game", "days", "bot"), [("matchmaster", 0, "honest"), ("coup", 2, "search-small")])
async def test_who_plays_alike_meets_the_same(table: Table, game: str, days: int, bot: str) -> None:
    """Cards, bots and the result are equal, event for event, whether the bots search or not."""
    table.now_ms += days * DAY_MS
    assert (await table.get(f"/daily/{game}")).json["bot"] == bot
    one, other = (await table.player())[1], (await table.player())[1]
    first, seen = await played(table, one, game)
    second, again = await played(table, other, game)
    assert first != second
    assert seen == again
    rows = (await table.get(f"/daily/{game}/ranking")).json["items"]
    assert [row["place"] for row in rows] == [1, 1]


async def test_player_has_one_try(table: Table) -> None:
    """Asked again, or twice at once, it is the same match, also when it is over; the next day has another one."""
    token = (await table.player())[1]
    answers = await asyncio.gather(*(table.post("/daily/duel", token) for _ in range(4)))
    assert {answer.status for answer in answers} == {201}
    (match,) = {answer.json["match"] for answer in answers}
    assert sorted(answer.header("idempotency-replayed") == "true" for answer in answers) == [False, True, True, True]
    await played(table, token)
    assert await deal(table, token) == match
    table.now_ms += DAY_MS
    assert await deal(table, token) != match


async def test_doors_stay_closed_until_the_day_is_over(table: Table) -> None:
    """For the player: no record, verdict, coaching, other seat, practice, or secret. For others: nothing at all."""
    token, other = (await table.player())[1], (await table.player())[1]
    match, _ = await played(table, token, "coup")
    path = f"/matches/{match}"
    doors = [
        f"{path}/record",
        f"{path}/verification",
        f"{path}/coaching",
        f"{path}/view?perspective=1",
        f"{path}/view?perspective=public",
        f"{path}/views?perspective=1",
    ]
    table.now_ms = ENDS_MS - 1
    for door in doors:
        assert ((answer := await table.get(door, token)).status, answer.json["type"]) == (
            409,
            "urn:tafelrunde:problem:not-over",
        ), door
        assert (await table.get(door, other)).status == 404, door
    practice = {"decision": 1, "seat": 0}
    assert (await table.post(f"{path}/what-if", token, practice)).status == 409
    assert (await table.post(f"{path}/coaching", token, key=None)).status == 409
    assert (await table.get("/me/records", token)).body.count(b'"line":"entry"') == 0
    own = (await table.get(f"{path}/proofs", token)).json
    assert own["secret"] is None
    assert sum(len(each["cards"]) for each in own["items"]) < sum(each["size"] for each in own["items"])
    for door in ("", "/view", "/feed", "/proofs", "/stream"):
        assert (await table.get(f"{path}{door}", other)).status == 404, door
    (row,) = (await table.get("/daily/coup/ranking")).json["items"]
    assert row["match"] is None
    table.now_ms = ENDS_MS + 60_000
    for door in doors:
        if "coaching" not in door:
            assert (await table.get(door, token)).status == (await table.get(door, other)).status == 200, door
    assert (await table.post(f"{path}/what-if", other, practice)).status == 201
    (row,) = (await table.get(f"/daily/coup/ranking?day={TODAY}")).json["items"]
    assert row["match"] == match
    open_now = (await table.get(f"{path}/proofs", other)).json["items"]
    assert all(len(each["cards"]) == each["size"] for each in open_now)


async def test_secret_is_nowhere_on_its_day(table: Table) -> None:
    """Neither that of the day nor that of the deal is in any answer about the match, and both fit when they come."""
    token = (await table.player())[1]
    match, _ = await played(table, token)
    path = f"/matches/{match}"
    seen = [(await table.get(door, token)).body for door in (path, f"{path}/feed?limit=500", f"{path}/proofs", "/daily/duel")]
    table.now_ms = ENDS_MS + 60_000
    day = (await table.get("/daily/duel", token)).json["yesterday"]["secret"]
    secret = hmac.digest(bytes.fromhex(day), f"tafelrunde/day/1|duel|{TODAY}".encode(), "sha256").hex()
    assert (await table.get(f"{path}/proofs", token)).json["secret"] == secret
    assert not any(secret.encode() in body or day.encode() in body for body in seen)
    verdict = (await table.get(f"{path}/verification", token)).json
    assert (verdict["conclusion"], verdict["finding"], verdict["undecided"]) == ("undecided", None, ["day_leaf"])


async def test_match_ends_with_its_day_and_does_not_count_then(table: Table) -> None:
    """What runs is closed when the secret comes out."""
    token = (await table.player())[1]
    match = await deal(table, token)
    await table.play_bots(match)
    table.now_ms = ENDS_MS
    await table.application.process_manager.time_out(MatchId(match))
    assert (await table.view(match, token))["status"] == "aborted"
    newest = [each["event"] for each in (await table.get(f"/matches/{match}/feed?limit=500", token)).json["items"]][-2:]
    assert [(each["type"], each["reason"]) for each in newest] == [("match.expired.1", "day-over"), ("match.aborted.1", "host")]
    assert (await table.get(f"/daily/duel/ranking?day={TODAY}")).json["items"] == []


@pytest.mark.parametrize("shown_by", ["request", "duty"])
async def test_match_that_ends_after_its_day_was_over_once_is_not_ranked(table: Table, shown_by: str) -> None:
    """Not even if the clock is set back: by then the cards may be known. A match that had ended before counts, noted or not."""
    table.application.handler._note_over.clear()
    early, late, later = [(await table.player())[1] for _ in range(3)]
    before, _ = await played(table, early)
    running = await deal(table, late)
    evening_ms = table.now_ms
    table.now_ms = ENDS_MS
    if shown_by == "request":
        assert (await table.get("/daily/duel")).json["yesterday"]["secret"] is not None
    else:
        await table.application.get(DailyDeals).step()
    table.now_ms = evening_ms
    assert [(await played(table, token))[0] == running for token in (late, later)] == [True, False]
    table.now_ms += 60_000
    await table.application.finalizer.step()
    assert (await table.get("/daily/duel/ranking")).json["ranked"] == 1
    own = [(await table.get("/daily/duel", token)).json["yours"] for token in (early, late, later)]
    assert [(each["status"], each["place"]) for each in own] == [("over", 1), ("over", None), ("over", None)]
    assert own[0]["match"] == before


async def test_who_lets_a_bot_play_is_not_ranked(table: Table) -> None:
    """Also when the player comes back for the end."""
    token = (await table.player())[1]
    match = await deal(table, token)
    assert (await table.ask("DELETE", f"/api/v1/matches/{match}/seats/me", token=token, key="k")).status == 200
    await table.post(f"/matches/{match}/seats", token)
    await played(table, token)
    assert (await table.get("/daily/duel/ranking")).json["items"] == []


async def test_today_says_what_all_games_offer_and_how_often_the_player_came_back(table: Table) -> None:
    """A day counts if a deal was finished; today is no gap before it is over, and a day that was missed ends it."""
    _, token = await table.player()

    async def streak() -> int:
        return (await table.get("/daily", token)).json["streak"]

    found = (await table.get("/daily")).json
    assert (found["day"], found["ends_ms"], found["streak"]) == (TODAY, ENDS_MS, 0)
    assert {each["game"] for each in found["items"]} >= {"coup", "duel"}
    assert {each["yours"] for each in found["items"]} == {each["solved"] for each in found["items"]} == {None}
    match, _ = await played(table, token)
    (own,) = (each for each in (await table.get("/daily", token)).json["items"] if each["game"] == "duel")
    sheet = (await table.get("/daily/duel", token)).json
    assert own == {"solved": None, **{name: sheet[name] for name in ("game", "seats", "bot", "ranked", "yours", "puzzle")}}
    assert (own["yours"]["match"], await streak()) == (match, 1)
    table.now_ms += DAY_MS
    assert await streak() == 1
    await played(table, token)
    assert await streak() == 2
    table.now_ms += 2 * DAY_MS
    assert await streak() == 0


async def test_ranking_says_who_did_how_well(table: Table) -> None:
    """With the name, without what is not public, in pages; it is on no leaderboard, and deleted players are not in it."""
    tokens = [(await table.player(name))[1] for name in ("Anna", "Bert", None)]
    for token in tokens:
        await played(table, token)
    ranking = (await table.get("/daily/duel/ranking")).json
    assert (ranking["day"], ranking["over"], ranking["ranked"], ranking["cursor"]) == (TODAY, False, 3, None)
    assert sorted(row["name"] or "" for row in ranking["items"] if not row["guest"]) == ["Anna", "Bert"]
    assert [row["place"] for row in ranking["items"]] == [1, 1, 1]
    page = (await table.get("/daily/duel/ranking?limit=2")).json
    rest = (await table.get(f"/daily/duel/ranking?limit=2&after={page['cursor']}")).json
    assert [*page["items"], *rest["items"]] == ranking["items"]
    sheet = (await table.get("/daily/duel", tokens[0])).json
    assert (sheet["ranked"], sheet["yours"]["place"], sheet["yours"]["status"]) == (3, 1, "over")
    assert (await table.get("/leaderboards/duel")).json["items"] == []
    assert (await table.ask("DELETE", "/api/v1/me", token=tokens[0])).status == 204
    assert [row["name"] for row in (await table.get("/daily/duel/ranking")).json["items"] if not row["guest"]] == ["Bert"]
    assert (await table.get("/daily/duel/ranking")).json["ranked"] == 2


async def test_result_that_was_lost_with_a_process_is_noted_again(table: Table) -> None:
    """By the step that follows the end of every match; and not for a player who is gone meanwhile."""
    tokens = [(await table.player())[1] for _ in range(2)]
    table.application.handler._note_over.clear()
    matches = [(await played(table, token))[0] for token in tokens]
    assert (await table.get("/daily/duel/ranking")).json["items"] == []
    assert (await table.ask("DELETE", "/api/v1/me", token=tokens[0])).status == 204
    table.now_ms += 60_000
    await table.application.finalizer.step()
    assert (await table.get("/daily/duel/ranking")).json["ranked"] == 1
    leaves = await table.application.get(TransparencyLog).leaves(0, 100)
    assert not {leaf.match for leaf in leaves if leaf.outcome is not None} & set(matches)
    table.now_ms = ENDS_MS + 60_000
    await table.application.finalizer.step()
    leaves = await table.application.get(TransparencyLog).leaves(0, 100)
    assert {leaf.match for leaf in leaves if leaf.outcome is not None} == set(matches)
    assert (await table.get(f"/daily/duel/ranking?day={TODAY}")).json["ranked"] == 1


@pytest.mark.parametrize("day", [TOMORROW, "2023-10-14", "2023-02-30"])
async def test_days_without_a_ranking_are_not_found(table: Table, day: str) -> None:
    """Those to come, those too long ago, those that there are not."""
    assert (await table.get(f"/daily/duel/ranking?day={day}")).status == 404


async def test_unknown_game_has_no_deal(table: Table) -> None:
    """Neither to look at nor to play."""
    token = (await table.player())[1]
    assert (await table.get("/daily/chess")).status == (await table.post("/daily/chess", token)).status == 404
    assert (await table.get("/daily/chess/ranking")).status == 404
