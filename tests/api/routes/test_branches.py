"""What if: a practice match branches off a finished match over HTTP, for those who may see it."""

from __future__ import annotations

from typing import Any

import pytest

from tafelrunde.domain.match import MatchId
from tests.support.table import Table
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio

MINUTE_MS = 60_000


async def finished(table: Table, **wishes: Any) -> tuple[str, str, str]:
    """Return a finished match and the tokens of its players."""
    one, other = (await table.player())[1], (await table.player())[1]
    match = await table.begin(one, other, **wishes)
    await table.finish(match, one, other)
    return match, one, other


async def take_up(table: Table, match: str, token: str, decision: int = 2, seat: int = 1, **more: Any) -> Answer:
    """Ask for a branch of a match."""
    wish = {"decision": decision, "seat": seat, **{name: value for name, value in more.items() if name != "key"}}
    kept = {"key": more["key"]} if "key" in more else {}
    return await table.post(f"/matches/{match}/what-if", token, wish, **kept)


async def events(table: Table, match: str, token: str) -> list[Any]:
    """Return everything in a player's feed."""
    return [item["event"] for item in (await table.get(f"/matches/{match}/feed?limit=500", token)).json["items"]]


async def test_match_that_is_taken_up_is_a_match_of_its_own(table: Table) -> None:
    """It runs at once, is unlisted and not rated, has another secret, and its first events say where it comes from."""
    match, one, _ = await finished(table)
    answer = await take_up(table, match, one)
    assert answer.status == 201
    new = answer.json["match"]
    assert (answer.header("location") or "").endswith(f"/matches/{new}")
    facts = (await table.get(f"/matches/{new}", one)).json
    before = (await table.get(f"/matches/{match}", one)).json
    assert (facts["status"], facts["visibility"], facts["spectators"], facts["rated"]) == ("running", "unlisted", "off", False)
    assert (facts["branch"], before["branch"]) == ({"match": match, "decision": 2}, None)
    assert facts["commitment"] != before["commitment"]
    assert (facts["options"], facts["decision"]) == (before["options"], 2)
    told = await events(table, new, one)
    assert [event["type"] for event in told[:3]] == ["match.opened.1", "match.draws-keyed.1", "match.branched.1"]
    assert (told[2]["match"], told[2]["decision"]) == (match, 2)


async def test_asker_sits_where_it_wants_and_bots_elsewhere(table: Table) -> None:
    """With the cards that the seat had before the decision; the bots answer."""
    match, one, other = await finished(table)
    seen = (await table.get(f"/matches/{match}/feed?limit=500", other)).json["items"]
    [asked] = [item for item in seen if item["event"]["type"] == "match.decision-opened.1" and item["event"]["decision"] == 2]
    then = (await table.get(f"/matches/{match}/view?at={asked['cursor']}", other)).json
    new = (await take_up(table, match, one)).json["match"]
    view = await table.view(new, one)
    assert (view["seat"], [chair["bot"] for chair in view["chairs"]]) == (1, ["steady", None])
    assert view["table"] == then["table"]
    await table.application.process_manager.play_bots(MatchId(new))
    while (view := await table.view(new, one))["status"] == "running":
        assert (await table.play(new, one)).status == 200
        await table.application.process_manager.play_bots(MatchId(new))
    assert view["status"] == "over"


async def test_match_that_is_taken_up_can_be_verified(table: Table) -> None:
    """The first command of its record has the copied events; whether the other match had them, that one's record shows."""
    match, one, _ = await finished(table)
    new = (await take_up(table, match, one)).json["match"]
    await table.application.process_manager.play_bots(MatchId(new))
    while (await table.view(new, one))["status"] == "running":
        assert (await table.play(new, one)).status == 200
        await table.application.process_manager.play_bots(MatchId(new))
    found = (await table.get(f"/matches/{new}/verification", one)).json
    assert (found["right"], found["conclusion"], found["finding"]) == (False, "undecided", None)
    assert found["undecided"] == ["taken_up"]
    assert (found["taken_up"]["match"], found["taken_up"]["events"] > 0) == (match, True)


async def test_bot_is_the_one_that_was_asked_for(table: Table) -> None:
    """And a nonce of the caller is part of the dealing."""
    match, one, _ = await finished(table)
    new = (await take_up(table, match, one, seat=0, bot="random", nonce="mine")).json["match"]
    assert [chair["bot"] for chair in (await table.view(new, one))["chairs"]] == [None, "random"]
    assert [event["nonce"] for event in await events(table, new, one) if event["type"] == "match.seat-taken.1"] == ["mine"]


async def test_same_key_leads_to_the_same_match(table: Table) -> None:
    """With another wish it is refused."""
    match, one, _ = await finished(table)
    first, again = [await take_up(table, match, one, key="same") for _ in range(2)]
    assert (again.json, again.header("idempotency-replayed")) == (first.json, "true")
    other = await take_up(table, match, one, seat=0, key="same")
    assert (other.status, other.json["type"]) == (422, "urn:tafelrunde:problem:key-reused")


async def test_match_that_is_taken_up_can_be_taken_up_again(table: Table) -> None:
    """From any of its own decisions, and no other."""
    match, one, _ = await finished(table)
    new = (await take_up(table, match, one)).json["match"]
    assert (await table.post(f"/matches/{new}/abort", one)).status == 200
    assert (await take_up(table, new, one, decision=2)).status == 201
    refused = await take_up(table, new, one, decision=1)
    assert (refused.status, refused.json["code"]) == (409, "match.decision-unknown")


async def test_branch_refers_to_a_match_that_is_whole_by_itself(table: Table) -> None:
    """It is not a copy, and branches never form a chain: a branch of a branch refers to the first match."""
    match, one, _ = await finished(table)
    stores = table.application.stores
    newest = match
    lengths = list[int]()
    for _ in range(3):
        newest = (await take_up(table, newest, one)).json["match"]
        assert await stores.events.origin(MatchId(newest)) == match
        assert (await table.post(f"/matches/{newest}/abort", one)).status == 200
        lengths.append(len((await table.get(f"/matches/{newest}/feed?limit=500", one)).json["items"]))
    assert len(set(lengths)) == 1
    await table.application.finalizer.archive(MatchId(newest))
    assert await stores.events.origin(MatchId(newest)) is None
    assert await stores.archives.archive(MatchId(newest))
    last = (await take_up(table, newest, one)).json["match"]
    assert await stores.events.origin(MatchId(last)) == newest


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        pytest.param({"decision": 10_000}, "match.decision-unknown", id="decision"),
        pytest.param({"seat": 2}, "match.seat-unknown", id="seat"),
        pytest.param({"bot": "oracle"}, "match.bot-unknown", id="bot"),
    ],
)
async def test_what_the_match_does_not_have_is_refused(table: Table, wish: dict[str, Any], code: str) -> None:
    """A code says which of it."""
    match, one, _ = await finished(table)
    answer = await take_up(table, match, one, **wish)
    assert (answer.status, answer.json["type"], answer.json["code"]) == (409, "urn:tafelrunde:problem:refused", code)


async def test_running_match_cannot_be_taken_up(table: Table) -> None:
    """Not even for those who play it: they would see what is drawn next."""
    one, other = (await table.player())[1], (await table.player())[1]
    match = await table.begin(one, other)
    answer = await take_up(table, match, one, decision=1)
    assert (answer.status, answer.json["code"]) == (409, "match.not-over")


async def test_those_who_may_not_watch_may_not_take_up(table: Table) -> None:
    """A stranger learns that spectators are off, and a caller without a token may not."""
    match, _, _ = await finished(table)
    stranger = (await table.player())[1]
    answer = await take_up(table, match, stranger)
    assert (answer.status, answer.json["type"]) == (403, "urn:tafelrunde:problem:spectators-off")
    assert (await table.post(f"/matches/{match}/what-if", None, {"decision": 1, "seat": 0})).status == 401


async def test_delayed_spectator_may_take_up_once_it_knows_the_end(table: Table) -> None:
    """Before that it would reveal how the match continues."""
    match, _, _ = await finished(table, spectators="delayed")
    stranger = (await table.player())[1]
    assert (await take_up(table, match, stranger)).json["code"] == "match.not-over"
    table.now_ms += MINUTE_MS
    assert (await take_up(table, match, stranger)).status == 201


async def test_match_that_is_taken_up_concerns_its_asker_alone(table: Table) -> None:
    """No one else finds it, not even the players of the first match; it counts for no rating."""
    match, one, other = await finished(table)
    new = (await take_up(table, match, one)).json["match"]
    assert (await table.get(f"/matches/{new}", other)).status == 404
    await table.project(new)
    listed = (await table.get("/matches", other)).json["items"]
    assert new not in [each["match"] for each in listed]
