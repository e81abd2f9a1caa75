"""Players and tokens over HTTP."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from tests.support.table import NOW_MS, Table

pytestmark = pytest.mark.anyio


async def test_guest_is_made_in_one_call_without_a_body(table: Table) -> None:
    """Playing needs no data: the answer has a token, and may not be cached."""
    answer = await table.ask("POST", "/api/v1/players")
    assert answer.status == 201
    assert answer.header("location") == f"/api/v1/players/{answer.json['player']['id']}"
    assert answer.header("cache-control") == "no-store"
    assert answer.json["player"]["guest"] is True
    assert (await table.get("/me", answer.json["text"])).json == answer.json["player"]


async def test_name_is_kept_in_its_normal_form(table: Table) -> None:
    """Two spellings of the same letter are one name."""
    player, token = await table.player("Zoe\u0308")
    assert (await table.get("/me", token)).json["name"] == "Zoë"
    assert (await table.get(f"/players/{player}")).json["name"] == "Zoë"


@pytest.mark.parametrize(
    "name",
    [
        *(" Anna", "Anna ", "An\u200bna", "An\nna", "\u202eannA", "An\x00na", "\ue000", "\u2028"),
        *("\u3164", "\u115f", "\u034f", "An\u034fna", "\uffa0\uffa0", "\u17b4", "\u180b", "\U000e0100", "A\ufe0fnna", "\ufe0f"),
        *("\u2800", "\u2800\u2800", "\U0001d159", "\u0301", "\u0301\u0302"),
    ],
    ids=ascii,
)
async def test_name_is_refused_when_it_is_not_fit_to_be_shown(table: Table, name: str) -> None:
    """No invisible characters, nothing that turns the text of others around, and something that can be seen by itself."""
    answer = await table.post("/players", content={"name": name})
    assert (answer.status, answer.json["type"], answer.json["field"]) == (422, "urn:tafelrunde:problem:invalid-name", "/name")


@pytest.mark.parametrize("name", ["Anna", "Zoë", "安娜", "அன்னா", "한나", "7", "?!", "❤️", "Ada ☎\ufe0e", "🂡", "a b"], ids=ascii)
async def test_name_is_kept_when_all_of_it_can_be_seen(table: Table, name: str) -> None:
    """Letters of every script with their marks, numbers, symbols in colour."""
    player, _ = await table.player(name)
    assert (await table.get(f"/players/{player}")).json["name"] == name


@pytest.mark.parametrize("name", ["", "x" * 41, 7])
async def test_name_is_refused_when_it_breaks_the_schema(table: Table, name: object) -> None:
    """1 to 40 characters."""
    answer = await table.post("/players", content={"name": name})
    assert (answer.status, answer.json["field"]) == (400, "/name")


async def test_name_can_be_changed_by_its_player_alone(table: Table) -> None:
    """A guest that takes a name is no guest any more."""
    player, token = await table.player()
    answer = await table.ask("PATCH", "/api/v1/me", token=token, content={"name": "Berta"})
    assert (answer.status, answer.json["name"], answer.json["guest"]) == (200, "Berta", False)
    assert (await table.ask("PATCH", "/api/v1/me", content={"name": "Berta"})).status == 401
    assert (await table.get(f"/players/{player}")).json["name"] == "Berta"


async def test_token_is_listed_without_its_text(table: Table) -> None:
    """The text of a token is shown once, when it is made."""
    _, token = await table.player()
    table.now_ms += 1
    made = await table.post("/me/tokens", token, {"label": "page", "scopes": ["read"]})
    assert made.status == 201
    listed = await table.get("/me/tokens", token)
    assert [each["label"] for each in listed.json["items"]] == ["first", "page"]
    assert made.json["text"].encode() not in listed.body
    assert token.encode() not in listed.body
    assert [each["current"] for each in listed.json["items"] if each["label"] == "page"] == [False]
    assert [each["label"] for each in listed.json["items"] if each["current"]] == ["first"]
    assert not made.json["token"]["current"]
    assert made.header("location") == f"/api/v1/me/tokens/{made.json['token']['id']}"


async def test_token_does_only_what_its_scopes_say(table: Table) -> None:
    """A token for a page that shows a match cannot play in it, open one, or make more tokens."""
    _, token = await table.player()
    match = await table.open(token)
    reader = (await table.post("/me/tokens", token, {"scopes": ["read"]})).json["text"]
    assert (await table.get("/me", reader)).status == 200
    for path, content in [("/matches", {"game": "duel", "seats": 2}), (f"/matches/{match}/start", None), ("/me/tokens", {})]:
        answer = await table.post(path, reader, content)
        assert (answer.status, answer.json["type"]) == (403, "urn:tafelrunde:problem:scope-missing")


@pytest.mark.parametrize("scopes", [["admin"], ["read", "admin"]])
async def test_token_cannot_give_more_than_it_has(table: Table, scopes: list[str]) -> None:
    """No player can make itself an operator."""
    _, token = await table.player()
    answer = await table.post("/me/tokens", token, {"scopes": scopes})
    assert (answer.status, answer.json["field"]) == (403, "/scopes")


async def test_token_cannot_outlive_the_one_that_made_it(table: Table) -> None:
    """A token with an end cannot make one without."""
    _, token = await table.player()
    short = await table.post("/me/tokens", token, {"scopes": ["read", "create"], "expires_ms": NOW_MS + 60_000})
    child = await table.post("/me/tokens", short.json["text"], {"scopes": ["read"], "expires_ms": NOW_MS + 99_000})
    assert child.json["token"]["expires_ms"] == NOW_MS + 60_000
    table.now_ms += 60_000
    assert (await table.get("/me", child.json["text"])).status == 401
    assert (await table.get("/me", token)).status == 200


@pytest.mark.parametrize("ahead_ms", [-1, 0, 59_999])
async def test_token_that_would_end_at_once_is_refused(ahead_ms: int, table: Table) -> None:
    """A moment in the past, or within a minute, is a mistake, for instance seconds for milliseconds."""
    _, token = await table.player()
    answer = await table.post("/me/tokens", token, {"expires_ms": NOW_MS + ahead_ms})
    assert (answer.status, answer.json["type"], answer.json["field"]) == (
        422,
        "urn:tafelrunde:problem:ends-too-soon",
        "/expires_ms",
    )


async def test_token_ends_when_it_is_revoked(table: Table) -> None:
    """A revoked token is no token, and cannot be revoked again."""
    _, token = await table.player()
    made = (await table.post("/me/tokens", token, {})).json
    path = f"/api/v1/me/tokens/{made['token']['id']}"
    assert (await table.ask("DELETE", path, token=token)).status == 204
    assert (await table.get("/me", made["text"])).status == 401
    assert (await table.ask("DELETE", path, token=token)).status == 404


async def test_token_of_another_player_is_not_found(table: Table) -> None:
    """Callers cannot find out to whom the id of a token belongs."""
    (_, one), (_, other) = await table.player(), await table.player()
    theirs = (await table.get("/me/tokens", other)).json["items"][0]["id"]
    assert (await table.ask("DELETE", f"/api/v1/me/tokens/{theirs}", token=one)).status == 404
    assert (await table.get("/me", other)).status == 200


async def test_tokens_are_limited_in_number(table: Table) -> None:
    """One player has at most fifty."""
    _, token = await table.player()
    answers = [await table.post("/me/tokens", token, {}) for _ in range(50)]
    assert [answer.status for answer in answers] == [201] * 49 + [409]
    assert answers[-1].json["type"] == "urn:tafelrunde:problem:too-many-tokens"


@pytest.mark.parametrize(
    "value",
    ["", "Bearer", "Bearer ", "Basic eDp5", "Bearer tr_" + "x" * 300, "Bearer tr_ä", "tr_1", "Bearer a b"],
)
async def test_token_is_refused_when_it_is_none(table: Table, value: str) -> None:
    """Whatever stands there, it is one and the same 401; also where no token is needed."""
    for path in ("/me", "/matches"):
        answer = await table.get(path, headers=[("Authorization", value)])
        assert (answer.status, answer.json["type"], answer.header("www-authenticate")) == (
            401,
            "urn:tafelrunde:problem:unauthenticated",
            "Bearer",
        )


async def test_token_in_the_query_is_no_token(table: Table) -> None:
    """Addresses are logged everywhere, so nothing secret is taken from them."""
    _, token = await table.player()
    assert (await table.get(f"/me?access_token={token}")).status == 401
    assert (await table.get(f"/matches?access_token={token}")).status == 400


async def test_guests_are_called_alike_and_said_to_be_guests(table: Table) -> None:
    """A guest has a neutral name, also one stored in German, and is marked, so that clients name it in their language."""
    new = await table.player()
    with patch("tafelrunde.service.players.accounts.GUEST_NAME", "Gast"):  # as it was stored once
        old, _ = await table.player()
    _, named = await table.player("Gast")
    match = await table.open(new[1], game="coup", seats=2)
    await table.post(f"/matches/{match}/seats", named, {})
    chairs = (await table.get(f"/matches/{match}", named)).json["chairs"]
    assert [(chair["name"], chair["guest"]) for chair in chairs] == [("Guest", True), ("Gast", False)]
    found = (await table.get(f"/players/{old}")).json
    assert (found["name"], found["guest"]) == ("Guest", True)
