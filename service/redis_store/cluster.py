"""A cluster of servers behind the face of one: every command goes to the primary of its key's slot, as commands to one server do.

The map of slots is read when it is first needed, when a server sends a command elsewhere, and when one does not answer. A slot on
its way to another server (ASK, TRYAGAIN) and a failover are waited out for `RIDE_SECONDS`; so every command may be sent twice,
which all of them allow.

Scripts, XREAD and the guard stay in one slot: a shard's. Readers of logs are woken by a message that every append publishes; one
that is lost costs them `LOOK_SECONDS`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

from redis.crc import key_slot
from redis.exceptions import AskError, MovedError, NoScriptError

from ..errors import StoreError, StoreUnavailable
from ..ports.events import Shard
from . import keys
from .address import Cluster, HostPort
from .client import Client, items, number, text
from .link import Reply, Value
from .script import WRITE, Script
from .store_client import Streams
from .time_estimate import TimeEstimate
from .wake_ups import WakeUps

T = TypeVar("T")
SLOTS = 16_384
RIDE_SECONDS = 6.0
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.02, 0.1
"""The pauses between two tries. All that wait share one read of the map of slots, so short pauses cost little."""
LOOK_SECONDS = 0.5
END_SECONDS = 0.4
"""How long a log without wake-ups counts as read to its end: less than `LOOK_SECONDS`, after which all are read again."""
_PASSING = {"", "CLUSTERDOWN", "TRYAGAIN", "MASTERDOWN", "READONLY"}
"""Refusals that a change of the cluster brings with it and ends."""


class Node(Client):
    """One primary. Its scripts are guarded by the copy of the id key in the slot of their first key, if that slot has one."""

    def guard_argument(self, names: Sequence[Value]) -> str:
        """Return whose data it must be, and where that is written in this slot."""
        suffix = keys.copy_of(names[0]) if names else ""
        return self._deployment + suffix if suffix and self._deployment else ""


class _At(NamedTuple):
    """The node to ask, and what to say *before*: one that takes over a slot on its way wants to be asked to."""

    node: Client
    before: Sequence[Sequence[Value]] = ()

    async def ask(self, command: Sequence[Value], load: Sequence[Sequence[Value]] = ()) -> Reply:
        return (await self.node.together((*load, *self.before, command)))[-1]

    async def ask_and_wait(self, command: Sequence[Value], load: Sequence[Sequence[Value]], replicas: int, wait_ms: int) -> Reply:
        """Raise StoreUnavailable if that number of replicas does not have it in time."""
        *_, reply, reached = await self.node.apart((*load, *self.before, command, ("WAIT", replicas, wait_ms)))
        if number(reached) < replicas:
            raise StoreUnavailable(f"not on {replicas} replica(s) within {wait_ms} ms")
        return reply


class _End(NamedTuple):
    """A stream had nothing after this position at that time, and after that number of wake-ups."""

    position: str
    seen: int
    read_at: float


_ASKING = (("ASKING",),)
Ask = Callable[[_At], Awaitable[T]]


class ClusterClient:
    """The primaries of a cluster."""

    groups: Sequence[Sequence[Shard]] = tuple((shard,) for shard in keys.ALL_SHARDS)
    channel = keys.CHANNEL

    def __init__(self, address: Cluster) -> None:
        self._address = address
        self._id_key: bytes | None = None
        self._nodes: dict[HostPort, Client] = {}
        self._slots: list[Client | None] = [None] * SLOTS
        self._reading: asyncio.Task[None] | None = None
        self._readings = 0
        self._closing: set[asyncio.Task[None]] = set()
        self._before = TimeEstimate()
        self._wake_ups = WakeUps(self._node_urls, keys.CHANNEL)
        self._ends: dict[str, _End] = {}

    @property
    def time(self) -> TimeEstimate:
        """The time of the primary that has the key `deployment`."""
        home = self._slots[_slot(keys.DEPLOYMENT)]
        return self._before if home is None else home.time

    @property
    def times(self) -> Sequence[TimeEstimate]:
        return [node.time for node in self._primaries()]

    def clock_of(self, shard: Shard) -> str:
        return f"{keys.CLOCK}:{keys.tag(shard)}"

    async def belong_to(self, id_key: bytes, *, accept: bool) -> None:
        """Refuse from now on to work with the data of any other deployment; every slot with a hash tag gets a copy of the key.

        Without *accept* none is written: a server that came back empty stays refused.
        """
        if accept:
            await self.together(("HSETNX", name, keys.ID_KEY, id_key) for name in keys.COPIES)
        self._id_key = id_key
        for node in self._nodes.values():
            node.know(id_key)

    async def measure(self) -> None:
        await self._ride_all(lambda node: node.measure())

    async def call(self, *command: Value) -> Reply:
        """Return the reply to one command that reads; one without a key goes to any primary."""
        return await self._ride(_key_of(command), lambda at: at.ask(command))

    async def everywhere(self, *command: Value) -> list[Reply]:
        """Return the replies of all primaries to a command without a key; none is missing when one was just replaced."""
        return await self._ride_all(lambda node: node.call(*command))

    async def write(self, command: str, key: str, *arguments: Value) -> Reply:
        return await self.run(WRITE, (key,), (command, *arguments))

    async def together(self, commands: Iterable[Sequence[Value]]) -> list[Reply]:
        """Return the replies to commands, sent in one round trip to each primary; one by one where a slot has moved."""
        await self._ensure_map()
        sent = list(commands)
        replies: list[Reply] = [None] * len(sent)
        parts: dict[int, list[int]] = {}
        nodes: dict[int, Client | None] = {}
        for place, command in enumerate(sent):
            node = self._slots[_slot(_key_of(command))]
            parts.setdefault(id(node), []).append(place)
            nodes[id(node)] = node
        found = await asyncio.gather(*(self._part(nodes[each], [sent[place] for place in part]) for each, part in parts.items()))
        for part, answers in zip(parts.values(), found, strict=True):
            for place, answer in zip(part, answers, strict=True):
                replies[place] = answer
        return replies

    async def run(self, script: Script, keys: Sequence[Value], arguments: Iterable[Value]) -> Reply:
        facts = tuple(arguments)
        return await self._ride(keys[0], lambda at: self._run(at, script, keys, facts))

    async def run_everywhere(self, script: Script) -> None:
        await self._ride_all(lambda node: node.run(script, (), ()))

    async def run_and_wait(
        self, script: Script, keys: Sequence[Value], arguments: Iterable[Value], replicas: int, wait_ms: int
    ) -> Reply:
        """Run a script, then wait until that number of the primary's replicas have what it wrote."""
        facts = tuple(arguments)
        return await self._ride(keys[0], lambda at: self._run(at, script, keys, facts, (replicas, wait_ms)))

    async def read(self, streams: Streams, limit: int, block_ms: int) -> list[Reply]:
        """Return at most *limit* entries of each stream, waiting up to *block_ms* (0: not at all) for the first."""
        if block_ms == 0:
            return await self._read(streams, limit)
        seen = await self._wake_ups.count_seen()
        found = await self._read_due(streams, limit, seen)
        until = asyncio.get_running_loop().time() + block_ms / 1000
        while not found and (left := until - asyncio.get_running_loop().time()) > 0:
            await self._wake_ups.after(seen, min(left, LOOK_SECONDS))
            seen = await self._wake_ups.count_seen()
            found = await self._read_due(streams, limit, seen)
        return found

    async def listen(self, hear: Callable[[bytes], None]) -> None:
        """Return nothing: servers of a cluster pass messages on without a promise, so readers look for themselves."""

    async def close(self) -> None:
        await self._wake_ups.close()
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError, StoreError):
                await self._reading
        await asyncio.gather(*self._closing, *(node.close() for node in self._nodes.values()))

    async def _read_due(self, streams: Streams, limit: int, seen: int) -> list[Reply]:
        """Read those of the streams that may have something: of a message, or because they were last read too long ago."""
        now = asyncio.get_running_loop().time()
        due = {name: after for name, after in streams.items() if not self._is_at_end(name, after, now)}
        found = await self._read(due, limit)
        going_on = {text(items(each)[0]) for each in found}
        self._ends |= {name: _End(after, seen, now) for name, after in due.items() if name not in going_on}
        return found

    def _is_at_end(self, name: str, after: str, now: float) -> bool:
        end = self._ends.get(name)
        return (
            end is not None
            and end.position == after
            and now - end.read_at < END_SECONDS
            and self._wake_ups.last(name) <= end.seen
        )

    async def _read(self, streams: Streams, limit: int) -> list[Reply]:
        asked = (("XREAD", "COUNT", limit, "STREAMS", name, after) for name, after in streams.items())
        return [stream for reply in await self.together(asked) for stream in items(reply)]

    async def _run(
        self, at: _At, script: Script, names: Sequence[Value], facts: Sequence[Value], wait: tuple[int, int] | None = None
    ) -> Reply:
        """Run a script on a node, then wait for that many replicas for that many milliseconds: others go on."""
        guarded = at.node.guard_argument(names)
        declared = (*names, keys.absent(keys.copy_of(names[0]))) if guarded else names
        command = ("EVALSHA", script.digest, len(declared), *declared, *facts, guarded)

        def ask(*load: Sequence[Value]) -> Awaitable[Reply]:
            return at.ask(command, load) if wait is None else at.ask_and_wait(command, load, *wait)

        try:
            return await ask()
        except StoreError as error:
            if not isinstance(error.__cause__, NoScriptError):
                raise
        return await ask(script.loading)

    async def _part(self, node: Client | None, commands: Sequence[Sequence[Value]]) -> Sequence[Reply]:
        """Return the replies of one primary; each command goes its own way if not all go well."""
        if node is not None:
            with suppress(StoreError):
                return await node.together(commands)
        return await asyncio.gather(*(self.call(*command) for command in commands))

    async def _ride(self, key: Value, ask: Ask[T]) -> T:
        """Return the answer of the primary of a key."""
        return await self._riding(lambda: self._at(key, ask))

    async def _ride_all(self, ask: Callable[[Client], Awaitable[T]]) -> list[T]:
        """Return the answers of all primaries; all are asked again if one fails."""
        return await self._riding(lambda: asyncio.gather(*map(ask, self._primaries())))

    async def _riding(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Return what is asked for, through redirections and, for a while, through a failover."""
        until = asyncio.get_running_loop().time() + RIDE_SECONDS
        pause = FIRST_PAUSE_SECONDS
        while True:
            await self._ensure_map()
            try:
                return await ask()
            except StoreError as error:
                moved = isinstance(error.__cause__, AskError)  # or to be asked elsewhere, again and again
                passing = moved or (isinstance(error, StoreUnavailable) and error.refusal in _PASSING)
                if not passing:
                    raise
                if asyncio.get_running_loop().time() > until:
                    if moved:  # a server that was cut off sends to one that sends back: it passes
                        raise StoreUnavailable("the servers of the cluster do not agree who has a slot", "CLUSTERDOWN") from error
                    raise
            await self._map_again()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    async def _at(self, key: Value, ask: Ask[T]) -> T:
        node = self._slots[_slot(key)]
        if node is None:
            raise StoreUnavailable("no server has this slot", "CLUSTERDOWN")
        try:
            return await ask(_At(node))
        except StoreError as error:
            elsewhere = error.__cause__
            if not isinstance(elsewhere, AskError) or isinstance(elsewhere, MovedError):
                raise
        return await ask(_At(self._node((str(elsewhere.host), elsewhere.port)), _ASKING))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] - the library leaves it untyped

    async def _ensure_map(self) -> None:
        """Read the map of slots if it was never read."""
        if not self._nodes:
            await self._map_again()

    async def _map_again(self) -> None:
        """Read the map of slots. Concurrent callers share one read."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read_map())
        await asyncio.shield(self._reading)

    async def _read_map(self) -> None:
        """Ask one server after the other, a different one first each time: one that is cut off from the others still answers."""
        failed: StoreError | None = None
        known = list(dict.fromkeys((*self._nodes, *self._address.hosts)))
        self._readings += 1
        first = self._readings % len(known)
        for address in (*known[first:], *known[:first]):
            probe = Client(self._address.url_of(address), tries=1)
            try:
                if ranges := items(await probe.call("CLUSTER", "SLOTS")):
                    self._take_over(ranges, address)
                    return
                failed = StoreUnavailable("a server that was named knows of no cluster", "CLUSTERDOWN")  # it was removed from it
            except StoreError as error:
                failed = error
            finally:
                await probe.close()
        raise failed or StoreUnavailable("no server of the cluster answers")

    def _take_over(self, ranges: Sequence[Reply], asked: HostPort) -> None:
        slots: list[Client | None] = [None] * SLOTS
        there: set[HostPort] = set()
        for each in ranges:
            first, last, primary, *_ = items(each)
            host, port, *_ = items(primary)
            address = (text(host) if host else asked[0], number(port))
            there.add(address)
            slots[number(first) : number(last) + 1] = [self._node(address)] * (number(last) - number(first) + 1)
        self._slots = slots
        for address in self._nodes.keys() - there:
            closing = asyncio.create_task(self._nodes.pop(address).close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
        for node in self._nodes.values():
            node.id_names = [name for name in keys.COPIES if slots[_slot(name)] is node]

    def _node(self, address: HostPort) -> Client:
        if address not in self._nodes:
            node = Node(self._address.url_of(address), tries=1)
            node.id_names = ()
            if self._id_key is not None:
                node.know(self._id_key)
            self._nodes[address] = node
        return self._nodes[address]

    def _primaries(self) -> Sequence[Client]:
        return list(self._nodes.values())

    def _node_urls(self) -> Sequence[str]:
        return [self._address.url_of(address) for address in self._nodes or self._address.hosts]


def _slot(key: Value) -> int:
    return key_slot(key if isinstance(key, bytes) else str(key).encode())


def _key_of(command: Sequence[Value]) -> Value:
    """Return the key of a command; the name of the deployment's for one without."""
    if command[0] == "XREAD":
        return command[command.index("STREAMS") + 1]
    return command[1] if len(command) > 1 and command[0] not in _KEYLESS else keys.DEPLOYMENT


_KEYLESS = {"CONFIG", "INFO", "SCRIPT", "CLUSTER"}
