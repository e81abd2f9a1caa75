"""A PostgreSQL of Debian's package on loopback, in a folder of its own, without the rights of root."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType

from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs import required

HOW_TO_GET = "there is no PostgreSQL: install it with 'apt-get install postgresql'"
USER = "nobody" if os.getuid() == 0 else None
"""PostgreSQL refuses to run as root."""
OPTIONS = "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c autovacuum=off -c shared_buffers=1MB"


def _programs() -> str | None:
    """Return the folder of the newest version that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return str(found[-1].parent) if found else None


class PostgresServer:
    """The server, with `url` as its address."""

    def __enter__(self) -> PostgresServer:
        self._programs = Path(required(_programs(), HOW_TO_GET))
        self._folder = Path(tempfile.mkdtemp(prefix="tr-pg-"))
        if USER is not None:
            shutil.chown(self._folder, USER)
        self._run("initdb", "-D", f"{self._folder}/data", "-A", "trust", "-U", "tafelrunde", "--no-sync", "--no-instructions")
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self._port = taken.getsockname()[1]
        self.start()
        self.url = f"postgresql://tafelrunde@127.0.0.1:{self._port}/postgres"
        return self

    def start(self) -> None:
        """Start it, and wait until it answers."""
        log = f"{self._folder}/log"
        self._run("pg_ctl", "-D", f"{self._folder}/data", "-w", "-l", log, "-o", f"-p {self._port} {OPTIONS}", "start")

    def stop(self) -> None:
        """Stop it at once."""
        self._run("pg_ctl", "-D", f"{self._folder}/data", "-w", "-m", "immediate", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        subprocess.run(command, user=USER, cwd="/", check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE_SECONDS)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
        shutil.rmtree(self._folder)
