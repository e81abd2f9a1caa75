"""Archiving that is cut off: wherever it happens, each match is whole, and the next one to come finishes the work."""

from __future__ import annotations

import random
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from tafelrunde.domain.match import MatchId, Status
from tafelrunde.service.archiving.archiver import Archiver
from tafelrunde.service.blob_stores.sqlite import SqliteBlobs
from tafelrunde.service.errors import StoreUnavailable
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.blobs import BlobStore
from tafelrunde.service.ports.events import GENESIS, Version, Written
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tests.service.redis_store.test_crash import tail
from tests.service.story import MATCH, NOON_MS, Tale, another, chain_over
from tests.support.servers import Server

pytestmark = [pytest.mark.anyio, pytest.mark.real]
MATCHES = [MatchId(f"m-{number}") for number in range(4)]
COMMANDS = 5


@pytest.fixture(params=["in-the-store", "outside"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> BlobStore | None:
    """Archives in the event store, and outside of it."""
    (tmp_path / "archive.sqlite").touch()
    return SqliteBlobs(tmp_path / "archive.sqlite") if request.param == "outside" else None


async def tell(stores: Stores, match: MatchId) -> Tale:
    """Write a finished match."""
    tale = Tale(match)
    for number in range(COMMANDS):
        batch = another(tale.batch(f"k{number}", bytes([number]) * 40, b"-"), care_ms=NOON_MS, status=Status.OVER)
        await stores.events.append(batch)
        tale.note(batch)
    return tale


async def check_whole(stores: Stores, tale: Tale) -> bool:
    """Check that nothing of a finished match is missing, and return whether it is archived."""
    log = await stores.events.load(tale.match)
    assert log is not None
    assert list(log.entries) == tale.entries
    assert log.head.chain == chain_over(GENESIS, log.entries) == tale.chain
    for number in range(COMMANDS):
        key = f"k{number}"
        written = await stores.events.find_written(tale.match, key, tale.batch(key).fingerprint)
        assert written == Written(Version(2 * number + 1), Version(2 * number + 2), replayed=True)
    return log.head.archived == log.head.version


class CutOff:
    """A store of which one call fails: before it is made, or so that its answer is lost."""

    def __init__(self, inner: object, count: list[int], *, lost: bool) -> None:
        self._inner = inner
        self._count = count
        self._lost = lost

    def __getattr__(self, name: str) -> Callable[..., Awaitable[object]]:
        method = getattr(self._inner, name)

        async def call(*arguments: object) -> object:
            self._count[0] -= 1
            if self._count[0] == 0 and not self._lost:
                raise StoreUnavailable(name)
            answer = await method(*arguments)
            if self._count[0] == 0:
                raise StoreUnavailable(name)
            return answer

        return call


@pytest.mark.parametrize("lost", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("back", [False, True], ids=["archive", "restore"])
async def test_match_is_whole_wherever_the_archivist_is_cut_off(stores: Stores, lost: bool, back: bool) -> None:
    """Every step may be the last: reads stay right, the care for the match is not forgotten, and a second try ends the work."""
    tale = await tell(stores, MATCH)
    archiver = Archiver(stores.archives, stores.blobs)
    step = 0
    for step in range(1, 100):
        if back:
            await archiver.archive(MATCH)
        count = [step]
        flaky = Archiver(CutOff(stores.archives, count, lost=lost))  # type: ignore[arg-type]  # every method is passed on at run time
        try:
            await (flaky.restore(MATCH, NOON_MS) if back else flaky.archive(MATCH))
        except StoreUnavailable:
            archived = await check_whole(stores, tale)
            claims = await stores.agenda.claim(AgendaKind.CARE, 0, 1, 1)
            assert claims.next_ms == (None if archived else NOON_MS)
        else:
            assert count[0] > 0
            break
        await archiver.archive(MATCH)
        assert await check_whole(stores, tale)
        await archiver.restore(MATCH, NOON_MS)
    assert step > (2 if back else 4)
    assert await check_whole(stores, tale) is not back


async def _write_story(server: Server) -> tuple[dict[MatchId, Tale], int]:
    """Archive, restore and archive again, matches in turn; return also how long the file was before that."""
    async with await RedisStores.connect(server.url) as stores:
        tales = {match: await tell(stores, match) for match in MATCHES}
        size = tail(server.folder).stat().st_size
        archiver = Archiver(stores.archives, stores.blobs)
        for match in MATCHES:
            await archiver.archive(match)
        for match in MATCHES[1:]:
            await archiver.restore(match, NOON_MS)
        for match in MATCHES[2:]:
            await archiver.archive(match)
    return tales, size


@pytest.mark.parametrize("kind", ["valkey", "redis8"])
async def test_match_is_whole_wherever_the_file_is_cut(kind: str, short_path: Path) -> None:
    """A server that lost its power in the middle of archiving has each match as a log or as an archive, never half of either."""
    whole = short_path / "whole"
    whole.mkdir()
    with Server(kind, whole, appendfsync="always") as server:  # else the file may lag behind what was answered
        tales, start = await _write_story(server)
        server.stop()
    size = tail(whole).stat().st_size
    chance = random.Random(1)
    seen: set[tuple[bool, ...]] = set()
    for cut in sorted({size, *(chance.randrange(start, size) for _ in range(30))}):
        part = short_path / f"cut-{cut}"
        shutil.copytree(whole, part, ignore=shutil.ignore_patterns("s", "log"))
        with tail(part).open("r+b") as file:
            file.truncate(cut)
        with Server(kind, part) as server:
            async with await RedisStores.connect(server.url) as stores:
                seen.add(tuple([await check_whole(stores, tale) for tale in tales.values()]))
                for tale in tales.values():
                    await Archiver(stores.archives, stores.blobs).archive(tale.match)
                    assert await check_whole(stores, tale)
    assert len(seen) > 5
    assert (True, False, True, True) in seen


@pytest.mark.parametrize("blobs", ["in-the-store"], indirect=True)
async def test_staged_blob_of_a_dead_archivist_is_replaced(stores: Stores) -> None:
    """An archive staged by another archiver that did not settle it is not trusted: the next one stages its own."""
    tale = await tell(stores, MATCH)
    contents = await stores.archives.contents(MATCH)
    assert contents is not None
    assert await stores.archives.stage(MATCH, contents.head, b"half a blob")
    await Archiver(stores.archives, stores.blobs).archive(MATCH)
    assert await check_whole(stores, tale)
    assert await stores.archives.read_staged(MATCH) is None
    assert msgspec.structs.replace(contents.head, archived=contents.head.version) == await stores.events.head(MATCH)
