"""When `serve` says that it is ready, and when it ends in place of that: its processes are asked, not only an address."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from tafelrunde.service.settings import Settings
from tafelrunde.workers import supervisor
from tafelrunde.workers.processes import REFUSED, Order
from tafelrunde.workers.supervisor import Supervisor


class Process:
    """A process that runs until it gets a signal, or has ended with a status."""

    pid = os.getpid()

    def __init__(self, status: int | None) -> None:
        self._status = status

    def poll(self) -> int | None:
        """Return with which status it ended."""
        return self._status

    def send_signal(self, number: int) -> None:
        """End it."""
        self._status = -number

    def wait(self) -> int:
        """Return with which status it ended."""
        assert self._status is not None
        return self._status


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """Where an api listens: one of a service before this one may have been there, or there is one beside it."""
    with socket.create_server(("127.0.0.1", 0)) as made:
        yield made


@pytest.mark.parametrize("refused", [None, "sweeper"])
def test_serve_is_ready_when_its_own_processes_run(
    refused: str | None, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An api that answers says nothing of them: all are started first, and one that refuses to start ends `serve`."""
    began = list[str]()
    said = list[list[str]]()

    def start(order: Order, _: object) -> Process:
        began.append(order.name)
        return Process(REFUSED if order.name == refused else None)

    def say(_: str) -> None:
        said.append([*began])
        served._signals = 1

    monkeypatch.setattr(supervisor, "start", start)
    monkeypatch.setattr(supervisor, "_answers", lambda _: True)
    monkeypatch.setattr(supervisor, "time", SimpleNamespace(monotonic=lambda: 0.0, sleep=lambda _: None))
    served = Supervisor(Settings(apis=1, sweepers=1, workers=1, thinkers=1), listener, None, say, lambda: None)
    processes = ["api", "sweeper", "worker", "thinker"]
    assert (served.run(), said) == ((False, []) if refused else (True, [processes]))
    assert began[:4] == processes
