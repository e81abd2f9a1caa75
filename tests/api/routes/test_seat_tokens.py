"""Tokens for one seat, and applications that seat their own users."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tafelrunde.api.http import sse
from tafelrunde.domain.match import PlayerId
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.accounts import MOST_TOKENS, REMEMBER_MS
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import API, NOW_MS, Table, opened
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio
HOUR_MS = 3_600_000
FORBIDDEN = (403, "urn:tafelrunde:problem:scope-missing")
LEFT = (403, "urn:tafelrunde:problem:seat-left")


def problem(answer: Answer) -> tuple[int, str]:
    """Return the status and the type of a refusal."""
    return answer.status, answer.json["type"]


async def seated(table: Table) -> tuple[str, str, str]:
    """Return a running match and the tokens of its two players."""
    (_, one), (_, other) = await table.player(), await table.player()
    return await table.begin(one, other), one, other


async def seat_token(table: Table, match: str, token: str, seat: int = 0) -> str:
    """Return the text of a seat token."""
    answer = await table.post(f"/matches/{match}/seats/{seat}/tokens", token, key=None)
    assert answer.status == 201, answer
    return answer.json["text"]


async def application(table: Table) -> str:
    """Return the key of another application."""
    player, _ = await table.player("The other app")
    return (await table.application.accounts.issue(PlayerId(player), "key", ["read", "play", "create", "embed"], None))[1]


async def user(table: Table, match: str, key: str, who: str, **more: Any) -> Answer:
    """Seat a user of an application."""
    return await table.post(f"/matches/{match}/users", key, {"user": who, **more})


async def test_application_lists_the_matches_in_which_its_users_sit(table: Table) -> None:
    """Also those that others have opened, as long as a user sits there; it is not asked in them itself."""
    _, host = await table.player()
    mine, others = await application(table), await application(table)
    match, elsewhere = await table.open(host, seats=3), await table.open(host, seats=3)
    seat = (await user(table, match, mine, "user-1")).json["seat"]
    for each in (match, elsewhere):
        await table.project(each)
    [listed] = (await table.get("/me/matches", mine)).json["items"]
    assert (listed["match"], listed["your_turn"]) == (match, None)
    assert (await table.get("/me/matches", others)).json["items"] == []
    assert (await table.ask("DELETE", f"/api/v1/matches/{match}/seats/{seat}", token=host, key=table.key())).status == 200
    await table.project(match)
    assert (await table.get("/me/matches", mine)).json["items"] == []


async def test_application_seats_its_users_in_a_rematch(table: Table) -> None:
    """Their seat tokens agree to it; in the new match they get the seats that are reserved for them, and tokens for these."""
    key = await application(table)
    match = await table.open(key, seat=None)
    tokens = [(await user(table, match, key, who)).json["text"] for who in ("user-1", "user-2")]
    assert (await table.post(f"/matches/{match}/start", key)).status == 200
    await table.finish(match, *tokens)
    successor = await table.agree_rematch(match, *tokens)
    await table.project(successor)
    assert successor in [each["match"] for each in (await table.get("/me/matches", key)).json["items"]]
    again = [(await user(table, successor, key, who, nonce=who)).json for who in ("user-2", "user-1")]
    assert [each["seat"] for each in again] == [1, 0]
    await table.finish(successor, *(each["text"] for each in again))


async def test_seat_token_plays_its_seat(table: Table) -> None:
    """It reads the view and the feed of the seat, streams them, and gives commands; it ends after an hour."""
    match, one, _ = await seated(table)
    made = (await table.post(f"/matches/{match}/seats/0/tokens", one, key=None)).json
    assert (made["match"], made["seat"], made["token"]["expires_ms"]) == (match, 0, NOW_MS + HOUR_MS)
    assert (made["token"]["match"], made["token"]["seat"], made["token"]["scopes"]) == (match, 0, ["read", "play"])
    token = made["text"]
    assert (await table.view(match, token)) == (await table.view(match, one))
    assert (await table.play(match, token)).status == 200
    assert (await table.get(f"/matches/{match}/feed", token)).body == (await table.get(f"/matches/{match}/feed", one)).body
    table.now_ms += HOUR_MS
    assert (await table.get(f"/matches/{match}/view", token)).status == 401


async def test_seat_token_does_nothing_else(table: Table) -> None:
    """Not for another match of the same player, not for its account; elsewhere it grants what an anonymous caller may see."""
    match, one, other = await seated(table)
    elsewhere = await table.begin(other, one)
    token = await seat_token(table, match, one)
    asked = [
        await table.get(f"/matches/{elsewhere}/view", token),
        await table.get(f"/matches/{elsewhere}", token),
        await table.post(f"/matches/{elsewhere}/commands", token, {"decision": 1, "command": {"type": "duel.bid", "tricks": 0}}),
        await table.get("/me", token),
        await table.get("/me/matches", token),
        await table.get("/me/tokens", token),
        await table.post("/me/tokens", token, {"scopes": ["read"]}),
        await table.post("/matches", token, {"game": "duel", "seats": 2}),
        await table.ask("DELETE", f"{API}/me", token=token),
        await table.post(f"/matches/{match}/users", token, {"user": "u"}),
        await table.post(f"/matches/{elsewhere}/seats/1/tokens", token, key=None),
    ]
    assert {problem(answer) for answer in asked} == {FORBIDDEN}
    await table.project(match)
    assert (await table.get("/matches", token)).body == (await table.get("/matches")).body
    assert (await table.get("/games", token)).status == 200


@pytest.mark.parametrize(
    ("method", "path", "content"),
    [
        ("POST", "/matches/{match}/invitations", {"player": "{other}"}),
        ("GET", "/matches/{match}/invitations", None),
        ("DELETE", "/matches/{match}/invitations/{other}", None),
        ("DELETE", "/me/invitations/{match}", None),
        ("PUT", "/matches/{match}/host", {"player": "{other}"}),
        ("POST", "/matches/{match}/talk/reports", {"room": "table", "n": 1, "reason": "spam"}),
    ],
)
async def test_seat_token_speaks_for_no_player_elsewhere(table: Table, method: str, path: str, content: Any) -> None:
    """It invites no one, reports no one and hands no table on, in its own match either; talking at the table is allowed."""
    (_, one), (other, _) = await table.player(), await table.player()
    match = await table.open(one)
    token = await seat_token(table, match, one)
    filled = {name: each.replace("{other}", other) if isinstance(each, str) else each for name, each in (content or {}).items()}
    asked = f"{API}{path.format(match=match, other=other)}"
    answer = await table.ask(method, asked, token=token, content=filled or None, key=table.key())
    assert problem(answer) == FORBIDDEN
    assert (await table.post(f"/matches/{match}/talk", token, {"phrase": "hello"})).status == 200


async def test_seat_token_is_made_for_one_s_own_seat_only(table: Table) -> None:
    """No player gets a token for another player's seat, or for an empty one."""
    match, one, other = await seated(table)
    _, stranger = await table.player()
    for token, seat in ((one, 1), (other, 0), (stranger, 0), (one, 7)):
        answer = await table.post(f"/matches/{match}/seats/{seat}/tokens", token, key=None)
        assert problem(answer) == LEFT
    assert (await table.post("/matches/m" + "a" * 24 + "/seats/0/tokens", one, key=None)).status == 404


@pytest.mark.parametrize("kind", ["unlisted", "lesson", "deal of the day", "of an application"])
async def test_seat_token_is_refused_as_for_no_match_when_the_match_does_not_concern_the_player(table: Table, kind: str) -> None:
    """A stranger who has seen an id does not learn that there is such a match, whatever the seat."""
    (_, one), (_, stranger) = await table.player(), await table.player()
    off = {"visibility": "unlisted", "spectators": "off"}
    if kind == "unlisted":
        match = await table.open(one, bots=[{"seat": 1, "bot": "steady"}], start=True, **off)
    elif kind == "of an application":
        key = await application(table)
        match = (await table.post("/matches", key, {"game": "duel", "seats": 2, "seat": None, **off})).json["match"]
        for each in ("a", "b"):
            await user(table, match, key, each)
        assert (await table.post(f"/matches/{match}/start", key)).status == 200
    else:
        path = "/games/mondkrone/lesson" if kind == "lesson" else "/daily/duel"
        match = (await table.post(path, one)).json["match"]
    for seat in (0, 1, 7):
        path = f"/seats/{seat}/tokens"
        refused = await table.post(f"/matches/{match}{path}", stranger, key=None)
        assert refused == await table.post(f"/matches/m{24 * 'a'}{path}", stranger, key=None)
        assert refused.status == 404


async def test_seat_token_ends_with_the_seat(table: Table) -> None:
    """Who stands up, or sits down elsewhere, has no use of it; who comes back to the same seat has."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.open(one, seats=3)
    here = f"/matches/{match}"
    await table.post(f"{here}/seats", other, {"seat": 1})
    token = await seat_token(table, match, other, 1)
    await table.ask("DELETE", f"{API}{here}/seats/me", token=other)
    assert problem(await table.get(here, token)) == LEFT
    await table.post(f"{here}/seats", other, {"seat": 2})
    assert problem(await table.get(here, token)) == LEFT
    await table.ask("DELETE", f"{API}{here}/seats/me", token=other)
    await table.post(f"{here}/seats", other, {"seat": 1})
    assert (await table.get(here, token)).status == 200


async def test_seat_token_is_exchanged_for_a_fresh_one(table: Table) -> None:
    """The fresh one has its full time; the old one has ended, so what stood in an address is worth nothing."""
    match, one, _ = await seated(table)
    old = await seat_token(table, match, one)
    table.now_ms += HOUR_MS - 1
    fresh = (await table.post(f"/matches/{match}/seats/0/tokens", old, key=None)).json
    assert fresh["token"]["expires_ms"] == table.now_ms + HOUR_MS
    assert (await table.get(f"/matches/{match}", old)).status == 401
    assert (await table.post(f"/matches/{match}/seats/0/tokens", old, key=None)).status == 401
    assert (await table.get(f"/matches/{match}", fresh["text"])).status == 200
    listed = (await table.get("/me/tokens", one)).json["items"]
    assert [each["id"] for each in listed if each["match"] is not None] == [fresh["token"]["id"]]


async def test_seat_token_is_exchanged_once_when_two_try_at_the_same_time(table: Table) -> None:
    """One of them gets the fresh one, the others 401."""
    match, one, _ = await seated(table)
    old = await seat_token(table, match, one)
    path = f"/matches/{match}/seats/0/tokens"
    answers = await asyncio.gather(*(table.post(path, old, key=None) for _ in range(8)))
    assert sorted(answer.status for answer in answers) == [201] + [401] * 7


async def test_seat_token_does_not_outlive_the_token_that_made_it(table: Table) -> None:
    """A token with an end gives none beyond it, and one that may only read gives none at all."""
    match, one, _ = await seated(table)
    short = (await table.post("/me/tokens", one, {"scopes": ["read", "play"], "expires_ms": NOW_MS + 60_000})).json["text"]
    made = await table.post(f"/matches/{match}/seats/0/tokens", short, key=None)
    assert made.json["token"]["expires_ms"] == NOW_MS + 60_000
    reader = (await table.post("/me/tokens", one, {"scopes": ["read"]})).json["text"]
    assert problem(await table.post(f"/matches/{match}/seats/0/tokens", reader, key=None)) == FORBIDDEN


async def short_lived(table: Table, token: str, end_ms: int = NOW_MS + 60_000) -> tuple[str, str]:
    """Return the id and the text of a token that ends."""
    made = (await table.post("/me/tokens", token, {"scopes": ["read", "play"], "expires_ms": end_ms})).json
    return made["token"]["id"], made["text"]


async def exchanged(table: Table, match: str, token: str, times: int) -> tuple[str, int]:
    """Return the text and the end of a seat token that was exchanged, over and over."""
    end_ms = 0
    for _ in range(times):
        made = (await table.post(f"/matches/{match}/seats/0/tokens", token, key=None)).json
        token = made["text"]
        end_ms = made["token"]["expires_ms"]
    return token, end_ms


async def test_seat_token_ends_with_the_token_that_made_it_when_it_was_exchanged(table: Table) -> None:
    """No chain of exchanges goes beyond the end of the first token."""
    match, one, _ = await seated(table)
    _, short = await short_lived(table, one)
    token, end_ms = await exchanged(table, match, short, 4)
    assert end_ms == NOW_MS + 60_000
    table.now_ms += 60_000
    assert (await table.get(f"/matches/{match}/view", token)).status == 401
    assert (await table.post(f"/matches/{match}/seats/0/tokens", token, key=None)).status == 401


async def test_seat_token_is_exchanged_for_its_full_time_when_it_comes_from_a_token_without_an_end(table: Table) -> None:
    """A match of days can be played by exchanges alone."""
    match, one, _ = await seated(table)
    token = await seat_token(table, match, one)
    for _ in range(50):
        table.now_ms += HOUR_MS - 1
        token, end_ms = await exchanged(table, match, token, 1)
        assert end_ms == table.now_ms + HOUR_MS


@pytest.mark.parametrize("times", [1, 4])
async def test_seat_token_ends_when_the_token_that_made_it_is_revoked(table: Table, times: int) -> None:
    """So do all that it was exchanged for, at once; those that other tokens have made stay."""
    match, one, _ = await seated(table)
    id_, short = await short_lived(table, one)
    token, _ = await exchanged(table, match, short, times)
    other = await seat_token(table, match, one)
    assert (await table.get(f"/matches/{match}/view", token)).status == 200
    assert (await table.ask("DELETE", f"{API}/me/tokens/{id_}", token=one)).status == 204
    assert (await table.get(f"/matches/{match}/view", token)).status == 401
    assert (await table.post(f"/matches/{match}/seats/0/tokens", token, key=None)).status == 401
    assert (await table.get(f"/matches/{match}/view", other)).status == 200
    assert len((await table.get("/me/tokens", one)).json["items"]) == 2


async def test_seat_token_ends_in_every_process_when_the_token_that_made_it_is_revoked() -> None:
    """Elsewhere within the two seconds for which a token is remembered, as any token; neither makes another one there."""
    stores = memory_stores()
    async with opened(stores=stores) as here, opened(stores=stores) as there:
        match, one, _ = await seated(here)
        id_, short = await short_lived(here, one)
        token, _ = await exchanged(here, match, short, 2)
        for each in (token, short):
            assert (await there.get(f"/matches/{match}", each)).status == 200
        assert (await here.ask("DELETE", f"{API}/me/tokens/{id_}", token=one)).status == 204
        for each in (token, short):
            assert (await there.post(f"/matches/{match}/seats/0/tokens", each, key=None)).status == 401
        there.now_ms += REMEMBER_MS
        assert (await there.get(f"/matches/{match}", token)).status == 401
        assert len((await here.get("/me/tokens", one)).json["items"]) == 1


async def test_seat_token_ends_when_the_process_was_killed_that_revoked_the_one_before(table: Table) -> None:
    """It is exchanged no more, and ends when its player lists its tokens or revokes again."""
    match, one, _ = await seated(table)
    id_, short = await short_lived(table, one)
    (token, _), (other, _) = await exchanged(table, match, short, 2), await exchanged(table, match, short, 1)
    player = (await table.get("/me", one)).json["id"]
    assert await table.application.stores.players.revoke(PlayerId(player), id_)
    assert (await table.post(f"/matches/{match}/seats/0/tokens", token, key=None)).status == 401
    assert (await table.ask("DELETE", f"{API}/me/tokens/{id_}", token=one)).status == 404
    assert (await table.get(f"/matches/{match}/view", other)).status == 401


async def test_stream_ends_when_the_token_that_made_its_seat_token_is_revoked(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the next ping, as with any token that was revoked."""
    monkeypatch.setattr(sse, "PING_SECONDS", 0.05)
    match, one, _ = await seated(table)
    id_, short = await short_lived(table, one)
    token, _ = await exchanged(table, match, short, 2)
    async with table.listen(f"{API}/matches/{match}/stream", token=token) as stream:
        await stream.begin()
        await stream.hear(b": ping\n\n")
        assert (await table.ask("DELETE", f"{API}/me/tokens/{id_}", token=one)).status == 204
        assert (await stream.hear()).endswith(sse.BYE)


async def test_seat_token_of_a_user_is_renewed_when_its_application_has_made_it(table: Table) -> None:
    """The key of an application seats its users: their tokens are theirs, and go on when the key is exchanged for another."""
    key = await application(table)
    match = (await table.post("/matches", key, {"game": "duel", "seats": 2, "seat": None})).json["match"]
    token = (await user(table, match, key, "a")).json["text"]
    for _ in range(3):
        table.now_ms += HOUR_MS - 1
        token, end_ms = await exchanged(table, match, token, 1)
        assert end_ms == table.now_ms + HOUR_MS


async def test_seat_token_is_listed_and_revoked_by_its_player(table: Table) -> None:
    """It is a token like the others; its text is nowhere."""
    match, one, _ = await seated(table)
    token = await seat_token(table, match, one)
    listed = await table.get("/me/tokens", one)
    assert token.encode() not in listed.body
    [made] = [each for each in listed.json["items"] if each["match"] == match]
    assert (await table.ask("DELETE", f"{API}/me/tokens/{made['id']}", token=one)).status == 204
    assert (await table.get(f"/matches/{match}", token)).status == 401


async def test_oldest_seat_token_ends_when_there_are_too_many(table: Table) -> None:
    """A page that is loaded again and again does not lock its player out; other tokens are not touched for it."""
    match, one, _ = await seated(table)
    first = await seat_token(table, match, one)
    texts: list[str] = []
    for _ in range(MOST_TOKENS):
        table.now_ms += 1
        texts.append(await seat_token(table, match, one))
    assert len((await table.get("/me/tokens", one)).json["items"]) == MOST_TOKENS
    assert [(await table.get(f"/matches/{match}", token)).status for token in (first, texts[-1], one)] == [401, 200, 200]


async def test_seat_token_is_refused_when_all_places_are_taken_by_others(table: Table) -> None:
    """Tokens that a player has made for good are not ended by themselves."""
    match, one, _ = await seated(table)
    for _ in range(MOST_TOKENS - 1):
        await table.post("/me/tokens", one, {})
    assert problem(await table.post(f"/matches/{match}/seats/0/tokens", one, key=None)) == (
        409,
        "urn:tafelrunde:problem:too-many-tokens",
    )


async def test_expired_tokens_are_swept(table: Table) -> None:
    """They are neither listed nor counted, and the store forgets them."""
    player, token = await table.player()
    for _ in range(MOST_TOKENS - 1):
        assert (await table.post("/me/tokens", token, {"expires_ms": NOW_MS + 60_000})).status == 201
    table.now_ms += 60_000
    assert [each["label"] for each in (await table.get("/me/tokens", token)).json["items"]] == ["first"]
    assert len(await table.application.stores.players.tokens(PlayerId(player))) == 1
    assert (await table.post("/me/tokens", token, {})).status == 201


@pytest.mark.parametrize("path", ["/me/tokens", "/matches/{match}/seats/0/tokens"])
async def test_expired_tokens_make_room_when_there_are_too_many(table: Table, path: str) -> None:
    """They need not be listed first; while none has expired, there is no room."""
    _, token = await table.player()
    match = await table.open(token)
    for _ in range(MOST_TOKENS - 1):
        await table.post("/me/tokens", token, {"expires_ms": NOW_MS + 60_000})
    wish: dict[str, object] = {"key": None} if "seats" in path else {}
    assert (await table.post(path.format(match=match), token, {}, **wish)).status == 409
    table.now_ms += 60_000
    assert (await table.post(path.format(match=match), token, {}, **wish)).status == 201


async def test_user_of_an_application_is_a_player_of_its_own(table: Table) -> None:
    """The same user is the same player in every match, another user or another application's is another one."""
    key, twin = await application(table), await application(table)
    match = (await table.post("/matches", key, {"game": "duel", "seats": 3, "seat": None})).json["match"]
    other = (await table.post("/matches", twin, {"game": "duel", "seats": 3, "seat": None})).json["match"]
    anna = (await user(table, match, key, "user-1", name="Anna")).json
    bert = (await user(table, match, key, "user-2", seat=2)).json
    assert (anna["seat"], bert["seat"]) == (0, 2)
    assert (await user(table, other, key, "user-1")).json["player"] == anna["player"]
    assert len({anna["player"], bert["player"], (await user(table, other, twin, "user-1")).json["player"]}) == 3
    names = {chair["seat"]: chair["name"] for chair in (await table.get(f"/matches/{match}", key)).json["chairs"]}
    assert names == {0: "Anna", 1: None, 2: "Guest"}
    assert "user-1" not in (await table.get(f"/players/{anna['player']}")).body.decode()


async def test_users_of_an_application_play(table: Table) -> None:
    """Seated by their application, with a token each, they play a match to its end."""
    key = await application(table)
    match = (await table.post("/matches", key, {"game": "duel", "seats": 2, "seat": None})).json["match"]
    tokens = [(await user(table, match, key, name)).json["text"] for name in ("a", "b")]
    assert (await table.post(f"/matches/{match}/start", key)).status == 200
    await table.finish(match, *tokens)
    assert (await table.view(match, tokens[0]))["status"] == "over"


async def test_user_who_sits_there_gets_a_further_token(table: Table) -> None:
    """Asked again, also under another name or after the start, the seat stays the same; both tokens work."""
    key = await application(table)
    match = (await table.post("/matches", key, {"game": "duel", "seats": 2, "seat": None})).json["match"]
    first = (await user(table, match, key, "a", name="Anna")).json
    await user(table, match, key, "b")
    await table.post(f"/matches/{match}/start", key)
    again = (await user(table, match, key, "a", name="Änne", seat=0)).json
    assert (again["player"], again["seat"]) == (first["player"], 0)
    assert [(await table.get(f"/matches/{match}/view", each["text"])).status for each in (first, again)] == [200, 200]
    assert (await table.get(f"/players/{first['player']}")).json["name"] == "Änne"


async def test_user_is_refused_when_there_is_no_seat(table: Table) -> None:
    """The same refusals as for a player who joins: full, taken, or seated already; and it takes a scope to seat others."""
    key = await application(table)
    match = (await table.post("/matches", key, {"game": "duel", "seats": 2, "seat": None})).json["match"]
    await user(table, match, key, "a", seat=0)
    assert (await user(table, match, key, "b", seat=0)).status == 409
    assert (await user(table, match, key, "a", seat=1)).status == 409
    await user(table, match, key, "b")
    assert (await user(table, match, key, "c")).status == 409
    _, token = await table.player()
    assert problem(await user(table, match, token, "a")) == FORBIDDEN
    assert (await user(table, match, key, "a", name=" x")).status == 422
    assert (await user(table, match, key, "ä")).status == 400


async def test_key_of_an_application_is_not_given_on(table: Table) -> None:
    """A player cannot make one with a plain token; a holder of the scope may make narrower ones."""
    _, token = await table.player()
    assert problem(await table.post("/me/tokens", token, {"scopes": ["embed"]})) == FORBIDDEN
    key = await application(table)
    assert (await table.post("/me/tokens", key, {"scopes": ["embed"]})).status == 201


async def test_life_of_seat_tokens_is_a_setting() -> None:
    """`seat_token_seconds`."""
    async with opened(Settings(limits=LimitSettings(rate_limits=False), seat_token_seconds=60)) as table:
        match, one, _ = await seated(table)
        token = await seat_token(table, match, one)
        table.now_ms += 59_999
        assert (await table.get(f"/matches/{match}", token)).status == 200
        table.now_ms += 1
        assert (await table.get(f"/matches/{match}", token)).status == 401
