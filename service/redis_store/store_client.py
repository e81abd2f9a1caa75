"""What the stores need of their server, be it one or a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

from ..ports.events import Shard
from .link import Reply, Value
from .script import Script
from .time_estimate import TimeEstimate

Streams: TypeAlias = "Mapping[str, str]"
"""Streams to read, each with the id after which to read it."""


class StoreClient(Protocol):
    """What the stores need of the server, which may be a cluster of several.

    Every method raises StoreUnavailable if the server does not answer or refuses to.
    """

    @property
    def time(self) -> TimeEstimate:
        """The time by which the deployment goes."""
        ...

    @property
    def times(self) -> Sequence[TimeEstimate]:
        """The time of every primary, `time` among them."""
        ...

    @property
    def groups(self) -> Sequence[Sequence[Shard]]:
        """All shards, those together that one script may touch."""
        ...

    @property
    def channel(self) -> str:
        """The channel on which an append publishes its line of the shard's log."""
        ...

    def clock_of(self, shard: Shard) -> str:
        """Return the name of the key with the latest time that was seen, in a shard's slot."""
        ...

    async def belong_to(self, id_key: bytes, *, accept: bool) -> None:
        """Refuse from now on to work with the data of any other deployment than that with this id key.

        With *accept*, a server of a cluster that came back empty belongs to it from now on.
        """
        ...

    async def measure(self) -> None:
        """Measure the time of every primary now."""
        ...

    async def call(self, *command: Value) -> Reply:
        """Return the reply to one command that reads. It may be sent twice if a reply is lost."""
        ...

    async def everywhere(self, *command: Value) -> list[Reply]:
        """Return the replies of all primaries to a command without a key. Same rule as for `call`."""
        ...

    async def write(self, command: str, key: str, *arguments: Value) -> Reply:
        """Return the reply to one command that writes a key. Same rule as for `call`, so it must be safe to repeat."""
        ...

    async def together(self, commands: Iterable[Sequence[Value]]) -> list[Reply]:
        """Return the replies to commands sent in one round trip; others may come in between. Same rule as for `call`."""
        ...

    async def run(self, script: Script, keys: Sequence[Value], arguments: Iterable[Value]) -> Reply:
        """Return what a script returns; it is loaded if the server does not have it (any more)."""
        ...

    async def run_everywhere(self, script: Script) -> None:
        """Run a script without keys on every primary."""
        ...

    async def run_and_wait(
        self, script: Script, keys: Sequence[Value], arguments: Iterable[Value], replicas: int, wait_ms: int
    ) -> Reply:
        """Run a script, then wait on the same connection until that number of replicas have what it wrote."""
        ...

    async def read(self, streams: Streams, limit: int, block_ms: int) -> list[Reply]:
        """Return at most *limit* entries of each stream, as XREAD does; wait up to *block_ms* (0: not at all) for the first."""
        ...

    async def listen(self, hear: Callable[[bytes], None]) -> asyncio.Future[None] | None:
        """Have *hear* called with what is published on the channel, until the future ends or is cancelled; None if it cannot."""
        ...

    async def close(self) -> None:
        """Close all connections, after what is still under way for callers that have gone."""
        ...
