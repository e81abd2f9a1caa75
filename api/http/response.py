"""Replies: bytes with headers, which send themselves. Every body is written by one encoder."""

from __future__ import annotations

import hashlib
from typing import cast

import msgspec
from litestar.types import HTTPResponseBodyEvent, HTTPResponseStartEvent, Receive, Scope, Send

from ..problems import MEDIA_TYPE, RETRY_SECONDS, TYPES, Problem

Header = tuple[bytes, bytes]

JSON = b"application/json"
PRIVATE: tuple[Header, ...] = ((b"cache-control", b"private, no-cache"), (b"vary", b"Authorization"))
"""For answers that depend on the caller: only its own client may cache them, and revalidates every time."""
SECRET: tuple[Header, ...] = ((b"cache-control", b"no-store"),)
"""For what must not be cached: tokens, and the answers to commands."""

REPLAYED = "Idempotency-Replayed"
"""The header of a reply that an earlier request with the same key had."""

AS_SAID: Header = (b"x-content-type-options", b"nosniff")
"""For every body: a browser must not take it for anything but what its type says, whatever a name or a text in it looks like."""

_encoder = msgspec.json.Encoder()


class Reply:
    """A whole reply. `problem` is the problem type that it has, for counting."""

    __slots__ = ("body", "headers", "problem", "status")

    def __init__(self, status: int, body: bytes, headers: list[Header], problem: str = "") -> None:
        self.status = status
        self.body = body
        self.headers = headers
        self.problem = problem

    @property
    def replayed(self) -> bool:
        """Whether it is that of an earlier request with the same key."""
        return any(name == b"idempotency-replayed" for name, _ in self.headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        await send(cast(HTTPResponseStartEvent, {"type": "http.response.start", "status": self.status, "headers": self.headers}))
        await send(cast(HTTPResponseBodyEvent, {"type": "http.response.body", "body": self.body, "more_body": False}))


def encode(value: object) -> bytes:
    """Return a value as JSON."""
    return _encoder.encode(value)


def json(value: object, *headers: Header, status: int = 200) -> Reply:
    """Return a reply with a JSON body."""
    return content(encode(value), JSON, *headers, status=status)


def content(body: bytes, media_type: bytes, *headers: Header, status: int = 200) -> Reply:
    """Return a reply with a body of any type."""
    length = (b"content-length", b"%d" % len(body))
    return Reply(status, body, [(b"content-type", media_type), length, AS_SAID, *headers])


def nothing(status: int, *headers: Header) -> Reply:
    """Return a reply without a body."""
    return Reply(status, b"", list(headers))


def problem(refusal: Problem, retry_seconds: int = RETRY_SECONDS) -> Reply:
    """Return a problem as a reply."""
    headers = [*SECRET]
    if refusal.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if refusal.status in {429, 503}:
        headers.append((b"retry-after", b"%d" % retry_seconds))
    reply = content(encode(refusal), MEDIA_TYPE, *headers, status=refusal.status)
    reply.problem = refusal.type.removeprefix(TYPES)
    return reply


def tag_reply(body: bytes, tag: str, asked: str, *headers: Header, media_type: bytes = JSON) -> Reply:
    """Return a reply with an entity tag, or 304 if the client has that one."""
    entity = (b"etag", f'"{tag}"'.encode())
    if has(asked, tag):
        return nothing(304, entity, *headers)
    return content(body, media_type, entity, *headers)


def has(asked: str, tag: str) -> bool:
    """Return whether If-None-Match names the tag; tags are compared weakly, as that header wants."""
    return bool(asked) and any(each.strip().removeprefix("W/") in {"*", f'"{tag}"'} for each in asked.split(","))


def tag_of(body: bytes) -> str:
    """Return an entity tag for a body that has no cursor."""
    return hashlib.sha256(body).hexdigest()[:16]
