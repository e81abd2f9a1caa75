"""Requests and answers as values, without a connection, and when to try again: what both clients share."""

from __future__ import annotations

import secrets
import ssl
from collections.abc import Mapping
from functools import cache
from typing import Generic, TypeVar, cast
from urllib.parse import quote

import httpx
import msgspec

from .problems import ApiError, Problem, Unreachable

BASE = "/api/v1"
TRIES = 5
WORTH_ANOTHER_TRY = {429, 502, 503, 504}
FIRST_PAUSE = 0.2
LONGEST_PAUSE = 10.0

Shape = TypeVar("Shape")


@cache
def authorities() -> ssl.SSLContext:
    """Return whom all clients of a process trust to vouch for a service: reading all certificates takes 20 ms."""
    return httpx.create_ssl_context()


def require_transport(transport: object, kind: type[object]) -> None:
    """Raise TypeError unless it is a transport of httpx of that kind, or None."""
    if transport is not None and not isinstance(transport, kind):
        raise TypeError(f'transport is {transport!r}: pass "socket", a {kind.__name__} of httpx, or nothing for HTTP')


def fresh_key() -> str:
    """Return a key for a request that may be repeated."""
    return secrets.token_urlsafe(16)


class Call(msgspec.Struct, Generic[Shape], frozen=True):
    """One call of an operation, and the shape of its answer: a JSON type, `bytes` or `str` for raw content, or `NoneType`.

    `path` is that of the contract, and `parts` fill in its parameters. What changes something has a `key`, so it can be repeated.
    """

    shape: type[Shape]
    operation: str
    method: str
    path: str
    parts: Mapping[str, str | int] = {}
    parameters: Mapping[str, str | int | bool | None] = {}
    body: object = None
    key: str | None = None
    accept: str = "application/json"

    @property
    def where(self) -> str:
        """The path with its parts, each quoted, so that no id can change where it leads."""
        return self.path.format_map({name: _quoted(str(part)) for name, part in self.parts.items()})

    def request(self, client: httpx.Client | httpx.AsyncClient, token: str | None) -> httpx.Request:
        """Return the request for a connection of this kind."""
        headers = {"Accept": self.accept}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if self.key is not None:
            headers["Idempotency-Key"] = self.key
        content = None if self.body is None else msgspec.json.encode(self.body)
        if content is not None:
            headers["Content-Type"] = "application/json"
        given = {name: value for name, value in self.parameters.items() if value is not None}
        return client.build_request(self.method, BASE + self.where, params=given, headers=headers, content=content)

    def tries(self) -> Tries:
        """Return how often this request may be tried: once, if a repetition would do harm."""
        return Tries(safe=self.method == "GET" or self.key is not None)

    def read(self, answer: httpx.Response | None) -> Shape:
        """Return the decoded answer; raise ApiError, or Unreachable for None."""
        if answer is None:
            raise Unreachable(f"no answer to {self.method} {self.where}")
        if answer.is_success:
            return self._decoded(answer)
        raise ApiError(problem_of(answer))

    def _decoded(self, answer: httpx.Response) -> Shape:
        if self.shape is bytes:
            return cast("Shape", answer.content)
        try:
            if self.shape is str:
                return cast("Shape", answer.content.decode())
            return msgspec.json.decode(answer.content or b"null", type=self.shape)
        except (UnicodeDecodeError, msgspec.DecodeError) as error:
            raise Unreachable(f"what answered {self.method} {self.where} is not such a service") from error


def _quoted(part: str) -> str:
    return part.replace(".", "%2E") if part in {".", ".."} else quote(part, safe="")


def problem_of(answer: httpx.Response) -> Problem:
    """Return the problem of an answer that is not a success, even if a proxy made it."""
    try:
        return msgspec.json.decode(answer.content, type=Problem)
    except msgspec.DecodeError:
        return Problem(type="about:blank", title=answer.reason_phrase or "not a problem document", status=answer.status_code)


class Tries:
    """Counts the tries of a request, and decides whether to retry."""

    def __init__(self, safe: bool) -> None:
        self._safe = safe
        self._count = 0

    def again(self, answer: httpx.Response | None) -> float | None:
        """Return the seconds to wait before the next try, or None if this answer (None: there was none) is final."""
        self._count += 1
        if self._count >= TRIES or not self._safe or (answer is not None and answer.status_code not in WORTH_ANOTHER_TRY):
            return None
        after = answer.headers.get("Retry-After", "") if answer is not None else ""
        if after.isdigit():
            return min(float(after), LONGEST_PAUSE)
        return min(FIRST_PAUSE * 2**self._count, LONGEST_PAUSE) * (0.5 + secrets.randbelow(500) / 1000)

    def renew(self) -> None:
        """Reset the count after a success."""
        self._count = 0
