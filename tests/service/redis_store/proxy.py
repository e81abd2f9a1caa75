"""A proxy in front of a server that loses replies."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

HELD_SECONDS = 600.0


class Proxy:
    """Passes everything on, but of the next `losing` requests that contain `EVALSHA` the server's reply never arrives.

    The request is carried out; then the connection is closed, or (`silent`) held without a word.
    """

    def __init__(self, server: Path, path: Path) -> None:
        self.url = f"unix://{path}"
        self.losing = 0
        self.lost = 0
        self.silent = False
        self._server = server
        self._path = path
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_unix_server(self._accept, self._path)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._listener.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        server_reader, server_writer = await asyncio.open_unix_connection(self._server)
        try:
            with suppress(ConnectionError):
                while request := await reader.read(2**20):
                    server_writer.write(request)
                    reply = await server_reader.read(2**20)
                    if b"EVALSHA" in request and self.losing > 0:
                        self.losing -= 1
                        self.lost += 1
                        if self.silent:
                            await asyncio.sleep(HELD_SECONDS)
                        return
                    writer.write(reply)
        except asyncio.CancelledError:
            pass
        finally:
            writer.close()
            server_writer.close()
