"""One attempt: a POST to a judged address, no proxy, no redirect, no more of the answer than its status."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import httpx

from ..settings import Settings
from .addresses import Guard, Resolve, Resolver, Unreachable, networks
from .store import AttemptOutcome

TIMEOUT_SECONDS = 10.0
_WELL_FORMED = re.compile(r"^https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])([:/?#][!-~]*)?\Z", re.IGNORECASE)
_NUMBER = re.compile(r"(^|\.)(0x[0-9a-f]*|[0-9]+)\.?$", re.IGNORECASE)
"""How a host ends that some resolvers take for an IPv4 address, in one of its many spellings."""


class Result(NamedTuple):
    """How an attempt ended."""

    outcome: AttemptOutcome
    status: int | None = None


class Sender(Protocol):
    """Sends one message."""

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Result:
        """Return how it went; raise nothing but cancellation."""
        ...


class Post:
    """Sends by HTTP/1.1, over a connection of its own for each message.

    Every address of the name is judged, and if one is refused, all are; then the connection goes to the first, by number,
    while the name stays in Host, in the handshake, and in the check of the certificate.
    """

    def __init__(
        self,
        guard: Guard,
        resolve: Resolve,
        *,
        plain: bool = False,
        timeout_seconds: float = TIMEOUT_SECONDS,
        trust: Callable[[], ssl.SSLContext] = httpx.create_ssl_context,
    ) -> None:
        self._guard = guard
        self._plain = plain
        self._resolve = resolve
        self._timeout_seconds = timeout_seconds
        self._trust = trust
        self._client: httpx.AsyncClient | None = None

    def why_not(self, url: str) -> str | None:
        """Return why nothing can ever be sent to a URL, None if nothing in its text speaks against it. Looks nothing up."""
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL:
            return "this is no URL"
        port = 443 if parsed.port is None else parsed.port
        if _WELL_FORMED.search(url) is None or parsed.userinfo or parsed.fragment or not 0 < port < 65_536:
            return "a URL in ASCII with a host, without user and fragment, is needed"
        if parsed.scheme != "https" and not (self._plain and parsed.scheme == "http"):
            return "https is needed"
        return "its address is not one of the public internet" if self._surely_refused(parsed.host) else None

    def _surely_refused(self, host: str) -> bool:
        """Return whether a host is a number that is no admitted address. Names are judged when something is sent."""
        return (":" in host or _NUMBER.search(host) is not None) and not self._guard.admits(host)

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Result:
        """Return how it went; raise nothing but cancellation."""
        client = self._open()
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await self._send(client, httpx.URL(url), headers, body)
        except (TimeoutError, httpx.TimeoutException):
            return Result(AttemptOutcome.TIMED_OUT)
        except Unreachable as error:
            return Result(error.outcome)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError):
            return Result(AttemptOutcome.UNREACHABLE)

    async def _send(self, client: httpx.AsyncClient, url: httpx.URL, headers: Mapping[str, str], body: bytes) -> Result:
        address = await self._judged(url)
        request = httpx.Request(
            "POST",
            url.copy_with(host=address),
            headers={**headers, "host": url.netloc.decode("ascii"), "connection": "close"},
            content=body,
            extensions={"sni_hostname": url.raw_host.decode("ascii"), "timeout": {}},
        )
        response = await client.send(request, stream=True, follow_redirects=False)
        await response.aclose()
        return Result(_outcome(response.status_code), response.status_code)

    async def _judged(self, url: httpx.URL) -> str:
        """Return the address to connect to; raise Unreachable, which looks the same for no address and for a refused one."""
        if self.why_not(str(url)) is not None:
            raise Unreachable
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            found: Sequence[str] = await self._resolve(url.raw_host.decode("ascii").strip("[]"), port)
        except OSError:
            raise Unreachable from None
        if not found or not all(map(self._guard.admits, found)):
            raise Unreachable
        return found[0]

    def _open(self) -> httpx.AsyncClient:
        """Return the client: made late, as reading all certificates takes a while."""
        if self._client is None:
            limits = httpx.Limits(max_keepalive_connections=0)
            self._client = httpx.AsyncClient(verify=self._trust(), trust_env=False, limits=limits)
        return self._client

    async def close(self) -> None:
        """Close all connections; whatever is sent later opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


def _outcome(status: int) -> AttemptOutcome:
    if 200 <= status < 300:
        return AttemptOutcome.DELIVERED
    return AttemptOutcome.REDIRECTED if 300 <= status < 400 else AttemptOutcome.REFUSED


def post_of(settings: Settings, resolve: Resolve | None = None) -> Post:
    """Return what sends for a deployment; raise StartupRefused."""
    guard = Guard(networks(settings.webhook_networks))
    return Post(guard, resolve or Resolver(), plain=settings.webhook_http)
