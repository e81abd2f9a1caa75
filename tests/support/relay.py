"""A relay before a server of loopback, which can be cut off and let through again."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType

from tests.support.servers import free_port


class Relay:
    """Passes on what comes at `port`, which is known before it is open; used by `async with`."""

    def __init__(self, target: int) -> None:
        self.port = free_port()
        self._target = target
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Relay:
        await self.let_through()
        return self

    async def let_through(self) -> None:
        """Accept connections."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)

    async def cut_off(self) -> None:
        """End all connections in the middle, and accept no other."""
        if self._server is not None:
            self._server.close()
            for each in self._open:
                each.transport.abort()
            await self._server.wait_closed()
            self._server = None

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.cut_off()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            behind, towards = await asyncio.open_connection("127.0.0.1", self._target)
            self._open |= {writer, towards}
            try:
                await asyncio.gather(_pass_on(reader, towards), _pass_on(behind, writer))
            finally:
                self._open -= {writer, towards}
                towards.close()
        writer.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while found := await reader.read(1 << 16):
        writer.write(found)
        await writer.drain()
    writer.write_eof()
