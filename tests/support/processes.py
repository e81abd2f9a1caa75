"""`tafelrunde` as real processes, for tests: started, watched through its log, killed in parts, and ended."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any
from unittest.mock import patch

import pytest
import structlog

from tafelrunde.service.runtime.logging_setup import _QUIET as QUIET
from tafelrunde.workers.cli import main
from tests.support.patience import PATIENCE_SECONDS

COMMAND = [sys.executable, "-P", "-m", "tafelrunde.workers"]
LOOK_SECONDS = 0.02


def environment(**settings: str | int) -> dict[str, str]:
    """Return the environment of a process with these settings and no others."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("TAFELRUNDE_") and name != "REDIS_URL"}
    return {**ours, **{f"TAFELRUNDE_{name.upper()}": str(value) for name, value in settings.items()}}


def run(*arguments: str, **settings: str | int) -> subprocess.CompletedProcess[str]:
    """Run one command to its end, in this process: to start one costs more than most commands do."""
    wanted = environment(**settings)
    out, err = io.BytesIO(), io.BytesIO()
    streams = patch.multiple(sys, argv=["tafelrunde", *arguments], stdout=_text(out), stderr=_text(err))
    with patch.dict(os.environ, wanted, clear=True), logging_kept(), streams, pytest.raises(SystemExit) as end:
        main()
    return subprocess.CompletedProcess(arguments, int(end.value.code or 0), out.getvalue().decode(), err.getvalue().decode())


def _text(stream: io.BytesIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(stream, encoding="utf-8", write_through=True)


@contextmanager
def logging_kept() -> Generator[None]:
    """Leave logging as it was found: a command sets it up for its process, and so does a server that logs no requests."""
    loggers = [logging.getLogger(name) for name in (None, *QUIET, "uvicorn.access")]
    kept = [(logger.level, logger.propagate, logger.handlers[:]) for logger in loggers]
    configuration = structlog.get_config() if structlog.is_configured() else None
    try:
        yield
    finally:
        for logger, (level, propagates, handlers) in zip(loggers, kept, strict=True):
            logger.setLevel(level)
            logger.propagate = propagates
            logger.handlers[:] = handlers
        structlog.reset_defaults()
        if configuration is not None:
            structlog.configure(**configuration)


def run_apart(*arguments: str, **settings: str | int) -> subprocess.CompletedProcess[str]:
    """Run one command to its end in a process of its own."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(**settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def until(what: str, truth: Callable[[], bool]) -> None:
    """Wait for something to become true."""
    limit = time.monotonic() + PATIENCE_SECONDS
    while not truth():
        if time.monotonic() > limit:
            raise TimeoutError(what)
        time.sleep(LOOK_SECONDS)


class Serve:
    """One `tafelrunde serve` on a free port, ready when entered; its log is JSON in a file."""

    command: Sequence[str] = COMMAND

    def __init__(self, folder: Path, **settings: str | int) -> None:
        self.folder = folder
        self.data_dir = folder / "data"
        self.log = folder / "log"
        self.settings = {"port": 0, "log_format": "json", "apis": 1, "thinkers": 1, "data_dir": str(self.data_dir), **settings}
        self.url = ""
        self.process: subprocess.Popen[str]

    def start(self) -> None:
        """Start it and wait until it says its address."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.command, "serve"],
                env=environment(**self.settings),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("Tafelrunde is ready: http"), self.log.read_text(encoding="utf-8")[-2000:]
        self.url = line.rpartition(" ")[2].strip()

    def lines(self) -> list[Mapping[str, Any]]:
        """Return what has been logged so far."""
        written = self.log.read_text(encoding="utf-8").rpartition("\n")[0]  # the last line may still be on its way
        return [json.loads(line) for line in written.splitlines() if line.startswith("{")]

    def pid(self, child: str) -> int:
        """Return the newest process of a child."""
        return [line["pid"] for line in self.lines() if line["event"] == "started" and line["child"] == child][-1]

    def kill(self, child: str) -> int:
        """Kill a child the hard way and return its process id."""
        victim = self.pid(child)
        os.kill(victim, signal.SIGKILL)
        return victim

    def stop(self, number: int = signal.SIGINT) -> int:
        """Send a signal; return the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE_SECONDS)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code

    def __enter__(self) -> Serve:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.stop()


def alive(pid: int) -> bool:
    """Return whether a process runs (a zombie does not)."""
    status = Path(f"/proc/{pid}/stat")
    try:
        return status.read_text().rpartition(")")[2].split()[0] != "Z" if status.parent.parent.exists() else _answers(pid)
    except OSError:
        return False


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
