"""Blobs in a table of a PostgreSQL database (extra `postgres`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager as Context
from contextlib import asynccontextmanager
from typing import Protocol, cast

import asyncpg  # pyright: ignore[reportMissingTypeStubs] - what is used of it is typed by the protocols below

from ..errors import ArchiveUnavailable

CONNECTIONS = 4
ANSWER_SECONDS = 10.0
"""How long a caller waits for a connection, and for the answer to a query."""
_SCHEMA = "CREATE TABLE IF NOT EXISTS tafelrunde_archives (key TEXT PRIMARY KEY, blob BYTEA NOT NULL)"
_PUT = "INSERT INTO tafelrunde_archives (key, blob) VALUES ($1, $2) ON CONFLICT DO NOTHING"
_TABLE_MADE_MEANWHILE = (asyncpg.UniqueViolationError, asyncpg.DuplicateTableError)


class _Connection(Protocol):
    async def execute(self, query: str, *values: object) -> str: ...
    async def fetchval(self, query: str, *values: object) -> object: ...
    def transaction(self) -> Context[None]: ...


class _Pool(Protocol):
    def acquire(self, *, timeout: float) -> Context[_Connection]: ...
    async def execute(self, query: str) -> str: ...
    def terminate(self) -> None: ...


class PostgresBlobs:
    """Blobs in the table `tafelrunde_archives`, made if it is not there. A put has been committed, and synced, when it returns.

    The address and libpq's usual variables (`PGPASSWORD`, `PGPASSFILE`, `PGSSLMODE`) say how to connect.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: _Pool | None = None
        self._opening = asyncio.Lock()

    async def make(self) -> None:
        """Make nothing: the table is made with the first connection."""

    async def check(self) -> None:
        """Raise ArchiveUnavailable unless the table can be written."""
        async with self._connection() as connection:
            if await connection.fetchval("SHOW transaction_read_only") == "on":
                raise ArchiveUnavailable("the database of the archives takes no writes", "READONLY")

    async def put(self, key: str, blob: bytes) -> None:
        """Keep a blob, unless the key has one."""
        async with self._connection() as connection, connection.transaction():
            await connection.execute("SET LOCAL synchronous_commit = on")
            await connection.execute(_PUT, key, blob)

    async def get(self, key: str) -> bytes | None:
        async with self._connection() as connection:
            found = await connection.fetchval("SELECT blob FROM tafelrunde_archives WHERE key = $1", key)
        return found if isinstance(found, bytes) else None

    async def delete(self, keys: Sequence[str]) -> None:
        async with self._connection() as connection:
            await connection.execute("DELETE FROM tafelrunde_archives WHERE key = ANY($1::text[])", list(keys))

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            self._pool.terminate()

    @asynccontextmanager
    async def _connection(self) -> AsyncGenerator[_Connection]:
        """Give a connection; every failure is one of the store, without address and password."""
        try:
            pool = self._pool or await self._open()
            async with pool.acquire(timeout=ANSWER_SECONDS) as connection:
                yield connection
        except asyncpg.PostgresError as error:
            raise ArchiveUnavailable(f"the database of the archives: {type(error).__name__}", type(error).__name__) from error
        except (OSError, TimeoutError, asyncpg.InterfaceError, ValueError) as error:
            raise ArchiveUnavailable("the database of the archives does not answer") from error

    async def _open(self) -> _Pool:
        """Return the pool, connected when it is first needed, and the table made."""
        async with self._opening:
            if self._pool is None:
                made = asyncpg.create_pool(  # pyright: ignore[reportUnknownMemberType] - untyped keywords
                    self._url, min_size=0, max_size=CONNECTIONS, timeout=ANSWER_SECONDS, command_timeout=ANSWER_SECONDS
                )
                pool = cast("_Pool", await made)
                try:
                    await pool.execute(_SCHEMA)
                except _TABLE_MADE_MEANWHILE:
                    pass
                except BaseException:
                    pool.terminate()
                    raise
                self._pool = pool
            return self._pool
