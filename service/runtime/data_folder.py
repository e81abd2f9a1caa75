"""The data folder of the embedded server: its files, the path of its socket, its locks, and that no other user reads any of it.

`lock` is held by the process that serves, for as long as it runs, `server.lock` by the server itself.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import structlog

from ..errors import StartupRefused
from .signing_file import KEYS

SOCKET = "valkey.sock"
LOG = "valkey.log"
LOGS = "appendonlydir"
ARCHIVE = "archive.sqlite"
OURS = ("lock", "server.lock", LOG, LOGS, f"{LOGS}/*", f"{ARCHIVE}*", f"{KEYS}*")
"""The names in a data folder, apart from the socket."""
LONGEST_SOCKET_PATH = 100
PRIVATE = 0o077
"""Permission bits that no file of the server may have: those of other users."""

log = structlog.get_logger(__name__)


def socket_path(data_dir: str | Path) -> Path:
    """Return where the server of a data folder listens.

    In the folder; or, where that path is too long for a socket, in a folder of the user's own in /tmp that is named after the
    user and the sha256 of the data folder's path.
    """
    folder = Path(data_dir).resolve()
    path = folder / SOCKET
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    shared = Path("/tmp")  # noqa: S108 - TMPDIR may differ between processes that must find one socket; `own` checks the folder
    return shared / f"tafelrunde-{os.getuid()}-{name}" / SOCKET


def archive_file(data_dir: str | Path) -> Path:
    """Return the file beside a server's data that has the archives."""
    return Path(data_dir).resolve() / ARCHIVE


def socket_url(data_dir: str | Path) -> str:
    """Return the address of the server of a data folder, running or not."""
    return f"unix://{quote(str(socket_path(data_dir)))}"


@contextmanager
def holding(data_dir: str | Path) -> Generator[bool]:
    """Hold a data folder in which nothing runs, so that nothing starts in it; yield False if something runs there."""
    folder = Path(data_dir).resolve()
    locks = [lock for name in ("lock", "server.lock") if (lock := hold(folder / name)) is not None]
    try:
        yield len(locks) == 2
    finally:
        for lock in locks:
            os.close(lock)


def folder_of(data_dir: Path) -> Path:
    """Return a data folder, made if it is not there yet; raise StartupRefused for one that cannot be used."""
    try:
        folder = data_dir.resolve()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # links that lead round in a circle are the latter
        reason = error.strerror if isinstance(error, OSError) else "its links lead round in a circle"
        raise StartupRefused(f"The data folder {data_dir} (TAFELRUNDE_DATA_DIR) cannot be made: {reason}.") from error
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise StartupRefused(f"The data folder {folder} (TAFELRUNDE_DATA_DIR) cannot be written to.")
    _warn_if_shared(folder)
    if socket_path(folder).parent != folder:
        own(socket_path(folder).parent)
    return folder


def _warn_if_shared(folder: Path) -> None:
    """Warn if other users may read the data folder: container volumes often allow it, hence no refusal."""
    found = folder.stat()
    if found.st_uid != os.getuid():
        log.warning("data folder belongs to another user, who can read the cards of running matches", data_dir=str(folder))
    elif stat.S_IMODE(found.st_mode) & PRIVATE:
        log.warning("data folder is open to other users (chmod 700 closes it)", data_dir=str(folder))


def own(folder: Path) -> None:
    """Reject a socket path that another user could replace."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & stat.S_IWOTH:
        raise StartupRefused(
            f"The folder {folder} belongs to or can be written by somebody else: it cannot hold the server's socket."
        )


def hold(path: Path) -> int | None:
    """Return a descriptor that holds the lock of a file until it is closed everywhere; None if another process holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def make_private(folder: Path) -> None:
    """Remove other users' permissions from the files, which may have been copied there with them."""
    for file in (found for pattern in OURS for found in folder.glob(pattern)):
        with suppress(OSError):  # another user's file in our folder is that user's to protect
            if not file.is_symlink():
                file.chmod(stat.S_IMODE(file.stat().st_mode) & ~PRIVATE)
