"""Pages from other origins: all may read what is public; only pages from listed origins may use tokens.

There are no cookies, so credentials are never allowed: a page has only what it was given, and nothing that its user has
elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from litestar.types import Message, Send

from ...service.errors import StartupRefused
from .context import METHOD

Header = tuple[bytes, bytes]

ANY = b"*"
OFF = "none"
MAX_AGE = b"7200"
READING = b"GET, HEAD, OPTIONS"
PLAIN = b"if-none-match, last-event-id"
WITH_TOKEN = b"authorization, content-type, idempotency-key, " + PLAIN
EXPOSED: Header = (
    b"access-control-expose-headers",
    b"Deprecation, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Request-Id",
)
VARY: Header = (b"vary", b"Origin")
SAME_ORIGIN: Header = (b"cross-origin-resource-policy", b"same-origin")
"""For answers that no page of another origin may read, whichever origins are listed."""
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[^/,;\s*'\"]+")


def read_origins(origins: str) -> tuple[str, ...]:
    """Return the origins whose pages may use tokens, as the settings list them; raise StartupRefused."""
    found = [each for part in origins.split(",") if (each := part.strip()) and each != OFF]
    if wrong := [each for each in found if each != "*" and _ORIGIN.fullmatch(each) is None]:
        raise StartupRefused(f"TAFELRUNDE_CORS_ORIGINS: {wrong[0]!r} is no origin, which looks like https://cards.example.")
    return tuple(found)


class Cors:
    """Tells browsers which pages may read answers. *origins*: as in the settings."""

    def __init__(self, origins: str) -> None:
        found = read_origins(origins)
        self._all = "*" in found
        self._listed = frozenset(each.encode() for each in found)

    def lists(self, origin: bytes) -> bool:
        """Return whether pages of an origin may use tokens."""
        return self._all or origin in self._listed

    def headers(self, scope: Mapping[str, Any], present: Sequence[Header]) -> Sequence[Header]:
        """Return the headers that the answer to this request gets beside those *present*. In *scope* HEAD is GET."""
        if SAME_ORIGIN in present:
            return ()
        origin = method = authorization = None
        for name, value in scope["headers"]:
            if name == b"origin":
                origin = value
            elif name == b"authorization":
                authorization = value
            elif name == b"access-control-request-method":
                method = value
        whose = ANY if self._all else origin if origin in self._listed else None
        if scope[METHOD] == "OPTIONS" and origin is not None and method is not None:
            return _preflight(present, whose)
        return _plain(ANY if authorization is None and scope[METHOD] == "GET" else whose)

    def wrap(self, scope: Mapping[str, Any], send: Send) -> Send:
        """Return *send* with these headers added to the answer."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers: list[Any] = list(message["headers"])
                message = {**message, "headers": [*headers, *self.headers(scope, headers)]}
            await send(message)

        return send_with_headers


def _plain(whose: bytes | None) -> Sequence[Header]:
    if whose == ANY:
        return ((b"access-control-allow-origin", ANY), EXPOSED)
    return (VARY,) if whose is None else ((b"access-control-allow-origin", whose), EXPOSED, VARY)


def _preflight(headers: Sequence[Header], whose: bytes | None) -> Sequence[Header]:
    """Return what a preflight allows; the answer to OPTIONS has the methods of the path, one to a wrong path has none."""
    allowed = next((value for name, value in headers if name.lower() == b"allow"), None)
    if allowed is None:
        return (VARY,)
    return (
        (b"access-control-allow-origin", whose or ANY),
        (b"access-control-allow-methods", READING if whose is None else allowed),
        (b"access-control-allow-headers", PLAIN if whose is None else WITH_TOKEN),
        (b"access-control-max-age", MAX_AGE),
        VARY,
    )
