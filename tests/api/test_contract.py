"""Schemathesis against a running service: what the contract promises is what comes, whatever is asked, also step after step."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
import uvloop

from tafelrunde.api.app import create_app
from tafelrunde.service.house import House
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import Settings
from tafelrunde.workers.listening import listen
from tafelrunde.workers.projector import ShardProjector

CONFIG = Path(__file__).with_name("schemathesis.toml")
EXAMPLES = 50
SECONDS = 150


class Service(threading.Thread):
    """A service in a thread of its own, with its bots, its clocks and its lists, as clients meet it."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.ready = threading.Event()
        self.url = ""
        self.token = ""
        self.server: uvicorn.Server | None = None

    def run(self) -> None:
        """Serve until it is told to stop."""
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        house = House(memory_stores(), Settings(bot_pause_ms=0, port=0))
        self.token = (await house.register("Tester"))[2]
        duties = [asyncio.create_task(house.tend()), asyncio.create_task(ShardProjector(house).run())]
        with listen(house.settings) as listener:
            self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            config = uvicorn.Config(create_app(house=house), ws="none", log_config=None, timeout_graceful_shutdown=1)
            self.server = uvicorn.Server(config)
            self.ready.set()
            await self.server.serve([listener])
        for duty in duties:
            duty.cancel()
        await asyncio.gather(*duties, return_exceptions=True)


@contextmanager
def service() -> Generator[Service]:
    """Run a service for the duration of the block."""
    running = Service()
    running.start()
    assert running.ready.wait(10)
    try:
        yield running
    finally:
        assert running.server is not None
        running.server.should_exit = True
        running.join(10)


@pytest.mark.slow
def test_running_service_keeps_its_contract(tmp_path: Path) -> None:
    """All checks, all phases, links followed; streams apart, which do not end."""
    with service() as running:
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run"),
            *(f"{running.url}/api/v1/openapi.json", "--wait-for-schema", "10", "-H", f"Authorization: Bearer {running.token}"),
            *("--checks", "all", "--seed", "1", "--max-examples", str(EXAMPLES), "--exclude-path-regex", "stream$"),
        ]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in done.stdout, done.stdout[-3_000:]
    [(generated, passed)] = re.findall(r"(\d+) generated, (\d+) passed", done.stdout)
    assert int(generated) == int(passed) > 1_000
