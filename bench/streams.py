"""`python -m bench.streams`: how long a command takes to reach the streams of its match, with real connections to real processes.

The streams are server-sent events, or sockets that follow one match each.

One command in each match, one after the other, while all streams wait; a delivery is late by the time from the command's request
to the arrival of its item. Beside it, in the same run, stands the physical limit: a bare server that writes as many bytes to as
many sockets, on the same schedule, for the same client. The clients share the cores with the service, so on a machine with other
work both are late; their ratio, and the processor time for each item, are less so.

It is bounded: courses for which the limit of open files is too low are left out, and one that takes longer than `MOST_SECONDS`
ends the run.
"""

from __future__ import annotations

import asyncio
import itertools
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path

import httpx
import msgspec

from bench.fanout import LAST, READY, fanning_out
from bench.figures import commit, cpu_seconds, keep, machine, today
from bench.scale import part, size, sized
from bench.service import Service, serving
from bench.sheet import sheet, table
from bench.websocket import framed, handshake
from bench.wire import HEAD_END

LIMIT_MS = 250.0
"""The aim for the 99th percentile, on two quiet cores."""
COURSES = ((2_000, 1), (2_000, 200), (10_000, 1_000))
TINY = ((40, 10),)
TAKEN = b"match.seat-taken.1"
"""It comes with the opening, for the host, and once more with the command that is measured."""
AT_ONCE = 50
COMMANDS_PER_SECOND = 50
"""So the cores are not busy all the time with commands, whose wait for each other is not what is measured."""
ADDRESSES = 4
"""The streams come from that many addresses of this machine, as no address may have too many connections."""
SPARE_FILES = 500
MOST_SECONDS = 300.0
LIMITS = {"max_streams": 10_000, "connections_per_address": 10_000, "open_seats_per_player": 10_000}


class Late(msgspec.Struct, frozen=True):
    """How late items were, in milliseconds, and what one cost the servers, in microseconds of processor time."""

    p50_ms: float
    p99_ms: float
    longest_ms: float
    us: float


class Delivery(msgspec.Struct, frozen=True):
    """The service, whose processor time includes the commands, and the physical limit; `ratio` is that of their p99.

    `way`: what they are. `api_mib` is the memory of all api processes with all streams open.
    """

    streams: int
    matches: int
    apis: int
    service: Late
    limit: Late
    ratio: float
    api_mib: int
    way: str = "streams"


Greeting = tuple[bytes, bytes]
"""What a listener says, and what it waits for then."""


class Listener:
    """One socket that waits for what is said of a match."""

    def __init__(self, match: str, wanted: bytes, number: int) -> None:
        self.match = match
        self.came = 0.0
        self.heard = b""
        self._wanted = wanted
        self._address = f"127.0.0.{2 + number % ADDRESSES}"
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter

    async def open(self, host: str, port: int, greetings: Sequence[Greeting]) -> None:
        """Connect, say what to listen for, and read what there is."""
        self._reader, self._writer = await asyncio.open_connection(host, port, local_addr=(self._address, 0))
        for greeting, answer in greetings:
            self._writer.write(greeting)
            await self._until(answer)

    async def listen(self) -> None:
        """Wait for it, and note when it comes."""
        self.heard = b""
        await self._until(self._wanted)
        self.came = time.perf_counter()

    async def _until(self, wanted: bytes) -> None:
        while wanted not in self.heard:
            if not (read := await self._reader.read(65_536)):
                raise EOFError(self.heard[-200:])
            self.heard += read

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


async def lateness(listeners: Sequence[Listener], say: Callable[[str], Awaitable[object]], pids: Sequence[int]) -> Late:
    """Let something be said of each match, at a steady pace, while all listen."""
    waiting = [asyncio.create_task(each.listen()) for each in listeners]
    said = dict[str, float]()
    before = sum(map(cpu_seconds, pids))

    async def one(number: int, match: str) -> None:
        await asyncio.sleep(number / COMMANDS_PER_SECOND)
        said[match] = time.perf_counter()
        await say(match)

    matches = dict.fromkeys(each.match for each in listeners)
    async with asyncio.timeout(MOST_SECONDS):
        await asyncio.gather(*itertools.starmap(one, enumerate(matches)), *waiting)
    used = sum(map(cpu_seconds, pids)) - before
    late = sorted(1000 * (each.came - said[each.match]) for each in listeners)
    return Late(
        p50_ms=round(late[len(late) // 2], 1),
        p99_ms=round(late[-1 - len(late) // 100], 1),
        longest_ms=round(late[-1], 1),
        us=round(1e6 * used / len(late), 1),
    )


def to_stream(match: str) -> Sequence[Greeting]:
    """Return what opens a stream of a match."""
    return [(b"GET /api/v1/matches/%s/stream HTTP/1.1\r\nHost: x\r\n\r\n" % match.encode(), TAKEN)]


def to_socket(match: str) -> Sequence[Greeting]:
    """Return what opens a socket and follows a match on it."""
    return [(handshake("x"), HEAD_END), (framed(b'{"type":"subscribe","id":"1","match":"%s"}' % match.encode()), TAKEN)]


WAYS: Mapping[str, Callable[[str], Sequence[Greeting]]] = {"streams": to_stream, "sockets": to_socket}


async def open_all(listeners: Sequence[Listener], host: str, port: int, greeting: Callable[[str], Sequence[Greeting]]) -> None:
    """Open all connections, a few at a time."""
    for first in range(0, len(listeners), AT_ONCE):
        some = listeners[first : first + AT_ONCE]
        await asyncio.gather(*(each.open(host, port, greeting(each.match)) for each in some))


async def of_service(service: Service, way: str, streams: int, matches: int) -> tuple[Late, int, int]:
    """Return how late the service is, the size of what a stream got, and the memory of its api processes in MiB."""
    at_once = asyncio.Semaphore(AT_ONCE)
    async with httpx.AsyncClient(base_url=f"http://{service.host}:{service.port}/api/v1", timeout=60, trust_env=False) as client:

        async def ask(path: str, content: object, **headers: str) -> dict[str, object]:
            async with at_once:
                answer = await client.post(path, json=content, headers=headers)
            answer.raise_for_status()
            return answer.json()

        host, guest = [f"Bearer {(await ask('/players', {}))['text']}" for _ in range(2)]
        wish = {"game": "coup", "seats": 2, "spectators": "public"}
        asked = (ask("/matches", wish, Authorization=host, **{"Idempotency-Key": f"open-{number}"}) for number in range(matches))
        names = [str(made["match"]) for made in await asyncio.gather(*asked)]
        listeners = [Listener(names[number % matches], TAKEN, number) for number in range(streams)]
        await open_all(listeners, service.host, service.port, WAYS[way])
        apis = service.children("api")
        memory = sum(map(_mib, apis))
        late = await lateness(listeners, lambda match: ask(f"/matches/{match}/seats", {}, Authorization=guest), apis)
    for each in listeners:
        each.close()
    return late, max(len(each.heard) for each in listeners), memory


async def of_sockets(streams: int, matches: int, item_bytes: int) -> Late:
    """Return how late a server is that only writes."""
    names = [f"m{number}" for number in range(matches)]
    listeners = [Listener(names[number % matches], LAST, number) for number in range(streams)]
    with fanning_out() as (pid, port):
        await open_all(listeners, "127.0.0.1", port, lambda match: [(b"listen %s\n" % match.encode(), READY)])
        _, writer = await asyncio.open_connection("127.0.0.1", port)

        async def say(match: str) -> None:
            writer.write(b"say %s %d\n" % (match.encode(), item_bytes))
            await writer.drain()

        late = await lateness(listeners, say, [pid])
        for each in (*listeners, writer):
            each.close()
    return late


def _mib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def measured(way: str, streams: int, matches: int, apis: int) -> Delivery:
    """Measure the service, then the physical limit."""
    with serving(apis=apis, thinkers=1, **LIMITS) as service:
        found, item_bytes, memory = asyncio.run(of_service(service, way, streams, matches))
    limit = asyncio.run(of_sockets(streams, matches, item_bytes))
    return Delivery(
        streams=streams,
        matches=matches,
        apis=apis,
        service=found,
        limit=limit,
        ratio=round(found.p99_ms / limit.p99_ms, 2),
        api_mib=memory,
        way=way,
    )


def files() -> int:
    """Return how many files a process may have open, after raising that as far as it goes."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


def main() -> int:
    """Measure with one and with two api processes, and keep the figures; return 1 if the aim is missed in a full run."""
    began = time.monotonic()
    met = True
    most = files()
    found = list[Delivery]()
    for way, (streams, matches) in itertools.product(WAYS, size(COURSES, TINY)):
        if most < streams + SPARE_FILES:
            part(f"{streams} {way} are left out: `ulimit -n` must be {streams + SPARE_FILES} or more, and is {most}")
            met = False
            continue
        for apis in size((1, 2), (2,)):
            part(f"{streams} {way} of {matches} matches, {apis} api processes")
            found.append(measured(way, streams, matches, apis))
            met = met and found[-1].service.p99_ms <= LIMIT_MS
    title = f"Delivery to streams of {today()}, commit {commit()}"
    keep("streams", found, sheet(title, machine(), time.monotonic() - began, (_rows(found),)))
    return size(int(not met), 0)


def _rows(found: Sequence[Delivery]) -> Iterator[str]:
    heads = (
        "way",
        "streams",
        "of matches",
        "apis",
        "p50 ms",
        "p99 ms",
        "longest ms",
        "bare sockets p99 ms",
        "us a stream",
        "MiB an api",
    )
    yield from table(heads, [_cells(each) for each in found])


def _cells(each: Delivery) -> tuple[str, ...]:
    late = each.service
    times = tuple(f"{figure:.1f}" for figure in (late.p50_ms, late.p99_ms, late.longest_ms, each.limit.p99_ms))
    return (
        each.way,
        f"{each.streams:,}",
        f"{each.matches:,}",
        str(each.apis),
        *times,
        f"{late.us:.0f}",
        str(each.api_mib // each.apis),
    )


if __name__ == "__main__":
    sized(__doc__)
    sys.exit(main())
