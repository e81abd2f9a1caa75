"""How late clocks are: `python -m bench.lateness`, beside plain timers of asyncio on the same machine in the same seconds."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from bench.figures import Stopwatch, Stretch, commit, keep, machine, today
from bench.scale import part, size, sized
from bench.service import Service, serving
from bench.sheet import sheet, table
from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, Clock, MatchId, PlayerId
from tafelrunde.domain.match.events import DecisionOpened, TimedOut
from tafelrunde.service.application import Application
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.settings import Settings

MATCHES = size(50, 2)
SECONDS = size(20.0, 3.0)
KILL_SECONDS = size(4.0, 1.0)
TIMER_SECONDS = 0.02
HOST = PlayerId("host")


class Lateness(msgspec.Struct, frozen=True, kw_only=True):
    """How late clocks struck, and timers of the measuring process meanwhile, by what was done to the worker."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    seconds: float
    clocks: Mapping[str, Stretch]
    timers: Mapping[str, Stretch]


async def timers(watch: Stopwatch) -> None:
    """Record how late plain timers are, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        wanted = loop.time() + TIMER_SECONDS
        await asyncio.sleep(TIMER_SECONDS)
        watch.add(loop.time() - wanted)


async def killing(service: Service) -> None:
    """Kill a worker now and then, until cancelled."""
    while True:
        await asyncio.sleep(KILL_SECONDS)
        with suppress(LookupError, ProcessLookupError):
            os.kill(service.child("worker"), signal.SIGKILL)


async def opened(application: Application, number: int) -> MatchId:
    """Start a match of Coup between a player who never answers and a bot."""
    clock = Clock(turn_seconds=1, reaction_seconds=1)
    new = NewMatch(game=GameId("coup"), seats=2, clock=clock, bots={Seat(1): BotName("random")}, start=True)
    return (await application.matches.open(HOST, new, f"open-{number}-{time.time_ns()}")).match


async def lateness_of(application: Application, matches: Sequence[MatchId], watch: Stopwatch) -> None:
    """Record how long after its deadline each decision was answered by the clock."""
    for match in matches:
        deadline_ms = 0
        for entry in (await application.repository.load_latest(match)).entries:
            envelope, event = application.repository.codec.decode(entry)
            if isinstance(event, DecisionOpened):
                deadline_ms = event.deadline_ms
            elif isinstance(event, TimedOut):
                watch.add((envelope.time_ms - deadline_ms) / 1000)


async def stretch(service: Service, *, kills: bool) -> tuple[Stretch, Stretch]:
    """Let absent players be timed out for a while; return how late their clocks were, and plain timers meanwhile."""
    clocks, plain = Stopwatch(), Stopwatch()
    service.child("worker")  # by then it may not be running; but one by this name must exist
    async with await RedisStores.connect(service.redis_url) as stores:
        application = Application(stores, Settings(bot_pause_ms=0))
        beside = [asyncio.create_task(timers(plain)), *([asyncio.create_task(killing(service))] if kills else [])]
        matches: list[MatchId] = []
        for number in range(MATCHES):
            matches.append(await opened(application, number))
            await asyncio.sleep(SECONDS / 2 / MATCHES)
        await asyncio.sleep(SECONDS / 2)
        for each in beside:
            each.cancel()
        await lateness_of(Application(stores, Settings()), matches, clocks)
    return clocks.read(SECONDS), plain.read(SECONDS)


def measured() -> Lateness:
    """Measure without kills, and with a worker killed now and then."""
    began = time.monotonic()
    clocks: dict[str, Stretch] = {}
    plain: dict[str, Stretch] = {}
    sides = (("no process is killed", False), (f"a worker is killed every {KILL_SECONDS:.0f} s", True))
    for name, kills in size(sides, sides[1:]):
        part(name)
        with serving(bot_pause_ms=0) as service:
            clocks[name], plain[name] = asyncio.run(stretch(service, kills=kills))
    return Lateness(
        day=today(), commit=commit(), machine=machine(), seconds=time.monotonic() - began, clocks=clocks, timers=plain
    )


def text_of(found: Lateness) -> str:
    """Return the figures for people."""
    return sheet(f"Lateness of {found.day}, commit {found.commit}", found.machine, found.seconds, [_lines(found)])


def _lines(found: Lateness) -> Iterator[str]:
    yield f"How long after its deadline a clock of 1 s answered for an absent player, {MATCHES} matches of Coup, in ms;"
    yield "beside it how late plain timers of the measuring process were in the same seconds. Other work ran on the machine."
    yield "A worker that is killed again and again is started after a pause that grows; that time is part of the lateness, too."
    yield ""
    sides = (("clock", found.clocks), ("timer", found.timers))
    rows = [(name, side, each) for name in found.clocks for side, all_of_them in sides for each in (all_of_them[name],)]
    yield from table(
        ("", "", "count", "p50", "p95", "max"),
        [(name, side, str(e.count), f"{e.p50_ms:.1f}", f"{e.p95_ms:.1f}", f"{e.max_ms:.1f}") for name, side, e in rows],
    )


def main() -> None:
    """Measure, print, write."""
    found = measured()
    keep("lateness", found, text_of(found))


if __name__ == "__main__":
    sized(__doc__)
    main()
