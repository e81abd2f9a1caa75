"""Blob stores: every one keeps what it has taken, byte for byte, and changes nothing of it."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Protocol

import httpx
import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.archiving.archiver import Archiver
from tafelrunde.service.blob_stores import blobs_at, open_blobs, sqlite
from tafelrunde.service.blob_stores.sqlite import SqliteBlobs
from tafelrunde.service.errors import ArchiveUnavailable, StartupRefused
from tafelrunde.service.memory_store import MemoryBlobs, memory_stores
from tafelrunde.service.memory_store.events import ALL_SHARDS
from tafelrunde.service.ports.blobs import BlobStore, key_of
from tests.service.archiving.test_crash import check_whole, tell
from tests.service.story import Tale
from tests.support.patience import PATIENCE_SECONDS
from tests.support.postgres import PostgresServer
from tests.support.processes import Serve
from tests.support.relay import Relay
from tests.support.s3 import CREDENTIALS, S3Server
from tests.support.servers import need

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("blobs")]  # a PostgreSQL and an S3 server for all of them
KINDS = ("memory", "sqlite", "postgres", "s3")
KEY = key_of(MatchId("m-1"), "00ff")
BLOB = bytes(range(256)) * 100


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL."""
    with PostgresServer() as server:
        yield server


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """The address of a bucket; the credentials are in the environment meanwhile."""
    with S3Server() as server, pytest.MonkeyPatch.context() as environment:
        for name, value in CREDENTIALS.items():
            environment.setenv(name, value)
        yield server.url


@pytest.fixture(params=KINDS)
async def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[BlobStore]:
    """Each blob store in turn."""
    match request.param:
        case "memory":
            yield MemoryBlobs()
            return
        case "sqlite":
            url = f"sqlite:///{tmp_path}/archive.sqlite"
        case "postgres":
            url = request.getfixturevalue("postgres").url
        case _:
            url = request.getfixturevalue("bucket").replace("?", f"/{tmp_path.name}?")
    blobs = await open_blobs(url)
    assert blobs is not None
    await blobs.delete([KEY])
    yield blobs
    await blobs.close()


async def test_blob_is_returned_as_it_was_put(blobs: BlobStore) -> None:
    """Every byte comes back, of an empty blob as of a long one; a key that was never put has none."""
    await blobs.check()
    assert await blobs.get(KEY) is None
    await blobs.put(KEY, BLOB)
    await blobs.put(KEY + "0", b"")
    assert (await blobs.get(KEY), await blobs.get(KEY + "0")) == (BLOB, b"")


async def test_blob_stays_when_its_key_is_put_again(blobs: BlobStore) -> None:
    """A blob is never changed: what is put later under its key is not kept."""
    await blobs.put(KEY, BLOB)
    await blobs.put(KEY, BLOB)
    await blobs.put(KEY, b"another one")
    assert await blobs.get(KEY) == BLOB


async def test_blobs_put_together_are_all_kept(blobs: BlobStore) -> None:
    """Puts that come at the same time do not disturb each other."""
    keys = {f"m-{number}/0": bytes([number]) * number for number in range(40)}
    await asyncio.gather(*(blobs.put(key, blob) for key, blob in keys.items()))
    assert [await blobs.get(key) for key in keys] == list(keys.values())


async def test_deleted_blobs_are_gone_and_no_other(blobs: BlobStore) -> None:
    """Deleting passes over what is not there."""
    await blobs.put(KEY, BLOB)
    await blobs.put("other/0", b"stays")
    await blobs.delete([KEY, "never/0"])
    assert (await blobs.get(KEY), await blobs.get("other/0")) == (None, b"stays")
    await blobs.delete([])


# SQLite


async def test_blob_is_seen_by_other_processes_at_once(tmp_path: Path) -> None:
    """What a put has returned for is in the file, for any connection, and only this user can read it."""
    path = tmp_path / "archive.sqlite"
    one, other = SqliteBlobs(path), SqliteBlobs(path)
    await asyncio.gather(one.make(), other.make())
    await asyncio.gather(one.put("a/0", b"1"), other.put("b/0", b"2"))
    assert (await other.get("a/0"), await one.get("b/0")) == (b"1", b"2")
    await one.close()
    await other.close()
    assert path.stat().st_mode & 0o077 == 0


class Counting(SqliteBlobs):
    """Counts its commits."""

    commits = 0

    async def _commit(self, blobs: Mapping[str, bytes]) -> None:
        self.commits += 1
        await super()._commit(blobs)


async def test_puts_that_come_together_share_a_commit(tmp_path: Path) -> None:
    """While one commit waits for the disk, all that come meanwhile gather for the next."""
    blobs = Counting(tmp_path / "archive.sqlite")
    await blobs.make()
    await asyncio.gather(*(blobs.put(f"m-{number}/0", b"x") for number in range(50)))
    assert blobs.commits == 2
    await blobs.close()


async def test_put_fails_on_a_full_disk_and_works_when_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of several puts that fail together says so, and nothing of them is kept; what is there can be read meanwhile."""

    def full(path: Path) -> sqlite3.Connection:
        connection = opened(path)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    opened = sqlite._open
    blobs = SqliteBlobs(tmp_path / "archive.sqlite")
    await blobs.make()
    await blobs.put("m-0/0", b"before")
    monkeypatch.setattr(sqlite, "_open", full)
    await blobs._writer.run(lambda connection: connection.execute("PRAGMA max_page_count = 1"))
    found = await asyncio.gather(*(blobs.put(f"m-{n}/1", bytes(100_000)) for n in range(3)), return_exceptions=True)
    assert [str(each) for each in found] == ["the file of the archives: database or disk is full"] * 3
    assert [await blobs.get(f"m-{n}/1") for n in range(3)] == [None] * 3
    assert await blobs.get("m-0/0") == b"before"
    monkeypatch.setattr(sqlite, "_open", opened)
    await blobs.put("m-0/1", BLOB)
    assert await blobs.get("m-0/1") == BLOB
    await blobs.close()


async def test_waiting_put_is_kept_when_another_one_is_cancelled(tmp_path: Path) -> None:
    """A caller that gives up takes no one else's blob with it."""
    blobs = SqliteBlobs(tmp_path / "archive.sqlite")
    await blobs.make()
    async with blobs._writing:
        puts = [asyncio.create_task(blobs.put(f"m-{number}/0", b"x")) for number in range(3)]
        await asyncio.sleep(0)
        puts[0].cancel()
    await asyncio.gather(*puts[1:])
    assert [await blobs.get(f"m-{number}/0") for number in range(3)] == [None, b"x", b"x"]
    await blobs.close()


# PostgreSQL


async def test_blobs_are_there_again_when_database_was_restarted(postgres: PostgresServer) -> None:
    """While the database is down, calls say so without its address; what it had taken is there when it is back."""
    one, other = await open_blobs(postgres.url), await open_blobs(postgres.url)
    assert one is not None
    assert other is not None
    await asyncio.gather(one.put(KEY, BLOB), other.put(KEY, BLOB))
    postgres.stop()
    with pytest.raises(ArchiveUnavailable) as caught:
        await one.get(KEY)
    assert "127.0.0.1" not in str(caught.value)
    with pytest.raises(StartupRefused, match=r"^The store of archives \(TAFELRUNDE_ARCHIVE_URL\) does not work: .*\.$"):
        await open_blobs(postgres.url)
    postgres.start()
    assert await one.get(KEY) == BLOB
    await one.close()
    await other.close()


# All that are on other machines


class Away(Protocol):
    """A store of archives that can be lost and come back."""

    url: str

    async def lose(self) -> None:
        """Let it be gone, in the middle of what it does."""
        ...

    async def find(self) -> None:
        """Let it be there again."""
        ...


class KilledPostgres:
    """It is killed, and started again on its data."""

    def __init__(self, server: PostgresServer) -> None:
        self.url = server.url
        self._server = server

    async def lose(self) -> None:
        await asyncio.to_thread(self._server.stop)

    async def find(self) -> None:
        await asyncio.to_thread(self._server.start)


class CutOffBucket:
    """Its line is cut, and mended."""

    def __init__(self, url: str, relay: Relay) -> None:
        self.url = re.sub(r"127\.0\.0\.1:\d+", f"127.0.0.1:{relay.port}", url).replace("?", "/moving?")
        self.lose = relay.cut_off
        self.find = relay.let_through


@pytest.fixture(params=["postgres", "s3"])
async def away(request: pytest.FixtureRequest) -> AsyncIterator[Away]:
    """Each of them in turn."""
    if request.param == "postgres":
        yield KilledPostgres(request.getfixturevalue("postgres"))
        return
    url = request.getfixturevalue("bucket")
    port = re.search(r":(\d+)&", url)
    assert port is not None
    async with Relay(int(port[1])) as relay:
        yield CutOffBucket(url, relay)


async def test_matches_are_whole_when_their_store_is_lost_while_they_move(away: Away) -> None:
    """Matches that had not moved can be read meanwhile; afterwards all can, and the work goes on where it was."""
    blobs = await open_blobs(away.url)
    assert blobs is not None
    stores = memory_stores(blobs)
    tales = list[Tale]()
    numbers = count()
    archiver = Archiver(stores.archives, blobs)

    async def move() -> None:
        while True:
            tales.append(await tell(stores, MatchId(f"m-{next(numbers)}")))
            await archiver.archive(tales[-1].match)

    moving = [asyncio.create_task(move()) for _ in range(4)]
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(tales) < 12:  # noqa: ASYNC110 - they work until they fail
            await asyncio.sleep(0.001)
        await away.lose()
        assert {type(each) for each in await asyncio.gather(*moving, return_exceptions=True)} == {ArchiveUnavailable}
    heads = [await stores.events.head(tale.match) for tale in tales]
    moved = [head is not None and head.archived > 0 for head in heads]
    assert 0 < sum(moved) < len(tales)
    assert not any([await check_whole(stores, tale) for tale, gone in zip(tales, moved, strict=True) if not gone])
    with pytest.raises(ArchiveUnavailable):
        await check_whole(stores, tales[moved.index(True)])
    await away.find()
    assert [await check_whole(stores, tale) for tale in tales] == moved
    for tale in tales:
        await archiver.archive(tale.match)
    for shard in ALL_SHARDS:
        await archiver.sweep(shard, 0)
    assert all([await check_whole(stores, tale) for tale in tales])
    await blobs.close()


# S3


@pytest.mark.parametrize(("url", "package"), [("postgresql://x", "asyncpg"), ("s3://x", "obstore")])
async def test_missing_package_is_named(url: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what to install."""
    for module in ("postgres", "objects"):
        monkeypatch.delitem(sys.modules, f"tafelrunde.service.blob_stores.{module}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(StartupRefused, match=rf"needs the package {package}: run pip install 'PATH\[\w+\]'"):
        await open_blobs(url)


@pytest.mark.parametrize("url", ["s3://", "s3://name@bucket/x", "s3://bucket/x?acl=public"])
async def test_wrong_address_of_a_bucket_is_refused(url: str) -> None:
    """Credentials are not part of an address, and an unknown option is not passed over."""
    with pytest.raises(StartupRefused, match=r"^TAFELRUNDE_ARCHIVE_URL is no address of a bucket: .*AWS_ACCESS_KEY_ID.*\.$"):
        await open_blobs(url)


def test_serve_works_with_archives_in_a_bucket(bucket: str, short_path: Path) -> None:
    """Its library has threads, which a fork lacks: every process of the service is ready all the same."""
    need("valkey")
    with Serve(short_path, archive_url=bucket) as serve:
        assert httpx.get(f"{serve.url}/api/v1/health/ready", trust_env=False, timeout=PATIENCE_SECONDS).status_code == 200


async def test_missing_bucket_is_refused_at_the_start(bucket: str) -> None:
    """A bucket that is not there is a wrong setting, not an empty one."""
    with pytest.raises(StartupRefused):
        await open_blobs(bucket.replace("s3://", "s3://not-"))


# Addresses


@pytest.mark.parametrize("url", [None, "", "store:"])
async def test_no_address_means_the_store_itself(url: str | None) -> None:
    """Without an address there is no blob store."""
    assert await open_blobs(url) is None


@pytest.mark.parametrize("url", ["sqlite:///", "sqlite://x", "mysql://secret/x", "archive.sqlite"])
async def test_wrong_address_is_refused_in_one_sentence(url: str) -> None:
    """The sentence says what would do, and repeats nothing of an address, which may have a password."""
    with pytest.raises(StartupRefused, match=r"^TAFELRUNDE_ARCHIVE_URL is no address .*\.$") as caught:
        await open_blobs(url)
    assert "secret" not in str(caught.value)


async def test_unusable_file_is_refused_at_the_start_only(tmp_path: Path) -> None:
    """A file that cannot be used is refused, and one of another kind is not touched."""
    other = tmp_path / "other"
    other.write_bytes(b"no database" * 1000)
    for path in (tmp_path / "nowhere" / "archive.sqlite", other):
        said = re.escape(f"The store of archives in the file {path} (TAFELRUNDE_ARCHIVE_URL) does not work: ")
        with pytest.raises(StartupRefused, match=rf"^{said}.*\.$"):
            await open_blobs(f"sqlite:///{path}")
        blobs = blobs_at(f"sqlite:///{path}")
        assert blobs is not None
        with pytest.raises(ArchiveUnavailable):
            await blobs.get(KEY)
        await blobs.close()
    assert other.read_bytes() == b"no database" * 1000


async def test_file_is_a_plain_database(tmp_path: Path) -> None:
    """An address may have escapes, as every address; any tool for SQLite reads the file."""
    blobs = await open_blobs(f"sqlite:///{tmp_path}/a%20file.sqlite")
    assert blobs is not None
    await blobs.put(KEY, BLOB)
    await blobs.close()
    with closing(sqlite3.connect(tmp_path / "a file.sqlite")) as connection:
        assert connection.execute("SELECT key, blob FROM blobs").fetchall() == [(KEY, BLOB)]
