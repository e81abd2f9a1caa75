"""How `serve` starts a process: as a fork of itself on Linux, as an interpreter of its own elsewhere.

A fork has everything imported already, so it is ready in a fraction of the time and shares the memory of the code. What makes it
sound: the one that forks has a single thread and no event loop, and the child keeps nothing of it but the modules, the standard
streams and the descriptors that it is given. Where a library has started threads, as that for S3 does, there is no fork either.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn, Protocol

FORKS = sys.platform == "linux"
"""Elsewhere the system's own libraries may not survive a fork (macOS), or open descriptors cannot be listed."""

REFUSED = 2
"""The exit code of a process that a wrong setting keeps from starting: it would end so every time."""

_OPEN = Path("/proc/self/fd")
_PR_SET_NAME = 15


class Order(NamedTuple):
    """A process to start: its name, command line and environment, and the descriptors that it inherits."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    descriptors: tuple[int, ...] = ()


class Process(Protocol):
    """A process that was started; `subprocess.Popen` is one."""

    @property
    def pid(self) -> int:
        """Its process id."""
        ...

    def poll(self) -> int | None:
        """Return its exit code, the negative number of a signal that ended it, or None while it runs."""
        ...

    def send_signal(self, sig: int, /) -> None:
        """Send it a signal, if it runs."""
        ...

    def wait(self) -> int:
        """Wait for its end and return its exit code."""
        ...


def start(order: Order, main: Callable[[], None]) -> Process:
    """Start a process in a session of its own, without standard input, that runs *main*, the command line. Raises OSError."""
    return _Fork(order, main) if FORKS and _has_one_thread() else _spawn(order)


def _has_one_thread() -> bool:
    """Return whether nothing else runs in this process: a library with threads of its own hangs in a fork (obstore)."""
    return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 - only their number


def _spawn(order: Order) -> Process:
    return subprocess.Popen(  # noqa: S603 - our own command, without a shell
        [sys.executable, "-P", "-m", "tafelrunde.workers", *order.arguments],
        env=order.environment,
        stdin=subprocess.DEVNULL,
        pass_fds=order.descriptors,
        start_new_session=True,
    )


class _Fork:
    """A fork of this process. No signal is lost on the way: they wait until the child has handlers of its own."""

    def __init__(self, order: Order, main: Callable[[], None]) -> None:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self._pid = os.fork()
            if self._pid == 0:
                _become(order, main, before)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        self._status: int | None = None

    @property
    def pid(self) -> int:
        return self._pid

    def poll(self) -> int | None:
        return self._read_end(os.WNOHANG)

    def send_signal(self, sig: int, /) -> None:
        if self.poll() is None:
            os.kill(self._pid, sig)

    def wait(self) -> int:
        status = self._read_end(0)
        assert status is not None
        return status

    def _read_end(self, options: int) -> int | None:
        if self._status is None:
            pid, status = os.waitpid(self._pid, options)
            self._status = os.waitstatus_to_exitcode(status) if pid else None
        return self._status


def _become(order: Order, main: Callable[[], None], mask: set[int]) -> NoReturn:
    """Run *main* in the child. It never returns into the calling code: that belongs to the parent, as do all its open files."""
    code: object = 1
    try:
        os.setsid()
        _forget_handlers()
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        _close_all_but(order.descriptors)
        ctypes.CDLL(None).prctl(_PR_SET_NAME, f"tr-{order.name}".encode())
        os.environ.clear()
        os.environ.update(order.environment)
        sys.argv[1:] = order.arguments
        main()
        code = 0
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code if isinstance(code, int) else 1)


def _forget_handlers() -> None:
    """Let signals end this process again; those ignored from the beginning stay ignored, as in a new program."""
    signal.set_wakeup_fd(-1)
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, signal.SIG_DFL)


def _close_all_but(descriptors: Sequence[int]) -> None:
    """Close all open descriptors except the standard streams and some; the standard input is empty from now on."""
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    for each in [int(link.name) for link in _OPEN.iterdir()]:
        if each > 2 and each not in descriptors:
            with suppress(OSError):  # the one used to read the folder is closed already
                os.close(each)
