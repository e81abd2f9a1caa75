"""A service on a port of this machine, for tests whose clients need a real connection."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager

import uvicorn
import uvloop

from tafelrunde.api.app import create_app
from tafelrunde.service.house import House
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.settings import Settings
from tafelrunde.workers.listening import listen
from tafelrunde.workers.projector import ShardProjector


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
        house = House(memory_stores(), Settings(bot_pause_ms=0, port=0, rate_limits=False))
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
