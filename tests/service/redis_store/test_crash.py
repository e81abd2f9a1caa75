"""A server that was cut off in the middle of writing: what is left of its append-only file holds whole commands only."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tafelrunde.domain.match import MatchId
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.events import GENESIS, Version, shard_of
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.redis_store import keys as names
from tafelrunde.service.redis_store.client import Client, number
from tests.service.story import Tale, another, chain_over
from tests.support.servers import Server

pytestmark = [pytest.mark.anyio, pytest.mark.real]
CUTS = 45
MATCHES = [MatchId(f"m-{number}") for number in range(3)]
BATCHES = 24
KINDS = (AgendaKind.DEADLINE, AgendaKind.WORK, AgendaKind.CARE)


def due_ms(version: int, kind: AgendaKind) -> int | None:
    """Return which agenda entry the batch that ends in a version has: none for every third, so that clearing shows as well."""
    return 1_000 * version + KINDS.index(kind) if version % 3 else None


def entries_of(index: int) -> list[bytes]:
    """Return the entries of one of the batches: one to four, of different length."""
    return [bytes([index]) * (20 + 31 * part) for part in range(1 + index % 4)]


async def write_story(server: Server) -> dict[MatchId, Tale]:
    """Write batches to a few matches in turn."""
    tales = {match: Tale(match) for match in MATCHES}
    async with await RedisStores.connect(server.url) as stores:
        for index in range(BATCHES):
            tale = tales[MATCHES[index % len(MATCHES)]]
            entries = entries_of(index)
            last = len(tale.entries) + len(entries)
            deadline_ms, work_ms, care_ms = (due_ms(last, kind) for kind in KINDS)
            batch = another(tale.batch(f"k{last}", *entries, deadline_ms=deadline_ms, work_ms=work_ms), care_ms=care_ms)
            await stores.events.append(batch)
            tale.note(batch)
    return tales


def ends_of(tale: Tale) -> list[int]:
    """Return the versions at which the batches of a story end."""
    counts = [len(entries_of(index)) for index in range(BATCHES) if MATCHES[index % len(MATCHES)] == tale.match]
    return [sum(counts[:end]) for end in range(len(counts) + 1)]


async def survivors(stores: Stores, client: Client, tale: Tale) -> int:
    """Check that all of one match is in step, and return its version."""
    shard = shard_of(tale.match)
    log = await stores.events.load(tale.match)
    version = int(log.head.version) if log is not None else 0
    ends = ends_of(tale)
    assert version in ends, "half a command"
    if log is not None:
        assert list(log.entries) == tale.entries[:version]
        assert log.head.chain == chain_over(GENESIS, log.entries)
    assert number(await client.call("XLEN", names.entries(tale.match))) == version
    done = [end for end in ends if 0 < end <= version]
    for first, last in zip([0, *done], done, strict=False):
        written = await stores.events.find_written(tale.match, f"k{last}", tale_print(tale, last))
        assert written is not None
        assert (written.first, written.last) == (Version(first + 1), Version(last))
    assert number(await client.call("HLEN", names.written(tale.match))) == len(done)
    lines = await stores.events.follow({shard: "0-0"}, 0)
    assert [line.version for line in lines if line.match == tale.match] == done
    assert Counter(await stores.events.matches(shard))[tale.match] == (version > 0)
    for kind in KINDS:
        score = await client.call("ZSCORE", names.agenda(kind, shard), tale.match)
        found = int(float(score)) if isinstance(score, bytes) else None
        assert found == (due_ms(version, kind) if version else None)
    return version


def tale_print(tale: Tale, last: int) -> bytes:
    """Return the fingerprint of the batch that ended in a version."""
    return tale.batch(f"k{last}").fingerprint


async def versions_after(server: Server, tales: dict[MatchId, Tale]) -> list[int]:
    """Start a server on what is left, check everything, and return the versions of all matches."""
    with server:
        client = Client(server.url)
        async with await RedisStores.connect(server.url) as stores:
            versions = [await survivors(stores, client, tale) for tale in tales.values()]
            await check_goes_on(stores, tales, versions)
        await client.close()
    return versions


async def check_goes_on(stores: Stores, tales: dict[MatchId, Tale], versions: list[int]) -> None:
    """Append once more to each match: what survived can be continued."""
    for tale, version in zip(tales.values(), versions, strict=True):
        rest = Tale(tale.match)
        rest.entries = tale.entries[:version]
        assert (await stores.events.append(rest.batch("on", b"on"))).last == version + 1


def tail(folder: Path) -> Path:
    """Return the file that a server appends to."""
    (found,) = (folder / "appendonlydir").glob("*.incr.aof")
    return found


@pytest.mark.parametrize("kind", ["valkey", "redis8"])
async def test_only_whole_commands_survive_when_file_is_cut(kind: str, short_path: Path) -> None:
    """Wherever the tail is cut, each match stands at the end of one of its commands, with everything in step."""
    whole = short_path / "whole"
    whole.mkdir()
    with Server(kind, whole) as server:
        tales = await write_story(server)
        server.stop()
    size = tail(whole).stat().st_size
    chance = random.Random(1)
    cuts = sorted({size, *(chance.randrange(size - 9_000, size) for _ in range(CUTS - 15)), *range(size - 14, size)})
    assert len(cuts) >= 40
    before = [0] * len(MATCHES)
    seen: set[tuple[int, ...]] = set()
    for cut in cuts:
        part = short_path / f"cut-{cut}"
        shutil.copytree(whole, part, ignore=shutil.ignore_patterns("s", "log"))
        with tail(part).open("r+b") as file:
            file.truncate(cut)
        versions = await versions_after(Server(kind, part, aof_load_truncated="yes"), tales)
        assert all(now >= then for now, then in zip(versions, before, strict=True)), "less survived of a longer file"
        before = versions
        seen.add(tuple(versions))
        shutil.rmtree(part)
    assert before == [len(tale.entries) for tale in tales.values()]
    assert len(seen) > 10, "the cuts met few commands"


@pytest.mark.parametrize("kind", ["valkey", "redis7", "redis8"])
async def test_everything_is_there_when_server_was_killed(kind: str, short_path: Path) -> None:
    """What was acknowledged survives a killed server process that writes before it answers."""
    with Server(kind, short_path, appendfsync="always") as server:
        tales = await write_story(server)
        await asyncio.sleep(0)
        server.kill()
        assert await versions_after(server, tales) == [len(tale.entries) for tale in tales.values()]
