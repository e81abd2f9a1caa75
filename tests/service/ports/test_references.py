"""Branches: their first entries are kept as a reference to their origin, and every answer is as if they were all there."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tafelrunde.domain.match import MatchId, Status
from tafelrunde.service.archiving.archiver import Archiver
from tafelrunde.service.errors import CorruptHistory
from tafelrunde.service.ports.events import Log, Version
from tafelrunde.service.ports.references import entries_of, read, refer
from tafelrunde.service.ports.stores import Stores
from tests.service.story import MATCH, NOON_MS, Tale, another

pytestmark = pytest.mark.anyio

ORIGIN = MatchId("m-origin")
LENGTH = 300


def entry(tag: str, text: str = "", actor: str = "clock", command: bytes = b"") -> bytes:
    """Return an entry as a match stores it."""
    return msgspec.msgpack.encode((NOON_MS, actor, "key", "", {"type": tag, "text": text}, command, b""))


def played(count: int) -> list[bytes]:
    """Return the entries of a match with that many events of its game, and some of its own between them."""
    kinds = [f"duel.event-{number % 3}" if number % 7 else "match.decision-opened.1" for number in range(1, count + 1)]
    return [entry("match.opened.1"), *(entry(kind, str(number), f"player:{number}") for number, kind in enumerate(kinds))]


def repeated(origin: list[bytes], upto: int) -> tuple[bytes, ...]:
    """Return the first entries of a branch: its opening, whose command has all that follows, what is repeated, its own."""
    events = [event for each in origin[:upto] if not (event := msgspec.msgpack.decode(each)[4])["type"].startswith("match.")]
    told = [entry(event["type"], event["text"], "player:me") for event in events]
    told[2:2] = [entry("match.cards-committed.1", "own", "player:me")]
    opening = entry("match.opened.1", "own", "player:me", msgspec.msgpack.encode(("open", events)))
    return (opening, entry("match.started.1", "", "player:me"), *told, entry("match.decision-opened.1", "", "player:me"))


async def branched(stores: Stores, upto: int = LENGTH - 20) -> Tale:
    """Write a match that is over and a branch of it."""
    known = Tale(ORIGIN)
    tale = Tale()
    batch = another(known.batch("all", *played(LENGTH)), status=Status.OVER, care_ms=NOON_MS)
    await stores.events.append(batch)
    known.note(batch)
    batch = tale.batch("open", *repeated(known.entries, upto))
    reference = refer(ORIGIN, known.entries, batch.entries)
    assert reference is not None
    assert len(reference) < sum(map(len, batch.entries)) / 20
    written = await stores.events.append(another(batch, reference=reference))
    assert (written.first, written.last) == (1, len(batch.entries))
    tale.note(batch)
    return tale


async def require_whole(stores: Stores, tale: Tale) -> None:
    """Compare what is read after each version with what was written."""
    for version in {*range(5), *range(len(tale.entries) - 4, len(tale.entries) + 1)}:
        log = await stores.events.load(MATCH, Version(version))
        assert isinstance(log, Log)
        assert (log.entries, log.head.chain) == (tuple(tale.entries[version:]), tale.chain)


async def test_branch_is_read_as_if_it_were_a_copy(stores: Stores) -> None:
    """Whatever is read from, and wherever its origin is: still in its log, or archived."""
    tale = await branched(stores)
    await require_whole(stores, tale)
    assert await stores.events.origin(MATCH) == ORIGIN
    await Archiver(stores.archives, stores.blobs).archive(ORIGIN)
    await require_whole(stores, tale)
    for key in ("a", "b"):
        batch = tale.batch(key, key.encode())
        await stores.events.append(batch)
        tale.note(batch)
        await require_whole(stores, tale)


async def test_branch_is_opened_once_when_the_answer_was_lost(stores: Stores) -> None:
    """The same key finds what it wrote, even after the branch has grown."""
    tale = await branched(stores)
    batch = tale.batch("on", b"on")
    await stores.events.append(batch)
    tale.note(batch)
    again = await stores.events.append(Tale().batch("open", b"another"))
    assert (again.first, again.last, again.replayed) == (1, len(tale.entries) - 1, True)
    await require_whole(stores, tale)


async def test_branch_needs_its_origin_no_more_when_it_is_archived(stores: Stores) -> None:
    """An archive can be read without anything beside it, and what is restored from it has all entries of its own."""
    tale = await branched(stores)
    batch = another(tale.batch("end", b"end"), status=Status.ABORTED, care_ms=NOON_MS)
    await stores.events.append(batch)
    tale.note(batch)
    await Archiver(stores.archives, stores.blobs).archive(MATCH)
    assert await stores.events.origin(MATCH) is None
    await require_whole(stores, tale)
    found = await stores.archives.contents(MATCH)
    assert found is not None
    assert [(used.first, used.last) for used in found.used] == [(1, len(tale.entries) - 1), (len(tale.entries),) * 2]
    assert await Archiver(stores.archives, stores.blobs).restore(MATCH, NOON_MS)
    assert await stores.events.origin(MATCH) is None
    await require_whole(stores, tale)


@given(upto=st.integers(0, 60), own=st.integers(0, 60))
def test_reference_gives_the_same_bytes_or_is_none(upto: int, own: int) -> None:
    """Wherever a branch begins; where nothing is repeated there is nothing to refer to."""
    origin = played(60)
    entries = (*repeated(origin, upto), *played(own)[1:])
    blob = refer(ORIGIN, origin, entries)
    assert (blob is None) == (upto < 2)
    if blob is not None:
        assert entries_of(read(blob), [*origin, entry("match.voided.1")]) == entries


def test_reference_does_not_guess_when_its_origin_is_not_whole() -> None:
    """What cannot be put together is corrupt, and is never taken for the branch."""
    origin = played(60)
    blob = refer(ORIGIN, origin, repeated(origin, 50))
    assert blob is not None
    for known in ([], origin[:40], [b"", *origin[1:]]):
        with pytest.raises(CorruptHistory):
            entries_of(read(blob), known)
    with pytest.raises(CorruptHistory):
        read(blob[:-1])
