"""Clients that disconnect while they send a request."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.support.table import API, Table
from tests.support.wire import request

pytestmark = pytest.mark.anyio


async def hang_up(table: Table, method: str, path: str, **more: Any) -> None:
    """Start a body, and disconnect in the middle."""
    scope, _ = request(method, API + path, **more)
    messages = iter([{"type": "http.request", "body": b'{"na', "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        await asyncio.sleep(0)
        return next(messages)

    async def send(_: Any) -> None:
        """The answer reaches no one."""

    await table.app(scope, receive, send)  # type: ignore[arg-type]  # the app's types name each message


async def test_nothing_is_our_error_when_a_client_hangs_up_in_its_body(table: Table) -> None:
    """It is logged at debug level only, and counted as 499, not as a server error."""
    _, token = await table.player()
    figures = await table.operator()
    with capture_logs() as logged:
        await hang_up(table, "POST", "/players")
        await hang_up(table, "POST", "/matches", token=token, key="one")
    assert {line["log_level"] for line in logged} == {"debug"}
    text = (await table.get("/metrics", figures)).body
    assert b'tafelrunde_requests_total{operation="createPlayer",status="499"} 1.0' in text
    assert b'tafelrunde_requests_total{operation="openMatch",status="499"} 1.0' in text
    assert b'status="5' not in text
    assert b"tafelrunde_problems_total{" not in text
