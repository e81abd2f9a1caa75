"""A server that answers every command with one error, or hangs up, for as long as a test wants, and passes all on otherwise."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

AWAY = "away"
HUNG = "hung"


class RefusingServer:
    """Stands before a real server on a socket of its own. `refusal` is what it says: nothing, `AWAY`, `HUNG`, or an error.

    Hung, it takes what comes and never answers; `unanswered` is how many connections did that.
    """

    def __init__(self, server: Path, path: Path) -> None:
        self.url = f"unix://{path}"
        self._server = server
        self._path = path
        self._refusal = ""
        self.unanswered = 0
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def refusal(self) -> str:
        """What it says to every command."""
        return self._refusal

    @refusal.setter
    def refusal(self, wanted: str) -> None:
        """Begin to say something else; connections end, as they would with a server that is started again or fails over."""
        self._refusal = wanted
        for connection in self._connections:
            connection.cancel()

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_unix_server(self._accept, self._path)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._listener.close()
        self.refusal = AWAY
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                if self._refusal == HUNG:
                    self.unanswered += 1
                    while await reader.read(2**20):
                        pass
                elif self._refusal and self._refusal != AWAY:
                    await self._refuse(reader, writer, self._refusal)
                elif not self._refusal:
                    await self._pass_on(reader, writer)
        finally:
            writer.close()

    async def _refuse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, refusal: str) -> None:
        """Answer each command with the error, once it is there whole."""
        while True:
            for _ in range(int((await reader.readuntil(b"\n"))[1:])):
                length = int((await reader.readuntil(b"\n"))[1:])
                await reader.readexactly(length + 2)
            writer.write(f"-{refusal} told by a test\r\n".encode())

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_unix_connection(self._server)
        copying = [asyncio.create_task(_copy(reader, forth)), asyncio.create_task(_copy(back, writer))]
        try:
            await asyncio.wait(copying, return_when=asyncio.FIRST_COMPLETED)
        finally:
            forth.close()  # first: another cancellation may end what follows
            for task in copying:
                task.cancel()
            await asyncio.gather(*copying, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while part := await reader.read(2**16):
        writer.write(part)
