"""The api's process: uvicorn with the protocols of this package."""

from __future__ import annotations

import asyncio
import resource
import signal
import socket
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from types import FrameType
from typing import TypeAlias

import structlog
import uvicorn

from ...service.runtime.connections import crowd
from ...service.runtime.gc_tuning import calm_collector
from ...service.runtime.siblings import Siblings
from ...service.runtime.threads import share_the_interpreter
from ...service.settings import Settings
from . import websocket
from .acceptor import Acceptor
from .http11 import Connection

TICK_SECONDS = 0.9
"""The pause between two looks at the date for the headers of answers."""
DESCRIPTORS = 65_536
"""Enough for all connections that one process can serve; few systems allow less."""

Beating: TypeAlias = AbstractAsyncContextManager[None]
"""What tells the parent process, while it is entered, that this one still works."""

log = structlog.get_logger(__name__)


class _Server(uvicorn.Server):
    """Notifies the app of shutdown as soon as the signal comes, so that open streams say `bye` and end.

    With *siblings* the socket is shared with them.
    """

    def __init__(self, config: uvicorn.Config, drain: Callable[[], None], beating: Beating, siblings: Siblings | None) -> None:
        super().__init__(config)
        self._drain = drain
        self._beating = beating
        self._siblings = siblings
        self._acceptors: list[Acceptor] = []
        self._exit = asyncio.Event()
        self._wake: Callable[[], object] = lambda: None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        async with self._beating:
            await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self._siblings is None:
            await super().startup(sockets)
        else:
            await super().startup([])
            counted = self.server_state.connections
            self._acceptors = [Acceptor(each, self._connection, self._siblings, lambda: len(counted)) for each in sockets or []]
        log.info("api is ready")

    def _connection(self) -> asyncio.Protocol:
        return Connection(self.config, self.server_state, self.lifespan.state)

    async def main_loop(self) -> None:
        """Tick until a signal comes: uvicorn's own loop ticks ten times a second, whether anything happens or not."""
        loop = asyncio.get_running_loop()
        self._wake = lambda: loop.call_soon_threadsafe(self._exit.set)
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_SECONDS):
                    await self._exit.wait()

    async def on_tick(self, counter: int) -> bool:
        for acceptor in self._acceptors:
            acceptor.note()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for acceptor in self._acceptors:
            acceptor.close()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Start shutting down. The signal is not raised again afterwards: ending on request is a success."""
        self._drain()
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True
        self._wake()


def descriptors() -> int:
    """Return how many descriptors this process may have, after asking for as many as it is allowed to."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if most == resource.RLIM_INFINITY else min(most, DESCRIPTORS)
    soft = max(wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, most))
    return soft


def configure(app: Callable[..., Awaitable[None]], settings: Settings) -> uvicorn.Config:
    """Return how *app* is served."""
    return uvicorn.Config(
        app,
        loop="uvloop",
        http=Connection,
        **websocket.options(),
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=settings.drain_seconds,
    )


def run_api(
    app: Callable[..., Awaitable[None]],
    drain: Callable[[], None],
    listener: socket.socket,
    settings: Settings,
    beating: Beating,
    siblings: Siblings | None = None,
) -> bool:
    """Serve *app* until a signal asks to stop, on a socket that *siblings* share; False if it could not start."""
    calm_collector()
    share_the_interpreter()
    crowd.limit_to(settings, descriptors())
    server = _Server(configure(app, settings), drain, beating, siblings)
    server.run(sockets=[listener])
    return server.started
