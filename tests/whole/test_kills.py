"""Processes killed at random moments while matches run: every match ends, nothing is answered twice, no clock strikes early.

`TAFELRUNDE_SOAK=minutes` makes the long form of it.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tafelrunde.domain.match import MatchId, Status
from tafelrunde.domain.match.events import DecisionOpened, TimedOut
from tafelrunde.service.application import Application
from tafelrunde.service.dealing import merkle
from tafelrunde.service.matches.codec import Envelope
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.rows import Listing
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.runtime.embedded_valkey import socket_url
from tafelrunde.service.runtime.job_queue import Jobs, QueueName, connect
from tafelrunde.service.settings import Settings
from tafelrunde.service.transparency.checks import hashed
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import LOOK_SECONDS, Serve, until
from tests.whole.clients import Client

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.xdist_group("serve")]

MATCHES = 50
OPENING_SECONDS = 12.0
KILLING_SECONDS = 25.0
LATE_MS = 25_000
"""A lost job comes again after its lease of a second, the rest is for a machine with much to do; without a lease it would come
when the library of the queues looks after its jobs, after 60 s, or never."""
CLOCK = {"turn_seconds": 1, "reaction_seconds": 1, "stand_in_after": 2}
HOLD_SECONDS = 5.0
VICTIMS = ("worker", "sweeper", "api")
JOBS = "jobs"


def wish(rng: random.Random) -> dict[str, Any]:
    """Return a match of two to four seats: an absent host on the first, a player or a bot on the second, bots on the rest."""
    seats, first_bot = rng.randint(2, 4), rng.randint(1, 2)
    bots = [{"seat": seat, "bot": "random"} for seat in range(first_bot, seats)]
    return {"game": "coup", "seats": seats, "clock": CLOCK, "bots": bots}


class Players:
    """A host who never answers, and a player who does, over HTTP."""

    def __init__(self, host: Client, player: Client) -> None:
        self._host = host
        self.player = player

    async def open(self, rng: random.Random, key: str) -> MatchId:
        """Open and start a match; the second seat is the player's if no bot has it."""
        new = wish(rng)
        match = (await self._host.post("/matches", f"open-{key}", new)).raise_for_status().json()["match"]
        if len(new["bots"]) < new["seats"] - 1:
            (await self.player.post(f"/matches/{match}/seats", "sit", {})).raise_for_status()
        (await self._host.post(f"/matches/{match}/start", "start", {})).raise_for_status()
        return MatchId(match)

    async def play(self, match: MatchId, rng: random.Random) -> None:
        """Answer as the player wherever it is asked, until the match is over."""
        while True:
            answer = await self.player.try_get(f"/matches/{match}/view")
            if answer is None or answer["seat"] is None or answer["status"] != "running":
                return
            if (question := answer["question"]) is not None:
                command = question["legal"][rng.randrange(len(question["legal"]))]
                body = {"decision": question["decision"], "command": command}
                given = await self.player.post(f"/matches/{match}/commands", f"play-{question['decision']}", body)
                assert given.status_code in {200, 409}, given.text
            await asyncio.sleep(0.2)


class Killer:
    """Kills a process every now and then, or the worker together with all jobs that wait for it."""

    def __init__(self, serve: Serve, rng: random.Random) -> None:
        self._serve = serve
        self._rng = rng
        self.killed: list[str] = []
        self.lost = 0

    async def run(self) -> None:
        """Kill each once, then any of them, at random moments, for a while."""
        limit, kinds = time.monotonic() + KILLING_SECONDS, (*VICTIMS, JOBS)
        while time.monotonic() < limit or len(self.killed) < len(kinds):
            await asyncio.sleep(self._rng.uniform(0.3, 2.0))
            victim = kinds[len(self.killed)] if len(self.killed) < len(kinds) else self._rng.choice(kinds)
            with suppress(ProcessLookupError):
                await self._kill(victim)
                self.killed.append(victim)

    async def _kill(self, victim: str) -> None:
        if victim != JOBS:
            self._serve.kill(victim)
            return
        os.kill(self._serve.pid("worker"), signal.SIGSTOP)
        self.lost += await asyncio.to_thread(self._lose)
        self._serve.kill("worker")

    def _lose(self) -> int:
        """Wait for the job of a clock and empty the queues; return how many jobs of clocks were lost."""
        limit = time.monotonic() + HOLD_SECONDS
        with connect(socket_url(self._serve.data_dir)) as client:
            clocks, *others = (Jobs(client).queue(name) for name in QueueName)
            while clocks.is_empty() and time.monotonic() < limit:
                time.sleep(LOOK_SECONDS)
            for each in others:
                each.empty()
            return clocks.empty()


def outages(serve: Serve) -> list[tuple[int, int]]:
    """Return from when until when (Unix ms) the sweeper or the worker was away, from the log."""
    found: list[tuple[int, int]] = []
    for child in ("sweeper", "worker"):
        gone: int | None = None
        for line in serve.lines():
            at_ms = int(datetime.fromisoformat(line["timestamp"]).timestamp() * 1000)
            if line["event"].startswith("ended unexpectedly") and line["child"] == child:
                gone = gone if gone is not None else at_ms
            elif line["event"] == f"{child} is ready" and gone is not None:
                found.append((gone, at_ms))
                gone = None
    return found


def lateness(serve: Serve, histories: Sequence[Sequence[tuple[Envelope, object]]]) -> list[int]:
    """Return how late each deadline was answered, in ms, counted from the recovery if a process was away meanwhile."""
    away = outages(serve)
    found: list[int] = []
    for history in histories:
        deadline_ms = 0
        for envelope, event in history:
            if isinstance(event, DecisionOpened):
                deadline_ms = event.deadline_ms
            elif isinstance(event, TimedOut):
                assert envelope.time_ms >= deadline_ms, "a deadline passed before its time"
                recovered = [back for gone, back in away if gone - 300 <= envelope.time_ms and back >= deadline_ms - 300]
                found.append(envelope.time_ms - max([deadline_ms, *(back for back in recovered if back <= envelope.time_ms)]))
    return found


def answers(loaded: Loaded, history: Sequence[tuple[Envelope, object]]) -> Iterator[tuple[int, int]]:
    """Yield decision and seat of every answer: of players, of bots, and of the clock."""
    for envelope, event in history:
        if isinstance(event, TimedOut):
            yield event.decision, event.seat
        command: dict[str, Any] = msgspec.msgpack.decode(envelope.command) if envelope.command else {"type": ""}
        if command["type"] == "match.play":
            yield command["decision"], loaded.match.seat_of(command["player"]) or 0
        if command["type"] == "match.bot-play":
            yield command["decision"], command["seat"]


async def run_matches(stores: Stores, serve: Serve, seed: int) -> tuple[list[MatchId], Killer]:
    """Run matches while processes are killed, until all have ended."""
    rng = random.Random(seed)
    async with httpx.AsyncClient(base_url=serve.url, timeout=PATIENCE_SECONDS, limits=httpx.Limits(max_connections=20)) as http:
        players = Players(await Client.register(http), await Client.register(http))
        killer = Killer(serve, rng)
        killing = asyncio.create_task(killer.run())
        matches: list[MatchId] = []
        playing: list[asyncio.Task[None]] = []
        for number in range(MATCHES):
            matches.append(await players.open(rng, f"{seed}-{number}"))
            playing.append(asyncio.create_task(players.play(matches[-1], random.Random(number))))
            await asyncio.sleep(OPENING_SECONDS / MATCHES)
        await killing
        await _ended(stores, matches)
        await asyncio.gather(*playing)
    return matches, killer


async def _ended(stores: Stores, matches: Sequence[MatchId]) -> None:
    limit, running = time.monotonic() + PATIENCE_SECONDS, set(matches)
    while running:
        for match in list(running):
            head = await stores.events.head(match)
            if head is not None and head.status is not Status.RUNNING:
                running.discard(match)
        assert time.monotonic() < limit, f"{len(running)} matches have not ended"
        await asyncio.sleep(0.1)


async def check(stores: Stores, serve: Serve, matches: Sequence[MatchId]) -> None:
    """Read every match anew, chain and all, and check what is in its log."""
    application = Application(stores, Settings())
    histories: list[list[tuple[Envelope, object]]] = []
    for match in matches:
        loaded = await application.repository.current(match)
        history = [application.repository.codec.decode(entry) for entry in loaded.entries]
        twice = [answer for answer, count in Counter(answers(loaded, history)).items() if count > 1]
        assert twice == [], f"{match}: answered twice"
        assert loaded.match.status is Status.OVER
        histories.append([(envelope, event) for envelope, event in history])
    late = lateness(serve, histories)
    assert late, "nobody was absent"
    assert max(late) <= LATE_MS, sorted(late)[-5:]
    await _projected(stores, matches)
    await _entered(stores, matches)


async def _projected(stores: Stores, matches: Sequence[MatchId]) -> None:
    """Wait until the lobby says the same."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            rows = await stores.rows.rows(Listing(limit=100 * MATCHES))
            if {row.match for row in rows if row.status is Status.OVER} >= set(matches):
                return
            await asyncio.sleep(0.1)


async def _entered(stores: Stores, matches: Sequence[MatchId]) -> None:
    """Wait until all matches are in the log over all, each once, and check its root."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not all(await stores.tree.indexes(matches)):  # noqa: ASYNC110 - the server sets no event
            await asyncio.sleep(0.1)
    checkpoint = await stores.tree.checkpoint()
    leaves = await stores.tree.leaves(0, checkpoint.size)
    assert Counter((leaf.match, leaf.version) for leaf in leaves).most_common(1)[0][1] == 1
    assert Counter(leaf.match for leaf in leaves if leaf.match in matches) == dict.fromkeys(matches, 1)
    assert merkle.root([hashed(leaf) for leaf in leaves]) == checkpoint.root


def test_matches_end_and_nothing_is_answered_twice_when_processes_are_killed(short_path: Path) -> None:
    """Fifty matches with bots and absent players, while worker, sweeper, api and jobs are lost at random moments."""
    minutes = float(os.environ.get("TAFELRUNDE_SOAK", "0"))
    until_s = time.monotonic() + 60 * minutes
    with Serve(short_path, bot_pause_ms=0, rate_limits="false") as serve:

        async def rounds() -> None:
            seed = 0
            while seed == 0 or time.monotonic() < until_s:
                async with await RedisStores.connect(socket_url(serve.data_dir)) as stores:
                    matches, killer = await run_matches(stores, serve, seed)
                    assert killer.lost, "no job was lost"
                    await check(stores, serve, matches)
                seed += 1

        asyncio.run(rounds())
        until("everything runs again", lambda: all(serve.pid(child) for child in VICTIMS))
