"""The connection to one server: raw commands, scripts by their digest, few retries, and every failure under our own names."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Protocol, cast

import structlog
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.driver_info import DriverInfo
from redis.exceptions import (
    AskError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
)
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TimedOut

from ..errors import StoreError, StoreReplaced, StoreUnavailable
from ..ports.events import Shard
from . import keys
from .address import Sentinels, Single
from .circuit_breaker import CircuitBreaker, timed_out
from .connections import TRY_SECONDS, connections, hand_over, quick
from .link import Links, Opening, Replies, Reply, Value, pack
from .refusals import keys_of, our_errors, sound, translate
from .script import WRITE, Script
from .store_client import Streams
from .subscription import Subscription, subscribe
from .time_estimate import TimeEstimate

# A request must not wait for minutes: at most three tries of two seconds, where the library's default is eleven of five.
# What comes after it waits for one probe of two seconds at most (`CircuitBreaker`).
RETRIES = 2
CONNECTIONS = 64
_BACKOFF = ExponentialWithJitterBackoff(base=0.02, cap=0.5)
BLOCKED = 1_000
"""The maximum number of blocking reads at a time, far more than a process has."""
WAIT_FOR_CONNECTION_SECONDS = 2.0
BLOCK_MARGIN_SECONDS = 5.0

_TIME = ("TIME",)
"""What a server answers in every state, also one that refuses PING as it cannot write to its disk."""

DRIVER = DriverInfo()
"""What a connection says of the library. Otherwise each looks its version up in the installed packages, which takes 1 ms."""

log = structlog.get_logger(__name__)


class _Pipeline(Protocol):
    def execute_command(self, *command: Value) -> object: ...
    def execute(self, raise_on_error: bool = ...) -> Awaitable[Replies]: ...


class _Client(Protocol):
    def execute_command(self, *command: Value) -> Awaitable[Reply]: ...
    def pipeline(self, transaction: bool = ...) -> _Pipeline: ...
    def aclose(self) -> Awaitable[None]: ...


class Client:
    """Two clients of one server: requests go over a pool with short timeouts, blocking reads over connections of their own.

    Every method raises StoreUnavailable if the server does not answer or refuses to. Once the deployment is set
    (`belong_to`), they raise StoreReplaced while the server holds another deployment's data, or none; no write reaches that.
    `time` is the server's.
    """

    groups: Sequence[Sequence[Shard]] = (keys.ALL_SHARDS,)
    channel = keys.CHANNEL

    def __init__(self, where: str | Single | Sentinels, tries: int = RETRIES + 1) -> None:
        self.time = TimeEstimate()
        self.id_names: Sequence[str] = (keys.DEPLOYMENT,)
        self._id_key: bytes | None = None
        self._deployment = ""
        self._replaced = False
        self._closed = False
        server = Single(where) if isinstance(where, str) else where
        self._tries = tries
        pool = _pool(server, tries)
        self._requests = _raw(Redis.from_pool(pool))
        self._connect = partial(hand_over, pool)
        self._subscriptions: set[Subscription] = set()
        self._blocking = _blocking(server)
        self._breaker = CircuitBreaker(self._answer)
        self._links = Links(self._connect, self._opening, TRY_SECONDS)
        self._sending: set[asyncio.Future[Replies]] = set()

    @property
    def times(self) -> Sequence[TimeEstimate]:
        """The time of the server."""
        return (self.time,)

    def clock_of(self, shard: Shard) -> str:
        return keys.CLOCK

    async def belong_to(self, id_key: bytes, *, accept: bool) -> None:
        """From now on refuse to work with data of any deployment other than the one with this id key."""
        self.know(id_key)

    def know(self, id_key: bytes) -> None:
        """Compare what the server holds with this id key from now on."""
        self._id_key = id_key
        self._deployment = deployment_of(id_key)
        self.channel = f"{keys.CHANNEL}:{self._deployment}"

    async def measure(self) -> None:
        """Measure the server's time now."""
        self.time.forget()
        await self.call(*_TIME)

    async def call(self, *command: Value) -> Reply:
        return sound((await self._replies(pack((command,)), 1))[0], keys_of(command))

    async def everywhere(self, *command: Value) -> list[Reply]:
        """Return the reply of the server. Same rule as for `call`."""
        return [await self.call(*command)]

    async def write(self, command: str, key: str, *arguments: Value) -> Reply:
        return await self.run(WRITE, (key,), (command, *arguments))

    async def together(self, commands: Iterable[Sequence[Value]]) -> list[Reply]:
        """Return the replies to commands that follow each other. Same rule as for `call`: all of them may be sent twice."""
        sent = list(commands)
        replies = await self._replies(pack(sent), len(sent)) if sent else []
        return [sound(reply, keys_of(command)) for command, reply in zip(sent, replies, strict=True)]

    async def run(self, script: Script, keys: Sequence[Value], arguments: Iterable[Value]) -> Reply:
        command = pack((("EVALSHA", script.digest, len(keys), *keys, *arguments, self.guard_argument(keys)),))
        reply = (await self._replies(command, 1))[0]
        if isinstance(reply, NoScriptError):  # both go over one connection: after a failover another may lead elsewhere
            reply = (await self._replies(pack((script.loading,)) + command, 2))[1]
        return sound(reply, keys)

    async def run_everywhere(self, script: Script) -> None:
        await self.run(script, (), ())

    async def run_and_wait(
        self, script: Script, keys: Sequence[Value], arguments: Iterable[Value], replicas: int, wait_ms: int
    ) -> Reply:
        command = ("EVALSHA", script.digest, len(keys), *keys, *arguments, self.guard_argument(keys))
        commands = (command, ("WAIT", replicas, wait_ms))
        reply, reached = await self._apart(commands)
        if isinstance(reply, NoScriptError):
            _, reply, reached = await self._apart((script.loading, *commands))
        result = sound(reply, keys)
        if number(sound(reached)) < replicas:
            raise StoreUnavailable(f"not on {replicas} replica(s) within {wait_ms} ms")
        return result

    async def apart(self, commands: Iterable[Sequence[Value]]) -> list[Reply]:
        """Return the replies to commands over a connection that nothing else uses: WAIT holds up what follows."""
        return [sound(reply) for reply in await self._apart(commands)]

    async def read(self, streams: Streams, limit: int, block_ms: int) -> list[Reply]:
        """Return at most *limit* entries of each stream, waiting up to *block_ms* (0: not at all) for the first."""
        which = ("STREAMS", *streams, *streams.values())
        if block_ms == 0:  # to the server BLOCK 0 means forever
            return items(await self.call("XREAD", "COUNT", limit, *which))
        return items(await self._block(block_ms, "XREAD", "COUNT", limit, "BLOCK", block_ms, *which))

    async def listen(self, hear: Callable[[bytes], None]) -> asyncio.Future[None]:
        subscription = Subscription(self.channel, hear)
        with our_errors():
            self._require_open()
            await subscribe(subscription, self._connect, TRY_SECONDS)
        self._subscriptions.add(subscription)
        subscription.ended.add_done_callback(lambda _: self._subscriptions.discard(subscription))
        return subscription.ended

    async def _block(self, block_ms: int, *command: Value) -> Reply:
        """Return the reply to a command that the server holds back for up to *block_ms*; never repeated."""
        if self._replaced:
            await self.call(*_TIME)
        with our_errors():
            self._require_open()
            async with asyncio.timeout(block_ms / 1000 + BLOCK_MARGIN_SECONDS):
                return await self._blocking.execute_command(*command)

    async def close(self) -> None:
        """Close all connections, after commands in flight for callers that have gone."""
        if under_way := {*self._sending}:
            await asyncio.wait(under_way, timeout=TRY_SECONDS)
        self._closed = True
        self._breaker.close()
        for each in list(self._subscriptions):
            each.close()
        await self._links.close()
        await self._requests.aclose()
        await self._blocking.aclose()

    def guard_argument(self, names: Sequence[Value]) -> str:
        """Return the argument of the guard: the deployment, and which key of this slot names it."""
        return self._deployment

    async def _replies(self, commands: bytes, count: int) -> Replies:
        """Return the replies to packed commands, errors of single commands among them; tried as often as this client tries."""
        failures = 0
        while True:
            try:
                self._require_open()
                if self._breaker.open:
                    await self._breaker.pass_through()
                return await self._links.ask(commands, count)
            except (Disconnected, ReadOnlyError, TimedOut) as error:
                failures += 1
                if failures >= self._tries or self._closed or self._breaker.open:
                    raise self._given_up(error) from error
            except RedisError as error:
                raise translate(error) from error
            await asyncio.sleep(_BACKOFF.compute(failures))

    async def _apart(self, commands: Iterable[Sequence[Value]]) -> Replies:
        """Send commands from a task of their own. The library sometimes swallows a cancellation; the caller must not."""
        sending = asyncio.ensure_future(self._pipeline(commands))
        self._sending.add(sending)
        sending.add_done_callback(self._forget)
        with our_errors():
            return await asyncio.shield(sending)

    def _forget(self, sending: asyncio.Future[Replies]) -> None:
        self._sending.discard(sending)
        if not sending.cancelled():
            sending.exception()  # the caller may have gone

    async def _pipeline(self, commands: Iterable[Sequence[Value]]) -> Replies:
        """Send commands over a connection of the pool, after the same opening as everything."""
        self._require_open()
        if self._breaker.open:
            await self._breaker.pass_through()
        if self._replaced:
            await self.call(*_TIME)
        opening = self._opening()
        pipeline = self._requests.pipeline(transaction=False)
        for command in (*opening.commands, *commands):
            pipeline.execute_command(*command)
        try:
            replies = await pipeline.execute(raise_on_error=False)
        except (Disconnected, TimedOut) as error:
            raise self._given_up(error) from error
        opening.hear(replies[: len(opening.commands)])
        return replies[len(opening.commands) :]

    def _given_up(self, error: RedisError) -> StoreError:
        """Return the error of the last try by our own name; open the circuit breaker if the server did not answer."""
        if timed_out(error):
            self._breaker.trip()
        return translate(error)

    def _require_open(self) -> None:
        """Refuse to open connections again: a node that leaves its cluster is closed while commands wait for it."""
        if self._closed:
            raise Disconnected("the connections to this server are closed")

    async def _answer(self) -> None:
        """Wait for one answer of the server, whatever it is; raise a timeout if none comes in the time of one try."""
        async with asyncio.timeout(TRY_SECONDS):
            await self._blocking.execute_command("PING")

    def _opening(self) -> Opening:
        """Return what is asked before all else: whose data the server holds and, now and then, its time."""
        asks_time = self.time.stale
        id_names = self.id_names[:1] if self._id_key is not None else ()
        asked_ms = self.time.steady_ms() if asks_time else 0.0

        def hear(replies: Replies) -> None:
            rest = iter(replies)
            if asks_time and isinstance(time := next(rest), list):
                seconds, micros = (int(text(each)) for each in time)
                self.time.note(1000 * seconds + micros / 1000, asked_ms)
            for name, id_key in zip(id_names, rest, strict=True):
                self._look_at(name, id_key)

        return Opening((*((_TIME,) if asks_time else ()), *(("HGET", name, keys.ID_KEY) for name in id_names)), hear)

    def _look_at(self, name: str, id_key: Reply | Exception) -> None:
        """Compare the id key under that name; if its slot is on its way to another server, the next batch takes another name."""
        if isinstance(id_key, AskError):
            self.id_names = [each for each in self.id_names if each != name]
        else:
            self._compare(sound(id_key))

    def _compare(self, id_key: Reply) -> None:
        """Raise StoreReplaced unless the server holds this deployment's data; log each change once."""
        if (replaced := id_key != self._id_key) is not self._replaced:
            self._replaced = replaced
            if replaced:
                log.error("store was replaced or emptied: restart this process to accept it")
            else:
                log.info("store is the former one again")
        if replaced:
            raise StoreReplaced


def _pool(server: Single | Sentinels, tries: int) -> BlockingConnectionPool:
    pool = connections(
        server,
        max_connections=CONNECTIONS,
        timeout=WAIT_FOR_CONNECTION_SECONDS,
        socket_timeout=TRY_SECONDS,
        socket_connect_timeout=TRY_SECONDS,
        retry=Retry(_BACKOFF, tries - 1),
        protocol=2,
        driver_info=DRIVER,
    )
    pool.connection_class = quick(pool.connection_class)
    return pool


def _blocking(server: Single | Sentinels) -> _Client:
    return _raw(
        Redis.from_pool(
            connections(
                server,
                max_connections=BLOCKED,
                timeout=WAIT_FOR_CONNECTION_SECONDS,
                socket_timeout=None,
                socket_connect_timeout=TRY_SECONDS,
                retry=Retry(NoBackoff(), 0),
                protocol=2,
                driver_info=DRIVER,
            )
        )
    )


def _raw(client: Redis) -> _Client:
    """Return the client with the library's parsing of replies removed, as it differs between commands, protocols and releases."""
    client.response_callbacks.clear()
    return cast("_Client", client)


def deployment_of(id_key: bytes) -> str:
    """Return a public name for a deployment, as its id key is secret."""
    return hashlib.sha1(id_key, usedforsecurity=False).hexdigest()


def number(reply: Reply) -> int:
    """Return a reply that is an integer."""
    assert isinstance(reply, int)
    return reply


def text(reply: Reply) -> str:
    """Return a reply that is text."""
    assert isinstance(reply, bytes)
    return reply.decode()


def items(reply: Reply) -> list[Reply]:
    """Return a reply that is a list; nothing counts as an empty one."""
    if reply is None:
        return []
    assert isinstance(reply, list)
    return reply
