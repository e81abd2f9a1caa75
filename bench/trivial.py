"""The yardstick: the same server and framework answering a POST that does nothing."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

import msgspec
from litestar import Litestar, post

from bench.load import Job, Result, run_job
from bench.scale import part
from tafelrunde.api.server.process import run_api
from tafelrunde.service.runtime.logging_setup import configure
from tafelrunde.service.settings import Settings
from tafelrunde.workers.listener import listen
from tafelrunde.workers.watchdog import Pulse
from tests.support.patience import PATIENCE_SECONDS
from tools.commands import CommandLine


class Note(msgspec.Struct):
    """The request body: as large as a command."""

    decision: int
    command: dict[str, str]


class Echo(msgspec.Struct):
    """The response body: as large as a receipt."""

    decision: int
    text: str


ECHO = "x" * 300


@post("/echo")
async def echo(data: Note) -> Echo:
    """Answer."""
    return Echo(data.decision, ECHO)


def measure_echo(connections: int, seconds: float, warm_seconds: float) -> Result:
    """Measure the POST under load."""
    part("a trivial POST, to compare with")
    with echoing() as (pid, port):
        job = Job(kind="echo", host="127.0.0.1", port=port, connections=connections, seconds=seconds, pids=(pid,))
        return run_job(msgspec.structs.replace(job, warm_seconds=warm_seconds))


@contextmanager
def echoing() -> Generator[tuple[int, int]]:
    """Serve in a process of its own; give its id and its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    with subprocess.Popen([sys.executable, "-m", "bench.trivial", str(port)]) as process:
        try:
            _await_port(port)
            yield process.pid, port
        finally:
            process.terminate()


def _await_port(port: int) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(port)


def main() -> None:
    """Serve on the given port."""
    command = CommandLine(__doc__)
    command.add_argument("port", type=int)
    settings = Settings(port=command.parse_args().port, log_level="warning")
    configure(settings, "trivial")
    app = Litestar([echo], openapi_config=None, logging_config=None)
    run_api(app, lambda: None, listen(settings), settings, Pulse().going_round())


if __name__ == "__main__":
    main()
