"""Pages of other sites, on origins of their own, around a service that is itself mounted in another app."""

from __future__ import annotations

import secrets
import ssl
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, cast

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from tafelrunde.api.app import create_app, running
from tafelrunde.client import Client
from tafelrunde.service.application import Application
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import LimitSettings, Settings
from tafelrunde.workers.listener import listen
from tests.support.patience import PATIENCE_SECONDS
from tests.web.party import play_out
from tests.web.slow import late

ROOT = "/tafel"
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Authorities are not read for each request to this machine: that takes longer than the request."""


class Site:
    """A site whose pages a test writes; it keeps what it was asked for, and from where."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(f"{self.path} {self.headers}")
                page = site.pages.get(self.path.partition("?")[0])
                self.send_response(200 if page is not None else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write((page or "").encode())

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the class above
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def put(self, body: str, head: str = "") -> str:
        """Have a page with this body; return its address."""
        path = f"/{len(self.pages)}"
        known = '<meta charset="utf-8"><link rel="icon" href="data:,">'
        self.pages[path] = f'<!doctype html><html lang="fr"><head>{known}{head}</head><body>{body}</body></html>'
        return self.url + path

    @contextmanager
    def open(self) -> Generator[Site]:
        """Serve it for the duration of the block."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join(5)


class Sites(NamedTuple):
    """The service, a site that it lists, and one that it does not."""

    service: str
    friend: Site
    stranger: Site


@contextmanager
def mounted(origins: str) -> Generator[str]:
    """Serve the service under a path of another app; give its address."""
    cards = create_app(
        application=Application(
            memory_stores(), Settings(bot_pause_ms=0, limits=LimitSettings(rate_limits=False), cors_origins=origins)
        ),
        tend=True,
    )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with running(cards):
            yield

    host = Starlette(routes=[Mount(ROOT, cast(ASGIApp, late(cards)))], lifespan=lifespan)
    with listen(Settings(port=0)) as listener:
        server = uvicorn.Server(uvicorn.Config(host, ws="websockets-sansio", log_config=None, timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}{ROOT}"
        finally:
            server.should_exit = True
            thread.join(10)


@contextmanager
def sites() -> Generator[Sites]:
    """Serve all three for the duration of the block."""
    with Site().open() as friend, Site().open() as stranger, mounted(friend.url) as service:
        yield Sites(service, friend, stranger)


class Player:
    """A player with a match of Coup that waits for seat 0, as the server of a site sees it."""

    def __init__(self, service: str, **wish: Any) -> None:
        self._api = f"{service}/api/v1"
        self._headers: dict[str, str] = {}
        self._service = service
        self._token: str = self.ask("POST", "players")["text"]
        self._headers["Authorization"] = f"Bearer {self._token}"
        bots = [{"seat": 1, "bot": "random"}]
        content = {"game": "coup", "seats": 2, "options": {"first_seat": 0}, "bots": bots, "start": True, "spectators": "public"}
        self.match: str = self.ask("POST", "matches", {**content, **wish})["match"]

    def ask(self, method: str, path: str, content: object = None) -> Any:
        """Ask the service."""
        headers = {**self._headers, "Idempotency-Key": secrets.token_hex()}
        with httpx.Client(headers=headers, timeout=PATIENCE_SECONDS, verify=NO_TLS) as client:
            answer = client.request(method, f"{self._api}/{path}", json=content)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def play_out(self) -> None:
        """Play the match to its end."""
        with Client(self._service, self._token) as client:
            play_out(client, self.match)

    def token(self) -> str:
        """Return a fresh seat token."""
        return self.ask("POST", f"matches/{self.match}/seats/0/tokens")["text"]

    def revoke(self) -> None:
        """End all seat tokens."""
        for each in self.ask("GET", "me/tokens")["items"]:
            if each["match"] is not None:
                self.ask("DELETE", f"me/tokens/{each['id']}")

    def moves(self) -> int:
        """Return how many things have happened in the match."""
        return len(self.ask("GET", f"matches/{self.match}/feed")["items"])
