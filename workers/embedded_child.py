"""The embedded server as a child of `serve`: checked without ever blocking, and restarted for as long as it takes."""

from __future__ import annotations

import signal
import socket
import time
from pathlib import Path

import structlog

from ..service.errors import StartupRefused
from ..service.runtime.data_folder import socket_path
from ..service.runtime.embedded_valkey import STOP_SECONDS, EmbeddedServer
from .restart_backoff import Pauses

HUNG_SECONDS = 30.0
"""A running server that has been silent for this long is killed. With less, a slow disk would be taken for a hung server."""
PING_SECONDS = 1.0

log = structlog.get_logger(__name__)


class Ping:
    """Pings the server on a socket, and never waits for the answer."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: socket.socket | None = None
        self._next = 0.0
        self._asked: float | None = None
        self._looked = time.monotonic()

    @property
    def silent_seconds(self) -> float:
        """For how long a ping has been unanswered while someone looked for an answer; 0 if there is none."""
        return time.monotonic() - self._asked if self._asked is not None else 0.0

    def answer(self) -> bytes | None:
        """Return an answer received since the last call, None if there is none. Any answer proves that the server is alive."""
        self._look()
        try:
            return self._hear() if self._connection is not None else self._ask()
        except BlockingIOError:
            return None
        except OSError:
            self._hang_up()
            return None

    def _look(self) -> None:
        """Leave out a time without a look: what stopped this process may have stopped the server too."""
        now = time.monotonic()
        if self._asked is not None:
            self._asked += max(0.0, now - self._looked - PING_SECONDS)
        self._looked = now

    def _ask(self) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + PING_SECONDS
        if self._asked is None:
            self._asked = time.monotonic()
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.setblocking(False)
            connection.connect(str(self._path))
            connection.send(b"PING\r\n")
        except OSError:  # its backlog is full, or it does not listen
            connection.close()
            return
        self._connection = connection

    def _hear(self) -> bytes | None:
        assert self._connection is not None
        answer = self._connection.recv(4096)
        self._hang_up()
        if not answer:
            return None
        self._asked = None
        return answer

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def forget(self) -> None:
        """Forget the pending ping: the next one goes to another process."""
        self._hang_up()
        self._asked = None


class ServerChild:
    """Restarts the server whenever it has ended, after a growing pause while it keeps ending; kills it if it hangs."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._server = server
        self._ping = Ping(socket_path(server.folder))
        self._pauses = Pauses()
        self._runs = True
        self._next = 0.0
        self._failure = ""
        self._refuses = False
        self._sent: signal.Signals | None = None

    def look(self) -> None:
        """Do what is due now; never wait."""
        if self._server.running:
            self._listen()
            return
        if self._runs:
            self._note_end()
        if time.monotonic() >= self._next:
            self._start()

    def close(self) -> None:
        """Stop pinging."""
        self._ping.forget()

    def _note_end(self) -> None:
        pause = self._pauses.after_end()
        log.error("embedded server died, restarting", reason=self._server.last_words, seconds=pause)
        self._ping.forget()
        self._runs = False
        self._sent = None
        self._next = time.monotonic() + pause

    def _start(self) -> None:
        try:
            self._server.relaunch()
        except (OSError, StartupRefused) as error:
            self._next = time.monotonic() + (pause := self._pauses.after_end())
            if str(error) != self._failure:
                self._failure = str(error)
                log.error("embedded server: start failed, will retry", reason=self._failure, seconds=pause)
            return
        self._failure = ""
        self._pauses.began()
        self._runs = True
        log.info("started", child="server", pid=self._server.pid)

    def _listen(self) -> None:
        if (answer := self._ping.answer()) is not None:
            self._tell_whether_it_writes(answer)
        elif self._ping.silent_seconds > HUNG_SECONDS:
            self._end()

    def _tell_whether_it_writes(self, answer: bytes) -> None:
        """Log once when the server starts or stops refusing writes, which it does if its disk is full."""
        if (refuses := answer.startswith(b"-MISCONF")) is not self._refuses:
            self._refuses = refuses
            if refuses:
                log.error("embedded server: writes failing (disk full?)", reason=self._server.last_words)
            else:
                log.info("embedded server: writes recovered")

    def _end(self) -> None:
        """Terminate a server that hangs, and kill it if it does not end."""
        silent = self._ping.silent_seconds
        number = signal.SIGTERM if silent < HUNG_SECONDS + STOP_SECONDS else signal.SIGKILL
        if number is not self._sent:
            log.error("embedded server not responding, killing it", seconds=round(silent), signal=number.name)
            self._server.send(number)
            self._sent = number
