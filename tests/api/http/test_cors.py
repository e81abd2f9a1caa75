"""Pages from other origins: what a standards-compliant browser lets them do."""

from __future__ import annotations

import pytest

from tafelrunde.api.http.cors import Cors
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import API, Table, opened
from tests.support.wire import Answer

pytestmark = pytest.mark.anyio
APP, STRANGER = "https://app.example", "https://stranger.example"


def service(origins: str) -> Settings:
    """Return the settings of a service that lists these origins."""
    return Settings(limits=LimitSettings(rate_limits=False), cors_origins=origins)


async def may(table: Table, origin: str, method: str, path: str, *headers: str) -> bool:
    """Return whether a browser lets a page send this: with a preflight, as its headers or method need one."""
    names = ", ".join(headers)
    sent = [("Origin", origin), ("Access-Control-Request-Method", method), ("Access-Control-Request-Headers", names)]
    answer = await table.ask("OPTIONS", API + path, headers=sent)
    allowed = (answer.header("access-control-allow-headers") or "").split(", ")
    methods = (answer.header("access-control-allow-methods") or "").split(", ")
    return 200 <= answer.status < 300 and readable(answer, origin) and method in methods and set(headers) <= set(allowed)


def readable(answer: Answer, origin: str) -> bool:
    """Return whether a browser lets a page of this origin read an answer."""
    found = [value.decode() for name, value in answer.headers if name == b"access-control-allow-origin"]
    return found in ([origin], ["*"])


@pytest.fixture(params=["https://app.example", " https://other.example , https://app.example", "*"])
async def origins(request: pytest.FixtureRequest) -> str:
    """Lists of origins that include the app's."""
    return request.param


async def test_listed_origin_may_do_everything_with_its_token(origins: str) -> None:
    """Play, read, stream and open; answers and refusals are readable, with the headers that clients need."""
    async with opened(service(origins)) as table:
        _, token = await table.player()
        assert await may(table, APP, "POST", "/matches", "authorization", "content-type", "idempotency-key")
        assert await may(table, APP, "GET", "/me", "authorization", "if-none-match", "last-event-id")
        assert await may(table, APP, "DELETE", "/me/tokens/t1", "authorization")
        asked = [("Origin", APP)]
        answers = [
            await table.post("/matches", token, {"game": "duel", "seats": 2}, headers=asked),
            await table.get("/me", token, headers=asked),
            await table.get("/me", headers=asked),
            await table.get("/nothing", token, headers=asked),
        ]
        assert [answer.status for answer in answers] == [201, 200, 401, 404]
        for answer in answers:
            assert readable(answer, APP)
            assert "RateLimit" in (answer.header("access-control-expose-headers") or "")


async def test_other_origin_may_read_what_is_public_and_nothing_else() -> None:
    """With GET and no token; a token is not even sent, and nothing can be changed."""
    async with opened(service(APP)) as table:
        _, token = await table.player()
        assert readable(await table.get("/games", headers=[("Origin", STRANGER)]), STRANGER)
        assert await may(table, STRANGER, "GET", "/matches", "last-event-id", "if-none-match")
        assert not await may(table, STRANGER, "GET", "/me", "authorization")
        assert not await may(table, STRANGER, "POST", "/players", "content-type")
        for answer in (
            await table.get("/me", token, headers=[("Origin", STRANGER)]),
            await table.post("/players", content={}, headers=[("Origin", STRANGER)]),
        ):
            assert not readable(answer, STRANGER)
            assert (b"vary", b"Origin") in answer.headers


async def test_stream_can_be_read_by_listed_origins() -> None:
    """Streams are answers like any other."""
    async with opened(service(APP)) as table:
        _, token = await table.player()
        path = f"{API}/matches/{await table.open(token)}/stream"
        for origin, can in ((APP, True), (STRANGER, False)):
            async with table.listen(path, token=token, headers=[("Origin", origin)]) as stream:
                assert readable(await stream.begin(), origin) is can


async def test_public_answer_is_the_same_for_all_origins() -> None:
    """A cache may keep it: it does not depend on the caller."""
    async with opened(service(APP)) as table:
        answers = {await table.get("/games/coup", headers=headers) for headers in ([], [("Origin", APP)], [("Origin", STRANGER)])}
        assert len(answers) == 1


@pytest.mark.parametrize("origin", [APP, STRANGER, "null", "", "https://app.example.stranger.example", "https://app.example:444"])
async def test_credentials_are_never_allowed(origin: str) -> None:
    """No cookie and no client certificate grants access; an origin must equal a listed one exactly."""
    async with opened(service(APP)) as table:
        _, token = await table.player()
        asked = [("Origin", origin), ("Access-Control-Request-Method", "GET")]
        answers = [await table.ask(method, f"{API}/me", token=token, headers=asked) for method in ("OPTIONS", "GET")]
        assert all(answer.header("access-control-allow-credentials") is None for answer in answers)
        assert readable(answers[1], origin) is (origin == APP)


async def test_preflight_of_a_path_that_is_not_there_is_no_leave() -> None:
    """It is a 404, which no browser accepts as a preflight; without an origin or method it is a plain OPTIONS request."""
    async with opened(service("*")) as table:
        assert not await may(table, APP, "GET", "/nothing")
        plain = await table.ask("OPTIONS", f"{API}/me", headers=[("Origin", APP)])
        assert (plain.status, plain.header("access-control-allow-methods")) == (204, None)


async def test_host_can_answer_browsers_by_itself() -> None:
    """`none`: the headers are absent, since a host that adds its own would otherwise send them twice."""
    async with opened(service("none")) as table:
        answer = await table.get("/games", headers=[("Origin", APP)])
        assert not [name for name, _ in answer.headers if name.startswith(b"access-control")]
        assert "origin" not in (answer.header("vary") or "").lower()


@pytest.mark.parametrize(
    "origins", ["app.example", "https://app.example/", "https://*.example", "https://a.example https://b.example"]
)
def test_service_does_not_start_when_an_origin_is_none(origins: str) -> None:
    """The sentence names the setting and the origin."""
    with pytest.raises(StartupRefused, match="TAFELRUNDE_CORS_ORIGINS"):
        Cors(origins)


@pytest.mark.parametrize("origins", ["", APP, "*"])
@pytest.mark.parametrize(
    "page",
    [
        pytest.param([("Origin", STRANGER)], id="named"),
        pytest.param([("Origin", "null"), ("Sec-Fetch-Site", "cross-site")], id="a form"),
        pytest.param([("Sec-Fetch-Site", "same-site")], id="a neighbour"),
    ],
)
async def test_page_of_another_origin_makes_no_player_without_a_preflight(origins: str, page: list[tuple[str, str]]) -> None:
    """A request that a browser sends without a preflight cannot have the content type JSON, and is refused even with no body."""
    async with opened(service(origins)) as table:
        for plain in ([], [("Content-Type", "text/plain")]):
            refused = await table.ask("POST", f"{API}/players", headers=[*page, *plain])
            assert (refused.status, refused.json["type"]) == (415, "urn:tafelrunde:problem:unsupported-media-type")
        asked = [*page, ("Content-Type", "application/json")]
        assert (await table.ask("POST", f"{API}/players", headers=asked)).status == 201


@pytest.mark.parametrize(
    "page",
    [
        pytest.param([], id="no page"),
        pytest.param([("Host", "cards.example"), ("Origin", "https://cards.example")], id="own origin"),
        pytest.param([("Origin", "http://cards.example"), ("Sec-Fetch-Site", "same-origin")], id="the browser says so"),
    ],
)
async def test_sign_up_needs_no_content_type_when_no_other_page_sends_it(page: list[tuple[str, str]]) -> None:
    """`curl -X POST .../players` keeps working, and so do the service's own pages."""
    async with opened(service("")) as table:
        assert (await table.ask("POST", f"{API}/players", headers=page)).status == 201
