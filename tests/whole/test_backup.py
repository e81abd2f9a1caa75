"""The backup drill: a copied data folder, started elsewhere, serves the same matches with the same digests."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId
from tafelrunde.service.application import Application
from tafelrunde.service.deployment import connect
from tafelrunde.service.matches.codec import digest_of
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.ports.events import SHARDS, Shard
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.redis_store.client import Client, items
from tafelrunde.service.runtime.data_folder import socket_url
from tafelrunde.service.runtime.embedded_valkey import EmbeddedServer
from tafelrunde.service.settings import Settings
from tafelrunde.workers.bootstrap import with_embedded
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve, run, run_apart

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.xdist_group("serve")]

HOST = PlayerId("host")
COUP = GameId("coup")
BOT = BotName("random")
QUIET = Settings(bot_pause_ms=0, archive_after_seconds=0)
Digests = Mapping[MatchId, tuple[bytes, bytes, tuple[bytes, ...]]]


async def fill(application: Application) -> str:
    """Store matches of all kinds, archived and not, and a player; return the player's token."""
    _, _, text = await application.accounts.register("Anna")
    bots = {Seat(0): BOT, Seat(1): BOT}
    for number in range(6):
        new = NewMatch(game=COUP, seats=2, seat=None, bots=bots, start=True)
        match = (await application.matches.open(HOST, new, f"over-{number}")).match
        await application.process_manager.play_bots(match)
        if number % 2:
            await application.finalizer.archive(match)
    slow = Clock(turn_seconds=600_000, reaction_seconds=600_000)
    waiting = NewMatch(game=COUP, seats=2, options={"first_seat": 0}, clock=slow, bots={Seat(1): BOT}, start=True)
    await application.matches.open(HOST, waiting, "running")
    await application.matches.open(HOST, NewMatch(game=COUP, seats=2), "open")
    return text


async def opened(folder: Path) -> RedisStores:
    """Return the stores of the server in a data folder, with the archives beside its data."""
    return await connect(with_embedded(Settings(data_dir=str(folder)), socket_url(folder)))


def filled(folder: Path) -> str:
    """Fill the server in a data folder; return a token."""

    async def work() -> str:
        async with await opened(folder) as stores:
            return await fill(Application(stores, QUIET))

    return asyncio.run(work())


def digests(folder: Path) -> Digests:
    """Return chain, state digest and entries of every match, and check that each hashes to its chain."""

    async def look() -> Digests:
        async with await opened(folder) as stores:
            application = Application(stores, QUIET)
            found: dict[MatchId, tuple[bytes, bytes, tuple[bytes, ...]]] = {}
            for shard in range(SHARDS):
                for match in await stores.events.matches(Shard(shard)):
                    loaded = await application.repository.load_latest(match)
                    found[match] = loaded.chain, digest_of(loaded.match), tuple(loaded.entries)
            return found

    return asyncio.run(look())


def over_http(url: str, token: str, matches: Digests) -> dict[MatchId, tuple[bytes, bytes, bytes]]:
    """Return facts, view and feed of every match, byte for byte."""
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=PATIENCE_SECONDS) as client:

        def read(path: str) -> bytes:
            return client.get(path).content

        return {
            match: (read(f"/matches/{match}"), read(f"/matches/{match}/view"), read(f"/matches/{match}/feed"))
            for match in matches
        }


def served(folder: Path) -> Serve:
    """Return a service with a folder of its own."""
    folder.mkdir(exist_ok=True)
    return Serve(folder, bot_pause_ms=0)


@contextmanager
def writing(folder: Path) -> Generator[None]:
    """Let bots play match after match all the while, from the first move on, and archive each."""
    begun, ended = threading.Event(), threading.Event()

    async def work() -> None:
        async with await opened(folder) as stores:
            application = Application(stores, QUIET)
            number = 0
            while not ended.is_set():
                number += 1
                new = NewMatch(game=COUP, seats=2, seat=None, bots={Seat(0): BOT, Seat(1): BOT}, start=True)
                host = PlayerId(f"host-{number}")  # one alone could not begin as many as a fast machine plays
                receipt = await application.matches.open(host, new, "more")
                begun.set()
                await application.process_manager.play_bots(receipt.match)
                await application.finalizer.archive(receipt.match)

    thread = threading.Thread(target=lambda: asyncio.run(work()))
    thread.start()
    try:
        assert begun.wait(PATIENCE_SECONDS)
        yield
    finally:
        ended.set()
        thread.join()


def test_copy_of_a_stopped_service_serves_the_same(short_path: Path) -> None:
    """Once the service has ended, the data folder is all there is, and may be copied by any means."""
    with served(short_path / "a") as serve:
        token = filled(serve.data_dir)
        before = digests(serve.data_dir)
        told = over_http(serve.url, token, before)
    shutil.copytree(serve.data_dir, short_path / "b" / "data", ignore=shutil.ignore_patterns("*.sock"))
    with served(short_path / "b") as other:
        assert other.url != serve.url
        assert digests(other.data_dir) == before
        assert over_http(other.url, token, before) == told


def kept(folder: Path) -> Digests:
    """Return what a data folder holds, read by a server alone: a whole service would go on with the matches."""
    server = EmbeddedServer.start(folder)
    try:
        return digests(folder)
    finally:
        server.stop()


def test_copy_of_a_running_service_serves_the_same(short_path: Path) -> None:
    """`tafelrunde backup` copies while matches are played: what was there is the same, what came meanwhile is whole."""
    with served(short_path / "a") as serve:
        folder = serve.data_dir
        token = filled(folder)
        before = digests(folder)
        with writing(folder):
            made = run_apart("backup", str(short_path / "b" / "data"), data_dir=str(serve.data_dir))
            assert made.returncode == 0, made.stderr
        told = over_http(serve.url, token, before)
        now = digests(folder)
        found = kept(short_path / "b" / "data")
        with served(short_path / "b") as other:
            assert over_http(other.url, token, before) == told
    assert {match: found[match] for match in before} == before
    assert (short_path / "b" / "data" / "archive.sqlite").stat().st_mode & 0o077 == 0
    assert len(found) > len(before), "nothing was written while the copy was made"
    assert all(now[match][2][: len(entries)] == entries for match, (_, _, entries) in found.items())


def test_rewriting_goes_on_after_a_backup(short_path: Path) -> None:
    """The server is left as it was, also by a backup that comes after one that was killed; the copy is its user's alone."""

    async def setting(url: str) -> object:
        wire = Client(url)
        try:
            return items(await wire.call("CONFIG", "GET", "auto-aof-rewrite-percentage"))[1]
        finally:
            await wire.close()

    async def forbid(url: str) -> None:
        wire = Client(url)
        await wire.call("CONFIG", "SET", "auto-aof-rewrite-percentage", 0)
        await wire.close()

    with EmbeddedServer.start(short_path / "d") as server:
        before = asyncio.run(setting(server.url))
        for file in (short_path / "d" / "appendonlydir").iterdir():
            file.chmod(0o644)  # as a copy may leave them
        assert run("backup", str(short_path / "copy"), data_dir=str(short_path / "d")).returncode == 0
        assert {each.stat().st_mode & 0o077 for each in (short_path / "copy", *(short_path / "copy").rglob("*"))} == {0}
        assert asyncio.run(setting(server.url)) == before != b"0"
        asyncio.run(forbid(server.url))
        assert run("backup", str(short_path / "other"), data_dir=str(short_path / "d")).returncode == 0
        assert asyncio.run(setting(server.url)) == before


@pytest.mark.parametrize("case", ["inside", "nothing", "taken", "own"])
def test_backup_is_refused_in_one_sentence(case: str, short_path: Path) -> None:
    """There is no data folder, the target exists or is inside of the data folder, or the server is not the embedded one."""
    data = short_path / "d"
    target = data / "appendonlydir" / "copy" if case == "inside" else short_path / "copy"
    if case != "nothing":
        EmbeddedServer.start(data).stop()
    if case == "taken":
        target.mkdir()
    own = {"redis_url": "redis://localhost"} if case == "own" else {}
    found = run("backup", str(target), data_dir=str(data), **own)
    assert (found.returncode, found.stdout, len(found.stderr.splitlines())) == (2, "", 1)
    assert target.exists() is (case == "taken")
