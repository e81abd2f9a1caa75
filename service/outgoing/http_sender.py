"""One attempt: a POST to a checked address, no proxy, no redirect, and only the status of the response is used.

The HTTP client is imported when the first URL is looked at: a process that sends nothing starts without it.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable, Mapping, Sequence, Set
from enum import Enum
from typing import TYPE_CHECKING, Annotated, NamedTuple, Protocol, TypeAlias

import msgspec

from ..errors import StartupRefused
from ..settings import Settings
from .address_guard import Guard, Resolve, Resolver, Unreachable, networks

if TYPE_CHECKING:
    import httpx

    from .connections import Connections

TIMEOUT_SECONDS = 10.0
_Port: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=65_535)]
LONGEST_LABEL, LONGEST_HOST = 63, 253
PORTS = (443, 8443)
PLAIN_PORTS = (80, 8080)
_WELL_FORMED = re.compile(r"^https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])([:/?#][!-~]*)?\Z", re.IGNORECASE)
NEEDED = "a URL in ASCII with a host, without user and fragment, is needed"
_NUMBER = re.compile(r"(^|\.)(0x[0-9a-f]*|[0-9]+)\.?$", re.IGNORECASE)
"""Last labels of hosts that some resolvers take for an IPv4 address, in one of its many notations."""


class AttemptOutcome(Enum):
    """How an attempt ended: 2xx, another status, a redirect (never followed), a timeout, no connection, or no address.

    A refused address and a name that does not resolve look the same.
    """

    DELIVERED = "delivered"
    REFUSED = "refused"
    REDIRECTED = "redirected"
    TIMED_OUT = "timed-out"
    UNREACHABLE = "unreachable"
    ADDRESS_REFUSED = "address-refused"


class Result(NamedTuple):
    """How an attempt ended."""

    outcome: AttemptOutcome
    status: int | None = None


class Sender(Protocol):
    """Sends one message."""

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Result:
        """Return the result; raise nothing but cancellation."""
        ...


def _certificates() -> ssl.SSLContext:
    from httpx import create_ssl_context

    return create_ssl_context()


class Post:
    """Sends by HTTP/1.1, over connections that are kept.

    For every attempt the name is looked up and all its addresses are judged; if one is refused, all are. Then a connection to
    the first of them is used, by number, while the name stays in Host, in the handshake, and in the check of the certificate.
    So a kept connection is used only as long as its name still leads where it leads. `ports` are those that a new URL may
    name; None: any.
    """

    def __init__(
        self,
        guard: Guard,
        resolve: Resolve,
        *,
        plain: bool = False,
        ports: Set[int] | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
        trust: Callable[[], ssl.SSLContext] = _certificates,
    ) -> None:
        self._guard = guard
        self._plain = plain
        self._ports = ports
        self._resolve = resolve
        self._timeout_seconds = timeout_seconds
        self._trust = trust
        self._connections: Connections | None = None

    def why_not_new(self, url: str) -> str | None:
        """Return why a URL is refused for new webhooks, None if nothing in its text speaks against it. Resolves nothing."""
        import httpx

        if (reason := self.why_not(url)) is not None:
            return reason
        if self._ports is not None and _port(httpx.URL(url)) not in self._ports:
            return f"its port is none of {', '.join(map(str, sorted(self._ports)))}, which this service sends to"
        return None

    def why_not(self, url: str) -> str | None:
        """Return why nothing can ever be sent to a URL, None if nothing in its text speaks against it. Resolves nothing."""
        import httpx

        if _WELL_FORMED.search(url) is None:
            return NEEDED
        try:
            parsed = httpx.URL(url)
        except httpx.InvalidURL:
            return "this is no URL"
        port = 443 if parsed.port is None else parsed.port
        if parsed.userinfo or parsed.fragment or not 0 < port < 65_536:
            return NEEDED
        if parsed.scheme != "https" and not (self._plain and parsed.scheme == "http"):
            return "https is needed"
        host = _host(parsed)
        if not _fit_for_names(host):
            return "its host can be no name: one has labels of 1 to 63 characters, 253 in all"
        return "its address is not one of the public internet" if self._surely_refused(host) else None

    def _surely_refused(self, host: str) -> bool:
        """Return whether a host is a number that is not an allowed address. Names are checked when something is sent."""
        return (":" in host or _NUMBER.search(host) is not None) and not self._guard.admits(host)

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Result:
        """Return the result; raise nothing but cancellation."""
        import httpx

        from .connections import Lost

        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await self._send(httpx.URL(url), headers, body)
        except TimeoutError:
            return Result(AttemptOutcome.TIMED_OUT)
        except Unreachable:
            return Result(AttemptOutcome.ADDRESS_REFUSED)
        except (*Lost, httpx.InvalidURL, OSError, ValueError):
            return Result(AttemptOutcome.UNREACHABLE)

    async def _send(self, url: httpx.URL, headers: Mapping[str, str], body: bytes) -> Result:
        import httpcore

        from .connections import Connections, Target

        name = _host(url)
        place = Target(url.scheme, name, _port(url), await self._judge(url))
        request = httpcore.Request(
            "POST",
            httpcore.URL(scheme=place.scheme, host=place.address, port=place.port, target=url.raw_path),
            headers={"host": url.netloc.decode("ascii"), **headers, "content-length": str(len(body))},
            content=body,
            extensions={"sni_hostname": name},
        )
        self._connections = self._connections or Connections(self._trust)
        status = await self._connections.send(place, request)
        return Result(_outcome(status), status)

    async def _judge(self, url: httpx.URL) -> str:
        """Return the address to connect to; raise Unreachable, which looks the same for no address and for a refused one."""
        if self.why_not(str(url)) is not None:
            raise Unreachable
        try:
            found: Sequence[str] = await self._resolve(_host(url), _port(url))
        except OSError:
            raise Unreachable from None
        if not found or not all(map(self._guard.admits, found)):
            raise Unreachable
        return found[0]

    async def close(self) -> None:
        """Close all connections that are kept; whatever is sent later opens new ones."""
        if self._connections is not None:
            await self._connections.close()


def _host(url: httpx.URL) -> str:
    """Return a host as it is written: nothing here needs what `xn--` stands for, and not all of it can be decoded."""
    return url.raw_host.decode("ascii")


def _fit_for_names(host: str) -> bool:
    """Return whether a name server could know a host, which may end with a dot; an address of IPv6 needs none."""
    labels = host.removesuffix(".").split(".")
    return ":" in host or (len(host.removesuffix(".")) <= LONGEST_HOST and all(0 < len(each) <= LONGEST_LABEL for each in labels))


def _port(url: httpx.URL) -> int:
    return url.port or (443 if url.scheme == "https" else 80)


def _outcome(status: int) -> AttemptOutcome:
    if 200 <= status < 300:
        return AttemptOutcome.DELIVERED
    return AttemptOutcome.REDIRECTED if 300 <= status < 400 else AttemptOutcome.REFUSED


def ports_of(settings: Settings) -> Set[int] | None:
    """Return the ports that new URLs may name, None for any; raise StartupRefused."""
    text = settings.webhook_ports
    if text.strip() == "*":
        return None
    try:
        more = msgspec.convert([each.strip() for each in text.split(",") if each.strip()], set[_Port], strict=False)
    except msgspec.ValidationError as error:
        raise StartupRefused(
            f"TAFELRUNDE_WEBHOOK_PORTS is {text!r}, which does not work: {str(error).partition(' - at ')[0]}."
        ) from error
    return {*PORTS, *(PLAIN_PORTS if settings.webhook_http else ()), *more}


def post_of(settings: Settings, resolve: Resolve | None = None) -> Post:
    """Return the sender of a deployment; raise StartupRefused."""
    guard = Guard(networks(settings.webhook_networks))
    return Post(guard, resolve or Resolver(), plain=settings.webhook_http, ports=ports_of(settings))
