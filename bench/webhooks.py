"""How fast webhooks are sent: `python -m bench.webhooks`, beside plain httpx to the same receiver, and whether all of it arrives.

The service is a real one, and the receiver a process of its own that takes everything. First a backlog is sent, then the same
messages by httpx alone. Then many matches of bots run at a time, and what arrived of their life is counted.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager

import httpx
import msgspec
import uvloop

from bench.figures import commit, cpu_seconds, keep, machine, today
from bench.scale import size
from bench.service import Service, serving
from bench.sheet import sheet, table
from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import BotName, PlayerId
from tafelrunde.service.application import Application, unix_ms
from tafelrunde.service.features.inbox.messages import TYPES
from tafelrunde.service.features.webhooks import signing
from tafelrunde.service.features.webhooks.duty import MOST_EACH
from tafelrunde.service.features.webhooks.feature import STORE as WEBHOOKS
from tafelrunde.service.features.webhooks.messages import delivery, ping
from tafelrunde.service.features.webhooks.player_webhooks import PlayerWebhooks, WebhookSpec
from tafelrunde.service.features.webhooks.port import ROOM, Delivery, DeliveryId, Webhook
from tafelrunde.service.matches.setup import NewMatch
from tafelrunde.service.players.accounts import opaque
from tafelrunde.service.redis_store import RedisStores
from tafelrunde.service.settings import LimitSettings, Settings
from tools.commands import CommandLine

ROUNDS = 3
MESSAGES = 3_000
MATCHES = 60
MATCHES_AT_ONCE = 12
PATIENCE_SECONDS = 300.0
LIFE = ("match.created", "match.started", "match.ended")
BOT = BotName("random")
ALLOWED = {"webhook_http": "true", "webhook_networks": "127.0.0.0/8", "webhook_ports": "*"}
OURS = Settings(limits=LimitSettings(rate_limits=False), webhook_http=True, webhook_networks="127.0.0.0/8", webhook_ports="*")
HOST = PlayerId("host")


class Sending(msgspec.Struct, frozen=True, kw_only=True):
    """How fast messages arrived, and how much processor time the sending process took for one."""

    messages: int
    per_second: float
    cpu_ms_each: float


class Webhooks(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of the service and plain httpx, and what arrived from how many matches."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    seconds: float
    service: Sequence[Sending]
    httpx: Sequence[Sending]
    matches: int
    arrived: Mapping[str, int]
    match_seconds: float


class Inbox:
    """Accepts every message over kept-alive connections; counts how many of each type came, each id once."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.types: Counter[str] = Counter()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
                headers = dict(line.split(": ", 1) for line in head[1:] if line)
                body = await reader.readexactly(int(headers["content-length"]))
                if not body:
                    writer.write(self._report())
                elif headers["webhook-id"] not in self.ids:
                    self.ids.add(headers["webhook-id"])
                    self.types[json.loads(body)["type"]] += 1
                if body:
                    writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    def _report(self) -> bytes:
        body = msgspec.json.encode(self.types)
        return b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)


async def receive() -> None:
    """Be the receiver: print the port, and accept messages until the process is ended."""
    server = await asyncio.start_server(Inbox().serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def receiving() -> Generator[str]:
    """Run a receiver in a process of its own, and yield its URL."""
    with subprocess.Popen([sys.executable, "-m", "bench.webhooks", "receive"], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/hook"
        finally:
            process.send_signal(signal.SIGKILL)


async def arrived(url: str, client: httpx.AsyncClient) -> Counter[str]:
    """Return how many messages of each type have arrived."""
    return Counter((await client.post(url, headers={"content-length": "0"})).json())


async def until(url: str, kind: str, count: int) -> Counter[str]:
    """Wait until that number of messages of a type has arrived, or for long enough; return how many of each type have."""
    ends = time.monotonic() + PATIENCE_SECONDS
    async with httpx.AsyncClient() as client:
        while (found := await arrived(url, client))[kind] < count and time.monotonic() < ends:  # noqa: ASYNC110 - the receiver is another process
            await asyncio.sleep(0.01)
    return found


def made(hook: Webhook, count: int) -> Sequence[Delivery]:
    """Return messages for a webhook."""
    now = unix_ms()
    return [delivery(hook, DeliveryId(opaque("msg_")), None, ping(hook, now), now) for _ in range(count)]


async def by_service(service: Service, application: Application, count: int) -> tuple[Sending, Webhook, Sequence[Delivery]]:
    """Let the sweeper send messages that wait; yield them as well."""
    sweeper = service.child("sweeper")
    with receiving() as url:
        hook = await application.get(PlayerWebhooks).make(HOST, url, TYPES, None, None)
        await application.get(PlayerWebhooks).ping(HOST, hook.id)
        await until(url, "webhook.ping", 1)
        hook = await application.get(PlayerWebhooks).change(HOST, hook.id, WebhookSpec(paused=True))
        messages = made(hook, count)
        await WEBHOOKS.of(application.stores).add(messages, unix_ms(), ROOM)
        cpu = cpu_seconds(sweeper)
        began = time.monotonic()
        await application.get(PlayerWebhooks).change(HOST, hook.id, WebhookSpec(paused=False))
        await until(url, "webhook.ping", count + 1)
        found = sending(count, time.monotonic() - began, cpu_seconds(sweeper) - cpu)
        await application.get(PlayerWebhooks).remove(HOST, hook.id)
    return found, hook, messages


def sending(count: int, seconds: float, cpu: float) -> Sending:
    """Return the figures of a stretch."""
    return Sending(messages=count, per_second=round(count / seconds, 1), cpu_ms_each=round(1000 * cpu / count, 3))


async def by_httpx(hook: Webhook, messages: Sequence[Delivery]) -> Sending:
    """Send the same with httpx, with the service's concurrency, over kept-alive connections."""
    with receiving() as url:
        limits = httpx.Limits(max_keepalive_connections=MOST_EACH)
        rest = iter(messages)
        async with httpx.AsyncClient(limits=limits) as client:

            async def send() -> None:
                for message in rest:
                    headers = signing.headers(hook, message, time.time_ns() // 1_000_000)
                    assert (await client.post(url, headers=headers, content=message.body)).is_success

            cpu, began = time.process_time(), time.monotonic()
            await asyncio.gather(*(send() for _ in range(MOST_EACH)))
            return sending(len(messages), time.monotonic() - began, time.process_time() - cpu)


async def played(application: Application, number: int) -> None:
    """Run a match of bots to its end; the sweeper and the workers play it."""
    new = NewMatch(game=GameId("coup"), seats=4, seat=None, bots={Seat(seat): BOT for seat in range(4)}, start=True)
    match = (await application.matches.open(HOST, new, f"open-{number}-{time.time_ns()}")).match
    while not (await application.repository.load_latest(match)).match.status.finished:  # noqa: ASYNC110 - the match is played by other processes
        await asyncio.sleep(0.05)


async def of_matches(application: Application, count: int) -> tuple[Mapping[str, int], float]:
    """Run matches, a few at a time; return how many messages of each kind about them arrived, and how long it took."""
    places = asyncio.Semaphore(MATCHES_AT_ONCE)

    async def one(number: int) -> None:
        async with places:
            await played(application, number)

    with receiving() as url:
        await application.get(PlayerWebhooks).make(HOST, url, TYPES, None, None)
        began = time.monotonic()
        await asyncio.gather(*map(one, range(count)))
        found = await until(url, "match.ended", count)
        return dict(found), time.monotonic() - began


async def measure(service: Service, rounds: int, messages: int, matches: int) -> Webhooks:
    """Measure all of it."""
    began = time.monotonic()
    ours: list[Sending] = []
    plain: list[Sending] = []
    async with await RedisStores.connect(service.redis_url) as stores:
        application = Application(stores, OURS)
        for _ in range(rounds):
            found, hook, sent = await by_service(service, application, messages)
            ours.append(found)
            plain.append(await by_httpx(hook, sent))
        arrived, match_seconds = await of_matches(application, matches)
    return Webhooks(
        day=today(),
        commit=commit(),
        machine=machine(),
        seconds=time.monotonic() - began,
        service=ours,
        httpx=plain,
        matches=matches,
        arrived=arrived,
        match_seconds=round(match_seconds, 1),
    )


def text_of(found: Webhooks) -> str:
    """Return the figures for people."""
    return sheet(f"Webhooks of {found.day}, commit {found.commit}", found.machine, found.seconds, [_speed(found), _life(found)])


def _speed(found: Webhooks) -> Iterator[str]:
    yield f"Messages to one receiver that takes everything, {MOST_EACH} at once: by the service, which signs, notes each in the"
    yield "store, and reads the next ones from there; and the same bytes by httpx alone, signed. Processor time is that of the"
    yield "sending process. Receiver, store and sender shared the machine."
    yield ""
    rows = [
        (
            side,
            str(each.messages),
            f"{each.per_second:.0f}",
            f"{each.cpu_ms_each:.2f}",
            f"{ours.per_second / each.per_second:.2f}",
        )
        for ours, other in zip(found.service, found.httpx, strict=True)
        for side, each in (("service", ours), ("httpx", other))
    ]
    yield from table(("", "messages", "a second", "ms of processor each", "service / this"), rows)


def _life(found: Webhooks) -> Iterator[str]:
    yield f"{found.matches} matches of Coup with four bots, {MATCHES_AT_ONCE} at a time, {found.match_seconds} s. What arrived:"
    yield ""
    expected = {kind: str(found.matches) for kind in LIFE}
    yield from table(("message", "arrived", "of"), [(kind, str(n), expected.get(kind, "")) for kind, n in found.arrived.items()])


def main() -> None:
    """Measure, print, write; with `--small` a little only."""
    command = CommandLine(__doc__)
    command.add_argument("--small", action="store_true", help="a little only, to see that it works")
    command.add_argument("receive", nargs="?", choices=["receive"], help="only receive, in a process of its own")
    if command.parse_args().receive:
        asyncio.run(receive())
        return
    with serving(bot_pause_ms=0, **ALLOWED) as service, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        found = runner.run(measure(service, *size((ROUNDS, MESSAGES, MATCHES), (1, 100, 2))))
    lost = {kind: found.matches - found.arrived.get(kind, 0) for kind in LIFE if found.arrived.get(kind, 0) != found.matches}
    keep("webhooks", found, text_of(found))
    if lost:
        sys.exit(f"Not everything arrived: {lost}")


if __name__ == "__main__":
    main()
