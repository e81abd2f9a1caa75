"""Between the server and an operation: bodies, methods, and connections that are not HTTP requests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

from tafelrunde.api.http.request import BODY_BYTES
from tests.support.contract import shipped
from tests.support.table import API, Table
from tests.support.wire import request

pytestmark = pytest.mark.anyio

NAMED = b'{"name":"Ada"}'
METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "QUERY", "SING"}
METHOD_NOT_ALLOWED = "urn:tafelrunde:problem:method-not-allowed"


async def send_in(table: Table, parts: Sequence[bytes], *headers: tuple[str, str]) -> tuple[int, int]:
    """Sign up with a body in these parts; return the status, and how many of them were read."""
    json = ("Content-Type", "application/json")
    scope, _ = request("POST", f"{API}/players", headers=[json, *headers])
    sent = list[dict[str, Any]]()
    read = 0

    async def receive() -> Any:
        nonlocal read
        read += 1
        return {"type": "http.request", "body": parts[read - 1], "more_body": read < len(parts)}

    async def send(message: Any) -> None:
        sent.append(message)

    await table.app(scope, receive, send)  # type: ignore[arg-type]  # the app's types name each message
    return sent[0]["status"], read


async def test_body_is_read_whole_when_it_comes_in_pieces(table: Table) -> None:
    """Servers hand a body over as it arrives."""
    assert await send_in(table, [NAMED[:3], b"", NAMED[3:]]) == (201, 3)


@pytest.mark.parametrize("length", [str(BODY_BYTES + 1), "0" * 30 + str(BODY_BYTES + 1), "9" * 5_000])
async def test_body_is_refused_unread_when_it_says_that_it_is_too_large(table: Table, length: str) -> None:
    """A body whose declared length is too large is not read at all, however the number is written."""
    assert await send_in(table, [NAMED], ("Content-Length", length)) == (413, 0)


@pytest.mark.parametrize("length", [(), (("Content-Length", "10"),), (("Content-Length", "many"),)])
async def test_body_is_refused_at_the_first_byte_too_many(table: Table, length: tuple[tuple[str, str], ...]) -> None:
    """A body without a length, or with a wrong one, is read up to the limit and no further."""
    blanks = [b" " * (BODY_BYTES // 2)] * 2
    assert await send_in(table, [*blanks, b" ", b" ", b" "], *length) == (413, 3)


async def test_body_of_just_the_limit_is_read(table: Table) -> None:
    """A body of exactly the limit is accepted."""
    padded = NAMED + b" " * (BODY_BYTES - len(NAMED))
    assert await send_in(table, [padded], ("Content-Length", str(BODY_BYTES))) == (201, 1)


BROKEN = {
    "not UTF-8": b'{"bot": true, "name": "\xf1"}',
    "not UTF-8 behind a float": b'{"bot": 2.0, "name": {"\xf1": 1}}',
    "nested too deeply": b'{"bot": true, "name": ' + b"[" * 9_000 + b"]" * 9_000 + b"}",
    "nested too deeply behind a float": b'{"bot": 2.0, "name": ' + b"[" * 9_000 + b"]" * 9_000 + b"}",
    "nested too deeply to encode": b'{"bot": 2.0, "name": ' + b"[" * 900 + b"]" * 900 + b"}",
    "too large a number": b'{"bot": 2.0, "name": 1e308}',
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
async def test_body_that_cannot_be_decoded_is_refused(table: Table, body: bytes) -> None:
    """Bytes that are no text and bottomless nesting are the client's error, also where the body is decoded twice."""
    assert await send_in(table, [body]) == (400, 1)


async def test_every_path_refuses_all_methods_but_its_own(table: Table) -> None:
    """405 and OPTIONS list the same methods, and HEAD is listed where GET is."""
    for path, methods in shipped()["paths"].items():
        own = {method.upper() for method in methods}
        place = API + re.sub(r"{(\w+)}", r"\1", path)
        asked = await table.ask("OPTIONS", place)
        allow = ", ".join(sorted({*own, "OPTIONS", *(["HEAD"] if "GET" in own else [])}))
        assert (asked.status, asked.header("allow")) == (204, allow), path
        for method in METHODS - own:
            refused = await table.ask(method, place)
            assert (refused.status, refused.json["type"], refused.header("allow")) == (405, METHOD_NOT_ALLOWED, allow), path
            assert refused.header("content-type") == "application/problem+json"


async def test_head_is_answered_as_get_where_the_path_has_parameters(table: Table) -> None:
    """Servers omit the body; status and headers equal those of GET."""
    _, token = await table.player()
    place = f"{API}/matches/{await table.open(token)}"
    head, got = await table.ask("HEAD", place, token=token), await table.ask("GET", place, token=token)
    assert (head.status, head.header("etag")) == (got.status, got.header("etag")) == (200, got.header("etag"))


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS", "PATCH", "BREW"])
async def test_unknown_path_is_not_found_by_any_method(table: Table, method: str) -> None:
    """An unknown path is unknown for all methods, and the answer is a problem."""
    answer = await super(Table, table).ask(method, f"{API}/nowhere/at/all")
    assert (answer.status, answer.json["type"]) == (404, "urn:tafelrunde:problem:not-found")


@pytest.mark.parametrize("path", ["/matches", f"/matches/m{'a' * 24}/stream", "/nowhere"])
async def test_websocket_is_closed_without_being_accepted(table: Table, path: str) -> None:
    """There are none, whatever a host lets through."""
    scope, _ = request("GET", API + path)
    scope = {**{name: value for name, value in scope.items() if name != "method"}, "type": "websocket", "subprotocols": []}
    sent = list[dict[str, Any]]()

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await table.app(scope, receive, send)  # type: ignore[arg-type]  # the app's types name each message
    assert [message["type"] for message in sent] == ["websocket.close"]
