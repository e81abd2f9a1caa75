"""Archives: whatever is freed, every answer stays the same."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId, Status
from tafelrunde.service.application import Application
from tafelrunde.service.archiving.archiver import Archiver
from tafelrunde.service.blob_stores.sqlite import SqliteBlobs
from tafelrunde.service.errors import CorruptHistory, HistoryForked, KeyReused, NotFound, VersionConflict
from tafelrunde.service.matches.command_handler import fingerprint_of
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import MemoryBlobs, memory_stores
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.archive_format import pack, unpack, unpack_entries
from tafelrunde.service.ports.archives import Contents, Used
from tafelrunde.service.ports.blobs import BlobStore
from tafelrunde.service.ports.derived_keys import pack_keys, short_key, unpack_keys
from tafelrunde.service.ports.events import GENESIS, Head, Log, Version, Written, shard_of
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import keys as names
from tafelrunde.service.settings import Settings
from tests.service.story import MATCH, NOON_MS, Tale, another, chain_over
from tests.support.servers import Server

pytestmark = pytest.mark.anyio
OPENING = 1
"""Commands of a match whose fingerprints no rule gives: the one that opens it, which is not stored as it was asked."""
FORMAT_1 = (
    "28b52ffd649c004d0a00e4129701a36d2d3105c4208e20339e7a5ebe493e2a4b76707519e63603d40929a6071d8c91e70285c2313fa46f"
    "76657295c4289707a56163746f72a8702d616e6e613a31a080c41181a474797065aa6d617463682e706c6179c400c4170027a7626f742d"
    "372d3215a6657870697265702d62656e3a9494c410f4d6eaf45d25619729415ccfbf4e6c03c420f3c5a1865fb635665eeae508f95e3462"
    "d4ca090c7e293da7bfd21d05739cc002010294c410f13465e7b7a9e0442b9209b3ab56247bc42032d527fcdaa4eb2f5ecc84cac059d68b"
    "36135e5471101425ca47d3263dd52db80303b2dae5aed5b773b62caae90bad5723ecc420e22b4b41112b653e8cec59e4e101d2b9e474d6"
    "b82fd2d928b532e761fb702af40404d2b00734b10af334ebcb5786cf0f5737c404656c736505050900040078b5020e80700873e1654500"
    "91e72b39e0b646ab33c32cf66e"
)
FORMAT_2 = (
    "28b52ffd24eabd040024089702a36d2d3105c4208e20339e7a5ebe493e2a4b76707519e63603d40929a6071d8c91e70285c2313fa46f76"
    "657295c4289707a56163746f72a8702d616e6e613a31a080c41181a474797065aa6d617463682e706c6179c400c4170027a7626f742d37"
    "2d3215a6657870697265702d62656e3a93c4040203040191c404656c73659007000096214c83f7160130cf97e500d91aadccd8de1d0b"
)


@pytest.fixture(params=["in-the-store", "outside"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> BlobStore | None:
    """Archives in the event store, and outside of it."""
    (tmp_path / "archive.sqlite").touch()
    return SqliteBlobs(tmp_path / "archive.sqlite") if request.param == "outside" else None


in_the_store = pytest.mark.parametrize("blobs", ["in-the-store"], indirect=True)


async def told(stores: Stores, *, count: int = 5, status: Status = Status.OVER) -> Tale:
    """Write a match of some commands, each with two entries; the last one ends it."""
    tale = Tale()
    for number in range(count):
        batch = tale.batch(f"k{number}", f"{number}a".encode(), f"{number}b".encode())
        last = number == count - 1
        batch = another(batch, status=status if last else Status.RUNNING, care_ms=NOON_MS if last else None)
        await stores.events.append(batch)
        tale.note(batch)
    return tale


async def go_on(stores: Stores, tale: Tale, key: str = "on") -> None:
    """Write one more command to a finished match."""
    batch = another(tale.batch(key, key.encode()), status=Status.OVER, care_ms=NOON_MS)
    await stores.events.append(batch)
    tale.note(batch)


async def answers(stores: Stores, tale: Tale) -> list[object]:
    """Return what a store says of a match in every way there is."""
    found: list[object] = [
        list(await stores.events.matches(shard_of(MATCH))),
        await stores.events.follow({shard_of(MATCH): "0-0"}, 0),
    ]
    for version in range(len(tale.entries) + 2):
        log = await stores.events.load(MATCH, Version(version))
        assert log is not None
        found.append((log.head.version, log.head.chain, log.head.status, log.entries))
    for number in range(6):
        key = f"k{number}"
        found.append(await stores.events.find_written(MATCH, key, tale.batch(key).fingerprint))
    return found


def at(head: Head | None) -> Head | None:
    """Return a head without where its archive is."""
    return msgspec.structs.replace(head, outside="") if head is not None else None


async def care(stores: Stores) -> int | None:
    """Return when the match is to be tended next."""
    return (await stores.agenda.claim(AgendaKind.CARE, 0, 1, 1)).next_ms


async def test_every_answer_is_the_same_when_match_is_archived(stores: Stores) -> None:
    """Readers of a log cannot distinguish an archived one; its maintenance has ended."""
    tale = await told(stores)
    before = await answers(stores, tale)
    assert await care(stores) == NOON_MS
    archived = await Archiver(stores.archives, stores.blobs).archive(MATCH)
    assert (archived.events, archived.size) == (10, len(await stores.archives.archive(MATCH) or b""))
    head = await stores.events.head(MATCH)
    assert at(head) == Head(Version(10), tale.chain, Status.OVER, Version(10))
    assert (head is not None and head.outside != "") == (stores.blobs is not None)
    assert await answers(stores, tale) == before
    assert await care(stores) is None


async def test_log_and_keys_are_freed_when_match_is_archived(server: Server, redis_kind_stores: Stores) -> None:
    """What the archive replaces is gone from the server: of the match only its head and its archive are left."""
    await told(redis_kind_stores)
    await Archiver(redis_kind_stores.archives, redis_kind_stores.blobs).archive(MATCH)
    for name, there in (
        (names.entries(MATCH), 0),
        (names.written(MATCH), 0),
        (names.staged(MATCH), 0),
        (names.head(MATCH), 1),
        (names.archive(MATCH), 1),
    ):
        assert server.ask(f"EXISTS {name}") == f":{there}", name


async def test_repetition_is_recognised_when_match_is_archived(stores: Stores) -> None:
    """A command that was accepted long ago gets its old answer, and a used key is refused to another request."""
    tale = await told(stores)
    await Archiver(stores.archives, stores.blobs).archive(MATCH)
    first = Tale().batch("k0", b"0a", b"0b")
    assert await stores.events.append(first) == Written(Version(1), Version(2), replayed=True)
    with pytest.raises(KeyReused):
        await stores.events.append(another(first, fingerprint=b"other"))
    with pytest.raises(KeyReused):
        await stores.events.find_written(MATCH, "k3", b"other")
    assert await stores.events.find_written(MATCH, "never", b"") is None
    assert len(tale.entries) == 10


async def test_fences_hold_when_match_is_archived(stores: Stores) -> None:
    """A wrong version and a wrong chain are refused as before."""
    tale = await told(stores)
    await Archiver(stores.archives, stores.blobs).archive(MATCH)
    with pytest.raises(VersionConflict) as caught:
        await stores.events.append(another(tale.batch("new", b"x"), expected=Version(9)))
    assert caught.value.actual == 10
    with pytest.raises(HistoryForked):
        await stores.events.append(another(tale.batch("new", b"x"), chain=GENESIS))


async def test_archived_match_goes_on_and_is_archived_again(stores: Stores) -> None:
    """What still happens to a finished match comes behind its archive, and into the next one."""
    tale = await told(stores)
    archiver = Archiver(stores.archives, stores.blobs)
    await archiver.archive(MATCH)
    await go_on(stores, tale)
    head = await stores.events.head(MATCH)
    assert at(head) == Head(Version(11), tale.chain, Status.OVER, Version(10))
    before = await answers(stores, tale)
    assert await stores.events.find_written(MATCH, "on", tale.batch("on").fingerprint) == Written(
        Version(11), Version(11), replayed=True
    )
    assert await care(stores) == NOON_MS
    assert (await archiver.archive(MATCH)).events == 11
    assert await answers(stores, tale) == before
    assert await stores.events.find_written(MATCH, "on", tale.batch("on").fingerprint) == Written(
        Version(11), Version(11), replayed=True
    )
    assert await care(stores) is None


async def test_contents_are_the_same_before_and_after(stores: Stores) -> None:
    """Archive and log together hold the same, wherever the boundary between them is."""
    tale = await told(stores)
    log_only = await stores.archives.contents(MATCH)
    assert log_only is not None
    assert log_only.entries == tuple(tale.entries)
    assert [used.first for used in log_only.used] == [1, 3, 5, 7, 9]
    await Archiver(stores.archives, stores.blobs).archive(MATCH)
    packed = await stores.archives.contents(MATCH)
    assert packed is not None
    assert (packed.entries, packed.used) == (log_only.entries, log_only.used)
    await go_on(stores, tale)
    both = await stores.archives.contents(MATCH)
    assert both is not None
    assert both.entries == tuple(tale.entries)
    assert (both.used[:-1], both.used[-1].first) == (log_only.used, 11)
    assert await stores.archives.contents(MatchId("unknown")) is None


@pytest.mark.parametrize("gone_on", [False, True], ids=["archived", "gone-on"])
async def test_match_is_as_before_when_restored(stores: Stores, gone_on: bool) -> None:
    """Restoring undoes archiving, entry by entry and key by key, and sets the time of the next care."""
    tale = await told(stores)
    archiver = Archiver(stores.archives, stores.blobs)
    await archiver.archive(MATCH)
    if gone_on:
        await go_on(stores, tale)
    before = await answers(stores, tale)
    assert await archiver.restore(MATCH, NOON_MS + 7)
    head = await stores.events.head(MATCH)
    assert head == Head(Version(len(tale.entries)), tale.chain, Status.OVER)
    assert await answers(stores, tale) == before
    assert await stores.archives.archive(MATCH) is None
    assert await care(stores) == NOON_MS + 7
    assert not await archiver.restore(MATCH, NOON_MS + 7)
    await go_on(stores, tale, "later")
    assert (await archiver.archive(MATCH)).events == len(tale.entries)


@in_the_store
async def test_nothing_is_freed_when_match_is_not_over(stores: Stores) -> None:
    """A match that is open or running is not archived, and neither is one that was never opened."""
    archiver = Archiver(stores.archives, stores.blobs)
    with pytest.raises(NotFound):
        await archiver.archive(MATCH)
    await told(stores, status=Status.RUNNING)
    with pytest.raises(NotFound):
        await archiver.archive(MATCH)
    assert await stores.archives.read_staged(MATCH) is None


@in_the_store
async def test_nothing_changes_when_match_has_gone_on(stores: Stores) -> None:
    """Staging, settling and unpacking are fenced by the head that was read."""
    tale = await told(stores)
    contents = await stores.archives.contents(MATCH)
    assert contents is not None
    old = contents.head
    blob = pack(MATCH, contents)
    assert await stores.archives.stage(MATCH, old, blob)
    await go_on(stores, tale)
    before = await answers(stores, tale)
    assert not await stores.archives.settle(MATCH, old, blob)
    assert not await stores.archives.stage(MATCH, old, blob)
    assert await answers(stores, tale) == before
    await Archiver(stores.archives, stores.blobs).archive(MATCH)
    packed = await stores.archives.contents(MATCH)
    assert packed is not None
    assert not await stores.archives.stage(MATCH, packed.head, blob)
    await go_on(stores, tale, "later")
    assert not await stores.archives.unpack(MATCH, packed, NOON_MS)
    assert await stores.archives.archive(MATCH) is not None


@in_the_store
async def test_other_blob_than_the_one_read_back_is_not_settled(stores: Stores) -> None:
    """What was verified and what becomes the archive are the same bytes."""
    tale = await told(stores)
    contents = await stores.archives.contents(MATCH)
    assert contents is not None
    assert not await stores.archives.settle(MATCH, contents.head, pack(MATCH, contents))
    assert await stores.archives.stage(MATCH, contents.head, b"another blob")
    assert not await stores.archives.settle(MATCH, contents.head, pack(MATCH, contents))
    assert (await stores.events.load(MATCH)) == Log(contents.head, tuple(tale.entries))


class Spoiling:
    """Archives that lose bytes on their way in."""

    def __init__(self, stores: Stores, spoil: Callable[[bytes], bytes]) -> None:
        self._archives = stores.archives
        self._spoil = spoil

    async def stage(self, match: MatchId, head: Head, blob: bytes) -> bool:
        return await self._archives.stage(match, head, self._spoil(blob))

    def __getattr__(self, name: str) -> Callable[..., Awaitable[object]]:
        return getattr(self._archives, name)


SPOILS: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda blob: blob[:-1],
    "flipped": lambda blob: bytes([*blob[:-9], blob[-9] ^ 1, *blob[-8:]]),
    "empty": lambda _: b"",
    "other": lambda _: pack(MATCH, Contents(Head(Version(0), GENESIS, Status.OVER), (), ())),
}


@in_the_store
@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS.keys())
async def test_nothing_is_freed_when_blob_is_not_read_back_as_written(stores: Stores, spoil: Callable[[bytes], bytes]) -> None:
    """An archive that is not whole never replaces a log."""
    tale = await told(stores)
    before = await answers(stores, tale)
    with pytest.raises(CorruptHistory):
        await Archiver(Spoiling(stores, spoil)).archive(MATCH)  # type: ignore[arg-type]  # all but one method is passed on at run time
    assert await answers(stores, tale) == before
    assert await stores.archives.archive(MATCH) is None
    assert await care(stores) == NOON_MS


async def test_corrupt_log_is_not_archived(server: Server, redis_kind_stores: Stores) -> None:
    """A log that does not hash to its chain stays, for an operator to investigate."""
    await told(redis_kind_stores)
    server.ask(f"HSET {names.head(MATCH)} chain {'x' * 32}")
    with pytest.raises(CorruptHistory):
        await Archiver(redis_kind_stores.archives, redis_kind_stores.blobs).archive(MATCH)
    assert server.ask(f"XLEN {names.entries(MATCH)}") == ":10"


async def test_missing_archive_is_reported(server: Server, redis_kind_stores: Stores) -> None:
    """A deleted archive is reported as corrupt, never as an empty match."""
    await told(redis_kind_stores)
    await Archiver(redis_kind_stores.archives, redis_kind_stores.blobs).archive(MATCH)
    server.ask(f"DEL {names.archive(MATCH)}")
    with pytest.raises(CorruptHistory):
        await redis_kind_stores.events.load(MATCH)
    with pytest.raises(CorruptHistory):
        await redis_kind_stores.events.find_written(MATCH, "k0", b"")


USED = st.builds(
    Used,
    digest=st.binary(min_size=16, max_size=16),
    fingerprint=st.binary(max_size=40),
    first=st.integers(1, 9).map(Version),
    last=st.integers(1, 9).map(Version),
)


KEYS = st.lists(USED, max_size=5, unique_by=lambda each: each.digest).map(tuple)


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=20).map(tuple), KEYS)
def test_packing_comes_back(entries: tuple[bytes, ...], used: tuple[Used, ...]) -> None:
    """Whatever entries and keys are, a blob holds them all."""
    head = Head(Version(len(entries)), chain_over(GENESIS, entries), Status.ABORTED)
    whole = msgspec.structs.replace(head, archived=head.version)
    contents = Contents(head, entries, tuple(sorted(used, key=lambda each: each.first)))
    assert unpack(MATCH, pack(MATCH, contents)) == msgspec.structs.replace(contents, head=whole)


ENTRIES = st.lists(
    st.tuples(st.sampled_from(("p-anna:1", "bot-7-2", "bot-7-3", "expire", "")), st.binary(max_size=3)), min_size=1, max_size=20
)
FINGERPRINTS = st.sampled_from((fingerprint_of("bot", 7, 2), fingerprint_of("expire"), fingerprint_of({}), b"else"))


@given(ENTRIES, st.data())
def test_keys_come_back_whatever_the_entries_say_of_them(commands: list[tuple[str, bytes]], data: st.DataObject) -> None:
    """Also a key whose entries, digest or fingerprint are not those of its command, and an entry without a key."""
    entries = tuple(msgspec.msgpack.encode((7, "actor", key, "", {}, command, b"")) for key, command in commands)
    used = [
        Used(short_key(key), data.draw(FINGERPRINTS), Version(version), Version(data.draw(st.integers(version, len(entries)))))
        for version, (key, _) in enumerate(commands, start=1)
        if data.draw(st.booleans())
    ]
    assert unpack_keys(entries, pack_keys(entries, used)) == tuple(used)


async def test_archive_has_no_key_that_its_entries_say_already() -> None:
    """Of a match of two players and a bot, played by commands; only those that open, join and start it are kept whole."""
    stores = memory_stores(MemoryBlobs())
    application = Application(stores, Settings(bot_pause_ms=0))
    anna, ben = PlayerId("p-anna"), PlayerId("p-ben")
    new = NewMatch(game=GameId("coup"), seats=3, seat=Seat(0), bots={Seat(2): BotName("random")})
    match = (await application.matches.open(anna, new, "open")).match
    await application.matches.take_seat(ben, match, None, "", "sit")
    await application.matches.start(anna, match, "start")
    while (now := (await application.repository.load_latest(match)).match).status is Status.RUNNING:
        await application.process_manager.play_bots(match)
        now = (await application.repository.load_latest(match)).match
        if (decision := now.open_decision()) is None or (asked := now.pending()) is None:
            continue
        for seat in asked.open[:1]:
            player = (anna, ben)[seat]
            await application.matches.play(player, match, decision, now.game.legal(now.table, seat)[0], f"{decision}-{seat}")
    contents = await stores.archives.contents(match)
    assert contents is not None
    packed = pack_keys(contents.entries, contents.used)
    assert (len(packed.fingerprints), packed.others) == (OPENING, ())
    assert len(contents.used) > 5 * OPENING
    assert unpack_entries(match, pack(match, contents)) == contents.entries


def test_both_formats_are_read_forever() -> None:
    """The bytes of a blob as they were written once, in the first format and in the one that is written now."""
    contents = unpack(MATCH, bytes.fromhex(FORMAT_2))
    assert [each.fingerprint.hex()[:4] for each in contents.used] == ["f3c5", "32d5", "e22b", "656c"]
    assert unpack(MATCH, bytes.fromhex(FORMAT_1)) == contents
    assert [unpack_entries(MATCH, bytes.fromhex(each)) for each in (FORMAT_1, FORMAT_2)] == [contents.entries] * 2


def test_every_flipped_byte_of_a_blob_is_found() -> None:
    """A blob that was damaged anywhere is refused, as is that of another match."""
    entries = tuple(f"entry {number}".encode() for number in range(20))
    blob = pack(MATCH, Contents(Head(Version(20), chain_over(GENESIS, entries), Status.OVER), entries, ()))
    for place in range(len(blob)):
        with pytest.raises(CorruptHistory):
            unpack(MATCH, bytes([*blob[:place], blob[place] ^ 1, *blob[place + 1 :]]))
    with pytest.raises(CorruptHistory):
        unpack(MatchId("m-2"), blob)


async def _archive_and_restore(stores: Stores, times: int) -> None:
    archiver = Archiver(stores.archives, stores.blobs)
    for _ in range(times):
        with suppress(VersionConflict):
            await archiver.archive(MATCH)
            await asyncio.sleep(0)
            await archiver.restore(MATCH, NOON_MS)


async def _read(stores: Stores, tale: Tale, times: int) -> None:
    """Read from any version on, ask for any key, and repeat any command: every answer must be right."""
    for number in range(times):
        after = number % 10
        log = await stores.events.load(MATCH, Version(after))
        assert log is not None
        assert log.entries[: 10 - after] == tuple(tale.entries[after:10])
        assert len(log.entries) == log.head.version - after
        key = f"k{number % 5}"
        written = Written(Version(2 * (number % 5) + 1), Version(2 * (number % 5) + 2), replayed=True)
        assert await stores.events.find_written(MATCH, key, tale.batch(key).fingerprint) == written
        assert await stores.events.append(tale.batch(key, b"again")) == written


async def _go_on(stores: Stores, times: int) -> None:
    for number in range(times):
        while True:
            log = await stores.events.load(MATCH)
            assert log is not None
            tale = Tale()
            tale.entries = list(log.entries)
            batch = another(tale.batch(f"on-{number}", b"on"), status=Status.OVER)
            with suppress(VersionConflict, HistoryForked):
                assert not (await stores.events.append(batch)).replayed
                break


async def test_readers_and_writers_never_notice_the_archivist(stores: Stores) -> None:
    """While a match is archived, restored and goes on, all at once, no answer is ever wrong, and nothing is written twice."""
    tale = await told(stores)
    frozen = Tale()
    frozen.entries = list(tale.entries)
    await asyncio.gather(
        _archive_and_restore(stores, 60),
        _archive_and_restore(stores, 60),
        *(_read(stores, frozen, 60) for _ in range(3)),
        _go_on(stores, 30),
    )
    log = await stores.events.load(MATCH)
    assert log is not None
    assert log.entries == (*tale.entries, *[b"on"] * 30)
    assert log.head.chain == chain_over(GENESIS, log.entries)
