"""Reading requests: headers, parameters and bodies become checked values, or a refusal that points at the wrong place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar, cast
from urllib.parse import unquote_plus

import msgspec
from litestar.types import Receive

from ..problems import Refused, misread
from ..schema import fields as patterns

Q = TypeVar("Q", bound=msgspec.Struct)
T = TypeVar("T")

BODY_BYTES = 64 * 1024
TOKEN_LENGTH = 256
LONGEST_LENGTH = 20
"""Maximum digits of a Content-Length that are parsed; a longer one is too large anyway."""
_KEY = re.compile(patterns.KEY)
_JSON = re.compile(r'^application/json\s*(;\s*charset="?utf-8"?\s*)?$', re.IGNORECASE)
_FORM = re.compile(r'^application/x-www-form-urlencoded\s*(;\s*charset="?utf-8"?\s*)?$', re.IGNORECASE)


class HungUp(Exception):
    """The client disconnected before its request was complete: no answer can reach it, and nothing went wrong here."""


async def read_all(receive: Receive, headers: Mapping[bytes, bytes]) -> bytes:
    """Return the whole body. Raises Refused if it is larger than `BODY_BYTES`, or says so; HungUp if its end is missing."""
    if _length(headers) > BODY_BYTES:
        raise Refused("too-large")
    parts = list[bytes]()
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise HungUp
        if part := message.get("body", b""):
            parts.append(part)
            size += len(part)
        if size > BODY_BYTES:
            raise Refused("too-large")
        if not message.get("more_body", False):
            return b"".join(parts)


def _length(headers: Mapping[bytes, bytes]) -> int:
    """Return Content-Length, 0 if it is not a number: the bytes received are counted in any case."""
    digits = headers.get(b"content-length", b"").lstrip(b"0")
    return int(digits[:LONGEST_LENGTH]) if digits.isdigit() else 0


def read_token(headers: Mapping[bytes, bytes]) -> str | None:
    """Return the bearer token, None if there is no Authorization; an empty text for one that cannot be a token."""
    raw = headers.get(b"authorization")
    if raw is None:
        return None
    scheme, _, token = raw.decode("latin-1").partition(" ")
    token = token.strip()
    return token if scheme.lower() == "bearer" and token.isascii() and len(token) <= TOKEN_LENGTH else ""


def read_key(headers: Mapping[bytes, bytes]) -> str | None:
    """Return the Idempotency-Key, None if there is none, without the quotation marks of a structured field (RFC 8941)."""
    raw = headers.get(b"idempotency-key")
    if raw is None:
        return None
    key = raw.decode("latin-1")
    if len(key) > 1 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if _KEY.search(key) is None:
        raise Refused(
            "invalid-request",
            detail="must be 1 to 64 letters, digits, dots, colons, dashes or underscores",
            field="Idempotency-Key",
        )
    return key


def require_json(headers: Mapping[bytes, bytes]) -> None:
    """Refuse a body that does not say that it is JSON."""
    if headers.get(b"content-type") == b"application/json":
        return
    if _JSON.search(headers.get(b"content-type", b"").decode("latin-1")) is None:
        raise Refused("unsupported-media-type")


def require_preflight(headers: Mapping[bytes, bytes]) -> None:
    """Refuse what a page of another origin could send without a preflight: browsers say where a page is from.

    A body that says that it is JSON needs one, and so does the header of a token.
    """
    site = headers.get(b"sec-fetch-site")
    origin = headers.get(b"origin")
    if site is not None:
        foreign = site not in {b"same-origin", b"none"}
    else:
        foreign = origin is not None and origin.partition(b"://")[2] != headers.get(b"host")
    if foreign:
        require_json(headers)


def read_form(raw: bytes, headers: Mapping[bytes, bytes], shape: type[Q]) -> Q:
    """Return the fields of a form; refuse repeated and malformed ones."""
    if _FORM.search(headers.get(b"content-type", b"").decode("latin-1")) is None:
        raise Refused("unsupported-media-type")
    return read_query(raw, shape)


def read_query(raw: bytes, shape: type[Q]) -> Q:
    """Return the query parameters; refuse unknown, repeated and malformed ones."""
    try:
        return msgspec.convert(_fields(raw), shape, strict=False)
    except msgspec.ValidationError as error:
        refused = misread(error)
        raise Refused("invalid-request", detail=refused.detail, field=(refused.field or "").lstrip("/") or None) from None


def _fields(raw: bytes) -> dict[str, str]:
    fields: dict[str, str] = {}
    for part in raw.decode("latin-1").split("&") if raw else ():
        name, _, value = part.partition("=")
        name = unquote_plus(name)
        if name in fields:
            raise Refused("invalid-request", detail="duplicate parameter", field=name)
        fields[name] = unquote_plus(value)
        if fields[name] == "null":
            raise Refused("invalid-request", detail="omit the parameter instead of sending null", field=name)
    return fields


def read_body(raw: bytes | msgspec.Raw, decoder: msgspec.json.Decoder[T], within: str = "") -> T:
    """Return a body, or the part of one that stands *within* it."""
    try:
        return decoded(raw, decoder)
    except UnicodeDecodeError:
        raise Refused("invalid-request", detail="the body is not valid UTF-8", field="") from None
    except msgspec.MsgspecError as error:
        raise misread(error, within) from None


def decoded(raw: bytes | msgspec.Raw, decoder: msgspec.json.Decoder[T]) -> T:
    """Return what JSON says; some clients write whole numbers as 2.0, which equals 2 in JSON Schema."""
    try:
        return decoder.decode(raw)
    except msgspec.ValidationError as error:
        if "got `float`" not in str(error):
            raise
    return decoder.decode(msgspec.json.encode(_whole(msgspec.json.decode(raw))))


def _whole(value: object) -> object:
    """Return JSON with its whole numbers as integers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {name: _whole(each) for name, each in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [_whole(each) for each in cast("list[object]", value)]
    return value
