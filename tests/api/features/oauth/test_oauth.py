"""Applications of others: what they may ask, what a player allows them, and how it ends."""

from __future__ import annotations

from urllib.parse import urlencode

import msgspec
import pytest
from structlog.testing import capture_logs

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.environment import read_settings
from tafelrunde.service.errors import StartupRefused, StoreUnavailable
from tafelrunde.service.features.oauth.feature import FEATURE, STORE
from tafelrunde.service.features.oauth.memory import MemoryOauth
from tafelrunde.service.features.oauth.port import ACCESS_MS, CODE_MS, GRANT_MS, REPEAT_MS, Client, Grant, Held
from tafelrunde.service.features.oauth.service import MOST_GRANTS, Grants
from tafelrunde.service.features.oauth.settings import OauthSettings
from tafelrunde.service.features.registry import without
from tafelrunde.service.players.accounts import MOST_TOKENS, Accounts
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.oauth import BACK, FORM, VERIFIER, App, answer_in, app_of
from tests.support.table import API, Table, opened
from tests.support.wire import Answer, told

pytestmark = pytest.mark.anyio
GONE = (400, "invalid_grant")


def wrong(answer: Answer) -> tuple[int, str]:
    """Return the status of an answer, and what is wrong in OAuth's words."""
    return answer.status, answer.json.get("error", "")


async def status_of(table: Table, token: str) -> int:
    """Return what a token gets that asks for its own player."""
    return (await table.get("/me", token)).status


async def test_application_acts_for_a_player_within_its_scopes(table: Table) -> None:
    """It reads and plays, and no more than that: not what needs another scope, and not what could outlast its grant."""
    player, token = await table.player("Anna")
    given = await (await app_of(table)).tokens(token)
    assert (given["token_type"], given["expires_in"], given["scope"]) == ("Bearer", ACCESS_MS // 1_000, "read play")
    access = given["access_token"]
    assert (await table.get("/me", access)).json["id"] == player
    match = await table.open((await table.player("Bert"))[1])
    assert (await table.post(f"/matches/{match}/seats", access)).status == 200
    assert told(await table.post("/matches", access, {"game": "duel", "seats": 2})) == (
        403,
        "urn:tafelrunde:problem:scope-missing",
    )


async def test_application_does_not_manage_the_player_when_it_may_open_matches(table: Table) -> None:
    """No further tokens, devices, webhooks or applications, no deletion: they would last longer than what was allowed."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    access = (await app.tokens(token, scope="read play create"))["access_token"]
    assert (await table.post("/matches", access, {"game": "duel", "seats": 2})).status == 201
    hook = {"url": "https://example.com/", "events": ["match.ended"]}
    for method, path, content in (
        ("POST", "/me/tokens", {"scopes": ["read"]}),
        ("GET", "/me/tokens", None),
        ("POST", "/me/device-codes", None),
        ("POST", "/webhooks", hook),
        ("PATCH", "/me", {"name": "Berta"}),
        ("GET", "/me/export", None),
        ("GET", "/me/applications", None),
        ("DELETE", "/me", None),
    ):
        answer = await table.ask(method, API + path, token=access, content=content, key=table.key())
        assert told(answer) == (403, "urn:tafelrunde:problem:scope-missing"), path
    assert told(await app.decide(access)) == (403, "urn:tafelrunde:problem:scope-missing")
    assert await status_of(table, token) == 200


async def test_nothing_is_lent_that_needs_an_operator(table: Table) -> None:
    """Nor may more be allowed than the token may that allows it, and not for longer."""
    player, token = await table.player("Anna")
    app = await app_of(table)
    for scope in ("admin", "read embed", "everything"):
        assert told(await app.decide(token, scope=scope)) == (409, "urn:tafelrunde:problem:application-refused")
        sheet = (await app.look(scope=scope)).json
        assert sheet["scopes"] == []
        answer = answer_in(sheet["refused"])
        assert (answer["error"], answer["state"]) == ("invalid_scope", "s-t-a-t-e")
    ends = table.now_ms + 120_000
    less = (await table.post("/me/tokens", token, {"scopes": ["read", "create"], "expires_ms": ends})).json["text"]
    assert told(await app.decide(less)) == (403, "urn:tafelrunde:problem:scope-missing")
    given = await app.tokens(less, scope="read")
    assert (given["scope"], given["expires_in"]) == ("read", 120)
    table.now_ms = ends
    assert wrong(await app.refresh(given["refresh_token"])) == GONE
    assert (await table.get("/me", token)).json["id"] == player


async def test_usual_scopes_are_to_read_and_to_play(table: Table) -> None:
    """Of an application that names none."""
    sheet = (await (await app_of(table)).look(scope="")).json
    assert (sheet["scopes"], sheet["host"], sheet["name"]) == (["read", "play"], "clock.example", "Chess clock")


async def test_code_counts_once_and_what_it_gave_ends_when_it_comes_again(table: Table) -> None:
    """With any verifier: someone else may have it."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    for other in ({}, {"code_verifier": "x" * 43}):
        code = await app.code(token)
        given = (await app.exchange(code)).json
        assert await status_of(table, given["access_token"]) == 200
        assert wrong(await app.exchange(code, **other)) == GONE
        assert await status_of(table, given["access_token"]) == 401
        assert wrong(await app.refresh(given["refresh_token"])) == GONE
    assert (await table.get("/me/applications", token)).json["items"] == []


@pytest.mark.parametrize(
    "other",
    [
        {"code_verifier": "x" * 43},
        {"code_verifier": ""},
        {"code_verifier": f"{VERIFIER}é"},
        {"redirect_uri": f"{BACK}/"},
        {"redirect_uri": ""},
        {"client_id": "a" + 26 * "0"},
        {"code": "no-such-code"},
        {"code": ""},
    ],
)
async def test_code_is_refused_when_something_does_not_fit(table: Table, other: dict[str, str]) -> None:
    """It still counts for whom it was given to: a thief cannot use it up."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    code = await app.code(token)
    assert wrong(await app.exchange(code, **other)) == GONE
    assert (await app.exchange(code)).status == 200


async def test_code_ends_after_a_minute(table: Table) -> None:
    """Unused."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    code = await app.code(token)
    table.now_ms += CODE_MS
    assert wrong(await app.exchange(code)) == GONE


async def test_refresh_token_is_replaced_and_all_ends_when_it_comes_again(table: Table) -> None:
    """The access token before ends, too. A forged one ends nothing."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    first = await app.tokens(token)
    second = (await app.refresh(first["refresh_token"])).json
    assert [await status_of(table, each["access_token"]) for each in (first, second)] == [401, 200]
    forged = first["refresh_token"][:-3] + "AAA"
    assert wrong(await app.refresh(forged)) == wrong(await app.refresh("trr_")) == wrong(await app.refresh("é")) == GONE
    assert await status_of(table, second["access_token"]) == 200
    table.now_ms += REPEAT_MS
    assert wrong(await app.refresh(first["refresh_token"])) == GONE
    assert await status_of(table, second["access_token"]) == 401
    assert wrong(await app.refresh(second["refresh_token"])) == GONE


async def test_refresh_gives_the_same_answer_again_when_it_was_lost(table: Table) -> None:
    """For a minute, however often; then the tokens in it still work, and the next refresh token renews them."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    first = await app.tokens(token)
    answers = [(await app.refresh(first["refresh_token"])).json for _ in range(3)]
    table.now_ms += REPEAT_MS - 1
    answers.append((await app.refresh(first["refresh_token"])).json)
    assert {(each["access_token"], each["refresh_token"], each["scope"]) for each in answers} == {
        (answers[0]["access_token"], answers[0]["refresh_token"], "read play")
    }
    assert await status_of(table, answers[0]["access_token"]) == 200
    assert (await app.refresh(answers[0]["refresh_token"])).status == 200


async def test_refresh_token_ends_the_grant_when_its_successor_was_used(table: Table) -> None:
    """Two parties hold tokens of one grant then, and one of them is not the application."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    first = await app.tokens(token)
    second = (await app.refresh(first["refresh_token"])).json
    third = (await app.refresh(second["refresh_token"])).json
    assert wrong(await app.refresh(first["refresh_token"])) == GONE
    assert await status_of(table, third["access_token"]) == 401


async def test_refresh_token_ends_the_grant_when_it_comes_again_for_other_scopes(table: Table) -> None:
    """That is another request, and not the same one again."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    first = await app.tokens(token)
    second = (await app.refresh(first["refresh_token"])).json
    assert wrong(await app.refresh(first["refresh_token"], scope="read")) == GONE
    assert await status_of(table, second["access_token"]) == 401


async def test_scopes_can_be_fewer_when_tokens_are_renewed_and_never_more(table: Table) -> None:
    """Fewer are for the access token alone."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    first = await app.tokens(token)
    assert wrong(await app.refresh(first["refresh_token"], scope="read play create")) == (400, "invalid_scope")
    second = (await app.refresh(first["refresh_token"], scope="read")).json
    assert second["scope"] == "read"
    assert (await app.refresh(second["refresh_token"])).json["scope"] == "read play"


async def test_grant_ends_when_it_is_not_used_for_long(table: Table) -> None:
    """An access token after an hour, what renews it after 90 days."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    given = await app.tokens(token)
    table.now_ms += ACCESS_MS
    assert await status_of(table, given["access_token"]) == 401
    table.now_ms += GRANT_MS - ACCESS_MS - 1
    given = (await app.refresh(given["refresh_token"])).json
    table.now_ms += GRANT_MS
    assert (await table.get("/me/applications", token)).json["items"] == []
    assert wrong(await app.refresh(given["refresh_token"])) == GONE


async def test_player_ends_what_it_has_allowed(table: Table) -> None:
    """In the list of applications, or by revoking the token that it finds among its own: nothing is renewed from then on."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    for way in ("applications", "tokens"):
        given = await app.tokens(token)
        [listed] = (await table.get("/me/applications", token)).json["items"]
        assert (listed["name"], listed["host"], listed["scopes"]) == ("Chess clock", "clock.example", ["read", "play"])
        [shown] = [each for each in (await table.get("/me/tokens", token)).json["items"] if "grant" in each]
        assert (shown["label"], shown["grant"]) == ("Chess clock", listed["id"])
        end = f"{API}/me/{way}/{shown['id'] if way == 'tokens' else listed['id']}"
        assert (await table.ask("DELETE", end, token=token)).status == 204
        assert (await table.ask("DELETE", end, token=token)).status == 404
        assert await status_of(table, given["access_token"]) == 401
        assert wrong(await app.refresh(given["refresh_token"])) == GONE
    assert len((await table.get("/me/tokens", token)).json["items"]) == 1


async def test_what_a_stolen_token_has_allowed_is_found_and_ended(table: Table) -> None:
    """An application says by which token it was allowed, also once that is revoked and its own tokens were renewed."""
    _, token = await table.player()
    made = (await table.post("/me/tokens", token, {"scopes": ["read", "play", "create"]})).json
    stolen, kept = await app_of(table), await app_of(table)
    first = await stolen.tokens(made["text"])
    await kept.tokens(token)
    assert (await stolen.refresh(first["refresh_token"])).status == 200
    assert (await table.ask("DELETE", f"{API}/me/tokens/{made['token']['id']}", token=token)).status == 204
    found = (await table.get("/me/applications", token)).json["items"]
    by_stolen = [each["id"] for each in found if each["allowed_by"] == made["token"]["id"]]
    assert (len(found), len(by_stolen)) == (2, 1)
    assert (await table.ask("DELETE", f"{API}/me/applications/{by_stolen[0]}", token=token)).status == 204
    assert [each["id"] for each in (await table.get("/me/applications", token)).json["items"]] != by_stolen


async def test_operator_ends_an_application_with_all_that_it_was_allowed(table: Table) -> None:
    """By every player, at once, and nothing of any other application; players and the application itself cannot."""
    admin = await table.operator()
    (_, one), (_, two) = await table.player("Anna"), await table.player("Bert")
    app, other = await app_of(table), await app_of(table, name="Another")
    given, code = [await app.tokens(each) for each in (one, two)], await app.code(one)
    left = await other.tokens(one)
    path = f"{API}/oauth/applications/{app.client}"
    for token in (one, given[0]["access_token"]):
        assert told(await table.ask("DELETE", path, token=token)) == (403, "urn:tafelrunde:problem:scope-missing")
    assert (await table.ask("DELETE", path, token=admin)).status == 204
    assert (await table.ask("DELETE", path, token=admin)).status == 404
    assert [await status_of(table, each["access_token"]) for each in given] == [401, 401]
    assert {wrong(await app.refresh(each["refresh_token"]))[1] for each in given} == {"invalid_grant"}
    assert wrong(await app.exchange(code)) == (400, "invalid_client")
    assert told(await app.decide(one)) == (404, "urn:tafelrunde:problem:application-unknown")
    assert await status_of(table, left["access_token"]) == 200
    assert [each["name"] for each in (await table.get("/me/applications", one)).json["items"]] == ["Another"]
    assert (await table.get("/me/applications", two)).json["items"] == []


@pytest.mark.parametrize("last", [False, True])
async def test_ending_an_application_goes_on_where_it_was_cut_off(
    last: bool, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its tokens end, or after the first grant did: the next request for it ends the rest."""
    admin, (_, token) = await table.operator(), await table.player("Anna")
    app = await app_of(table)
    given, end = await app.tokens(token), Accounts.end

    async def cut_off(self: Accounts, player: PlayerId, name: str) -> bool:
        if last:
            await end(self, player, name)
        raise StoreUnavailable("cut off")

    path = f"{API}/oauth/applications/{app.client}"
    with monkeypatch.context() as patch:
        patch.setattr(Accounts, "end", cut_off)
        assert (await table.ask("DELETE", path, token=admin)).status == 503
    assert (await table.ask("DELETE", path, token=admin)).status == 204
    assert await status_of(table, given["access_token"]) == 401
    assert (await table.get("/me/applications", token)).json["items"] == []


async def test_nothing_is_allowed_to_an_application_that_ends_meanwhile(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was ended after it had shown its code, and before there was a grant that would have ended, too."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    code, put = await app.code(token), MemoryOauth.put_grant

    async def ended_first(self: MemoryOauth, player: PlayerId, before: Held, after: Grant) -> bool:
        assert await table.application.get(Grants).end_client(app.client)
        return await put(self, player, before, after)

    monkeypatch.setattr(MemoryOauth, "put_grant", ended_first)
    assert wrong(await app.exchange(code)) == GONE
    assert (await table.get("/me/applications", token)).json["items"] == []
    assert len((await table.get("/me/tokens", token)).json["items"]) == 1


async def test_application_ends_what_it_was_allowed(table: Table) -> None:
    """By either token; an unknown one is no error, and that of another application is."""
    _, token = await table.player("Anna")
    app, other = await app_of(table), await app_of(table, name="Another")
    for kind in ("access_token", "refresh_token"):
        given = await app.tokens(token)
        assert wrong(await other.fill_in("revocation", token=given[kind], client_id=other.client)) == (400, "unauthorized_client")
        assert await status_of(table, given["access_token"]) == 200
        assert (await app.fill_in("revocation", token=given[kind], client_id=app.client)).status == 200
        assert await status_of(table, given["access_token"]) == 401
        assert wrong(await app.refresh(given["refresh_token"])) == GONE
    for text in ("nothing", token):
        assert (await app.fill_in("revocation", token=text, client_id=app.client, token_type_hint="x")).status == 200
    assert await status_of(table, token) == 200
    assert wrong(await app.fill_in("revocation", token="x", client_id="nobody")) == (400, "invalid_client")
    assert wrong(await app.fill_in("revocation", client_id=app.client)) == (400, "invalid_request")


async def test_grants_of_a_deleted_player_end(table: Table) -> None:
    """With all tokens, and a code that is under way gives nothing any more; before, the export has them."""
    player, token = await table.player("Anna")
    app = await app_of(table)
    given, code = await app.tokens(token), await app.code(token)
    [told] = (await table.get("/me/export", token)).json["features"]["oauth"]
    assert (told["name"], told["scopes"]) == ("Chess clock", ["read", "play"])
    assert (await table.ask("DELETE", f"{API}/me", token=token)).status == 204
    assert await status_of(table, given["access_token"]) == 401
    assert wrong(await app.refresh(given["refresh_token"])) == wrong(await app.exchange(code)) == GONE
    assert [*await STORE.of(table.application.stores).grants(PlayerId(player))] == []


async def test_oldest_grant_ends_when_there_are_too_many(table: Table) -> None:
    """The one that was not used for longest."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    given = []
    for _ in range(MOST_GRANTS + 1):
        table.now_ms += 1_000
        given.append(await app.tokens(token))
    assert [await status_of(table, each["access_token"]) for each in given] == [401, *[200] * MOST_GRANTS]


async def test_tokens_are_renewed_when_there_is_no_room_for_another(table: Table) -> None:
    """The new one takes the place of the old one; a code gives nothing then."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    given = await app.tokens(token)
    for _ in range(MOST_TOKENS - 2):
        assert (await table.post("/me/tokens", token, {"scopes": ["read"]})).status == 201
    assert wrong(await app.exchange(await app.code(token))) == GONE
    assert (await app.refresh(given["refresh_token"])).status == 200


@pytest.mark.parametrize(
    ("other", "error"),
    [
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": ""}, "invalid_request"),
        ({"code_challenge": ""}, "invalid_request"),
        ({"code_challenge": "x" * 42}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
    ],
)
async def test_application_is_refused_when_it_asks_in_another_way(table: Table, other: dict[str, str], error: str) -> None:
    """Without PKCE by S256, or for a token at once: the player may go back with an error, and no code is given."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    refused = (await app.look(**other)).json["refused"]
    assert refused.startswith(f"{BACK}?")
    assert answer_in(refused)["error"] == error
    assert told(await app.decide(token, **other)) == (409, "urn:tafelrunde:problem:application-refused")


async def test_player_is_sent_nowhere_but_to_an_address_of_the_application(table: Table) -> None:
    """Neither with a code nor with an error; one that listens on this machine takes any port."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    for other in ({"redirect_uri": "https://evil.example/"}, {"redirect_uri": f"{BACK}?x"}, {"client_id": "a" + 26 * "1"}):
        assert (
            told(await app.look(**other))
            == told(await app.decide(token, **other))
            == (404, "urn:tafelrunde:problem:application-unknown")
        )
    local = await app_of(table, "http://127.0.0.1/back")
    code = await local.code(token, redirect_uri="http://127.0.0.1:50123/back")
    assert (await local.exchange(code, redirect_uri="http://127.0.0.1:50123/back")).status == 200


async def test_application_learns_who_answers_it_and_that_a_player_refuses(table: Table) -> None:
    """The answer names its issuer (RFC 9207), and has the state as it was sent."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    issuer = (await table.ask("GET", "/.well-known/oauth-authorization-server")).json["issuer"]
    refused = answer_in((await app.decide(token, False, state="a b&c=d")).json["redirect"])
    assert refused == {"error": "access_denied", "state": "a b&c=d", "iss": issuer}
    allowed = answer_in((await app.decide(token)).json["redirect"])
    assert (allowed["iss"], allowed["state"]) == (issuer, "s-t-a-t-e")


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"redirect_uris": ["http://clock.example/"]}, "invalid_redirect_uri"),
        ({"redirect_uris": ["javascript:alert(1)"]}, "invalid_redirect_uri"),
        ({"redirect_uris": []}, "invalid_redirect_uri"),
        ({"redirect_uris": "https://clock.example/"}, "invalid_redirect_uri"),
        ({}, "invalid_redirect_uri"),
        ({"redirect_uris": [BACK], "client_name": "x" * 41}, "invalid_client_metadata"),
        ({"redirect_uris": [BACK], "client_name": "clock\u202e"}, "invalid_client_metadata"),
        ({"redirect_uris": [BACK], "client_name": " "}, "invalid_client_metadata"),
        ({"redirect_uris": [BACK], "client_name": "Tafelrunde App"}, "invalid_client_metadata"),
        ({"redirect_uris": [BACK], "client_name": 5}, "invalid_client_metadata"),
    ],
)
async def test_application_is_not_registered_when_it_may_deceive(table: Table, wish: dict[str, object], error: str) -> None:
    """By where it has players sent to, or by its name."""
    assert wrong(await table.post("/oauth/applications", content=wish)) == (400, error)


async def test_application_registers_as_a_public_one_whatever_it_asks_for(table: Table) -> None:
    """Unknown fields are ignored, a secret is not given; without a name it is called like its host."""
    wish = {
        "redirect_uris": [BACK],
        "token_endpoint_auth_method": "client_secret_basic",
        "logo_uri": "https://evil.example/x.svg",
    }
    made = (await table.post("/oauth/applications", content=wish)).json
    assert (made["client_name"], made["token_endpoint_auth_method"]) == ("clock.example", "none")
    assert not {"client_secret", "logo_uri"} & made.keys()


async def test_application_that_was_ended_is_registered_again_when_its_key_comes_again(table: Table) -> None:
    """Under another id, which then is the one of that key; a refusal is none that is kept."""
    admin, key, wish = await table.operator(), "k" * 22, {"redirect_uris": [BACK]}

    async def register(name: str = key, redirect: str = BACK) -> Answer:
        return await table.post("/oauth/applications", content={**wish, "redirect_uris": [redirect]}, key=name)

    first, again = await register(), await register()
    assert again.json == first.json
    for _ in range(2):
        ended = first.json["client_id"]
        path = f"{API}/oauth/applications/{ended}"
        assert (await table.ask("DELETE", path, token=admin)).status == 204
        first, again = await register(), await register()
        assert first.status == 201
        assert first.json["client_id"] != ended
        assert (first.header("idempotency-replayed"), again.header("idempotency-replayed")) == (None, "true")
        assert again.json == first.json
        assert (await App(table, first.json["client_id"], BACK).look()).status == 200
        assert (await App(table, ended, BACK).look()).status == 404
    refused = [await register("r" * 22, "http://evil.example") for _ in range(2)]
    told_of = (400, "invalid_redirect_uri", None)
    assert [(*wrong(each), each.header("idempotency-replayed")) for each in refused] == [told_of] * 2


async def test_application_that_was_ended_stays_so_when_its_answer_was_never_kept(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that registered it died before it answered: the request draws the same id again, which is not given twice."""
    admin, key, put = await table.operator(), "k" * 22, MemoryOauth.put_client
    kept: list[str] = []

    async def cut_off(self: MemoryOauth, client: Client) -> None:
        await put(self, client)
        kept.append(client.id)
        raise StoreUnavailable("cut off")

    with monkeypatch.context() as patch:
        patch.setattr(MemoryOauth, "put_client", cut_off)
        for _ in range(2):
            assert (await table.post("/oauth/applications", content={"redirect_uris": [BACK]}, key=key)).status == 503
    assert kept[0] == kept[1]
    assert (await table.ask("DELETE", f"{API}/oauth/applications/{kept[0]}", token=admin)).status == 204
    made = await table.post("/oauth/applications", content={"redirect_uris": [BACK]}, key=key)
    assert (made.status, made.json["client_id"] == kept[0]) == (201, False)


async def test_key_of_a_refused_registration_is_free_again(table: Table) -> None:
    """As elsewhere: who has put right what was refused may ask with the same key."""
    key = "k" * 22
    wrongly = await table.post("/oauth/applications", content={"redirect_uris": ["http://evil.example"]}, key=key)
    rightly = await table.post("/oauth/applications", content={"redirect_uris": [BACK]}, key=key)
    assert (wrongly.status, rightly.status) == (400, 201)


async def test_registrations_of_an_address_are_limited() -> None:
    """By the hour; those of another one go on."""
    settings = Settings(limits=LimitSettings(), features=(OauthSettings(oauth=True, oauth_applications_hourly=2),))
    async with opened(settings) as table:
        wish = {"redirect_uris": [BACK]}
        answers = [await table.post("/oauth/applications", content=wish) for _ in range(3)]
        assert [each.status for each in answers] == [201, 201, 429]
        assert int(answers[2].header("retry-after") or 0) > 60
        elsewhere = await table.post("/oauth/applications", content=wish, peer=("203.0.113.9", 1))
        assert elsewhere.status == 201


async def test_form_is_refused_when_it_is_none(table: Table) -> None:
    """In the words of OAuth, but for what is no form at all."""
    app = await app_of(table)
    path = f"{API}/oauth/token"
    assert (await table.post("/oauth/token", None, {"grant_type": "refresh_token"})).status == 415
    twice = await table.ask("POST", path, raw=b"grant_type=a&grant_type=b", headers=FORM)
    long = await table.ask("POST", path, raw=b"code=" + b"x" * 300, headers=FORM)
    assert wrong(twice) == wrong(long) == wrong(await app.fill_in("token")) == (400, "invalid_request")
    assert wrong(await app.fill_in("token", grant_type="password")) == (400, "unsupported_grant_type")
    assert (await app.fill_in("token", grant_type="refresh_token", more="x")).json["error"] == "invalid_grant"


async def test_service_says_where_applications_find_everything(table: Table) -> None:
    """As RFC 8414 and RFC 9728 want it, with addresses that are there; the page for players is that of the web client."""
    found = (await table.ask("GET", "/.well-known/oauth-authorization-server", headers=[("Host", "cards.example")])).json
    assert found["issuer"] == "http://cards.example"
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert not {"implicit", "password"} & {*found["grant_types_supported"]}
    resource = (await table.ask("GET", "/.well-known/oauth-protected-resource", headers=[("Host", "cards.example")])).json
    assert resource["authorization_servers"] == [found["issuer"]]
    app = await app_of(table)
    shown = await table.ask("GET", f"/oauth/authorize?{urlencode({**app.ask, 'nonce': 'x'})}")
    assert (shown.status, shown.header("referrer-policy")) == (303, "no-referrer")
    assert shown.header("location") == f"/#/authorize?{urlencode(app.ask)}"
    scheme = (await table.get("/openapi.json")).json["components"]["securitySchemes"]["oauth2"]
    flow = scheme["flows"]["authorizationCode"]
    for name, key in (("authorization_endpoint", "authorizationUrl"), ("token_endpoint", "tokenUrl")):
        assert found[name] == f"http://cards.example{flow[key]}"
    assert [*flow["scopes"]] == found["scopes_supported"]


async def test_nothing_is_there_when_it_is_switched_off(table: Table) -> None:
    """Operations say so, pages are not found, and the contract has none of it; without the feature all is missing."""
    for settings, features in ((Settings(), without()), (Settings(), without("oauth"))):
        async with opened(settings, features=features) as off:
            assert "oauth" not in (await off.get("/games")).json["features"]
            contract = (await off.get("/openapi.json")).json
            assert [*contract["components"]["securitySchemes"]] == ["bearer"]
            assert contract["paths"]["/me"]["get"]["security"] == [{"bearer": ["read"]}]
            assert [path for path in contract["paths"] if path.startswith("/oauth")] == []
            for page in ("/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource", "/oauth/authorize"):
                assert (await off.ask("GET", page)).status == 404
    assert [*(await table.get("/openapi.json")).json["components"]["securitySchemes"]] == ["bearer", "oauth2"]
    async with opened(Settings()) as off:
        made = await off.post("/oauth/applications", content={"redirect_uris": [BACK]})
        assert told(made) == (409, "urn:tafelrunde:problem:oauth-off")


def test_operator_names_the_public_address() -> None:
    """Applications find the service by it, and compare it with who answers them."""
    assert FEATURE.check is not None
    with pytest.raises(StartupRefused, match="TAFELRUNDE_PUBLIC_URL"):
        FEATURE.check(read_settings({"TAFELRUNDE_OAUTH": "true"}))
    FEATURE.check(read_settings({"TAFELRUNDE_OAUTH": "true", "TAFELRUNDE_PUBLIC_URL": "https://cards.example"}))
    FEATURE.check(msgspec.structs.replace(Settings()))


async def test_no_secret_of_an_application_is_in_a_log_line(table: Table) -> None:
    """Neither codes nor tokens, used rightly or wrongly."""
    _, token = await table.player("Anna")
    app = await app_of(table)
    with capture_logs() as lines:
        code = await app.code(token)
        given = (await app.exchange(code)).json
        await app.exchange(code)
        await app.refresh(given["refresh_token"])
    said = str(lines)
    assert not [each for each in (code, given["access_token"], given["refresh_token"], VERIFIER) if each in said]
