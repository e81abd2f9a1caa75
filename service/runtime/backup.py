"""A copy of a data folder, of a stopped service or of a running one, from which a service can be started elsewhere.

While the server runs, its append-only file grows, but nothing in it changes; only a rewrite would exchange files under the
copy. So rewriting is held off for the duration. The copy may end in the middle of a command, which the server cuts off when
it starts on the copy: each match then stands at the end of one of its commands.

The file of the archives is copied after that: it has all that the copied server refers to, because what is deleted from it has
been of no use for a day.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from ..errors import StartupRefused
from ..redis_store.client import Client, text
from .data_folder import archive_file, holding, socket_url
from .signing_file import KEYS

LOGS = "appendonlydir"
REWRITE = "auto-aof-rewrite-percentage"
USUAL = 100
"""The server's default. The current value may be left over from a backup that was killed, so it is not restored."""
LOOK_SECONDS = 0.05


def back_up(data_dir: str | Path, target: str | Path) -> int:
    """Copy a data folder to a new folder and return how many bytes the copy has; raise StartupRefused, StoreUnavailable."""
    source = Path(data_dir).resolve() / LOGS
    copy = Path(target).resolve()
    if not source.is_dir():
        raise StartupRefused(f"There is nothing to back up in {source.parent}.")
    if copy.exists():
        raise StartupRefused(f"The folder {copy} is already there: name one that is not.")
    if copy.is_relative_to(source.parent):
        raise StartupRefused(f"The folder {copy} is in the data folder itself: name one outside of it.")
    with holding(data_dir) as held:
        size = _copy(source, copy) if held else asyncio.run(_copy_of_running(socket_url(data_dir), source, copy))
    for key in source.parent.glob(KEYS):
        _copy_key(key, copy / key.name)
    return size + _copy_archives(archive_file(data_dir), archive_file(copy))


def _copy_key(source: Path, copy: Path) -> None:
    """Copy a file of keys, so that a service on the copy signs as before; other users can never read it."""
    copy.touch(0o600)
    copy.write_bytes(source.read_bytes())


def _copy_archives(source: Path, copy: Path) -> int:
    """Copy the file of the archives at one moment, also while others write to it."""
    if not source.exists():
        return 0
    copy.touch(0o600)
    try:
        with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(copy)) as target:
            original.backup(target)
    except sqlite3.Error as error:
        raise StartupRefused(f"The file of the archives cannot be copied: {error}.") from error
    return copy.stat().st_size


async def _copy_of_running(url: str, source: Path, copy: Path) -> int:
    async with _rewriting_held_off(url):
        return await asyncio.to_thread(_copy, source, copy)


def _copy(source: Path, copy: Path) -> int:
    """Copy the files into a folder that is private from the start, so that no other user can read them meanwhile."""
    copy.mkdir(mode=0o700, parents=True)
    shutil.copytree(source, copy / LOGS)
    (copy / LOGS).chmod(0o700)
    files = list((copy / LOGS).iterdir())
    for file in files:
        file.chmod(0o600)
    return sum(file.stat().st_size for file in files)


@asynccontextmanager
async def _rewriting_held_off(url: str) -> AsyncGenerator[None]:
    """Keep the server from replacing its files."""
    client = Client(url)
    try:
        await client.call("CONFIG", "SET", REWRITE, 0)
        try:
            while await _rewrites(client):  # noqa: ASYNC110 - the server sets no event
                await asyncio.sleep(LOOK_SECONDS)
            yield
        finally:
            await client.call("CONFIG", "SET", REWRITE, USUAL)
    finally:
        await client.close()


async def _rewrites(client: Client) -> bool:
    lines = text(await client.call("INFO", "persistence")).splitlines()
    return "aof_rewrite_in_progress:1" in lines or "aof_rewrite_scheduled:1" in lines
