"""The tools over HTTP: MCP as Streamable HTTP under `/mcp`, for each caller as the player of its bearer token."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import json
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from typing import Any, TypeAlias

import httpx
import uvicorn

from .calls import ApiError, Unreachable
from .concurrent.client import AsyncClient
from .tool_server import server_of

Scope: TypeAlias = MutableMapping[str, Any]
"""What a server passes to an ASGI application. Its values are of many types, and only the servers' documentation defines them."""
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

PATH = "/mcp"
METADATA = "/.well-known/oauth-protected-resource"
"""Where a resource says who gives tokens for it (RFC 9728): its own path comes behind."""
SIGN_IN_SECONDS = 60.0
"""For how long it is remembered whether the service lets applications of others in."""
IDLE_SECONDS = 1_800.0
"""For how long what a player has seen is remembered without a request."""
MOST_PLAYERS = 1_000
MOST_AT_AN_ADDRESS = 250
"""How many of those ask from one address: models of several hosts share these tools."""
CHECK_SECONDS = 60.0
"""After this time the service is asked again whether a token is still valid."""
TOKEN_LENGTH = 256
ANSWERS: Mapping[int, str] = {
    401: "Send the token of a player: Authorization: Bearer <token>. POST /api/v1/players of the service makes one.",
    403: "Pages of this origin may not use these tools.",
    404: f"The tools are under {PATH}.",
    502: "The service does not answer.",
    503: "Too many players use these tools now.",
}


class _Desk:
    """The tools of one token, which run in a task of their own until they are closed."""

    def __init__(self, url: str, token: str, place: str) -> None:
        self.app: App
        self.place = place
        self.checked = time.monotonic()
        self.busy = 0
        self.used = time.monotonic()
        self._opened = asyncio.Event()
        self._closing = asyncio.Event()
        self._task = asyncio.create_task(self._run(url, token))

    async def _run(self, url: str, token: str) -> None:
        async with AsyncClient(url, token) as client:
            app = server_of(client).http_app(PATH)
            async with app.router.lifespan_context(app):
                self.app = app
                self._opened.set()
                await self._closing.wait()

    async def opened(self) -> None:
        """Wait until it takes requests."""
        await self._opened.wait()

    async def close(self) -> None:
        """End all of its sessions."""
        self._closing.set()
        await asyncio.wait([self._task])


class _SignIn:
    """How a host without a token can get one: by the OAuth of the service, where that is switched on."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._known: dict[str, object] = {}
        self._asked: float | None = None

    async def metadata(self, scope: Scope) -> dict[str, object] | None:
        """Return what the service says of itself as a resource, but of the tools at the address asked; None if it is off."""
        if self._asked is None or self._asked + SIGN_IN_SECONDS < time.monotonic():
            try:
                async with httpx.AsyncClient(timeout=10.0) as client:
                    answer = await client.get(f"{self._url}{METADATA}")
                self._known = answer.json() if answer.status_code == 200 else {}
            except (httpx.HTTPError, ValueError):
                return None
            self._asked = time.monotonic()
        return {**self._known, "resource": f"{_origin(scope)}{PATH}"} if self._known else None

    async def challenge(self, scope: Scope) -> str:
        """Return what a request without a valid token is sent."""
        found = await self.metadata(scope)
        return f'Bearer resource_metadata="{_origin(scope)}{METADATA}{PATH}"' if found is not None else "Bearer"


def _origin(scope: Scope) -> str:
    """Return where the host has found the tools: behind a proxy of this machine, as that says."""
    host = _header(scope, b"host")
    return f"{scope['scheme']}://{''.join(each for each in host if each.isalnum() or each in '.:-[]_')}"


class ToolsOverHttp:
    """An ASGI application with the tools of a service: a caller plays as the player of its token.

    Each token has tools of its own, so a session is out of reach with another token. The service says which tokens are valid.
    Requests of browsers are refused unless they come from a page of one of the *origins*.
    """

    def __init__(self, url: str, origins: Collection[str] = ()) -> None:
        self._url = url
        self._origins = frozenset(origins)
        self._sign_in = _SignIn(url.rstrip("/"))
        self._desks: dict[bytes, _Desk] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] != "http":
            await _refuse(404, send)
        elif (origin := _header(scope, b"origin")) and origin not in self._origins:
            await _refuse(403, send)
        elif scope["path"] in {METADATA, f"{METADATA}{PATH}"} and scope["method"] == "GET":
            await self._describe(scope, send)
        elif scope["path"].rstrip("/") != PATH:
            await _refuse(404, send)
        elif (token := _token_of(scope)) is None:
            await _refuse(401, send, await self._sign_in.challenge(scope))
        else:
            await self._serve(token, {**scope, "path": PATH, "raw_path": PATH.encode()}, receive, send)

    async def _describe(self, scope: Scope, send: Send) -> None:
        """Say who gives tokens for the tools (RFC 9728)."""
        if (found := await self._sign_in.metadata(scope)) is None:
            await _refuse(404, send)
        else:
            await _answer(200, json.dumps(found).encode(), b"application/json", send)

    async def _serve(self, token: str, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            desk = await self._desk(token, _place(scope))
        except ApiError as error:
            if error.problem.status in {401, 403}:
                await _refuse(401, send, await self._sign_in.challenge(scope))
            else:
                await _refuse(502, send)
        except Unreachable:
            await _refuse(502, send)
        else:
            if desk is None:
                await _refuse(503, send)
                return
            desk.busy += 1
            try:
                await desk.app(scope, receive, send)
            finally:
                desk.busy -= 1
                desk.used = time.monotonic()

    async def _desk(self, token: str, place: str) -> _Desk | None:
        """Return the tools of a token, None if there are too many; raise ApiError for one that the service does not know."""
        name = hashlib.sha256(token.encode()).digest()
        known = self._desks.get(name)
        if known is None or known.checked + CHECK_SECONDS < time.monotonic():
            await self._check(name, token)
            await self._close_idle()
        desk = self._desks.get(name)
        if desk is None:
            here = sum(each.place == place for each in self._desks.values())
            if len(self._desks) >= MOST_PLAYERS or here >= MOST_AT_AN_ADDRESS:
                return None
            desk = self._desks[name] = _Desk(self._url, token, place)
        await desk.opened()
        return desk

    async def _check(self, name: bytes, token: str) -> None:
        """Ask the service for the player of a token; raise ApiError, and end the tools of a token that is no longer valid."""
        try:
            async with AsyncClient(self._url, token) as client:
                await client.player()
        except ApiError as error:
            if error.problem.status in {401, 403} and (ended := self._desks.pop(name, None)) is not None:
                await ended.close()
            raise
        if (desk := self._desks.get(name)) is not None:
            desk.checked = time.monotonic()

    async def _close_idle(self) -> None:
        """Close the tools of those that have not asked for long."""
        before = time.monotonic() - IDLE_SECONDS
        idle = [name for name, desk in self._desks.items() if not desk.busy and desk.used < before]
        await asyncio.gather(*(self._desks.pop(name).close() for name in idle))

    async def close(self) -> None:
        """End all sessions."""
        desks, self._desks = self._desks, {}
        await asyncio.gather(*(desk.close() for desk in desks.values()))

    async def _live(self, receive: Receive, send: Send) -> None:
        """Close all when the server stops."""
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": f"{message['type']}.complete"})
        await self.close()
        await send({"type": "lifespan.shutdown.complete"})


def _header(scope: Scope, name: bytes) -> str:
    headers: dict[bytes, bytes] = dict(scope["headers"])
    return headers.get(name, b"").decode("latin-1")


def _place(scope: Scope) -> str:
    """Return what the address of a request counts as: an IPv6 subscriber has 2^64 of them, which count as one."""
    peer: str = (scope.get("client") or ("",))[0]
    try:
        address = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return peer
    return str(ipaddress.ip_network((int(address) >> 64 << 64, 64))) if address.version == 6 else str(address)


def _token_of(scope: Scope) -> str | None:
    """Return the bearer token, None if there is none that could be one."""
    scheme, _, token = _header(scope, b"authorization").partition(" ")
    token = token.strip()
    return token if scheme.lower() == "bearer" and token and token.isascii() and len(token) <= TOKEN_LENGTH else None


async def _refuse(status: int, send: Send, challenge: str = "") -> None:
    await _answer(status, ANSWERS[status].encode(), b"text/plain; charset=utf-8", send, challenge)


async def _answer(status: int, body: bytes, media: bytes, send: Send, challenge: str = "") -> None:
    headers = [(b"content-type", media), (b"content-length", b"%d" % len(body))]
    if challenge:
        headers.append((b"www-authenticate", challenge.encode("latin-1")))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def serve_http(url: str, host: str, port: int, origins: Collection[str] = ()) -> None:
    """Serve the tools of a service until the process is stopped, also to pages of some *origins*."""
    uvicorn.run(ToolsOverHttp(url, origins), host=host, port=port, log_level="warning", timeout_graceful_shutdown=5)
