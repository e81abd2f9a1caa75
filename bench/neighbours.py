"""How a token that uses up its limits affects others: `python -m bench.neighbours`, or with `--small` everything once.

One process over a memory store, as requests come to its app. Times are processor time of the whole process between a request
and its answer, which a busy machine changes little, and the time that goes by, which needs a quiet one. First what each
expensive read costs, beside its price; then the p95 of another player's views while one token sends such reads, eight at a
time: while it uses up what it may use at once, and afterwards as often as its budgets allow.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any, NamedTuple, cast

import httpx
import msgspec

from bench.figures import commit, keep, machine, today
from bench.scale import part, size, sized
from bench.sheet import sheet, table
from tafelrunde.api.app import create_app, running
from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, MatchId, PlayerId, Spectators, Status
from tafelrunde.service.application import Application, unix_ms
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.runtime.threads import share_the_interpreter
from tafelrunde.service.settings import LimitSettings, Settings

SECONDS = size(20.0, 0.3)
LENGTHS = size((("coup", 4), ("meister-coup", 4), ("mondkrone", 4), ("stich-meister", 4), ("matchmaster", 7)), (("coup", 2),))
EACH = size(5, 1)
STOCK = size(30, 2)
AT_ONCE = 8
PAUSE_SECONDS = 0.06
ASGIApp = Callable[[Mapping[str, Any], Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]], Awaitable[None]]
API = "/api/v1/matches"
OK, TOO_MANY = 200, 429


class Read(msgspec.Struct, frozen=True):
    """An expensive read of a match, given a cursor of its feed."""

    name: str
    path: str


READS = (
    Read("record", "record"),
    Read("verification", "verification"),
    Read("view of the past", "view?at={cursor}"),
)


class Finished(msgspec.Struct, frozen=True):
    """A finished match: its number of entries, and a cursor in the middle of its public items."""

    match: MatchId
    entries: int
    cursor: str


class Clock:
    """The time, in Unix milliseconds. It can be stopped: then no budget refills, and a price shows."""

    stopped_ms: int | None = None

    def __call__(self) -> int:
        """Return the time."""
        return unix_ms() if self.stopped_ms is None else self.stopped_ms


class House:
    """A service with one client."""

    def __init__(self, application: Application, app: ASGIApp, client: httpx.AsyncClient, clock: Clock) -> None:
        self._app = app
        self.clock = clock
        self.application = application
        self.client = client
        self._keys = count()

    async def ask(self, path: str, headers: Mapping[str, str]) -> tuple[int, int]:
        """Ask without a client, whose work would be taken for the service's; return the status, and when to ask again."""
        place, _, query = path.partition("?")
        sent = {**headers, "host": "bench", "accept-encoding": "gzip"}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": place,
            "raw_path": place.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            "client": ("127.0.0.1", 1),
            "server": ("bench", 80),
        }
        status = 0
        found = dict[bytes, bytes]()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Mapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                found.update(message["headers"])

        await self._app(scope, receive, send)
        return status, int(found.get(b"retry-after", b"0"))

    async def player(self, name: str) -> tuple[PlayerId, dict[str, str]]:
        """Return a player, and the header that authenticates its requests."""
        record, _, token = await self.application.accounts.register(name)
        return record.id, {"authorization": f"Bearer {token}"}

    async def finished(self, host: PlayerId, game: str, seats: int) -> Finished:
        """Have bots play a match to its end."""
        bots = {Seat(seat): BotName("random") for seat in range(seats)}
        new = NewMatch(
            game=GameId(game), seats=seats, seat=None, bots=bots, start=True, rated=False, spectators=Spectators.PUBLIC
        )
        match = (await self.application.matches.open(host, new, f"k{next(self._keys)}")).match
        while (await self.application.repository.load_latest(match)).match.status is Status.RUNNING:
            await self.application.process_manager.play_bots(match)
        answer = await self.client.get(f"{API}/{match}/feed?limit=500")
        assert answer.status_code == OK, answer.text
        items = answer.json()["items"]
        entries = (await self.application.repository.load_latest(match)).version
        return Finished(match, entries, items[len(items) // 2]["cursor"])


@asynccontextmanager
async def opened() -> AsyncGenerator[House]:
    """Yield a service with the default limits; one host may have as many matches as it needs, one after the other."""
    clock = Clock()
    settings = Settings(limits=LimitSettings(requests_per_minute=1_000_000, bot_matches_per_minute=10_000))
    application = Application(memory_stores(), settings, now_ms=clock)
    app = create_app(application=application)
    transport = httpx.ASGITransport(cast("Any", app))
    async with running(app), httpx.AsyncClient(transport=transport, base_url="http://bench") as client:
        yield House(application, cast("ASGIApp", app), client, clock)


def left(answer: httpx.Response) -> int:
    """Return what is left of the quota that was charged for an answer."""
    return int(answer.headers["ratelimit"].partition("r=")[2].partition(";")[0])


async def prices(house: House, host: PlayerId) -> list[tuple[str, int, float, int, int]]:
    """Return for each read and length: entries, milliseconds of processor time, the price, and how much a minute may cost."""
    rows: list[tuple[str, int, float, int, int]] = []
    for game, seats in LENGTHS:
        for read in READS:
            _, asker = await house.player("Asker")
            costs: list[float] = []
            found = [await house.finished(host, game, seats) for _ in range(EACH)]
            before = 0
            price = 0
            quota = 1
            house.clock.stopped_ms = unix_ms()
            for each in found:
                began = time.process_time()
                answer = await house.client.get(f"{API}/{each.match}/{read.path.format(cursor=each.cursor)}", headers=asker)
                costs.append(1_000 * (time.process_time() - began))
                assert answer.status_code == OK, answer.text
                price = before - left(answer)
                before = left(answer)
                quota = int(answer.headers["ratelimit-policy"].partition("q=")[2].partition(";")[0])
            house.clock.stopped_ms = None
            rows.append((read.name, found[-1].entries, sorted(costs)[len(costs) // 2], max(price, 1), quota))
    return rows


async def flood(
    house: House, paths: Sequence[str], asker: dict[str, str], ended: Callable[[], bool], limited: asyncio.Event
) -> int:
    """Send requests one after the other, and wait while the quota is used up; return how many were answered.

    *limited* is set when the first one is refused.
    """
    answered = 0
    for number in count():
        if ended():
            break
        status, retry_seconds = await house.ask(paths[number % len(paths)], asker)
        if status == TOO_MANY:
            limited.set()
            await asyncio.sleep(min(retry_seconds, SECONDS / 10))
        answered += status == OK
        await asyncio.sleep(0)
    return answered


class Felt(NamedTuple):
    """The 95th percentile of a player's views, in milliseconds: of processor time, and of waiting."""

    processor: float
    waited: float


async def p95(house: House, match: MatchId, asker: dict[str, str]) -> Felt:
    """Return what a player feels, who looks at its match again and again."""
    times: list[tuple[float, float]] = []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end or not times:
        began = time.process_time(), time.perf_counter()
        status, _ = await house.ask(f"{API}/{match}/view", asker)
        times.append((time.process_time() - began[0], time.perf_counter() - began[1]))
        assert status == OK, status
        await asyncio.sleep(PAUSE_SECONDS)
    processor, waited = (sorted(each)[int(0.95 * len(times))] for each in zip(*times, strict=True))
    return Felt(1_000 * processor, 1_000 * waited)


async def beside(house: House, host: PlayerId) -> list[tuple[str, Felt, Felt, Felt, int]]:
    """Return for each read: the p95 without such a token, while it begins, and at its limit, and how many reads it got."""
    game, seats = LENGTHS[-1]
    stock = [await house.finished(host, game, seats) for _ in range(STOCK)]
    neighbour, token = await house.player("Neighbour")
    new = NewMatch(game=GameId("coup"), seats=2, bots={Seat(1): BotName("random")}, start=True)
    match = (await house.application.matches.open(neighbour, new, "own")).match
    rows: list[tuple[str, Felt, Felt, Felt, int]] = []
    for read in READS:
        part(read.name)
        usual = await p95(house, match, token)
        _, asker = await house.player("Flood")
        paths = [f"{API}/{each.match}/{read.path.format(cursor=each.cursor)}" for each in stock]
        ending, limited = asyncio.Event(), asyncio.Event()
        floods = [
            asyncio.create_task(flood(house, paths[start::AT_ONCE] or paths, asker, ending.is_set, limited))
            for start in range(AT_ONCE)
        ]
        at_first = await p95(house, match, token)
        with suppress(TimeoutError):
            await asyncio.wait_for(limited.wait(), SECONDS)
        flooded = await p95(house, match, token)
        ending.set()
        rows.append((read.name, usual, at_first, flooded, sum(await asyncio.gather(*floods))))
    return rows


async def measure() -> None:
    """Measure, and keep the figures."""
    began = time.monotonic()
    share_the_interpreter()
    async with opened() as house:
        host, _ = await house.player("Host")
        costs = await prices(house, host)
        paid = table(("read", "entries", "CPU ms", "price", "of a core at the limit"), [_cost(*each) for each in costs])
        felt = await beside(house, host)
        heads = (
            "one token at its limit",
            "p95 usual: CPU, waiting",
            "while it begins",
            "ratios",
            "at its limit",
            "ratios",
            "reads",
        )
    parts = (paid, table(heads, [_felt(*each) for each in felt]))
    title = f"What a token at its limit costs others, {today()}, commit {commit()}"
    keep("neighbours", (costs, felt), sheet(title, machine(), time.monotonic() - began, parts))


def _cost(name: str, entries: int, milliseconds: float, price: int, quota: int) -> tuple[str, ...]:
    return name, str(entries), f"{milliseconds:.1f}", str(price), f"{milliseconds / price * quota / 60_000:.1%}"


def _felt(name: str, usual: Felt, at_first: Felt, flooded: Felt, answered: int) -> tuple[str, ...]:
    def ratios(felt: Felt) -> str:
        return f"{felt.processor / usual.processor:.1f}, {felt.waited / usual.waited:.1f}"

    def times(felt: Felt) -> str:
        return f"{felt.processor:.1f}, {felt.waited:.1f} ms"

    return name, times(usual), times(at_first), ratios(at_first), times(flooded), ratios(flooded), str(answered)


if __name__ == "__main__":
    sized(__doc__)
    asyncio.run(measure())
