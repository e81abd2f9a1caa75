"""Archiving by the sweeper and at the command line, also when it is killed at random moments."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import subprocess
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.deployment import connect
from tafelrunde.service.features.ratings.duty import RatingProjector
from tafelrunde.service.features.ratings.feature import STORE as RATINGS
from tafelrunde.service.features.ratings.leaderboards import Ratings
from tafelrunde.service.matches.codec import digest_of
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.events import SHARDS, Shard
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.runtime.consumer import Consumer, run_together
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import COMMAND, environment, run

pytestmark = pytest.mark.real
HOST = PlayerId("host")
AT_ONCE = Settings(bot_pause_ms=0, archive_after_seconds=0, limits=LimitSettings(rate_limits=False))
ROUNDS = 3
MATCHES = 54


async def played(application: Application, count: int) -> list[MatchId]:
    """Let bots play matches to their end."""
    bots = {Seat(seat): BotName("random") for seat in range(2)}
    found: list[MatchId] = []
    for number in range(count):
        new = NewMatch(game=GameId("coup"), seats=2, seat=None, bots=bots, start=True)
        found.append((await application.matches.open(HOST, new, f"open-{number}")).match)
        await application.process_manager.play_bots(found[-1])
    return found


async def states(stores: Stores) -> dict[MatchId, tuple[bytes, bytes]]:
    """Return chain and state digest of every match, folded by a fresh process."""
    application = Application(stores, AT_ONCE)
    found: dict[MatchId, tuple[bytes, bytes]] = {}
    for shard in range(SHARDS):
        for match in await stores.events.matches(Shard(shard)):
            loaded = await application.repository.load_latest(match)
            found[match] = loaded.chain, digest_of(loaded.match)
    return found


async def archived(stores: Stores) -> int:
    """Return how many matches are archived."""
    matches = [match for shard in range(SHARDS) for match in await stores.events.matches(Shard(shard))]
    heads = await stores.archives.heads(matches)
    return sum(head is not None and head.archived == head.version for head in heads)


def prepared(url: str, count: int) -> list[MatchId]:
    """Store finished matches."""

    async def play() -> list[MatchId]:
        async with await RedisStores.connect(url) as stores:
            return await played(Application(stores, AT_ONCE), count)

    return asyncio.run(play())


def told(url: str, archive_url: str | None = None) -> tuple[dict[MatchId, tuple[bytes, bytes]], int]:
    """Return the states of all matches, and how many are archived."""

    async def look() -> tuple[dict[MatchId, tuple[bytes, bytes]], int]:
        async with await connect(Settings(redis_url=url, archive_url=archive_url)) as stores:
            return await states(stores), await archived(stores)

    return asyncio.run(look())


def test_archive_and_restore_at_the_command_line(valkey_url: str) -> None:
    """Due matches are named, archived, and put back one by one."""
    one, other = prepared(valkey_url, 2)
    before, _ = told(valkey_url)
    told_before = run("replay", one, "--open", redis_url=valkey_url).stdout
    dry = run("archive", "--dry-run", redis_url=valkey_url, archive_after_seconds=0)
    assert (dry.returncode, sorted(dry.stdout.splitlines())) == (0, sorted([one, other, "2 matches would be archived."]))
    assert told(valkey_url) == (before, 0)
    done = run("archive", redis_url=valkey_url, archive_after_seconds=0)
    assert (done.returncode, done.stdout.startswith("2 matches archived: ")) == (0, True)
    assert told(valkey_url) == (before, 2)
    assert len(told_before) > 500
    assert run("replay", one, "--open", redis_url=valkey_url).stdout == told_before
    assert run("archive", redis_url=valkey_url, archive_after_seconds=0).stdout.startswith("0 matches archived: ")
    for sentence in ("Restored.\n", "This match is not archived.\n"):
        assert run("restore", one, redis_url=valkey_url).stdout == sentence
    assert told(valkey_url) == (before, 1)
    unknown = run("restore", "nowhere", redis_url=valkey_url)
    assert (unknown.returncode, unknown.stderr) == (1, "No such match.\n")


def test_archives_move_at_the_command_line(valkey_url: str, tmp_path: Path) -> None:
    """`tafelrunde archive` moves archives to where new ones are put; without that place no command starts."""
    archive_url = f"sqlite:///{tmp_path}/archive.sqlite"
    (one,) = prepared(valkey_url, 1)
    before, _ = told(valkey_url)
    assert run("archive", redis_url=valkey_url, archive_after_seconds=0).stdout.startswith("1 matches archived: ")
    moved = run("archive", redis_url=valkey_url, archive_after_seconds=0, archive_url=archive_url)
    assert (moved.returncode, moved.stdout.startswith("1 matches archived: ")) == (0, True)
    assert told(valkey_url, archive_url) == (before, 1)
    blind = run("export", one, redis_url=valkey_url)
    assert (blind.returncode, len(blind.stderr.splitlines()), "TAFELRUNDE_ARCHIVE_URL" in blind.stderr) == (2, 1, True)
    assert run("verify", one, redis_url=valkey_url, archive_url=archive_url).returncode == 0
    other = f"sqlite:///{tmp_path}/other.sqlite"
    for _ in range(2):
        assert run("archive", "--from", archive_url, redis_url=valkey_url, archive_url=other).returncode == 0
    (tmp_path / "archive.sqlite").unlink()
    assert told(valkey_url, other) == (before, 1)
    assert run("archive", "--from", other, redis_url=valkey_url).stdout.startswith("1 archives moved.\n")
    assert told(valkey_url) == (before, 1)
    refused = run("archive", redis_url=valkey_url, archive_url="sqlite:////nowhere/x")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


def test_archives_that_do_not_move_are_counted_at_the_command_line(valkey_url: str, tmp_path: Path) -> None:
    """The others move, and the command fails: so no one takes away the place where they still are."""
    first, other = f"sqlite:///{tmp_path}/archive.sqlite", f"sqlite:///{tmp_path}/other.sqlite"
    lost, _ = prepared(valkey_url, 2)
    assert run("archive", redis_url=valkey_url, archive_after_seconds=0, archive_url=first).returncode == 0
    with closing(sqlite3.connect(tmp_path / "archive.sqlite")) as connection, connection:
        assert connection.execute("DELETE FROM blobs WHERE key LIKE ?", (f"%{lost}%",)).rowcount == 1
    moved = run("archive", "--from", first, redis_url=valkey_url, archive_url=other)
    assert (moved.returncode, moved.stdout.splitlines()[0]) == (1, "1 archives moved.")
    assert moved.stdout.splitlines()[1].startswith("1 archives were not moved: ")
    assert lost in moved.stderr


def test_nothing_is_archived_before_its_time(valkey_url: str) -> None:
    """The grace time holds at the command line as well."""
    prepared(valkey_url, 1)
    assert run("archive", redis_url=valkey_url).stdout.startswith("0 matches archived: ")


@pytest.mark.anyio
async def test_sweeper_archives_by_itself(redis_stores: Stores) -> None:
    """Finished matches are archived in small portions, and what cannot be archived does not stop the others."""
    application = Application(redis_stores, AT_ONCE)
    await played(application, 45)
    before = await states(redis_stores)
    caring = asyncio.create_task(Consumer("archiving", Application(redis_stores, AT_ONCE).finalizer.step).run())
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await archived(redis_stores) < 45:  # noqa: ASYNC110 - the server sets no event
            await asyncio.sleep(0.05)
    caring.cancel()
    with suppress(asyncio.CancelledError):
        await caring
    assert await states(redis_stores) == before


@pytest.mark.anyio
async def test_sweeper_keeps_ratings_and_projections_rebuild_makes_them_again(redis_stores: Stores, valkey_url: str) -> None:
    """The ratings follow the transparency log by themselves, and a rebuild gives the same."""
    application = Application(redis_stores, AT_ONCE)
    bots = {Seat(0): BotName("random"), Seat(1): BotName("honest")}
    for number in range(6):
        new = NewMatch(game=GameId("coup"), seats=2, seat=None, bots=bots, start=True)
        await application.process_manager.play_bots((await application.matches.open(HOST, new, f"open-{number}")).match)
    other = Application(redis_stores, AT_ONCE)
    consumers = [Consumer("archiving", other.finalizer.step), Consumer("ratings", other.get(RatingProjector).step)]
    following = asyncio.create_task(run_together(consumers))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await RATINGS.of(redis_stores).position() < 6:  # noqa: ASYNC110 - the server sets no event
            await asyncio.sleep(0.05)
    following.cancel()
    await asyncio.wait({following})
    live = await application.get(Ratings).board(GameId("coup"), None, 10)
    assert {each.entrant: each.score.matches for each in live} == {"bot:random": 6, "bot:honest": 6}
    await RATINGS.of(redis_stores).reset()
    assert (await asyncio.to_thread(run, "projections", "rebuild", redis_url=valkey_url)).returncode == 0
    assert await application.get(Ratings).board(GameId("coup"), None, 10) == live


@pytest.mark.slow
def test_matches_are_whole_when_the_archivist_is_killed(valkey_url: str, tmp_path: Path) -> None:
    """Killed at random moments while it moves matches out of the store, it loses nothing; who comes after it ends the work."""
    prepared(valkey_url, MATCHES)
    archive_url = f"sqlite:///{tmp_path}/archive.sqlite"
    before, _ = told(valkey_url)
    rng = random.Random(7)
    counts = [0]
    for _ in range(ROUNDS):
        process = subprocess.Popen(
            [*COMMAND, "archive"],
            env=environment(redis_url=valkey_url, archive_after_seconds=0, archive_url=archive_url),
            stdout=subprocess.DEVNULL,
        )
        asyncio.run(_kill_beyond(counts[-1] + rng.randrange(12), process, valkey_url))
        found, count = told(valkey_url, archive_url)
        assert found == before
        counts.append(count)
    assert len(set(counts)) > ROUNDS // 2
    assert 0 < counts[-1] < MATCHES, "the kills came too late to say anything"
    assert run("archive", redis_url=valkey_url, archive_after_seconds=0, archive_url=archive_url).returncode == 0
    assert told(valkey_url, archive_url) == (before, MATCHES)
    with closing(sqlite3.connect(tmp_path / "archive.sqlite")) as connection:
        (kept,) = connection.execute("SELECT count(*) FROM blobs").fetchone()
    assert MATCHES <= kept <= MATCHES + ROUNDS, "every kill leaves one blob behind at most"


async def _kill_beyond(count: int, process: subprocess.Popen[bytes], url: str) -> None:
    """Kill an archivist once more matches than *count* are archived. It rests while they are counted, so any machine will do."""
    async with asyncio.timeout(PATIENCE_SECONDS), await RedisStores.connect(url) as stores:
        while process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            if await archived(stores) > count:
                break
            process.send_signal(signal.SIGCONT)
            await asyncio.sleep(0.005)
    process.kill()
    process.wait()
