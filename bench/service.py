"""A real `tafelrunde serve` for the time of a measurement, with an embedded Valkey of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from tafelrunde.service.runtime.embedded_valkey import socket_url


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """The location of a running service: its host and port, its server's address, and its supervisor's process id."""

    host: str
    port: int
    redis_url: str
    pid: int

    def processes(self) -> Sequence[int]:
        """Return the process ids of `serve` and of all that it has started, the embedded server too."""
        found = [self.pid]
        for pid in found:
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += map(int, (task / "children").read_text(encoding="ascii").split())
        return found

    def child(self, name: str) -> int:
        """Return the process id of a child of `serve` by its name, the first of several. Raises LookupError if none runs."""
        return self.children(name)[0]

    def children(self, name: str) -> Sequence[int]:
        """Return the process ids of all children of `serve` of one kind. Raises LookupError if none runs."""
        pids = map(int, Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text(encoding="ascii").split())
        called = {pid: Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip() for pid in pids}
        found = [pid for pid, own in called.items() if own.removeprefix("tr-").rstrip("-0123456789") == name]
        if not found:
            raise LookupError(name)
        return found


@contextmanager
def serving(variables: Mapping[str, str] | None = None, /, **settings: str | int) -> Generator[Service]:
    """Start the service with these settings and other variables, everything else at its default, and stop it afterwards."""
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder:
        wanted = {"port": 0, "apis": 1, "data_dir": folder, "log_level": "warning", "rate_limits": "false", **settings}
        ours = {f"TAFELRUNDE_{name.upper()}": str(value) for name, value in wanted.items()}
        environment = {**os.environ, **ours, **(variables or {})}
        environment.pop("REDIS_URL", None)
        command = [sys.executable, "-P", "-m", "tafelrunde.workers", "serve"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                address = urlsplit(str(process.stdout.readline()).rpartition(" ")[2].strip())
                assert address.hostname is not None
                assert address.port is not None
                yield Service(host=address.hostname, port=address.port, redis_url=socket_url(folder), pid=process.pid)
            finally:
                process.terminate()
