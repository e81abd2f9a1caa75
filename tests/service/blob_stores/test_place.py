"""The place of a deployment's archives: one that is gone, empty or another is noticed, at a start and while it is used."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.blob_stores.place import MARK, PlacedBlobs
from tafelrunde.service.blob_stores.sqlite import SqliteBlobs
from tafelrunde.service.errors import ArchiveLost, ArchiveUnavailable, StoreUnavailable
from tafelrunde.service.memory_store import MemoryBlobs, memory_stores
from tafelrunde.service.ports.blobs import BlobStore
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.runtime import archive_watch
from tafelrunde.service.settings import LimitSettings, Settings
from tests.service.archiving.test_crash import tell
from tests.service.story import MATCH
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio

HERE = ("127.0.0.1", 50_000)
LOCAL = Settings(bot_pause_ms=0, limits=LimitSettings(rate_limits=False), metrics_local=True)
UNREADABLE = "Archived matches cannot be read."


async def settled(stores: Stores, blobs: BlobStore) -> PlacedBlobs:
    """Return blobs that belong to the deployment; raise ArchiveUnavailable."""
    placed = PlacedBlobs(blobs)
    await placed.settle(stores.archives, stores.events)
    return placed


async def test_new_deployment_takes_the_place_that_it_is_given() -> None:
    """The mark is written once: all processes that start at once, and later ones, find the same."""
    stores = memory_stores()
    blobs = MemoryBlobs()
    await settled(stores, blobs)
    mark = blobs.blobs[MARK].decode()
    assert await stores.archives.place() == mark
    await settled(stores, blobs)
    assert (blobs.blobs[MARK].decode(), await stores.archives.place()) == (mark, mark)
    await settled(stores, MemoryBlobs())  # nothing is archived yet, so nothing is lost
    assert await stores.archives.place() != mark


async def archived(blobs: BlobStore) -> Stores:
    """Return stores with a match that is archived in a place of its own."""
    stores = memory_stores(PlacedBlobs(blobs))
    assert isinstance(stores.blobs, PlacedBlobs)
    await stores.blobs.settle(stores.archives, stores.events)
    await _archive(stores)
    return stores


async def _archive(stores: Stores) -> None:
    from tafelrunde.service.archiving.archiver import Archiver  # noqa: PLC0415 - as the test of it does not need it

    await tell(stores, MATCH)
    await Archiver(stores.archives, stores.blobs).archive(MATCH)


async def test_place_without_the_archives_is_refused() -> None:
    """An empty one, and one of another deployment: nothing is put there, and the mark is not moved."""
    blobs, other = MemoryBlobs(), MemoryBlobs()
    stores = await archived(blobs)
    mark = await stores.archives.place()
    await settled(memory_stores(), other)
    for wrong in (MemoryBlobs(), other):
        before = dict(wrong.blobs)
        with pytest.raises(ArchiveUnavailable) as caught:
            await settled(stores, wrong)
        assert caught.value.refusal == "ELSEWHERE"
        assert (wrong.blobs, await stores.archives.place()) == (before, mark)
    await settled(stores, blobs)


async def test_archives_from_before_there_were_marks_are_found() -> None:
    """A place with them gets a mark; one without them is refused as it would be later."""
    blobs = MemoryBlobs()
    stores = memory_stores(blobs)
    await _archive(stores)
    with pytest.raises(ArchiveUnavailable):
        await settled(stores, MemoryBlobs())
    assert await stores.archives.place() is None
    await settled(stores, blobs)
    assert await stores.archives.place() == blobs.blobs[MARK].decode()


async def test_place_is_taken_later_when_it_was_away_at_the_start() -> None:
    """A patient process goes on without it, and needs no restart."""

    class Away(MemoryBlobs):
        away = True

        async def get(self, key: str) -> bytes | None:
            if self.away:
                raise ArchiveUnavailable
            return await super().get(key)

    stores = memory_stores()
    blobs = Away()
    placed = PlacedBlobs(blobs)
    blobs.blobs[MARK] = b"known"
    await stores.archives.note_place("known")
    with pytest.raises(ArchiveUnavailable):
        await placed.settle(stores.archives, stores.events)
    with pytest.raises(ArchiveUnavailable):
        await placed.put("m/0", b"x")
    blobs.away = False
    await placed.put("m/0", b"x")
    assert await placed.get("m/0") == b"x"


async def test_place_is_used_while_the_store_refuses_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk keeps no process from starting: the mark is noted by a later one."""
    stores = memory_stores()
    blobs = MemoryBlobs()

    async def refuse(_: str) -> None:
        raise StoreUnavailable("full", "MISCONF")

    monkeypatch.setattr(stores.archives, "note_place", refuse)
    assert await (await settled(stores, blobs)).get("m/0") is None


async def test_blob_that_is_lost_alone_is_lost_for_good() -> None:
    """The place is right, so nothing has to be waited for: other matches go on, and this one is not asked for again."""
    blobs = MemoryBlobs()
    stores = await archived(blobs)
    for key in [key for key in blobs.blobs if key != MARK]:
        del blobs.blobs[key]
    with pytest.raises(ArchiveLost):
        await stores.events.load(MATCH)


# A file that goes while it is used, as clients and operators see it


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    """Where the archives are."""
    return tmp_path / "archive.sqlite"


@pytest.fixture
async def table(file: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    """A service whose archives are in a file."""
    monkeypatch.setattr(archive_watch, "FRESH_SECONDS", 0.0)
    blobs = PlacedBlobs(SqliteBlobs(file))
    stores = memory_stores(blobs)
    await blobs.settle(stores.archives, stores.events)
    async with opened(LOCAL, stores=stores) as table:
        yield table
    await blobs.close()


async def read_afresh(table: Table, match: str, token: str) -> tuple[int, str]:
    """Return status and detail of a look at a match that is not in memory."""
    table.application.repository._loaded.clear()
    answer = await table.get(f"/matches/{match}/feed", token)
    return answer.status, "" if answer.status == 200 else f"{answer.json['type']}: {answer.json['detail']}"


async def state(table: Table) -> tuple[int, str, bool]:
    """Return status and detail of readiness, and whether the metrics say that archives are unreadable."""
    ready = await table.get("/health/ready")
    figures = (await table.get("/metrics", peer=HERE)).body
    return ready.status, ready.json.get("detail", ""), b"tafelrunde_archives_unreadable 1.0" in figures


async def test_archives_that_go_while_they_are_used_are_said_to_be_away(table: Table, file: Path) -> None:
    """Deleted, exchanged for an empty database, or overwritten: 503 that says so, in place of 500, and nothing is made there.

    Matches that are not archived go on, none is archived meanwhile, and all is well as soon as the file is back.
    """
    (_, one), (_, other) = await table.player(), await table.player()
    match, later = await table.begin(one, other), await table.begin(one, other)
    for each in (match, later):
        await table.finish(each, one, other)
    await table.application.finalizer.archiver.archive(MatchId(match))
    assert await read_afresh(table, match, one) == (200, "")
    assert await state(table) == (200, "", False)
    kept = file.with_name("kept")
    for wrong in (None, b"", b"rubbish", b"rubbish" * 10_000):
        _take_away(file, kept, wrong)
        status, detail = await read_afresh(table, match, one)
        assert (status, detail.partition(": ")[0]) == (503, "urn:tafelrunde:problem:unavailable"), wrong
        assert "archive" in detail
        assert await state(table) == (200, UNREADABLE, True)
        assert await read_afresh(table, later, one) == (200, "")
        with pytest.raises(ArchiveUnavailable):
            await table.application.finalizer.archiver.archive(MatchId(later))
        assert wrong == b"" or _content(file) == wrong
        _put_back(kept, file)
        assert await read_afresh(table, match, one) == (200, "")
        assert await state(table) == (200, "", False)
    await table.application.finalizer.archiver.archive(MatchId(later))
    assert await read_afresh(table, later, one) == (200, "")


def _take_away(file: Path, kept: Path, instead: bytes | None) -> None:
    """Take a database away, with what belongs to it, and put something in its place."""
    for part in file.parent.glob(f"{file.name}*"):
        shutil.move(part, kept.with_name(part.name.replace(file.name, kept.name)))
    if instead is not None:
        file.write_bytes(instead)


def _content(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None


def _put_back(kept: Path, file: Path) -> None:
    for part in file.parent.glob(f"{file.name}*"):
        part.unlink()
    for part in file.parent.glob(f"{kept.name}*"):
        shutil.move(part, part.with_name(part.name.replace(kept.name, file.name)))
