from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tafelrunde.domain.match import MatchId, Status
from tafelrunde.service.errors import EmptyAppend, HistoryForked, KeyReused, VersionConflict
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.events import GENESIS, EventStore, Head, Log, Version, Written, shard_of
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tests.service.story import MATCH, Tale, another, chain_over, matches_of
from tests.support.servers import Server

pytestmark = pytest.mark.anyio


async def test_load_answers_what_was_appended(stores: Stores) -> None:
    """A match's entries come back in order, byte for byte, with the head that they end in."""
    tale = Tale()
    for key, entries in (("a", (b"1", b"2")), ("b", (b"3",))):
        batch = tale.batch(key, *entries)
        await stores.events.append(batch)
        tale.note(batch)
    head = Head(Version(3), tale.chain, Status.RUNNING)
    assert await stores.events.load(MATCH) == Log(head, (b"1", b"2", b"3"))
    assert await stores.events.load(MATCH, Version(2)) == Log(head, (b"3",))
    assert await stores.events.load(MATCH, Version(3)) == Log(head, ())
    assert await stores.events.load(MATCH, Version(9)) == Log(head, ())
    assert await stores.events.head(MATCH) == head


async def test_answer_is_none_when_match_is_unknown(stores: Stores) -> None:
    """A match that was never opened has neither head nor log."""
    assert await stores.events.head(MATCH) is None
    assert await stores.events.load(MATCH) is None
    assert await stores.events.find_written(MATCH, "a", b"") is None


async def test_status_is_that_of_newest_batch(stores: Stores) -> None:
    """The head says where the match is in its life."""
    tale = Tale()
    for status in (Status.OPEN, Status.RUNNING, Status.OVER):
        batch = another(tale.batch(status.value, b"x"), status=status)
        await stores.events.append(batch)
        tale.note(batch)
        head = await stores.events.head(MATCH)
        assert head is not None
        assert head.status is status


async def test_append_conflicts_when_version_is_not_exact(stores: Stores) -> None:
    """Neither a lower nor a higher version than the stored one is accepted, and the conflict has both."""
    tale = Tale()
    first = tale.batch("a", b"1", b"2")
    await stores.events.append(first)
    for expected in (0, 1, 3, 7):
        with pytest.raises(VersionConflict) as caught:
            await stores.events.append(another(first, key="b", expected=Version(expected)))
        assert (caught.value.expected, caught.value.actual) == (expected, 2)
    assert await stores.events.load(MATCH) == Log(Head(Version(2), first.next_chain, Status.RUNNING), (b"1", b"2"))


async def test_first_append_conflicts_when_match_is_thought_to_exist(stores: Stores) -> None:
    """A match that was never opened cannot be continued."""
    with pytest.raises(VersionConflict) as caught:
        await stores.events.append(another(Tale().batch("a", b"1"), expected=Version(4)))
    assert caught.value.actual == 0
    assert await stores.events.head(MATCH) is None


async def test_replay_answers_same_versions_when_key_comes_again(stores: Stores) -> None:
    """A command that is sent twice is written once, and the second answer is the first one."""
    batch = Tale().batch("a", b"1", b"2", b"3")
    written = await stores.events.append(batch)
    line = (await stores.events.ends())[shard_of(batch.match)]
    assert written == Written(Version(1), Version(3), replayed=False, position=line)
    assert await stores.events.append(batch) == Written(Version(1), Version(3), replayed=True)
    log = await stores.events.load(MATCH)
    assert log is not None
    assert log.entries == (b"1", b"2", b"3")


async def test_replay_is_recognised_when_others_wrote_since(stores: Stores) -> None:
    """A key is kept for the life of the match: the key, not the version, shows that it was written."""
    tale = Tale()
    batches = [tale.batch("a", b"1", b"2")]
    for number in range(200):
        await stores.events.append(batches[-1])
        tale.note(batches[-1])
        batches.append(tale.batch(f"k{number}", b"x"))
    assert await stores.events.append(batches[0]) == Written(Version(1), Version(2), replayed=True)
    assert await stores.events.append(batches[100]) == Written(Version(102), Version(102), replayed=True)
    assert await stores.events.find_written(MATCH, "a", batches[0].fingerprint) == Written(Version(1), Version(2), replayed=True)
    assert await stores.events.find_written(MATCH, "never", b"") is None


async def test_replay_changes_neither_agenda_nor_log_lines(stores: Stores) -> None:
    """A late repetition does not bring an old deadline back."""
    tale = Tale()
    first = tale.batch("a", b"1", deadline_ms=5)
    await stores.events.append(first)
    tale.note(first)
    await stores.events.append(tale.batch("b", b"2"))
    ends = await stores.events.ends()
    await stores.events.append(first)
    assert await stores.events.ends() == ends
    assert await _deadline(stores) is None


async def _deadline(stores: Stores) -> int | None:
    return (await stores.agenda.claim(AgendaKind.DEADLINE, 0, 1, 1)).next_ms


@pytest.mark.parametrize("other", [b"", b"x" * 32, b" 1 1 ", b"1 1 "], ids=["empty", "other", "blanks", "digits"])
async def test_key_is_refused_when_request_differs(stores: Stores, other: bytes) -> None:
    """A key with another fingerprint is another request under a used key: an error, never an answer."""
    batch = Tale().batch("a", b"1")
    await stores.events.append(batch)
    with pytest.raises(KeyReused):
        await stores.events.append(another(batch, fingerprint=other))
    with pytest.raises(KeyReused):
        await stores.events.find_written(MATCH, "a", other)


async def test_key_of_another_match_is_free(stores: Stores) -> None:
    """Keys are kept per match."""
    for match in matches_of(shard_of(MATCH), 3):
        assert not (await stores.events.append(Tale(match).batch("a", b"1"))).replayed


async def test_append_forks_when_chain_differs(stores: Stores) -> None:
    """The right version of another history is not continued."""
    tale = Tale()
    batch = tale.batch("a", b"1")
    with pytest.raises(HistoryForked):
        await stores.events.append(another(batch, chain=bytes(31) + b"\1"))
    await stores.events.append(batch)
    tale.note(batch)
    with pytest.raises(HistoryForked):
        await stores.events.append(another(tale.batch("b", b"2"), chain=GENESIS))
    assert (await stores.events.append(tale.batch("b", b"2"))).last == 2


async def test_append_is_refused_when_empty(stores: Stores) -> None:
    """A batch without entries would confirm a version that was never written, so it never reaches a replay or a version check."""
    tale = Tale()
    with pytest.raises(EmptyAppend):
        await stores.events.append(tale.batch("a"))
    await stores.events.append(tale.batch("a", b"1"))
    with pytest.raises(EmptyAppend):
        await stores.events.append(another(tale.batch("a", b"1"), entries=()))


async def test_matches_are_listed_by_shard_and_age(stores: Stores) -> None:
    """A shard knows all its matches, oldest first, each once."""
    shard = shard_of(MATCH)
    ids = list(reversed(matches_of(shard, 5)))
    for match in ids:
        tale = Tale(match)
        for key in ("a", "b"):
            batch = tale.batch(key, b"x")
            await stores.events.append(batch)
            tale.note(batch)
    assert list(await stores.events.matches(shard)) == ids


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 4_096, 1_000_000])
async def test_bytes_survive_whatever_they_are(stores: Stores, size: int) -> None:
    """An entry is bytes, of any size and value."""
    entry = bytes(range(256)) * (size // 256) + bytes(range(size % 256))
    await stores.events.append(Tale().batch("a", entry, entry[::-1]))
    log = await stores.events.load(MATCH)
    assert log is not None
    assert log.entries == (entry, entry[::-1])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    match=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    key=st.text(st.characters(exclude_categories=["Cs"]), max_size=300),
    fingerprint=st.binary(max_size=40),
    entries=st.lists(st.binary(max_size=80), min_size=1, max_size=4),
)
def test_any_id_key_and_entry_comes_back(server: Server, match: str, key: str, fingerprint: bytes, entries: list[bytes]) -> None:
    """No byte of an id, key, fingerprint or entry means anything to the server."""
    server.ask("FLUSHALL")
    batch = another(Tale(MatchId(match)).batch(key, *entries), fingerprint=fingerprint)

    async def round_trip() -> None:
        async with await RedisStores.connect(server.url) as stores:
            first = await stores.events.append(batch)
            assert first == Written(Version(1), Version(len(entries)), replayed=False, position=first.position)
            assert await stores.events.find_written(batch.match, key, fingerprint) == another_time(first)
            assert await stores.events.append(batch) == another_time(first)
            log = await stores.events.load(batch.match)
            assert log == Log(Head(first.last, batch.next_chain, Status.RUNNING), tuple(entries))
            assert list(await stores.events.matches(shard_of(batch.match))) == [batch.match]

    asyncio.run(round_trip())


def another_time(written: Written) -> Written:
    """Return the answer to a repetition."""
    return Written(written.first, written.last, replayed=True)


WRITERS, EACH = 8, 12


async def _write(events: EventStore, writer: int, count: int) -> list[tuple[Written, bytes]]:
    """Append *count* entries, reloading after each conflict."""
    done: list[tuple[Written, bytes]] = []
    while len(done) < count:
        log = await events.load(MATCH)
        tale = Tale()
        tale.entries = list(log.entries) if log is not None else []
        entry = f"{writer}/{len(done)}".encode()
        try:
            done.append((await events.append(tale.batch(entry.decode(), entry, b"-")), entry))
        except (VersionConflict, HistoryForked):
            await asyncio.sleep(0)
    return done


async def _check_race(events: EventStore, done: list[tuple[Written, bytes]]) -> None:
    log = await events.load(MATCH)
    assert log is not None
    assert log.head.version == 2 * WRITERS * EACH == len(log.entries)
    assert log.head.chain == chain_over(GENESIS, log.entries)
    assert {log.entries[written.first - 1] for written, _ in done} == {entry for _, entry in done}
    assert all(log.entries[written.first - 1] == entry for written, entry in done)


async def test_race_of_writers_leaves_one_history(stores: Stores) -> None:
    """Eight concurrent writers of one match: each entry is written once, at the version that its writer received."""
    done = await asyncio.gather(*(_write(stores.events, writer, EACH) for writer in range(WRITERS)))
    await _check_race(stores.events, [each for part in done for each in part])


async def test_race_of_separate_clients_leaves_one_history(server: Server) -> None:
    """The same with a thread, an event loop and connections of its own for each writer."""
    done: list[tuple[Written, bytes]] = []

    async def write(writer: int) -> None:
        async with await RedisStores.connect(server.url) as stores:
            done.extend(await _write(stores.events, writer, EACH))

    threads = [threading.Thread(target=lambda writer=writer: asyncio.run(write(writer))) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    async with await RedisStores.connect(server.url) as stores:
        await _check_race(stores.events, done)
