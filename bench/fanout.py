"""The physical limit for streams: a bare server that writes bytes to all sockets that listen for a name, and does nothing else.

`listen NAME` is answered, and keeps the socket; `say NAME SIZE` writes that many bytes to all that listen.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager

import uvloop

from tools.commands import alone

READY = b"ready\n"
LAST = b"!\n"
"""What a saying ends with."""


@contextmanager
def fanning_out() -> Generator[tuple[int, int]]:
    """Serve in a process of its own; give its id and its port."""
    command = [sys.executable, "-m", "bench.fanout"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            yield process.pid, int(process.stdout.readline())
        finally:
            process.terminate()


class _Rooms:
    def __init__(self) -> None:
        self._listening: defaultdict[bytes, list[asyncio.StreamWriter]] = defaultdict(list)

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one socket."""
        while line := await reader.readline():
            match line.split():
                case [b"listen", name]:
                    self._listening[name].append(writer)
                    writer.write(READY)
                case [b"say", name, size]:
                    saying = LAST.rjust(int(size), b".")
                    for each in self._listening[name]:
                        each.write(saying)
                case _:
                    return


async def _serve() -> None:
    server = await asyncio.start_server(_Rooms().meet, "127.0.0.1", 0, backlog=4_096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    alone(__doc__)
    uvloop.run(_serve())
