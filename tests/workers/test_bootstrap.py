"""What a process needs before it starts: a server that may not be there yet."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import httpx
import pytest
from structlog.testing import capture_logs

from tafelrunde.service.errors import StartupRefused, StoreAway
from tafelrunde.service.settings import Settings
from tafelrunde.workers import bootstrap
from tafelrunde.workers.bootstrap import check
from tafelrunde.workers.turning_away import turning_away
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Server, need

pytestmark = [pytest.mark.anyio, pytest.mark.real]
BODY = b"no server yet"


async def test_serve_waits_for_its_server_when_that_is_started_later(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a reboot of the machine: it says so once, and goes on. A wrong setting is refused at once all the same.

    Who asks meanwhile gets 503, also one who sends slowly or has gone; nothing waits until the server is there.
    """
    need("valkey")
    monkeypatch.setattr(bootstrap, "LOOK_SECONDS", 0.01)
    server = Server("valkey", short_path)
    settings = Settings(redis_url=server.url)
    with pytest.raises(StoreAway):
        await check(settings)
    with pytest.raises(StartupRefused, match="REDIS_URL"):
        await check(Settings(redis_url="nonsense://x"), patient=True)
    with capture_logs() as lines, socket.create_server(("127.0.0.1", 0)) as listener, httpx.Client(trust_env=False) as client:
        checking = asyncio.create_task(check(settings, patient=True, while_waiting=turning_away(listener, (), BODY)))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not lines:  # noqa: ASYNC110 - the log sets no event
                await asyncio.sleep(0.01)
            url = f"http://127.0.0.1:{listener.getsockname()[1]}/api/v1/matches"
            with socket.create_connection(listener.getsockname()) as slow:
                socket.create_connection(listener.getsockname()).close()
                answer = await asyncio.to_thread(client.post, url, content=b"{" * 100_000, timeout=PATIENCE_SECONDS)
                slow.settimeout(PATIENCE_SECONDS)
                assert (await asyncio.to_thread(slow.recv, 1 << 16)).startswith(b"HTTP/1.1 503 ")
            assert (answer.status_code, answer.content) == (503, BODY)
            assert not checking.done()
            with server:
                assert (await checking).store_id
    assert [(line["event"], line.get("reason")) for line in lines] == [
        ("store unavailable", "no answer"),
        ("store available again", None),
    ]
