"""Signing in by OpenID Connect over HTTP, with a provider on this machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest

from tafelrunde.domain.match import PlayerId
from tafelrunde.service.errors import StartupRefused, StoreUnavailable
from tafelrunde.service.features.openid import provider as served
from tafelrunde.service.features.openid.exchange import MOST_BYTES, Wire
from tafelrunde.service.features.openid.feature import FEATURE, STORE
from tafelrunde.service.features.openid.port import ATTEMPT_MS
from tafelrunde.service.features.openid.provider import HttpProvider
from tafelrunde.service.features.openid.service import OpenId
from tafelrunde.service.features.openid.settings import OpenIdSettings, callback_of
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.accounts import MOST_TOKENS
from tafelrunde.service.settings import Settings
from tests.support.openid import CLIENT, SECRET, OpenIdProvider, algorithm_of, key_of, openid_provider, visit
from tests.support.table import NOW_MS, Table, opened
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio
PUBLIC = "https://cards.example/play"
HOUR_MS = 3_600_000


class Clock:
    """A clock that service and provider share."""

    now_ms = NOW_MS


@pytest.fixture
def provider() -> Generator[OpenIdProvider]:
    """A provider, whose clock is that of the service."""
    Clock.now_ms = NOW_MS
    with openid_provider(lambda: Clock.now_ms) as provider:
        yield provider


@pytest.fixture
async def house(provider: OpenIdProvider) -> Any:
    """A service that uses the provider."""
    async with opened(provider.settings(PUBLIC)) as table:
        yield table


def move(house: Table, milliseconds: int) -> None:
    """Move both clocks."""
    house.now_ms += milliseconds
    Clock.now_ms = house.now_ms


async def begin(house: Table, token: str | None = None) -> Any:
    """Begin to sign in, or with a token to link."""
    answer = await house.post("/me/openid/attempts" if token else "/openid/attempts", token)
    assert answer.status == 200, answer
    return answer.json


async def come_back(begun: Any) -> dict[str, str]:
    """Go to the provider and come back; return the proof."""
    back = await asyncio.to_thread(visit, begun["address"])
    return {"state": back["state"], "code": back["code"], "secret": begun["secret"]}


async def proof(house: Table, token: str | None = None) -> dict[str, str]:
    """Do all but the last step of signing in, or of linking."""
    return await come_back(await begin(house, token))


async def sign_in(house: Table, **more: Any) -> Answer:
    """Sign in."""
    return await house.post("/openid/sign-ins", content=await proof(house), **more)


async def link(house: Table, token: str) -> Answer:
    """Link who is at the provider with the player of a token."""
    return await house.post("/me/openid", token, await proof(house, token))


def problem(answer: Answer) -> tuple[int, str, str]:
    """Return what was refused, and why."""
    return answer.status, answer.json["type"].removeprefix("urn:tafelrunde:problem:"), answer.json.get("detail", "")


async def test_first_sign_in_makes_a_guest_whom_the_next_finds(house: Table, provider: OpenIdProvider) -> None:
    """Nothing is taken over from the provider, and each sign-in has a token of its own, with its label."""
    content = {**await proof(house), "label": "laptop"}
    first = (await house.post("/openid/sign-ins", content=content)).json
    assert first["player"]["guest"] is True
    assert (first["token"]["label"], first["token"]["scopes"]) == ("laptop", ["read", "play", "create"])
    second = (await sign_in(house)).json
    assert second["player"]["id"] == first["player"]["id"]
    assert second["text"] != first["text"]
    assert (await house.get("/me", second["text"])).json["id"] == first["player"]["id"]
    provider.subject = "bert"
    assert (await sign_in(house)).json["player"]["id"] != first["player"]["id"]
    assert b"Example" not in json.dumps((await house.get("/me/export", second["text"])).json).encode()


async def test_provider_is_named_only_where_one_is_set_up(house: Table) -> None:
    """Elsewhere the list of features lacks it, and each operation says so."""
    assert (await house.get("/openid")).json == {"name": "Example"}
    assert "openid" in (await house.get("/games")).json["features"]
    async with opened() as other:
        assert "openid" not in (await other.get("/games")).json["features"]
        _, token = await other.player()
        wrong = {"state": "s" * 43, "code": "c", "secret": "k" * 43}
        answers = [
            await other.get("/openid"),
            await other.post("/openid/attempts"),
            await other.post("/openid/sign-ins", content=wrong),
            await other.get("/me/openid", token),
            await other.post("/me/openid/attempts", token),
            await other.post("/me/openid", token, wrong),
            await other.ask("DELETE", "/api/v1/me/openid", token=token),
        ]
        assert {problem(answer)[:2] for answer in answers} == {(409, "openid-off")}


async def test_browser_is_sent_with_all_that_protects_the_attempt(house: Table) -> None:
    """A state, a nonce and a challenge, each attempt its own, and nothing is asked but who it is."""
    one, other = [
        {name: values[0] for name, values in parse_qs(urlsplit((await begin(house))["address"]).query).items()} for _ in range(2)
    ]
    assert (one["scope"], one["client_id"], one["redirect_uri"]) == ("openid", CLIENT, f"{PUBLIC}/sign-in/openid/callback")
    for name in ("state", "nonce", "code_challenge"):
        assert len(one[name]) == 43
        assert one[name] != other[name]


async def test_browser_that_comes_back_is_led_to_the_page_behind_the_number_sign(house: Table) -> None:
    """So neither code nor state is sent to any server again, nor named to others; unknown words of a provider stay outside."""
    path = "/sign-in/openid/callback"
    answer = await house.ask("GET", f"{path}?state=abc&code=a%2Fb%26c%3Dd&iss=x&session_state=1&scope=openid")
    assert (answer.status, answer.header("location")) == (303, f"{PUBLIC}/#/sign-in/openid?state=abc&code=a%2Fb%26c%3Dd")
    assert (answer.header("referrer-policy"), answer.header("cache-control")) == ("no-referrer", "no-store")
    for query, word in (
        ("error=access_denied&state=abc&error_description=%3Cscript%3E", "access_denied"),
        ("error=%3Cscript%3E", "unknown"),
        ("", "unknown"),
        ("error=access_denied&code=abc", "access_denied"),
    ):
        answer = await house.ask("GET", f"{path}?{query}")
        assert answer.header("location") == f"{PUBLIC}/#/sign-in/openid?error={word}"


async def test_attempt_counts_once(house: Table) -> None:
    """The same request may be repeated, as its answer may have been lost; another one with the same proof is refused."""
    content = await proof(house)
    key = "k" * 30
    first = await house.post("/openid/sign-ins", content=content, key=key)
    again = await house.post("/openid/sign-ins", content=content, key=key)
    assert (first.json, again.header("idempotency-replayed")) == (again.json, "true")
    assert problem(await house.post("/openid/sign-ins", content=content)) == (404, "openid-attempt-unknown", "")


async def test_attempt_ends_after_ten_minutes(house: Table) -> None:
    """And not before."""
    early, late = await proof(house), await proof(house)
    move(house, ATTEMPT_MS - 1)
    assert (await house.post("/openid/sign-ins", content=early)).status == 200
    move(house, 1)
    assert problem(await house.post("/openid/sign-ins", content=late)) == (404, "openid-attempt-unknown", "")


async def test_attempt_of_another_browser_is_refused(house: Table) -> None:
    """Neither can a stranger's link sign someone in, nor does it use up the attempt; and code and state alone are of no use."""
    mine, strange = await proof(house), await proof(house)
    for wrong in ({**strange, "secret": mine["secret"]}, {**mine, "state": strange["state"]}, {**mine, "state": "x" * 43}):
        assert problem(await house.post("/openid/sign-ins", content=wrong)) == (404, "openid-attempt-unknown", "")
    assert (await house.post("/openid/sign-ins", content=mine)).status == 200


async def test_code_of_another_attempt_is_refused(house: Table) -> None:
    """The provider knows by the verifier that it is not for this one."""
    mine, strange = await proof(house), await proof(house)
    answer = await house.post("/openid/sign-ins", content={**mine, "code": strange["code"]})
    assert problem(answer) == (403, "openid-refused", "invalid_grant")


async def test_attempt_to_link_is_only_for_the_player_that_began_it(house: Table) -> None:
    """It signs no one in, and links no one else; nor does one to sign in link anyone."""
    (_, anna), (_, bert) = await house.player("Anna"), await house.player("Bert")
    content = await proof(house, anna)
    for answer in (
        await house.post("/openid/sign-ins", content=content),
        await house.post("/me/openid", bert, content),
        await house.post("/me/openid", bert, await proof(house)),
    ):
        assert problem(answer) == (404, "openid-attempt-unknown", "")
    assert (await house.post("/me/openid", anna, content)).status == 200


def _by(kid: str, algorithm: str = "", named: str | None = None) -> Any:
    """Return what signs with a key, and names one, its own if none is said."""
    return lambda claims: jwt.encode(claims, key_of(kid), algorithm=algorithm or algorithm_of(kid), headers={"kid": named or kid})


NOW = NOW_MS // 1_000
WRONG_CLAIMS = [
    ({"nonce": "another"}, "invalid_claim: nonce"),
    ({"nonce": None}, "missing_claim: nonce"),
    ({"aud": "another"}, "invalid_claim: aud"),
    ({"aud": ["another"]}, "invalid_claim: aud"),
    ({"aud": None}, "missing_claim: aud"),
    ({"aud": [CLIENT, "another"]}, "missing_claim: azp"),
    ({"aud": [CLIENT, "another"], "azp": "another"}, "invalid_claim: azp"),
    ({"azp": "another"}, "invalid_claim: azp"),
    ({"iss": "https://another.example"}, "invalid_claim: iss"),
    ({"iss": None}, "missing_claim: iss"),
    ({"exp": NOW - 60}, "expired_token: exp"),
    ({"exp": None}, "missing_claim: exp"),
    ({"iat": NOW + 120}, "invalid_claim: iat"),
    ({"iat": None}, "missing_claim: iat"),
    ({"sub": ""}, "invalid_claim: sub"),
    ({"sub": None}, "missing_claim: sub"),
    ({"sub": "s" * 256}, "invalid_claim: sub"),
    ({"sub": "ä"}, "invalid_claim: sub"),
]


@pytest.mark.parametrize(("claims", "detail"), WRONG_CLAIMS, ids=map(str, range(len(WRONG_CLAIMS))))
async def test_id_token_is_refused_when_a_claim_does_not_fit(
    house: Table, provider: OpenIdProvider, claims: dict[str, Any], detail: str
) -> None:
    """The answer says which one it is, and no player was made."""
    provider.claims = claims
    assert problem(await sign_in(house)) == (403, "openid-refused", detail)


async def test_id_token_is_accepted_for_several_when_this_service_asked_for_it(house: Table, provider: OpenIdProvider) -> None:
    """And from clocks that differ a little."""
    provider.claims = {"aud": [CLIENT, "another"], "azp": CLIENT, "iat": NOW + 59, "exp": NOW - 59}
    assert (await sign_in(house)).status == 200


WRONG_SIGNATURES = [
    ("alg none", lambda claims: jwt.encode(claims, "", algorithm="none", headers={"kid": "one"}), "unsupported_algorithm"),
    ("secret", lambda claims: jwt.encode(claims, SECRET * 2, algorithm="HS256", headers={"kid": "one"}), "unsupported_algorithm"),
    ("unknown kid", _by("strange"), "invalid_key_id"),
    ("strange key", _by("strange", named="one"), "bad_signature"),
    ("another kind of key", _by("E1", named="one"), None),
    ("no token", lambda _: "no token", None),
    ("two parts", lambda _: "e30.e30", None),
]


@pytest.mark.parametrize(("name", "signed", "detail"), WRONG_SIGNATURES, ids=[each[0] for each in WRONG_SIGNATURES])
async def test_id_token_is_refused_when_no_key_of_the_provider_has_signed_it(
    house: Table, provider: OpenIdProvider, name: str, signed: Any, detail: str | None
) -> None:
    """Whatever its head says about algorithm and key."""
    provider.signed = signed
    status, kind, why = problem(await sign_in(house))
    assert (status, kind) == (403, "openid-refused"), name
    assert detail is None or why == detail


async def test_changed_keys_are_fetched_when_a_token_names_one(house: Table, provider: OpenIdProvider) -> None:
    """Also a new key under the old name; and otherwise once an hour."""
    await sign_in(house)
    await sign_in(house)
    assert provider.asked.count("/keys") == 1
    provider.kids = ["two", "one"]
    assert (await sign_in(house)).status == 200
    provider.kids = ["E1"]
    assert (await sign_in(house)).status == 200
    assert provider.asked.count("/keys") == 3
    move(house, HOUR_MS)
    assert (await sign_in(house)).status == 200
    assert (provider.asked.count("/keys"), provider.asked.count("/.well-known/openid-configuration")) == (4, 2)
    provider.signed = _by("two", named="E1")
    assert problem(await sign_in(house))[1] == "openid-refused"


async def test_secret_is_sent_in_the_way_that_the_provider_takes(house: Table, provider: OpenIdProvider) -> None:
    """In the form where a header will not do."""
    provider.auth_methods = ["client_secret_post"]
    assert (await sign_in(house)).status == 200


async def test_provider_that_is_down_is_said_to_be(house: Table, provider: OpenIdProvider) -> None:
    """With the time after which to ask again; the attempt still counts, for the same request."""
    provider.answers["/.well-known/openid-configuration"] = (503, b"")
    answer = await house.post("/openid/attempts")
    assert (problem(answer), answer.header("retry-after")) == ((503, "openid-unavailable", ""), "5")
    provider.answers.clear()
    assert (await house.post("/openid/attempts")).status == 503
    assert provider.asked.count("/.well-known/openid-configuration") == 1  # it is left alone for a while
    move(house, 5_000)
    content = await proof(house)
    provider.answers["/token"] = (500, b"")
    key = "k" * 30
    assert problem(await house.post("/openid/sign-ins", content=content, key=key))[:2] == (503, "openid-unavailable")
    provider.answers.clear()
    provider.answers["/keys"] = (200, b'{"keys":[]}')
    assert problem(await house.post("/openid/sign-ins", content=content, key=key))[:2] == (503, "openid-unavailable")


async def test_attempt_goes_on_when_the_provider_is_back(house: Table, provider: OpenIdProvider) -> None:
    """As long as it did not see the code."""
    content, key = await proof(house), "k" * 30
    provider.answers["/token"] = (502, b"")
    assert (await house.post("/openid/sign-ins", content=content, key=key)).status == 503
    provider.answers.clear()
    assert (await house.post("/openid/sign-ins", content=content, key=key)).status == 200


async def test_sign_in_goes_on_when_it_was_cut_off_after_the_provider_took_its_code(
    house: Table, provider: OpenIdProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same request, with the secret of the same browser: the provider is not asked again, as it takes a code once."""
    content, key = await proof(house), "k" * 30

    async def cut_off(*_: object, **__: object) -> None:
        raise StoreUnavailable("cut off")

    with monkeypatch.context() as patch:
        patch.setattr(type(house.application.accounts), "register", cut_off)
        assert (await house.post("/openid/sign-ins", content=content, key=key)).status == 503
    stranger = {**content, "secret": "x" * len(content["secret"])}
    assert (await house.post("/openid/sign-ins", content=stranger, key="l" * 30)).status == 404
    assert (await house.post("/openid/sign-ins", content=content, key="m" * 30)).status == 404
    assert (await house.post("/openid/sign-ins", content=content, key=key)).status == 200
    assert provider.asked.count("/token") == 1


NO_ANSWERS = [
    (302, b""),
    (404, b"nothing"),
    (200, b"<html>"),
    (200, b"{}"),
    (200, b" " * (MOST_BYTES + 1)),
    (200, b"\xff"),
]


@pytest.mark.parametrize("answer", NO_ANSWERS, ids=["redirect", "missing", "page", "empty", "long", "no text"])
async def test_answer_that_is_none_counts_as_down(house: Table, provider: OpenIdProvider, answer: tuple[int, bytes]) -> None:
    """A redirect is not followed, and what is too long is not read to its end."""
    provider.location = f"{provider.url}/elsewhere"
    for path in ("/keys", "/token") if answer[0] != 404 else ("/keys",):
        provider.answers = {path: answer}
        assert problem(await sign_in(house))[:2] == (503, "openid-unavailable"), path
    provider.answers = {"/.well-known/openid-configuration": answer}
    move(house, HOUR_MS)
    assert problem(await house.post("/openid/attempts"))[:2] == (503, "openid-unavailable")
    assert "/elsewhere" not in provider.asked


UNSAFE = [
    {"issuer": "https://another.example"},
    {"token_endpoint": "http://another.example/token"},
    {"jwks_uri": "file:///etc/passwd"},
    {"authorization_endpoint": "https://example.org/#fragment"},
]


@pytest.mark.parametrize("metadata", UNSAFE, ids=[next(iter(each)) for each in UNSAFE])
async def test_description_of_the_provider_is_refused_when_it_is_not_safe(
    house: Table, provider: OpenIdProvider, metadata: dict[str, Any]
) -> None:
    """One of another issuer, or with an address to which no secret may go."""
    provider.metadata = metadata
    assert problem(await house.post("/openid/attempts"))[:2] == (503, "openid-unavailable")


async def test_slow_provider_holds_up_no_one_else(house: Table, provider: OpenIdProvider) -> None:
    """Its answer is waited for as long as is set, and others are served meanwhile."""
    openid = house.application.get(OpenId)
    openid.provider = HttpProvider(
        house.application.settings.of(OpenIdSettings),
        callback_of(house.application.settings),
        house.application.now_ms,
        Wire(timeout_seconds=0.2),
    )
    provider.held.clear()
    several = [asyncio.create_task(house.post("/openid/attempts")) for _ in range(3)]
    assert (await house.get("/games")).status == 200
    assert [problem(await each)[:2] for each in several] == [(503, "openid-unavailable")] * 3
    assert provider.asked.count("/.well-known/openid-configuration") <= 1


async def test_service_that_the_provider_does_not_know_is_said_to_be_refused(house: Table, provider: OpenIdProvider) -> None:
    """An operator finds it in the log; the player reads that it failed."""
    provider.answers["/token"] = (401, b'{"error":"invalid_client"}')
    assert problem(await sign_in(house)) == (403, "openid-refused", "service_refused")


async def test_player_links_an_identity_and_signs_in_by_it(house: Table) -> None:
    """Until it unlinks it: then it leads to a new player."""
    anna, token = await house.player("Anna")
    assert (await house.get("/me/openid", token)).json == {"name": "Example", "since_ms": None}
    linked = {"name": "Example", "since_ms": NOW_MS}
    assert (await link(house, token)).json == linked
    assert (await link(house, token)).json == linked
    assert (await house.get("/me/openid", token)).json == linked
    assert (await sign_in(house)).json["player"]["id"] == anna
    exported = (await house.get("/me/export", token)).json["features"]["openid"]
    assert [each["since_ms"] for each in exported] == [NOW_MS]
    for _ in range(2):
        assert (await house.ask("DELETE", "/api/v1/me/openid", token=token)).status == 204
    assert (await house.get("/me/openid", token)).json == {"name": "Example", "since_ms": None}
    assert (await house.get("/me/export", token)).json["features"]["openid"] == []
    assert (await sign_in(house)).json["player"]["id"] != anna


async def test_oldest_sign_in_ends_when_there_is_no_room(house: Table) -> None:
    """A player who has lost all tokens still gets in; tokens that came by other ways stay."""
    player, token = await house.player("Anna")
    await link(house, token)
    first = (await sign_in(house)).json["text"]
    for _ in range(MOST_TOKENS - 2):
        await house.application.accounts.issue(PlayerId(player), "other", ["read"], None)
    last = (await sign_in(house)).json["text"]
    assert [(await house.get("/me", each)).status for each in (token, first, last)] == [200, 401, 200]
    await STORE.of(house.application.stores).strike_tokens(PlayerId(player))
    assert problem(await sign_in(house))[:2] == (409, "too-many-tokens")


async def test_nothing_is_linked_with_a_token_that_ends(house: Table) -> None:
    """Nor with one that does not allow all: signing in would give more than it does."""
    _, token = await house.player("Anna")
    for wish in ({"scopes": ["read", "play", "create"], "expires_ms": NOW_MS + HOUR_MS}, {"scopes": ["read", "create"]}):
        lent = (await house.post("/me/tokens", token, {"label": "lent", **wish})).json["text"]
        assert problem(await house.post("/me/openid/attempts", lent))[:2] == (403, "scope-missing")
        assert problem(await house.post("/me/openid", lent, await proof(house, token)))[:2] == (403, "scope-missing")


async def test_identity_of_another_player_is_not_linked(house: Table, provider: OpenIdProvider) -> None:
    """It stays where it is, and the one who tried can link another one."""
    (anna, one), (_, two) = await house.player("Anna"), await house.player("Bert")
    await link(house, one)
    assert problem(await link(house, two)) == (409, "openid-taken", "")
    assert (await house.get("/me/openid", two)).json["since_ms"] is None
    assert (await sign_in(house)).json["player"]["id"] == anna
    provider.subject = "bert"
    assert (await link(house, two)).status == 200
    provider.subject = "cleo"
    assert problem(await link(house, two)) == (409, "openid-linked", "")


async def test_identity_of_a_deleted_player_is_forgotten(house: Table) -> None:
    """It then makes a new player, or is linked with another one."""
    first = (await sign_in(house)).json
    assert (await house.ask("DELETE", "/api/v1/me", token=first["text"])).status == 204
    store = STORE.of(house.application.stores)
    assert await store.noted(PlayerId(first["player"]["id"])) == {}
    second = (await sign_in(house)).json
    assert second["player"]["id"] != first["player"]["id"]
    await house.ask("DELETE", "/api/v1/me", token=second["text"])
    _, token = await house.player("Anna")
    assert (await link(house, token)).status == 200


async def test_identity_leads_to_a_new_player_when_a_deletion_was_interrupted(house: Table) -> None:
    """The rest of that deletion takes nothing from the new one."""
    first = PlayerId((await sign_in(house)).json["player"]["id"])
    await house.application.accounts.begin_deletion(first)
    await house.application.accounts.remove(first)
    second = (await sign_in(house)).json["player"]["id"]
    assert second != first
    await house.application.erasure.forget(first)
    assert (await sign_in(house)).json["player"]["id"] == second


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
async def test_identity_leads_to_a_new_player_when_the_old_one_is_deleted_in_this_moment(house: Table, late: bool) -> None:
    """Before its new token is made, or after it: nothing of the old one is left."""
    first = PlayerId((await sign_in(house)).json["player"]["id"])
    accounts, issue = house.application.accounts, house.application.accounts.issue

    async def overtaken(player: PlayerId, *args: Any, **more: Any) -> Any:
        issued = await issue(player, *args, **more) if late or player != first else None
        if player == first:
            await house.application.erasure.forget(first)
        return issued or await issue(player, *args, **more)

    accounts.issue = overtaken  # the moment between two requests to the store
    second = (await sign_in(house)).json
    assert second["player"]["id"] != first
    store = STORE.of(house.application.stores)
    assert (await store.noted(first), await store.noted_tokens(first)) == ({}, [])
    accounts.issue = issue
    assert (await sign_in(house)).json["player"]["id"] == second["player"]["id"]


async def test_two_processes_make_one_player(provider: OpenIdProvider) -> None:
    """Of one identity, the first one counts; and the other sign-in leaves no player behind."""
    stores = memory_stores()
    async with opened(provider.settings(PUBLIC), stores=stores) as one, opened(provider.settings(PUBLIC), stores=stores) as two:
        houses = [one, two] * 3
        proofs = [await proof(each) for each in houses]
        answers = await asyncio.gather(
            *(each.post("/openid/sign-ins", content=content) for each, content in zip(houses, proofs, strict=True))
        )
        players = {answer.json["player"]["id"] for answer in answers}
        assert len(players) == 1
        assert {answer.status for answer in answers} == {200}
        for answer in answers:
            assert (await one.get("/me", answer.json["text"])).json["id"] in players


async def test_newcomer_that_was_late_leaves_nothing_behind(house: Table) -> None:
    """Another request gives the identity to a player in the moment between looking and claiming it."""
    anna, _ = await house.player("Anna")
    store, openid = STORE.of(house.application.stores), house.application.get(OpenId)
    made: list[PlayerId] = []
    note = store.note

    async def overtaken(player: PlayerId, identity: bytes, since_ms: int) -> None:
        await note(player, identity, since_ms)
        made.append(player)
        await store.replace(identity, None, PlayerId(anna))

    store.note = overtaken  # the moment between two requests to the store
    assert (await sign_in(house)).json["player"]["id"] == anna
    assert [await house.application.accounts.find(each) for each in made] == [None]
    assert await store.noted(made[0]) == {}
    assert openid.name == "Example"


GIVEN = {"openid_issuer": "https://login.example", "openid_client_id": "cards", "openid_client_secret": "secret"}
REFUSED = [
    ({**GIVEN, "openid_client_secret": None}, PUBLIC, "OPENID_CLIENT_SECRET"),
    ({**GIVEN, "openid_issuer": None}, PUBLIC, "OPENID_ISSUER"),
    ({**GIVEN, "openid_client_id": ""}, PUBLIC, "OPENID_CLIENT_ID"),
    ({**GIVEN, "openid_issuer": "http://login.example"}, PUBLIC, "OPENID_ISSUER"),
    ({**GIVEN, "openid_issuer": "https://login.example?x"}, PUBLIC, "OPENID_ISSUER"),
    (GIVEN, None, "PUBLIC_URL"),
    (GIVEN, "http://cards.example", "PUBLIC_URL"),
]


@pytest.mark.parametrize(("given", "public_url", "named"), REFUSED)
def test_settings_are_refused_when_no_one_could_sign_in(given: dict[str, Any], public_url: str | None, named: str) -> None:
    """A process does not start with a part of them, nor where secrets would travel openly; the message names what to change."""
    assert FEATURE.check is not None
    with pytest.raises(StartupRefused, match=named):
        FEATURE.check(Settings(public_url=public_url, features=(OpenIdSettings(**given),)))


def test_settings_are_accepted_when_they_are_whole() -> None:
    """Or missing as a whole; startup asks no provider."""
    assert FEATURE.check is not None
    for settings in (Settings(), Settings(public_url=PUBLIC, features=(OpenIdSettings(**GIVEN),))):
        FEATURE.check(settings)
    assert not FEATURE.on(Settings())
    assert FEATURE.on(Settings(features=(OpenIdSettings(**GIVEN),)))
    assert {"none", "HS256"}.isdisjoint(served.ALGORITHMS)
