"""Pools of connections to one server, or to the primary that Sentinels name at the moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, cast

import hiredis
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.typing import EncodableT

from .address import Sentinels, Single

TRY_SECONDS = 2.0
"""How long one try to reach a server, or to get an answer, may take."""


class Taker(Protocol):
    """What takes over an open connection: a link, or a subscription."""

    def begin(self, writer: asyncio.StreamWriter) -> None:
        """Take it over."""
        ...


class _Handed(Protocol):
    async def hand_over(self, link: Taker) -> None: ...


class _Asked(Sentinel):
    """Sentinels that are asked once for all who open a connection: the library's list loses one when two ask at a time."""

    _asking: asyncio.Task[tuple[str, int]] | None = None

    async def discover_master(self, service_name: str) -> tuple[str, int]:
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(super().discover_master(service_name))  # pyright: ignore[reportUnknownArgumentType] - the library leaves it untyped
            self._asking.add_done_callback(lambda asked: asked.cancelled() or asked.exception())  # all callers may have gone
        return await asyncio.shield(self._asking)


class _SentinelPool(SentinelConnectionPool, BlockingConnectionPool):
    """Connections to the primary that Sentinels name; a bounded number, for which callers wait."""

    async def disconnect(self, inuse_connections: bool = True) -> None:
        """Close the connections; with all of them those to the Sentinels, which the library leaves open."""
        await super().disconnect(inuse_connections)
        if inuse_connections:
            sentinels = cast("Sequence[Redis]", self.sentinel_manager.sentinels)  # pyright: ignore[reportUnknownMemberType] - the library leaves the list untyped
            for each in sentinels:
                await each.aclose()


def connections(server: Single | Sentinels, **options: Any) -> BlockingConnectionPool:
    """Return a pool of connections to one server, or to the primary that Sentinels name; *options* are the library's keywords."""
    if isinstance(server, Single):
        return BlockingConnectionPool.from_url(server.url, **options)  # pyright: ignore[reportUnknownMemberType] - the library leaves keywords untyped
    patience = {"socket_timeout": TRY_SECONDS, "socket_connect_timeout": TRY_SECONDS, "retry": Retry(NoBackoff(), 0)}
    tls = {"ssl": True} if server.tls else {}
    asked = _Asked(server.hosts, sentinel_kwargs={**patience, **tls, **server.login})
    return _SentinelPool(
        server.name, asked, db=server.database, username=server.username, password=server.password, **tls, **options
    )


def quick(connection: type[AbstractConnection]) -> type[AbstractConnection]:
    """Return a connection that lets hiredis pack commands, which the library does in its blocking client only.

    It does not multiply tries: the library would connect again three times in each of the three tries of a command.
    And it can be handed over to a link, once it is connected and logged in.
    """

    class Quick(connection):
        async def hand_over(self, link: Taker) -> None:
            self.retry = Retry(NoBackoff(), 0)
            try:
                await self.connect()
            except BaseException:
                await self.disconnect(nowait=True)
                raise
            writer = self._writer
            self._reader = None
            self._writer = None
            assert writer is not None
            link.begin(writer)

        async def connect_check_health(self, check_health: bool = True, retry_socket_connect: bool = True) -> None:
            await super().connect_check_health(check_health, retry_socket_connect=False)

        def pack_command(self, *args: EncodableT) -> list[bytes]:
            return [_pack(args)]

        def pack_commands(self, commands: Iterable[Iterable[EncodableT]]) -> list[bytes]:
            return [b"".join([_pack(tuple(command)) for command in commands])]

    return Quick


_pack = cast("Callable[[tuple[EncodableT, ...]], bytes]", hiredis.pack_command)  # pyright: ignore[reportUnknownMemberType] - its stub knows tuples of one only


async def hand_over(pool: BlockingConnectionPool, link: Taker) -> None:
    """Give a link, or what else takes it, a connection of its own, as the pool would open one. Raises what the library raises."""
    connection = cast("_Handed", pool.make_connection())
    await connection.hand_over(link)
