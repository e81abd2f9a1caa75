"""How long people wait for bots: `python -m bench.waiting`, or with `--small` everything once, as small as it gets.

People are programs here that answer at once with any legal command. A wait is the time from an accepted answer to the next
question to the same person; who still waits at the end counts with the time so far, and who is out does not wait.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from bench.figures import Stopwatch, Stretch, commit, cpu_seconds, keep, machine, today
from bench.scale import size, sized
from bench.service import Service, serving
from bench.sheet import sheet, table
from bench.tables import API, Player, good
from bench.wire import Connection
from tafelrunde.service.settings import Settings

SECONDS = 60.0
DEEP_BOT, QUICK_BOT = "search-large", "honest"
ASKED, OUT = "match.decision-opened.1", "coup.seat-eliminated.1"


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """Number of matches of a game, each with one person, that run beside a number of bot-only ones (MatchMaster, seven seats)."""

    game: str
    seats: int
    bot: str
    matches: int
    crowd: int = 0
    pause_ms: int = Settings().bot_pause_ms

    @property
    def name(self) -> str:
        """Its name in reports."""
        beside = f", beside {self.crowd} bot-only ones" if self.crowd else ""
        return f"{self.matches} x {self.game}, {self.seats - 1} x {self.bot}, pause {self.pause_ms} ms{beside}"


COURSES = (
    *(
        Course(game=game, seats=4, bot=DEEP_BOT, matches=count, pause_ms=0)
        for game in ("meister-coup", "coup")
        for count in (8, 30)
    ),
    *(Course(game="mondkrone", seats=2, bot=QUICK_BOT, matches=4, crowd=crowd) for crowd in (0, 60)),
    *(Course(game="meister-coup", seats=4, bot=DEEP_BOT, matches=1, crowd=crowd) for crowd in (0, 60)),
)
"""Without a pause it shows how long people wait for thoughts; with the default one, which they wait for anyway, for others."""
TINY = (Course(game="coup", seats=3, bot=DEEP_BOT, matches=2, crowd=2),)


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """How long people waited, who was still waiting at the end, and the share of a core that each process used."""

    course: str
    waits: Stretch
    waiting: int
    cores: Mapping[str, float]


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a run."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    seconds: float
    waits: Sequence[Wait]


class Person:
    """Plays one match after the other against bots, on one connection, always at seat 0."""

    def __init__(self, service: Service, course: Course, watch: Stopwatch) -> None:
        self._service = service
        self._course = course
        self._watch = watch
        self._rng = random.Random(7)
        self._connection: Connection
        self._player: Player
        self._path = ""
        self.since: float | None = None

    async def run(self) -> None:
        """Play until cancelled."""
        self._connection = await Connection.open(self._service.host, self._service.port)
        try:
            self._player = await Player.register(self._connection)
            while True:
                await self._match()
        finally:
            self._connection.close()

    async def _match(self) -> None:
        bots = [{"seat": seat, "bot": self._course.bot} for seat in range(1, self._course.seats)]
        self._path = await opened(self._connection, self._player, self._course.game, self._course.seats, bots)
        self.since = time.perf_counter()
        answered = 0
        while (view := await self._get("/view"))["status"] == "running":
            question = view["question"]
            if question is not None and question["decision"] != answered:
                answered = question["decision"]
                await self._answer(question)
            else:
                await self._news(view["cursor"])
        self.since = None

    async def _answer(self, question: Mapping[str, Any]) -> None:
        if self.since is not None:
            self._watch.add(time.perf_counter() - self.since)
        body = {"decision": question["decision"], "command": self._rng.choice(question["legal"])}
        post = self._player.post(self._connection, f"{self._path}/commands", f"play-{question['decision']}", body)
        self.since = time.perf_counter() if (await self._connection.ask(post)).status < 300 else None

    async def _news(self, cursor: str) -> None:
        """Wait until something is asked, or the match is over."""
        while True:
            page = await self._get(f"/feed?wait=20&limit=500&after={cursor}")
            cursor = page["cursor"]
            events = [item["event"] for item in page["items"]]
            if any(event["type"] == OUT and event["seat"] == 0 for event in events):
                self.since = None
            if page["ended"] or any(event["type"] == ASKED for event in events):
                return

    async def _get(self, what: str) -> dict[str, Any]:
        return good(await self._connection.ask(self._connection.request("GET", self._path + what, (self._player.authorization,))))


async def opened(connection: Connection, player: Player, game: str, seats: int, bots: Sequence[Mapping[str, object]]) -> str:
    """Open and start a match with bots; return its path."""
    wish = {"game": game, "seats": seats, "bots": bots, "start": True, "rated": False}
    wish |= {} if len(bots) < seats else {"seat": None}
    answer = await connection.ask(player.post(connection, f"{API}/matches", f"open-{time.time_ns()}", wish))
    return f"{API}/matches/{good(answer)['match']}"


async def crowd(service: Service, count: int) -> None:
    """Open bot-only matches, each with a host of its own."""
    connection = await Connection.open(service.host, service.port)
    for _ in range(count):
        bots = [{"seat": seat, "bot": "random"} for seat in range(7)]
        await opened(connection, await Player.register(connection), "matchmaster", 7, bots)
    connection.close()


async def measured(service: Service, course: Course, seconds: float) -> Wait:
    """Let people play for a while."""
    watch = Stopwatch()
    people = [Person(service, course, watch) for _ in range(course.matches)]
    await crowd(service, course.crowd)
    before = _used(service)
    tasks = [asyncio.create_task(each.run()) for each in people]
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for each in done:
        each.result()
    now = time.perf_counter()
    cores = {name: round((used - before[name]) / seconds, 2) for name, used in _used(service).items()}
    waiting = [now - each.since for each in people if each.since is not None]
    for each in waiting:
        watch.add(each)
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    return Wait(course=course.name, waits=watch.read(seconds), waiting=len(waiting), cores=cores)


def _used(service: Service) -> Mapping[str, float]:
    """Return the seconds of a core that the processes of each kind have used."""
    return {name: sum(map(cpu_seconds, service.children(name))) for name in ("api", "sweeper", "worker", "thinker")}


def run(courses: Sequence[Course], seconds: float) -> Waiting:
    """Measure one course after the other, each on a service of its own with that course's settings."""
    began = time.monotonic()
    waits = list[Wait]()
    for course in courses:
        print(f"{course.name} ...", flush=True)
        with serving(bot_pause_ms=course.pause_ms) as service:
            waits.append(asyncio.run(measured(service, course, seconds)))
        print(
            f"  p50 {waits[-1].waits.p50_ms:,.0f}, p95 {waits[-1].waits.p95_ms:,.0f}, max {waits[-1].waits.max_ms:,.0f} ms",
            flush=True,
        )
    return Waiting(day=today(), commit=commit(), machine=machine(), seconds=time.monotonic() - began, waits=waits)


def text_of(found: Waiting) -> str:
    """Return the figures for people."""
    return sheet(f"Waiting for bots, {found.day}, commit {found.commit}", found.machine, found.seconds, [_lines(found)])


def _lines(found: Waiting) -> Iterator[str]:
    yield "How long a person waits from an answer to the next question, in ms, when everyone answers at once;"
    yield "and how much of a core each process used. Those who still waited at the end count with their time so far."
    yield ""
    heads = ("", "questions/s", "p50", "p95", "max", "still waiting", "cores: api, sweeper, worker, thinker")
    yield from table(heads, map(_row, found.waits))


def _row(each: Wait) -> tuple[str, ...]:
    waits = each.waits
    times = (f"{ms:,.0f}" for ms in (waits.p50_ms, waits.p95_ms, waits.max_ms))
    cores = ", ".join(f"{used:.2f}" for used in each.cores.values())
    return (each.course, f"{waits.rate:.2f}", *times, str(each.waiting), cores)


def main() -> None:
    """Measure, print, write."""
    found = run(size(COURSES, TINY), size(SECONDS, 3.0))
    keep("waiting", found, text_of(found))


if __name__ == "__main__":
    sized(__doc__)
    main()
