"""The tools over HTTP: each caller plays as the player of its token, through the official client."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Generator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import uvicorn
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tafelrunde.client import AsyncClient
from tafelrunde.client import tool_http as over_http
from tafelrunde.client.tool_http import ToolsOverHttp
from tests.client.agent import Agent
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import run, until
from tests.support.served import Service, service
from tests.support.servers import free_port

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("client")]
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
DECIDED = {"response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method"}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service() as running:
        yield running


@contextmanager
def running(url: str, origins: Sequence[str] = ()) -> Generator[tuple[str, ToolsOverHttp]]:
    """Give the address of the tools of a service, on a port of their own, and the tools."""
    tools = ToolsOverHttp(url, origins)
    server = uvicorn.Server(uvicorn.Config(tools, "127.0.0.1", free_port(), log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until("the tools take requests", lambda: server.started)
    try:
        yield f"http://127.0.0.1:{server.config.port}/mcp", tools
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def at(served: Service) -> Iterator[str]:
    """The address of the tools."""
    with running(served.url) as (address, _):
        yield address


async def token_of(served: Service) -> str:
    """Make a player; return its token."""
    async with AsyncClient(served.url) as client:
        await client.sign_up()
        assert client.token is not None
        return client.token


@asynccontextmanager
async def agent(at: str, token: str) -> AsyncGenerator[Agent]:
    """An agent that has a token."""
    async with (
        httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE_SECONDS) as http,
        streamable_http_client(at, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        yield Agent(session)


async def test_model_plays_a_match_as_the_player_of_its_token(served: Service, at: str) -> None:
    """From the opening to the end; the match is in the list of that player, and of no other one."""
    token, other = await token_of(served), await token_of(served)
    async with agent(at, token) as each:
        update = await each.play_a_match("coup", 2, "random")
    assert update["status"] == "over"
    async with AsyncClient(served.url, token) as client, AsyncClient(served.url, other) as stranger:
        seats = {seat.player for seat in (await client.match(update["match"])).chairs}
        assert (await client.player()).id in seats
        assert (await stranger.player()).id not in seats


async def test_models_at_one_table_see_their_own_hands(served: Service, at: str) -> None:
    """Two sessions with two tokens at the same time."""
    async with agent(at, await token_of(served)) as one, agent(at, await token_of(served)) as two:
        match = (await one.use("open_match", game="coup", seats=2))["match"]
        assert (await two.use("join", match=match))["seat"] != (await one.use("view", match=match))["seat"]


async def test_caller_is_turned_away_when_its_token_is_none(served: Service, at: str) -> None:
    """None, one that the service does not know, another scheme; the answer says where tokens come from."""
    async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as http:
        for value in (None, "Bearer tr_unknown", "Basic abc", "Bearer", f"Bearer {'x' * 300}"):
            headers = ACCEPT if value is None else {**ACCEPT, "Authorization": value}
            refused = await http.post(at, json=HELLO, headers=headers)
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"].startswith("Bearer resource_metadata=")
            assert "/api/v1/players" in refused.text
        elsewhere = await http.post(at.removesuffix("/mcp"), json=HELLO, headers=ACCEPT)
        assert elsewhere.status_code == 404


class Memory(TokenStorage):
    """Where a host keeps what it has got."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


async def test_host_without_a_token_finds_the_sign_in_by_itself(served: Service, at: str) -> None:
    """The official client registers, sends its person to the page that asks, and plays with the token that it gets."""
    person, back = await token_of(served), "http://127.0.0.1:9/back"
    asked: list[str] = []

    async def send_person(address: str) -> None:
        asked.append(address)

    async def come_back() -> tuple[str, str | None]:
        sent = {name: value for name, [value] in parse_qs(urlsplit(asked[-1]).query).items()}
        wish = {name: value for name, value in sent.items() if name in DECIDED}
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {person}"}) as page:
            done = await page.post(f"{served.url}/api/v1/oauth/authorization", json={**wish, "allowed": True})
        given = parse_qs(urlsplit(done.raise_for_status().json()["redirect"]).query)
        return given["code"][0], given["state"][0]

    wish = OAuthClientMetadata(client_name="A host", redirect_uris=[AnyUrl(back)], token_endpoint_auth_method="none")
    kept = Memory()
    auth = OAuthClientProvider(at, wish, kept, send_person, come_back)
    async with (
        httpx.AsyncClient(auth=auth, timeout=PATIENCE_SECONDS) as http,
        streamable_http_client(at, http_client=http) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        match = (await Agent(session).use("open_match", game="coup", seats=2))["match"]
    assert asked[0].startswith(f"{served.url}/oauth/authorize?")
    assert kept.tokens is not None
    assert kept.tokens.access_token != person
    async with AsyncClient(served.url, person) as client:
        assert (await client.player()).id in {chair.player for chair in (await client.match(match)).chairs}


async def test_tools_say_who_gives_tokens_where_the_service_has_a_sign_in(served: Service, at: str) -> None:
    """Under the address of the resource, as the 401 says; without a sign-in, or an answer of the service, nothing."""
    origin = at.removesuffix("/mcp")
    metadata = f"{origin}/.well-known/oauth-protected-resource/mcp"
    async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as http:
        refused = await http.post(at, json=HELLO, headers=ACCEPT)
        assert refused.headers["www-authenticate"] == f'Bearer resource_metadata="{metadata}"'
        told = (await http.get(metadata)).json()
        assert (told["resource"], told["authorization_servers"]) == (at, [served.url])
        assert told["bearer_methods_supported"] == ["header"]
        assert (await http.get(f"{origin}/.well-known/oauth-protected-resource")).json() == told
        proxied = await http.get(metadata, headers={"Host": "tools.example", "X-Forwarded-Proto": "https"})
        assert proxied.json()["resource"] == "https://tools.example/mcp"
        with running(f"http://127.0.0.1:{free_port()}") as (alone, _):
            assert (await http.post(alone, json=HELLO, headers=ACCEPT)).headers["www-authenticate"] == "Bearer"
            assert (await http.get(f"{alone.removesuffix('/mcp')}/.well-known/oauth-protected-resource/mcp")).status_code == 404


async def test_session_is_out_of_reach_with_another_token(served: Service, at: str) -> None:
    """Its id is no secret that opens anything."""
    first, second = [{**ACCEPT, "Authorization": f"Bearer {await token_of(served)}"} for _ in range(2)]
    async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as http:
        session = (await http.post(at, json=HELLO, headers=first)).headers["mcp-session-id"]
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        own = await http.post(at, json=ping, headers={**first, "mcp-session-id": session})
        other = await http.post(at, json=ping, headers={**second, "mcp-session-id": session})
    assert own.status_code == 200
    assert other.status_code == 404


async def test_tools_are_closed_when_their_player_has_not_asked_for_long(
    served: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And where there are too many players, the next one is turned away until then."""
    monkeypatch.setattr(over_http, "MOST_PLAYERS", 1)
    tokens = [await token_of(served) for _ in range(2)]
    with running(served.url) as (at, _):
        async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as http:

            async def hello(token: str) -> int:
                return (await http.post(at, json=HELLO, headers={**ACCEPT, "Authorization": f"Bearer {token}"})).status_code

            assert [await hello(token) for token in tokens] == [200, 503]
            monkeypatch.setattr(over_http, "IDLE_SECONDS", -1.0)
            assert await hello(tokens[1]) == 200


async def test_caller_hears_it_when_the_service_is_away() -> None:
    """As a gateway says it."""
    with running(f"http://127.0.0.1:{free_port()}") as (at, _):
        async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as http:
            answer = await http.post(at, json=HELLO, headers={**ACCEPT, "Authorization": "Bearer tr_any"})
    assert answer.status_code == 502


async def test_command_serves_models_over_http(served: Service) -> None:
    """`tafelrunde mcp --http` says where, and serves until it is stopped."""
    port = free_port()
    command = [sys.executable, "-P", "-m", "tafelrunde.workers", "mcp", "--url", served.url, "--http", f"127.0.0.1:{port}"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: ASYNC220 - its end is what is tested
        assert process.stdout is not None
        address = f"http://127.0.0.1:{port}/mcp"
        assert address in process.stdout.readline()
        await asyncio.to_thread(until, "the command serves", lambda: _answers(address))
        async with agent(address, await token_of(served)) as each:
            assert (await each.use("list_games"))["games"]
        process.terminate()
        assert process.wait(PATIENCE_SECONDS) in {0, -15}


def _answers(address: str) -> bool:
    try:
        return httpx.get(address).status_code == 401
    except httpx.TransportError:
        return False


@pytest.mark.parametrize("address", ["8100", "localhost", "localhost:x", "localhost:70000"])
def test_command_refuses_what_is_no_address(address: str) -> None:
    """With an example."""
    done = run("mcp", "--http", address)
    assert done.returncode == 2
    assert "like 127.0.0.1:8100" in done.stderr


async def greet(at: str, token: str, **headers: str) -> int:
    """Begin a session; return the status."""
    async with httpx.AsyncClient(timeout=PATIENCE_SECONDS) as http:
        sent = {**ACCEPT, "Authorization": f"Bearer {token}", **headers}
        return (await http.post(at, json=HELLO, headers=sent)).status_code


async def test_page_of_an_origin_that_is_not_listed_is_refused(served: Service) -> None:
    """Whatever host it names, as a name of its own may lead here; programs send no origin."""
    token = await token_of(served)
    evil, good = {"Origin": "http://evil.example", "Host": "evil.example"}, {"Origin": "https://models.example"}
    with running(served.url, ["https://models.example"]) as (address, _):
        found = [await greet(address, token, **headers) for headers in (evil, {"Origin": "null"}, good, {})]
    assert found == [403, 403, 200, 200]


async def test_address_has_a_share_of_the_places(served: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """One who brings many tokens leaves places to others; those who are there go on."""
    monkeypatch.setattr(over_http, "MOST_AT_AN_ADDRESS", 2)
    tokens = [await token_of(served) for _ in range(3)]
    with running(served.url) as (address, _):
        assert [await greet(address, token) for token in (*tokens, tokens[0])] == [200, 200, 503, 200]
        assert await greet(address, tokens[2], **{"X-Forwarded-For": "203.0.113.9"}) == 200


async def test_revoked_token_is_looked_at_again(served: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets no list of tools any more, and its place is free; a valid one goes on."""
    token, other = await token_of(served), await token_of(served)
    with running(served.url) as (address, tools):
        assert [await greet(address, each) for each in (token, other)] == [200, 200]
        async with AsyncClient(served.url, token) as client:
            await client.delete_me()
        monkeypatch.setattr(over_http, "CHECK_SECONDS", -1.0)
        assert [await greet(address, each) for each in (token, other)] == [401, 200]
        assert len(tools._desks) == 1
