"""What a process needs before it starts: a server that may not be there yet."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from tafelrunde.service.errors import StartupRefused, StoreAway
from tafelrunde.service.settings import Settings
from tafelrunde.workers import bootstrap
from tafelrunde.workers.bootstrap import check
from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import Server, need

pytestmark = [pytest.mark.anyio, pytest.mark.real]


async def test_serve_waits_for_its_server_when_that_is_started_later(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a reboot of the machine: it says so once, and goes on. A wrong setting is refused at once all the same."""
    need("valkey")
    monkeypatch.setattr(bootstrap, "LOOK_SECONDS", 0.01)
    server = Server("valkey", short_path)
    settings = Settings(redis_url=server.url)
    with pytest.raises(StoreAway):
        await check(settings)
    with pytest.raises(StartupRefused, match="REDIS_URL"):
        await check(Settings(redis_url="nonsense://x"), patient=True)
    with capture_logs() as lines:
        checking = asyncio.create_task(check(settings, patient=True))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not lines:  # noqa: ASYNC110 - the log sets no event
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            assert not checking.done()
            with server:
                assert (await checking).store_id
    assert [(line["event"], line.get("reason")) for line in lines] == [
        ("store unavailable", "no answer"),
        ("store available again", None),
    ]
