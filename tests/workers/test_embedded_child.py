"""The embedded server as a child of `serve`: started again however often it ends, and never waited for."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tafelrunde.service.runtime import embedded_valkey
from tafelrunde.service.runtime.data_folder import socket_path
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer
from tafelrunde.workers import embedded_child, restart_backoff
from tafelrunde.workers.embedded_child import ServerChild
from tafelrunde.workers.restart_backoff import Pauses
from tests.support.full_disk import needs_linux
from tests.support.processes import until

pytestmark = pytest.mark.real


class Clock:
    """A clock in the test's hand."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        """Tell the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time that pauses and silence are measured by."""
    clock = Clock()
    for module in (restart_backoff, embedded_child):
        monkeypatch.setattr(module, "time", clock)
    return clock


@pytest.fixture
def server(short_path: Path) -> Iterator[EmbeddedServer]:
    """A running server."""
    with EmbeddedServer.start(short_path) as server:
        yield server


@pytest.fixture
def child(server: EmbeddedServer, clock: Clock) -> Iterator[ServerChild]:
    """What looks after it."""
    child = ServerChild(server)
    yield child
    child.close()


def looks(child: ServerChild, clock: Clock, step: float = 1.0) -> Callable[[], None]:
    """Return what looks once, a while after the last time."""

    def look() -> None:
        clock.now += step
        child.look()

    return look


def looking(look: Callable[[], None], what: str, truth: Callable[[], bool]) -> None:
    """Look until something is true."""

    def seen() -> bool:
        look()
        return truth()

    until(what, seen)


def kill(server: EmbeddedServer) -> int:
    """Kill the process of a server and wait until it is gone."""
    pid = server.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until("it is gone", lambda: not server.running)
    return pid


def test_server_is_started_again_when_killed_while_it_starts(server: EmbeddedServer, child: ServerChild, clock: Clock) -> None:
    """Twice, and twice again, at once after each start: it is never given up, and holds its folder all the time."""
    look = looks(child, clock)
    for _ in range(4):
        victim = kill(server)
        looking(look, "it is started again", lambda victim=victim: server.running and server.pid != victim)
        with pytest.raises(Exception, match="in use by another process"):
            EmbeddedServer.start(server.folder)
    looking(look, "it answers", lambda: server.alive)


def test_pauses_grow_while_something_keeps_ending(clock: Clock) -> None:
    """They double up to a bound, whether it ends at once or cannot even be started, and are short again after a good run."""
    pauses_ = Pauses()
    found: list[float] = []
    for started in (True, False, False, True, False, False, False):
        if started:
            pauses_.began()
        clock.now += 1
        found.append(pauses_.after_end())
        clock.now += found[-1]
    assert found == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0]
    pauses_.began()
    clock.now += restart_backoff.STEADY_SECONDS + 1
    assert pauses_.after_end() == 0.1


def test_no_one_waits_for_a_server_that_cannot_be_started(server: EmbeddedServer, child: ServerChild, clock: Clock) -> None:
    """A look at it is over at once, however long it takes; when the cause is gone, it comes back."""
    look = looks(child, clock)
    kill(server)
    log = server.folder / "valkey.log"
    log.unlink()
    log.mkdir()  # as good as a disk without room for one more file
    for _ in range(20):
        look()
        assert not server.running
    log.rmdir()
    looking(look, "it runs", lambda: server.running)


def test_server_that_does_not_answer_is_ended_and_started_again(
    server: EmbeddedServer, child: ServerChild, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only after a long silence, as a slow disk is silent too; asked to end first, then killed. No look waits for it."""
    sent: list[signal.Signals] = []
    send = server.send
    monkeypatch.setattr(server, "send", lambda number: (sent.append(number), send(number)))
    victim = server.pid
    assert victim is not None
    os.kill(victim, signal.SIGSTOP)
    began = clock.now
    while clock.now < began + embedded_child.HUNG_SECONDS:
        looks(child, clock)()
        assert (sent, server.pid) == ([], victim)
    looking(looks(child, clock), "it is started again", lambda: server.pid != victim and server.running)
    assert sent == [signal.SIGTERM, signal.SIGKILL]
    assert clock.now - began > embedded_child.HUNG_SECONDS + embedded_valkey.STOP_SECONDS
    looking(looks(child, clock, 0.01), "it answers", lambda: server.alive)


@needs_linux
def test_adopted_server_that_does_not_answer_is_ended_and_started_again(
    short_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no child of the process that adopted it, which finds it at its socket; nothing else would end it."""
    monkeypatch.setattr(embedded_valkey, "_end_with_parent", list[str])
    monkeypatch.setattr(embedded_valkey, "ENDING_SECONDS", 0.05)
    orphan = EmbeddedServer.start(short_path)
    os.close(orphan._lock)  # as if its parent had been killed
    with EmbeddedServer.start(short_path) as adopted:
        assert (adopted.pid, orphan._process is not None) == (None, True)
        child = ServerChild(adopted)
        os.kill(orphan.pid or 0, signal.SIGSTOP)
        looking(looks(child, clock), "it is started again", lambda: not orphan.running and adopted.pid is not None)
        looking(looks(child, clock, 0.01), "it answers", lambda: adopted.alive)
        child.close()


def test_server_is_left_alone_when_no_one_has_looked_for_long(server: EmbeddedServer, child: ServerChild, clock: Clock) -> None:
    """A supervisor that stood still itself, maybe with the whole machine, does not take that for the server's silence."""
    pid = server.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    for _ in range(5):
        clock.now += 10 * embedded_child.HUNG_SECONDS
        child.look()
        assert (server.pid, server.running) == (pid, True)
    os.kill(pid, signal.SIGCONT)
    looking(looks(child, clock, 0.01), "it answers", lambda: server.alive)
    assert server.pid == pid


def test_leftovers_of_a_server_do_not_keep_the_next_one_away(server: EmbeddedServer, child: ServerChild, clock: Clock) -> None:
    """The fork that rewrites the file holds the server's lock as well, and outlives its parent."""
    assert server.pid is not None
    embedded_valkey._ask(socket_path(server.folder), b"CONFIG SET rdb-key-save-delay 10000000")
    embedded_valkey._ask(socket_path(server.folder), b"SET k v")
    embedded_valkey._ask(socket_path(server.folder), b"BGREWRITEAOF")
    until("it has forked", lambda: bool(list(server.folder.glob("temp-rewriteaof-*"))))
    victim = kill(server)
    looking(looks(child, clock), "it runs", lambda: server.running and server.pid != victim)
    looking(lambda: None, "it answers", lambda: server.alive)
