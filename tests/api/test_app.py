"""The app as a part of other apps: under a path, with and without its lifespan."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from litestar import Litestar, asgi
from litestar.types import Receive, Scope, Send

from tafelrunde.api.app import create_app, running
from tafelrunde.api.http import context
from tafelrunde.api.http.static_files import version
from tafelrunde.service.application import Application
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import Settings
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Server
from tests.support.wire import Answer, Exchange, Wire, request

pytestmark = pytest.mark.anyio


def app(**settings: Any) -> Litestar:
    """Return an app over stores in memory."""
    return create_app(application=Application(memory_stores(), Settings(**settings)))


class Host:
    """A host that mounts an app under a path; hosts differ in whether the path that the app receives still contains it."""

    def __init__(self, inner: Litestar, root: str, *, keeps: bool) -> None:
        self._wire = Wire(inner)
        self._root = root
        self._keeps = keeps

    async def ask(self, method: str, path: str, **more: Any) -> Answer:
        """Ask the app as the host does."""
        return await self._wire.ask(method, self._root + path if self._keeps else path, root=self._root, **more)


async def assert_told(host: Host, base: str, asked: str = "") -> None:
    """Assert that both documents name the path of a mount; *asked* is the query, and they grow if it is not empty."""
    contract = (await host.ask("GET", f"/api/v1/openapi.json{asked}")).json
    assert contract["servers"] == [{"url": f"{base}/api/v1"}]
    socket = (await host.ask("GET", f"/api/v1/asyncapi.json{asked}")).json
    assert socket["servers"]["service"]["pathname"] == f"{urlsplit(base).path}/api/v1"
    for each in (contract, socket):
        assert ("UnknownKind" in each["components"]["schemas"]) == bool(asked)


# The last ones also occur within our own paths, or look like their beginning.
ROOTS = ["", "/tafel", "/a/b/", "/api", "/m", "/embed", "/api/v1"]


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("keeps", [False, True], ids=["path-without-mount", "path-with-mount"])
async def test_mounted_app_finds_its_paths_and_tells_them(root: str, *, keeps: bool) -> None:
    """Places, links and the address in the contract all begin with the path of the mount."""
    inner = app()
    base = root.rstrip("/")
    host = Host(inner, root, keeps=keeps) if keeps is False or not root.endswith("/") else Host(inner, base, keeps=True)
    async with running(inner):
        made = await host.ask("POST", "/api/v1/players")
        token = made.json["text"]
        assert (made.header("location") or "").startswith(f"{base}/api/v1/players/p")
        content = {"game": "coup", "seats": 2}
        opened = await host.ask("POST", "/api/v1/matches", token=token, content=content, key="k")
        place = f"/api/v1/matches/{opened.json['match']}"
        assert opened.header("location") == base + place
        facts = await host.ask("GET", place, token=token)
        assert facts.json["links"]["view"] == f"{base}{place}/view"
        await assert_told(host, base)
        assert (await host.ask("GET", "/")).status == 200
        assert f"../web/{version()}/embed.js".encode() in (await host.ask("GET", f"/embed/{opened.json['match']}")).body


async def test_contract_that_may_grow_knows_its_mount_too() -> None:
    """As the other one is."""
    inner = app()
    async with running(inner):
        await assert_told(Host(inner, "/tafel", keeps=True), "/tafel", "?growing=true")


async def test_public_address_counts_before_the_mount() -> None:
    """Behind a proxy, links lead to the address that clients see."""
    inner = app(public_url="https://play.example/cards/")
    async with running(inner):
        made = await Wire(inner).ask("POST", "/api/v1/players", root="/inside")
        assert (made.header("location") or "").startswith("https://play.example/cards/api/v1/players/p")


async def test_app_works_inside_another_litestar() -> None:
    """A host of the same framework mounts it like any ASGI app."""
    inner = app()

    @asgi("/tafel", is_mount=True, copy_scope=True)
    async def mounted(scope: Scope, receive: Receive, send: Send) -> None:
        await inner({**scope, "root_path": "/tafel"}, receive, send)  # type: ignore[arg-type]  # a copy of the host's own scope

    host = Litestar([mounted], openapi_config=None)
    async with running(inner):
        answer = await Wire(host).ask("GET", "/tafel/api/v1/games")
        assert answer.status == 200
        assert answer.json["items"]


async def test_request_leaves_nothing_in_its_scope() -> None:
    """What is found is answered without the state that Litestar makes for each request."""
    inner = app()
    state = dict[str, object]()
    scope, body = request("GET", "/api/v1/games")
    async with running(inner):
        exchange = Exchange(inner, {**scope, "state": state}, body)
        assert (await exchange.begin()).status == 200
        await exchange.hear()
        await exchange.leave()
    assert state == {}


NAMES = ("my_service:8000", "[::1]", "[2001:db8::1]:8000", "cards.example", "cards.example:", "127.0.0.1:8000")
NO_NAMES = (
    "cards/example",
    "",
    "evil@x",
    "javascript:x",
    "a:b:1",
    "[::1",
    "::1",
    ":8000",
    "x:123456",
    "[evil]",
    "a b",
    "a\tb",
    "ä",
)


@pytest.mark.parametrize(("host", "status"), [*((each, 200) for each in NAMES), *((each, 400) for each in NO_NAMES)])
async def test_name_of_the_server_is_refused_when_it_is_none(host: str, status: int) -> None:
    """A Host header that could not stand in an address is refused as a problem, to pages of other origins too."""
    wire = Wire(app())
    async with running(wire.app):
        answer = await wire.ask("GET", "/api/v1/games", headers=[("Host", host), ("Origin", "https://cards.example")])
    assert answer.status == status
    assert (answer.header("content-type") == "application/problem+json") is (status == 400)
    assert answer.header("access-control-allow-origin") == "*"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *(("/api/v1/games", 200), ("/api/v1/nothing", 404), ("/api/v1/matches/x", 404), ("/api/v1/openapi.json", 200)),
        *(("/", 200), ("/web/app.js", 200), ("/problems/", 200), ("/api/v1/docs", 200), ("/api/v1/matches/stream", 404)),
    ],
)
async def test_browser_takes_an_answer_for_what_it_says_it_is(path: str, status: int) -> None:
    """Every body says so once: JSON, problems, pages and what they load."""
    wire = Wire(app())
    async with running(wire.app):
        answer = await wire.ask("GET", path)
    assert answer.status == status
    assert [value for name, value in answer.headers if name == b"x-content-type-options"] == [b"nosniff"]


async def test_wrong_method_and_wrong_path_are_problems_to_every_page() -> None:
    """Both are refused in the same shape as everything else, also to pages of other origins."""
    wire = Wire(app())
    async with running(wire.app):
        method = await wire.ask("DELETE", "/api/v1/games", token="t", headers=[("Origin", "https://cards.example")])
        path = await wire.ask("GET", "/api/v1/nothing", headers=[("Origin", "https://cards.example")])
    assert (method.status, method.header("allow"), path.status) == (405, "GET, HEAD, OPTIONS", 404)
    for each in (method, path):
        assert each.header("content-type") == "application/problem+json"
        assert [name for name, _ in each.headers].count(b"vary" if each is method else b"access-control-allow-origin") == 1


async def test_app_says_that_no_one_has_started_it() -> None:
    """A host that forgot the lifespan gets an error that says so, for every request except liveness."""
    inner = Wire(app())
    for path in ("/health/ready", "/matches", "/matches/m" + "a" * 24):
        answer = await inner.ask("GET", f"/api/v1{path}")
        assert (answer.status, answer.json["type"]) == (503, "urn:tafelrunde:problem:lifespan-not-run")
    assert (await inner.ask("GET", "/api/v1/health/live")).status == 200


async def test_app_can_be_started_again_after_it_was_stopped() -> None:
    """A host may run the lifespan more than once, with a house of its own each time it was drained."""
    inner = app()
    async with running(inner):
        assert (await Wire(inner).ask("GET", "/api/v1/health/ready")).status == 200
    assert (await Wire(inner).ask("GET", "/api/v1/health/ready")).status == 503


async def test_patient_app_begins_with_its_server_where_that_is_there(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside other processes it would else take connections from them, and turn them away."""
    monkeypatch.setattr(context, "OPEN_SECONDS", PATIENCE_SECONDS)
    with Server("valkey", short_path) as server:
        inner = create_app(Settings(redis_url=server.url), patient=True)
        async with running(inner):
            assert (await Wire(inner).ask("POST", "/api/v1/players")).status == 201


async def test_patient_app_says_what_it_waits_for_until_its_server_is_there(short_path: Path) -> None:
    """It is alive meanwhile, answers 503, and opens by itself; then it names the next thing that is missing."""
    server = Server("valkey", short_path)
    waits = "The process waits for its store."
    inner = create_app(Settings(redis_url=server.url), patient=True)
    wire = Wire(inner)

    async def told(method: str = "GET", path: str = "/api/v1/health/ready") -> str:
        answer = await wire.ask(method, path)
        assert answer.status == 503
        return str(answer.json["detail"])

    async with running(inner):
        assert (await wire.ask("GET", "/api/v1/health/live")).status == 200
        assert [await told(), await told("POST", "/api/v1/players")] == [waits, waits]
        with server:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while await told() == waits:  # noqa: ASYNC110 - the app sets no event
                    await asyncio.sleep(0.02)
            assert await told() == "No sweeper has been seen for 20 s."
            assert (await wire.ask("POST", "/api/v1/players")).status == 201
