"""Requests made from others by small changes: parts of one in another, values that no client sends, bytes that are not text."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 1e308, 2**31, 2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**40),
    *("", " ", "0", "null", "\x00", "\ud800", "\u202e", "ß", "🂡", "a" * 5_000, "../../..", "%2e%2e%2f", "{}", "[]"),
    *([], {}, [[]], {"": {}}, [None] * 100, {"type": "match.play"}),
)
TEXTS = (
    *("", " ", "0", "-1", "99999999999999999999", "%00", "%ff", "%F0%9F%82%A1", "..", "null"),
    *("a" * 3_000, "1-00000000", "m" + "a" * 24),
)
HEADERS = (
    *("idempotency-key", "if-match", "if-none-match", "accept", "accept-language", "accept-encoding", "content-type"),
    *("last-event-id", "host", "range"),
)
HEADER_VALUES = (
    *(b"", b"*", b'"1"', b"0", b"\xff", b"application/json", b"text/plain", b"a" * 300, b"0-00000000", b"q=;,", b"bytes=0-"),
)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
LEFT_OUT = ("wait=", "/stream")
"""Requests that would only take time."""


class Request(NamedTuple):
    """A request on the wire; path and query are as sent."""

    method: str
    path: str
    query: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


def mutated(rng: random.Random, known: Sequence[Request]) -> Request:
    """Return one of the known requests with one to four changes."""
    request = rng.choice(known)
    for _ in range(rng.choice((1, 1, 2, 4))):
        request = rng.choice(_CHANGES)(rng, request, rng.choice(known))
    return request


def worth_asking(request: Request) -> bool:
    """Return whether a request can be repeated at will: it does not wait, and does not end the token of all others."""
    ends_all = (request.method == "DELETE" and request.path.rstrip("/").endswith(("/me",))) or "/me/tokens" in request.path
    return not ends_all and not any(part in f"{request.path}?{request.query}" for part in LEFT_OUT)


def _of_another_path(rng: random.Random, request: Request, other: Request) -> Request:
    """Put a segment of another path, or an odd one, in place of one."""
    segments, others = request.path.split("/"), other.path.split("/")
    segments[rng.randrange(len(segments))] = rng.choice((*others, rng.choice(TEXTS)))
    return request._replace(path="/" + "/".join(segments).lstrip("/"))


def _other_query(rng: random.Random, request: Request, other: Request) -> Request:
    """Add, drop, double or change a parameter."""
    parts = [part for part in (*request.query.split("&"), *rng.sample(other.query.split("&"), 1)) if part]
    if parts:
        at = rng.randrange(len(parts))
        name = parts[at].partition("=")[0]
        parts[at : at + 1] = rng.choice(([], [parts[at]] * 2, [f"{name}={rng.choice(TEXTS)}"], [name]))
    return request._replace(query="&".join(parts))


def _other_header(rng: random.Random, request: Request, other: Request) -> Request:
    """Add, drop, double or change a header."""
    headers = list(request.headers)
    if headers and rng.random() < 0.5:
        at = rng.randrange(len(headers))
        headers[at : at + 1] = rng.choice(([], [headers[at]] * 2, [(headers[at][0], rng.choice(HEADER_VALUES))]))
    else:
        headers.append(rng.choice((*other.headers, (rng.choice(HEADERS).encode(), rng.choice(HEADER_VALUES)))))
    return request._replace(headers=tuple(headers))


def _other_method(rng: random.Random, request: Request, _: Request) -> Request:
    return request._replace(method=rng.choice(METHODS))


def _other_body(_: random.Random, request: Request, other: Request) -> Request:
    return request._replace(body=other.body)


def _other_node(rng: random.Random, request: Request, other: Request) -> Request:
    """Put an odd value, or a part of another body, somewhere into the body."""
    try:
        content, donor = json.loads(request.body), json.loads(other.body)
    except ValueError:
        content = {}
        donor = None
    value = rng.choice(ODD) if donor is None or rng.random() < 0.6 else rng.choice(list(_nodes(donor)))
    return request._replace(body=json.dumps(_with(rng, content, value)).encode())


def _nodes(content: Any) -> Sequence[Any]:
    inside = content.values() if isinstance(content, dict) else content if isinstance(content, list) else ()
    return [content, *(node for each in inside for node in _nodes(each))]


def _with(rng: random.Random, content: Any, value: Any) -> Any:
    """Return the content with a value in one place, which may be a new one or the whole."""
    if not isinstance(content, (dict, list)) or not content or rng.random() < 0.1:
        return {"x": value} if content == {} else value
    if isinstance(content, list):
        at = rng.randrange(len(content))
        return [*content[:at], _with(rng, content[at], value), *content[at + 1 :]]
    name = rng.choice(list(content))
    rest = {each: inside for each, inside in content.items() if each != name}
    return rest if rng.random() < 0.15 else {**rest, rng.choice((name, name, name, "y")): _with(rng, content[name], value)}


def _other_bytes(rng: random.Random, request: Request, _: Request) -> Request:
    """Cut the body, or change some of its bytes."""
    body = bytearray(request.body or b"{}")
    at = rng.randrange(len(body))
    if rng.random() < 0.3:
        return request._replace(body=bytes(body[:at]))
    body[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(4))
    return request._replace(body=bytes(body))


_CHANGES: tuple[Callable[[random.Random, Request, Request], Request], ...] = (
    *(_of_another_path, _other_query, _other_header, _other_method, _other_body),
    *(_other_node, _other_node, _other_node, _other_bytes),
)


def scope_of(request: Request) -> Mapping[str, Any]:
    """Return a request in the form in which a server passes it to an application."""
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": unquote(request.path),
        "raw_path": request.path.encode(errors="replace"),
        "query_string": request.query.encode(errors="replace"),
        "root_path": "",
        "headers": list(request.headers),
        "client": ("127.0.0.1", 40_000),
        "server": ("127.0.0.1", 80),
    }
