"""Views and commands over HTTP."""

from __future__ import annotations

import pytest

from tests.support.table import Table

pytestmark = pytest.mark.anyio


async def duel(table: Table, **wishes: object) -> tuple[str, str, str]:
    """Begin a match; return its id and both tokens."""
    (_, one), (_, other) = await table.player(), await table.player()
    return await table.begin(one, other, options={"first_seat": 0}, **wishes), one, other


async def test_match_is_played_to_its_end_by_taking_legal_commands(table: Table) -> None:
    """A client that knows no game finishes it."""
    match, one, other = await duel(table)
    await table.finish(match, one, other)
    view = await table.view(match, one)
    assert (view["status"], view["question"], view["waiting"]) == ("over", None, None)
    assert min(placing["rank"] for placing in view["placings"]) == 1


@pytest.mark.parametrize(
    ("key", "text"),
    [
        pytest.param("duel.prompt.play", {"de": "Platz 0 spielt zum 1. Stich.", "en": "Seat 0 plays to trick 1."}, id="another"),
        pytest.param("duel.prompt.play.you", {"de": "Spiele zum 1. Stich.", "en": "Play to trick 1."}, id="who-is-asked"),
    ],
)
async def test_view_says_who_must_do_what_in_both_languages(table: Table, key: str, text: dict[str, str]) -> None:
    """A key with arguments for clients, a sentence for people; a seat that is the only one asked is not given its own number."""
    match, one, other = await duel(table)
    await table.play(match, one)
    await table.play(match, other)
    prompt = (await table.view(match, one if key.endswith(".you") else other))["waiting"]["prompt"]
    assert prompt == {"key": key, "arguments": {"seat": 0, "trick": 1}, "text": text}


async def test_view_says_why_a_command_is_refused(table: Table) -> None:
    """Illegal commands that one might think of, each with code, arguments and text; giving one is refused alike."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, game="coup", options={"first_seat": 0})
    question = (await table.view(match, one))["question"]
    [refused] = question["refused"][:1]
    assert (refused["code"], refused["arguments"]) == ("coup.cannot-afford", {"needed": 7, "coins": 1})
    content = {"decision": question["decision"], "command": refused["command"]}
    answer = await table.post(f"/matches/{match}/commands", one, content)
    assert (answer.status, answer.json["type"], answer.json["code"]) == (409, "urn:tafelrunde:problem:refused", refused["code"])
    assert (answer.json["message"], answer.json["arguments"]) == (refused["message"], refused["arguments"])


async def test_argument_with_a_text_of_its_own_is_said_in_words(table: Table) -> None:
    """The sentence names a role in its language, the arguments have the role's key."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, game="coup", options={"first_seat": 0})
    await table.post(f"/matches/{match}/commands", one, {"decision": 1, "command": {"type": "coup.claim-tax"}})
    prompt = (await table.view(match, other))["waiting"]["prompt"]
    assert prompt["arguments"]["role"] == "duke"
    assert "Großherzog" in prompt["text"]["de"]
    assert "duke" in prompt["text"]["en"]


async def test_command_is_carried_out_once_when_the_answer_was_lost(table: Table) -> None:
    """The same key gives the same receipt, even after further moves."""
    match, one, other = await duel(table)
    first = await table.play(match, one, key="k")
    command = {"decision": 1, "command": (await table.view(match, other))["question"]["legal"][0]}
    await table.post(f"/matches/{match}/commands", other, command)
    again = await table.post(
        f"/matches/{match}/commands", one, {"decision": 1, "command": {"type": "duel.bid", "tricks": 0}}, key="k"
    )
    assert (again.status, again.body, again.header("idempotency-replayed")) == (200, first.body, "true")


async def test_command_is_refused_when_its_key_was_for_another(table: Table) -> None:
    """A key stands for one command."""
    match, one, _ = await duel(table)
    await table.play(match, one, 0, key="k")
    answer = await table.play(match, one, 1, key="k")
    assert (answer.status, answer.json["type"]) == (422, "urn:tafelrunde:problem:key-reused")


async def test_command_is_refused_when_its_decision_is_closed(table: Table) -> None:
    """The problem names the decision that is open now."""
    match, one, other = await duel(table)
    await table.play(match, one)
    await table.play(match, other)
    answer = await table.post(f"/matches/{match}/commands", one, {"decision": 1, "command": {"type": "duel.bid", "tricks": 0}})
    assert (answer.status, answer.json["type"], answer.json["current"]) == (409, "urn:tafelrunde:problem:decision-closed", 2)


async def test_command_of_another_game_is_refused_by_the_match(table: Table) -> None:
    """Well-formed, but not of this game."""
    match, one, _ = await duel(table)
    answer = await table.post(f"/matches/{match}/commands", one, {"decision": 1, "command": {"type": "coup.take-income"}})
    assert (answer.status, answer.json["code"]) == (409, "match.other-game")


async def test_dry_run_tells_a_refusal_and_nothing_else(table: Table) -> None:
    """204 for a legal command, without a word of what would follow; the table stays as it is."""
    match, one, _ = await duel(table)
    before = await table.view(match, one)
    path = f"/matches/{match}/commands?dry_run=true"
    legal = await table.post(path, one, {"decision": 1, "command": before["question"]["legal"][0]})
    illegal = await table.post(path, one, {"decision": 1, "command": {"type": "duel.bid", "tricks": 4}})
    assert (legal.status, legal.body) == (204, b"")
    assert (illegal.status, illegal.json["code"]) == (409, "duel.no-such-bid")
    assert await table.view(match, one) == before


@pytest.mark.parametrize(
    ("content", "field"),
    [
        ({"decision": 1}, "/command"),
        ({"decision": "1", "command": {"type": "duel.bid", "tricks": 0}}, "/decision"),
        ({"decision": 1, "command": {"type": "duel.nothing"}}, "/command/type"),
        ({"decision": 1, "command": {"tricks": 0}}, "/command/type"),
        ({"decision": 1, "command": {"type": "duel.bid"}}, "/command/tricks"),
        ({"decision": 1, "command": {"type": "duel.bid", "tricks": "0"}}, "/command/tricks"),
        ({"decision": 1, "command": {"type": "duel.bid", "tricks": 0, "seat": 1}}, "/command/seat"),
        ({"decision": 1, "command": {"type": "duel.bid", "tricks": 0}, "seat": 1}, "/seat"),
        ({"decision": 1, "command": 7}, "/command"),
        ({"decision": 1.5, "command": {"type": "duel.bid", "tricks": 0}}, "/decision"),
    ],
    ids=["missing", "text", "unknown", "untagged", "lacking", "type", "too-much", "beside", "number", "fraction"],
)
async def test_command_is_refused_by_the_place_that_breaks_the_schema(table: Table, content: object, field: str) -> None:
    """400 and a JSON pointer; no command can name another seat."""
    match, one, _ = await duel(table)
    answer = await table.post(f"/matches/{match}/commands", one, content)
    assert (answer.status, answer.json["type"], answer.json["field"]) == (400, "urn:tafelrunde:problem:invalid-request", field)


async def test_whole_number_is_read_in_any_spelling(table: Table) -> None:
    """1.0 is an integer in JSON Schema, so it is one here, also inside a command."""
    match, one, _ = await duel(table)
    raw = b'{"decision": 1.0, "command": {"type": "duel.bid", "tricks": 1.0}}'
    answer = await table.post(f"/matches/{match}/commands", one, raw=raw, headers=[("Content-Type", "application/json")])
    assert answer.json["items"][0]["event"]["tricks"] == 1


async def test_view_is_tagged_with_the_cursor_of_one_s_own_feed(table: Table) -> None:
    """Another seat's hidden answer does not change it; the caller's own does."""
    match, one, other = await duel(table)
    first = await table.get(f"/matches/{match}/view", one)
    tag = first.header("etag") or ""
    assert tag.startswith(f'"{first.json["cursor"]}-')
    await table.play(match, other)
    again = await table.get(f"/matches/{match}/view", one, headers=[("If-None-Match", tag)])
    assert (again.status, again.body) == (304, b"")
    await table.play(match, one)
    assert (await table.get(f"/matches/{match}/view", one, headers=[("If-None-Match", tag)])).status == 200


async def test_view_of_another_is_new_when_nothing_hidden_has_happened(table: Table) -> None:
    """A browser that asks for another player sends the tag that it has: all know the same, and each view has its own seat."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.open(one, spectators="public")
    assert (await table.post(f"/matches/{match}/seats", other)).status == 200
    views = [await table.get(f"/matches/{match}/view", token) for token in (one, other, None)]
    assert len({view.json["cursor"] for view in views}) == 1
    tag = views[0].header("etag") or ""
    for token, view in zip((other, None), views[1:], strict=True):
        again = await table.get(f"/matches/{match}/view", token, headers=[("If-None-Match", tag)])
        assert (again.status, again.json) == (200, view.json)


async def test_view_can_be_had_of_every_earlier_point(table: Table) -> None:
    """Each cursor that a receipt gave leads to the view of that time."""
    match, one, other = await duel(table)
    seen = [await table.view(match, one)]
    while seen[-1]["status"] == "running":
        for token in (one, other):
            if (await table.view(match, token))["question"] is not None:
                await table.play(match, token)
                seen.append(await table.view(match, one))
    for view in seen:
        assert (await table.get(f"/matches/{match}/view?at={view['cursor']}", one)).json == view


@pytest.mark.parametrize("at", ["1-00000000", "99-deadbeef"])
async def test_view_is_refused_at_a_cursor_that_is_not_of_the_feed(table: Table, at: str) -> None:
    """A cursor of another history is refused, never guessed at."""
    match, one, _ = await duel(table)
    answer = await table.get(f"/matches/{match}/view?at={at}", one)
    assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:cursor-unknown")


@pytest.mark.parametrize("at", ["1", "x-00000000", "1-0000000", "01-00000000", "1-00000000%0A", "-1-00000000"])
async def test_view_is_refused_at_what_is_no_cursor(table: Table, at: str) -> None:
    """Malformed is 400."""
    match, one, _ = await duel(table)
    answer = await table.get(f"/matches/{match}/view?at={at}", one)
    assert (answer.status, answer.json["field"]) == (400, "at")


async def test_spectators_see_no_hand_where_they_may_watch(table: Table) -> None:
    """Without a token, and as a player without a seat."""
    match, _, _ = await duel(table, spectators="public")
    _, stranger = await table.player()
    anonymous = await table.view(match)
    known = await table.view(match, stranger)
    assert anonymous == known
    assert (anonymous["seat"], anonymous["question"], anonymous["table"]["hand"]) == (None, None, None)


async def test_spectators_are_refused_where_they_may_not_watch(table: Table) -> None:
    """A listed match says that it has no spectators; its facts stay public."""
    match, _, _ = await duel(table)
    for path in ("view", "feed", "stream"):
        answer = await table.get(f"/matches/{match}/{path}")
        assert (answer.status, answer.json["type"]) == (403, "urn:tafelrunde:problem:spectators-off")
    assert (await table.get(f"/matches/{match}")).status == 200


async def test_own_looks_may_not_be_kept_by_others(table: Table) -> None:
    """What depends on who asks says so to every cache on its way."""
    match, one, _ = await duel(table)
    for path in ("", "/view", "/feed"):
        answer = await table.get(f"/matches/{match}{path}", one)
        assert (answer.header("cache-control"), answer.header("vary")) == ("private, no-cache", "Authorization")
    assert (await table.play(match, one)).header("cache-control") == "no-store"


@pytest.mark.parametrize("whose", ["0", "1", "public"])
async def test_other_views_are_refused_before_the_end(whose: str, table: Table) -> None:
    """To the players and to those who watch, also one's own seat's: there is one rule."""
    match, one, _ = await duel(table, spectators="public")
    for token in (one, None):
        answer = await table.get(f"/matches/{match}/view?perspective={whose}", token)
        assert (answer.status, answer.json["type"]) == (409, "urn:tafelrunde:problem:not-over")


async def test_every_seat_s_view_is_open_after_the_end(table: Table) -> None:
    """At a point of the caller's own feed, each seat's view is what that seat saw then, and the public's too."""
    match, one, other = await duel(table, spectators="public")
    at = (await table.get(f"/matches/{match}/feed", one)).json["cursor"]
    then = {"0": await table.view(match, one), "1": await table.view(match, other), "public": await table.view(match)}
    await table.finish(match, one, other)
    for whose, seen in then.items():
        answer = await table.get(f"/matches/{match}/view?at={at}&perspective={whose}", one)
        assert (answer.json["seat"], answer.json["table"]) == (seen["seat"], seen["table"])
    tags = {(await table.get(f"/matches/{match}/view?perspective={whose}", one)).header("etag") for whose in then}
    assert len(tags) == len(then)


@pytest.mark.parametrize(("whose", "status"), [("2", 404), ("99", 404), ("-1", 400), ("01", 400), ("me", 400)])
async def test_view_of_a_seat_that_is_not_there_is_refused(whose: str, status: int, table: Table) -> None:
    """Unknown is 404, malformed is 400."""
    match, one, other = await duel(table)
    await table.finish(match, one, other)
    assert (await table.get(f"/matches/{match}/view?perspective={whose}", one)).status == status


async def test_views_of_others_stay_closed_where_no_one_may_watch(table: Table) -> None:
    """Spectators are off: the end opens the match to its players alone."""
    match, one, other = await duel(table)
    await table.finish(match, one, other)
    answer = await table.get(f"/matches/{match}/view?perspective=0")
    assert (answer.status, answer.json["type"]) == (403, "urn:tafelrunde:problem:spectators-off")


async def test_same_answer_again_writes_nothing(table: Table) -> None:
    """The view shows the current answer; repeating it, with any key, is accepted without an event; another answer is an event."""
    match, one, other = await duel(table)
    question = (await table.view(match, one))["question"]
    assert question["answered"] is None
    content = {"decision": question["decision"], "command": {"type": "duel.bid", "tricks": 1}}
    path = f"/matches/{match}/commands"
    cursor = (await table.post(path, one, content, key="first")).json["cursor"]
    seen = (await table.view(match, one))["question"]
    assert (seen["answered"], seen["decision"]) == (content["command"], content["decision"])
    assert content["command"] not in [each["command"] for each in seen["refused"]]
    assert (await table.view(match, other))["question"]["answered"] is None
    for key in ("again", "again", "first", "other"):
        answer = await table.post(path, one, content, key=key)
        assert (answer.status, answer.json["cursor"]) == (200, cursor)
    assert (await table.post(f"{path}?dry_run=true", one, content)).status == 204
    changed = await table.post(path, one, content | {"command": {"type": "duel.bid", "tricks": 0}}, key="real")
    assert changed.json["cursor"] != cursor
    assert (await table.post(path, one, content, key="first")).json["cursor"] == cursor  # what it wrote once
    zero = content | {"command": {"type": "duel.bid", "tricks": 0}}
    assert (await table.post(path, one, zero, key="first")).json["type"] == "urn:tafelrunde:problem:key-reused"
    assert (await table.view(match, one))["question"]["answered"] == {"type": "duel.bid", "tricks": 0}
