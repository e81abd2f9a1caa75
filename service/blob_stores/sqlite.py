"""Blobs in one SQLite file, which any number of processes of one machine share."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from ..errors import ArchiveUnavailable
from .place import MISSING

BUSY_SECONDS = 10.0
"""How long a process waits for another one that is writing."""
RETRY_SECONDS = 0.01
ANSWER_SECONDS = 15.0
"""How long a caller waits for the disk."""
_SCHEMA = "CREATE TABLE IF NOT EXISTS blobs (key TEXT PRIMARY KEY, blob BLOB NOT NULL)"
_PUT = "INSERT INTO blobs (key, blob) VALUES (?, ?) ON CONFLICT DO NOTHING"

Result = TypeVar("Result")


class SqliteBlobs:
    """Blobs in a file, synchronised to the disk at every commit; puts that come together share one commit.

    Reads have a connection and a thread of their own, so they do not wait for the disk behind a write. A file that has gone, or
    that another one has taken the place of, is not written and read on: what is looked for at its path is what others see there.
    """

    def __init__(self, path: str | Path) -> None:
        self._reader = _Connection(Path(path))
        self._writer = _Connection(Path(path))
        self._waiting: dict[str, bytes] = {}
        self._writing = asyncio.Lock()

    async def make(self) -> None:
        """Make the file, if there is none, readable by this user alone."""
        await self._writer.make()

    async def check(self) -> None:
        """Raise ArchiveUnavailable unless the file can be written."""
        await self._writer.run(_writable)

    async def put(self, key: str, blob: bytes) -> None:
        """Keep a blob, unless the key has one."""
        self._waiting[key] = blob
        try:
            async with self._writing:
                if key in self._waiting:
                    await self._commit(dict(self._waiting))
        finally:
            self._waiting.pop(key, None)

    async def _commit(self, blobs: Mapping[str, bytes]) -> None:
        """Write the blobs of all who wait. After a failure each of the others tries on its own."""
        await self._writer.run(lambda connection: connection.executemany(_PUT, blobs.items()))
        for key in blobs:
            self._waiting.pop(key, None)

    async def get(self, key: str) -> bytes | None:
        found = await self._reader.run(lambda connection: _row(connection, key))
        return found[0] if found is not None else None

    async def delete(self, keys: Sequence[str]) -> None:
        rows = [(key,) for key in keys]
        async with self._writing:
            await self._writer.run(lambda connection: connection.executemany("DELETE FROM blobs WHERE key = ?", rows))

    async def close(self) -> None:
        """Close the file."""
        await self._reader.close()
        await self._writer.close()


class _Connection:
    """A connection in a thread of its own, opened when it is first used, and again after a failure."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, "archive")
        self._connection: sqlite3.Connection | None = None
        self._file: os.stat_result

    async def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run *work* in one transaction."""
        task = asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)
        try:
            return await asyncio.wait_for(task, ANSWER_SECONDS)
        except TimeoutError as error:
            raise ArchiveUnavailable("the disk of the archives does not answer") from error

    async def make(self) -> None:
        """Make the file, if there is none."""
        await asyncio.get_running_loop().run_in_executor(self._thread, _make, self._path)

    def _run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        with _failures():
            file = self._path.stat()
            if self._connection is not None and not os.path.samestat(file, self._file):
                self._close()
            if self._connection is None:
                self._connection = _open(self._path)
                self._file = file
            try:
                with self._connection:
                    return work(self._connection)
            except BaseException:
                self._close()
                raise

    async def close(self) -> None:
        """Close the connection after what is still under way."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        connection = self._connection
        self._connection = None
        if connection is not None:
            connection.close()


def _make(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise ArchiveUnavailable(f"the file of the archives cannot be made: {error.strerror}", "OSError") from error


def _open(path: Path) -> sqlite3.Connection:
    """Open the file; it is not made."""
    address = f"file:{quote(str(path))}?mode=rw"
    connection = sqlite3.connect(address, timeout=BUSY_SECONDS, check_same_thread=False, uri=True)
    try:
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(_SCHEMA)
    except BaseException:
        connection.close()
        raise
    return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let the file be written ahead; if another connection does so at the same time, SQLite refuses at once: try again."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(RETRY_SECONDS)
        else:
            return


def _row(connection: sqlite3.Connection, key: str) -> tuple[bytes] | None:
    return connection.execute("SELECT blob FROM blobs WHERE key = ?", (key,)).fetchone()


def _writable(connection: sqlite3.Connection) -> None:
    """Begin to write, and write nothing."""
    connection.execute("BEGIN IMMEDIATE")


@contextmanager
def _failures() -> Generator[None]:
    """Let every failure be one of the store; none of the messages has a name of a file in it."""
    try:
        yield
    except sqlite3.Error as error:
        raise ArchiveUnavailable(f"the file of the archives: {error}", type(error).__name__) from error
    except FileNotFoundError as error:
        raise ArchiveUnavailable("the file of the archives is not there", MISSING) from error
    except OSError as error:
        raise ArchiveUnavailable(f"the file of the archives: {error.strerror}", "OSError") from error
