"""Archives outside the event store: nothing is freed before its blob is safe, and no blob is lost or left behind."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId, Status
from tafelrunde.service.application import Application, unix_ms
from tafelrunde.service.archiving.archiver import LEFTOVER_MS, Archiver
from tafelrunde.service.errors import ArchiveUnavailable, CorruptHistory, VersionConflict
from tafelrunde.service.features.ratings.duty import RatingProjector
from tafelrunde.service.features.transparency.feature import STORE as TREE
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import MemoryBlobs, memory_stores
from tafelrunde.service.memory_store.events import ALL_SHARDS
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.blobs import key_of
from tafelrunde.service.ports.events import Head, shard_of
from tafelrunde.service.ports.rows import Listing
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import LimitSettings, Settings
from tafelrunde.service.views.projections import FRESHEN_LEASE_MS
from tests.service.archiving.test_crash import check_whole, tell
from tests.service.story import MATCH, NOON_MS, Tale, another

pytestmark = pytest.mark.anyio
SHARD = shard_of(MATCH)


class Blobs(MemoryBlobs):
    """Blobs that can be away, or come back spoilt."""

    def __init__(self) -> None:
        super().__init__()
        self.away = False
        self.spoilt: bytes | None = None
        self.deleted: list[str] = []

    async def put(self, key: str, blob: bytes) -> None:
        self._answer()
        await super().put(key, blob if self.spoilt is None else self.spoilt)

    async def get(self, key: str) -> bytes | None:
        self._answer()
        return await super().get(key)

    async def delete(self, keys: Sequence[str]) -> None:
        self._answer()
        self.deleted += keys
        await super().delete(keys)

    def _answer(self) -> None:
        if self.away:
            raise ArchiveUnavailable


@pytest.fixture
def blobs() -> Blobs:
    """Blobs in memory."""
    return Blobs()


def archiver_of(stores: Stores) -> Archiver:
    """Return an archiver that puts archives outside."""
    return Archiver(stores.archives, stores.blobs)


async def head_of(stores: Stores) -> Head:
    """Return the head of the match."""
    head = await stores.events.head(MATCH)
    assert head is not None
    return head


async def go_on(stores: Stores, tale: Tale) -> None:
    """Write one more command to a finished match."""
    batch = another(tale.batch("on", b"on"), status=Status.OVER, care_ms=NOON_MS)
    await stores.events.append(batch)
    tale.note(batch)


async def left(stores: Stores, age_ms: int = 0) -> set[str]:
    """Return the leftovers, and condemn them."""
    return set(await stores.archives.leftovers(SHARD, age_ms, 100))


async def test_only_the_archive_is_kept_when_match_is_archived(stores: Stores, blobs: Blobs) -> None:
    """The blob is outside, under the name in the head, and none of it is in the event store."""
    await tell(stores, MATCH)
    await archiver_of(stores).archive(MATCH)
    head = await head_of(stores)
    assert list(blobs.blobs) == [key_of(MATCH, head.outside)]
    assert await stores.archives.read_staged(MATCH) is None
    assert await left(stores) == set()


@pytest.mark.parametrize("spoilt", [b"", b"other"])
async def test_nothing_is_freed_when_blob_comes_back_spoilt(stores: Stores, blobs: Blobs, spoilt: bytes) -> None:
    """What the blob store has kept is compared byte for byte before anything is freed."""
    tale = await tell(stores, MATCH)
    blobs.spoilt = spoilt
    with pytest.raises(CorruptHistory):
        await archiver_of(stores).archive(MATCH)
    assert not await check_whole(stores, tale)
    assert await left(stores) == set(blobs.blobs), "it can be swept"


async def test_spoilt_archive_is_an_error_and_never_another_story(stores: Stores, blobs: Blobs) -> None:
    """A blob that was changed or lost later is found when it is read, and nothing is freed then."""
    await tell(stores, MATCH)
    await archiver_of(stores).archive(MATCH)
    (key, blob), *_ = blobs.blobs.items()
    for wrong in (blob[:-1], bytes([*blob[:-9], blob[-9] ^ 1, *blob[-8:]]), b""):
        blobs.blobs[key] = wrong
        with pytest.raises(CorruptHistory):
            await stores.events.load(MATCH)
        with pytest.raises(CorruptHistory):
            await archiver_of(stores).restore(MATCH, NOON_MS)
    del blobs.blobs[key]
    with pytest.raises(CorruptHistory):
        await stores.archives.contents(MATCH)
    assert (await head_of(stores)).archived


async def test_archiving_waits_when_blob_store_is_away(stores: Stores, blobs: Blobs) -> None:
    """The log stays, and the match stays on the agenda; when the blob store is back, it is archived."""
    tale = await tell(stores, MATCH)
    blobs.away = True
    with pytest.raises(ArchiveUnavailable):
        await archiver_of(stores).archive(MATCH)
    assert not await check_whole(stores, tale)
    assert (await stores.agenda.claim(AgendaKind.CARE, 0, 1, 1)).next_ms == NOON_MS
    blobs.away = False
    await archiver_of(stores).archive(MATCH)
    assert await check_whole(stores, tale)


async def test_log_behind_an_archive_needs_no_blob_store(stores: Stores, blobs: Blobs) -> None:
    """Without the blob store, an archived match is unavailable, but its head and what follows the archive are not."""
    tale = await tell(stores, MATCH)
    await archiver_of(stores).archive(MATCH)
    await go_on(stores, tale)
    head = await head_of(stores)
    blobs.away = True
    later = await stores.events.load(MATCH, head.archived)
    assert later is not None
    assert later.entries == (b"on",)
    assert await stores.events.find_written(MATCH, "on", tale.batch("on").fingerprint) is not None
    with pytest.raises(ArchiveUnavailable):
        await stores.events.load(MATCH)
    with pytest.raises(ArchiveUnavailable):
        await stores.events.find_written(MATCH, "k0", b"")


async def test_settling_outside_is_fenced(stores: Stores, blobs: Blobs) -> None:
    """A blob settles only if it was announced, is not condemned, and the log ends where it did."""
    tale = await tell(stores, MATCH)
    old = await head_of(stores)
    assert not await stores.archives.settle_outside(MATCH, old, "never")
    assert await stores.archives.announce(MATCH, old, "condemned")
    assert await left(stores) == {key_of(MATCH, "condemned")}
    assert not await stores.archives.settle_outside(MATCH, old, "condemned")
    assert await stores.archives.announce(MATCH, old, "early")
    await go_on(stores, tale)
    assert not await stores.archives.settle_outside(MATCH, old, "early")
    assert not await stores.archives.announce(MATCH, old, "late")
    assert not await check_whole(stores, tale)
    await archiver_of(stores).archive(MATCH)
    assert await check_whole(stores, tale)
    head = await head_of(stores)
    assert await stores.archives.settle_outside(MATCH, head, head.outside), "a repetition"
    assert await check_whole(stores, tale)


async def test_replaced_blob_is_a_leftover_and_so_is_one_that_was_restored(stores: Stores, blobs: Blobs) -> None:
    """What no head names any more is deleted after a day, and not earlier, for those who have just read the head."""
    tale = await tell(stores, MATCH)
    archiver = archiver_of(stores)
    await archiver.archive(MATCH)
    first = key_of(MATCH, (await head_of(stores)).outside)
    await go_on(stores, tale)
    await archiver.archive(MATCH)
    second = key_of(MATCH, (await head_of(stores)).outside)
    assert await archiver.sweep(SHARD) == 0
    assert set(blobs.blobs) == {first, second}
    assert await archiver.sweep(SHARD, 0) == 1
    assert set(blobs.blobs) == {second}
    assert await check_whole(stores, tale)
    await archiver.restore(MATCH, NOON_MS)
    assert await archiver.sweep(SHARD, 0) == 1
    assert blobs.blobs == {}
    assert not await check_whole(stores, tale)
    assert LEFTOVER_MS == 24 * 3600 * 1000


async def test_blob_that_was_put_for_nothing_is_swept(stores: Stores, blobs: Blobs) -> None:
    """One whose archiver was killed before it could settle is a leftover from the moment when it was announced."""
    tale = await tell(stores, MATCH)
    await stores.archives.announce(MATCH, await head_of(stores), "dead")
    await blobs.put(key_of(MATCH, "dead"), b"half")
    await archiver_of(stores).archive(MATCH)
    blobs.away = True
    with pytest.raises(ArchiveUnavailable):
        await archiver_of(stores).sweep(SHARD, 0)
    blobs.away = False
    assert await archiver_of(stores).sweep(SHARD, 0) == 1, "a sweep that was cut off is repeated"
    assert await archiver_of(stores).sweep(SHARD, 0) == 0
    assert blobs.deleted == [key_of(MATCH, "dead")]
    assert await check_whole(stores, tale)


async def test_slow_archiver_does_not_settle_what_a_sweep_deletes(stores: Stores, blobs: Blobs) -> None:
    """However long an archiver sleeps between putting and settling, its blob is either kept or not used."""
    tale = await tell(stores, MATCH)
    archiver = archiver_of(stores)

    class Slow(Blobs):
        async def get(self, key: str) -> bytes | None:
            found = await blobs.get(key)
            await archiver.sweep(SHARD, 0)
            return found

        async def put(self, key: str, blob: bytes) -> None:
            await blobs.put(key, blob)

    with pytest.raises(VersionConflict):
        await Archiver(stores.archives, Slow()).archive(MATCH)
    assert blobs.blobs == {}
    assert not await check_whole(stores, tale)
    await archiver.archive(MATCH)
    assert await check_whole(stores, tale)


@pytest.mark.parametrize("outwards", [True, False], ids=["outwards", "back"])
async def test_archive_moves_when_archives_are_to_be_elsewhere(stores: Stores, blobs: Blobs, outwards: bool) -> None:
    """Archiving again moves an archive that is not where new ones are put, both ways, and every answer stays the same."""
    tale = await tell(stores, MATCH)
    inside = Archiver(stores.archives)
    outside = archiver_of(stores)
    before, after = (inside, outside) if outwards else (outside, inside)
    await before.archive(MATCH)
    assert await check_whole(stores, tale)
    assert not after.in_place(await head_of(stores))
    await after.archive(MATCH)
    head = await head_of(stores)
    assert after.in_place(head)
    assert bool(head.outside) == outwards
    assert await check_whole(stores, tale)
    await outside.sweep(SHARD, 0)
    assert len(blobs.blobs) == outwards
    assert await check_whole(stores, tale)


async def test_rest_of_the_service_goes_on_without_the_blob_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches are opened, played, entered in the transparency log and listed, even by a host whose old matches are archived.

    The row of a match that cannot be read holds up no other one, and is made when the blob store is back.
    """
    blobs = Blobs()
    stores = memory_stores(blobs)

    async def played(application: Application, key: str) -> MatchId:
        bots = {Seat(seat): BotName("random") for seat in range(2)}
        new = NewMatch(game=GameId("coup"), seats=2, seat=None, bots=bots, start=True)
        match = (await application.matches.open(PlayerId("host"), new, key)).match
        await application.process_manager.play_bots(match)
        return match

    settings = Settings(bot_pause_ms=0, archive_after_seconds=0, limits=LimitSettings(bot_matches_per_host=1))
    before = Application(stores, settings)
    blobs.away = True
    first = await played(before, "first")
    await before.finalizer.portion()  # it is entered in the transparency log, and stays on the agenda
    blobs.away = False
    old = await played(before, "old")
    await before.finalizer.portion()
    assert len(blobs.blobs) == 1
    blobs.away = True
    application = Application(stores, settings)
    with pytest.raises(ArchiveUnavailable):
        await application.repository.load_latest(old)
    match = await played(application, "new")
    await application.finalizer.portion()
    (leaf,) = await TREE.of(stores).indexes([match])
    assert leaf
    assert (await stores.agenda.claim(AgendaKind.CARE, 0, 1, 1)).next_ms is not None
    for shard in ALL_SHARDS:
        await application.projector.rebuild(shard)
    listed = [row.match for row in await stores.rows.rows(Listing(status=Status.OVER))]
    assert set(listed) == {match, first}
    assert await application.get(RatingProjector).portion() == 1, "ratings go on up to it, in order"
    with pytest.raises(ArchiveUnavailable):
        await application.get(RatingProjector).portion()
    blobs.away = False
    assert await application.get(RatingProjector).catch_up() == 3
    monkeypatch.setattr(application.projector, "_now_ms", lambda: unix_ms() + FRESHEN_LEASE_MS)
    await application.projector.freshen(ALL_SHARDS)
    listed = [row.match for row in await stores.rows.rows(Listing(status=Status.OVER))]
    assert set(listed) == {match, first, old}
    await application.finalizer.archiver.archive(match)
    assert len(blobs.blobs) == 2
