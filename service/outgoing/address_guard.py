"""Which addresses the URL of a user may lead to: those of the public internet, and those that the operator allows.

A name is looked up for every attempt, all its addresses are judged, and the connection goes to the judged address itself: a
name that leads elsewhere a moment later changes nothing. The table is our own, as Python's notions differ between its versions.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeAlias

from ..errors import StartupRefused

Address: TypeAlias = "ipaddress.IPv4Address | ipaddress.IPv6Address"
Network: TypeAlias = "ipaddress.IPv4Network | ipaddress.IPv6Network"
Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Resolves a name to all its addresses; raises OSError."""

LOOK_UPS_AT_ONCE = 64

_V6_PUBLIC = ipaddress.IPv6Network("2000::/3")
_V4_IN_LAST_BITS = (ipaddress.IPv6Network("::ffff:0:0/96"), ipaddress.IPv6Network("64:ff9b::/96"))
_REFUSED: tuple[Network, ...] = tuple(
    ipaddress.ip_network(each)
    for each in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # behind a carrier's translation
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # the inside of a cloud
        "169.254.0.0/16",  # link-local, and metadata of clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # sinks for reverse look-ups
        "192.52.193.0/24",  # relays of multicast
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # sinks for reverse look-ups
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
        "2001::/23",  # protocols, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which has any IPv4 address inside
        "2620:4f:8000::/48",  # sinks for reverse look-ups
        "3fff::/20",  # documentation
    )
)


class Unreachable(Exception):
    """A URL leads to no address that may be reached."""


def networks(text: str) -> tuple[Network, ...]:
    """Return the networks of a comma-separated setting; raise StartupRefused."""
    try:
        return tuple(ipaddress.ip_network(each.strip()) for each in text.split(",") if each.strip())
    except ValueError as error:
        raise StartupRefused(f"TAFELRUNDE_WEBHOOK_NETWORKS is {text!r}, which does not work: {error}.") from error


class Guard:
    """Checks addresses; *allowed* are networks that may be reached although they are not public."""

    def __init__(self, allowed: Sequence[Network] = ()) -> None:
        self._allowed = tuple(allowed)

    def admits(self, text: str) -> bool:
        """Return whether a numeric address may be reached."""
        try:
            address = _plain(ipaddress.ip_address(text))
        except ValueError:
            return False
        return _within(address, self._allowed) or _public(address)


def _plain(address: Address) -> Address:
    """Return an IPv4 address that is written as an IPv6 one in its IPv4 form."""
    if isinstance(address, ipaddress.IPv6Address) and _within(address, _V4_IN_LAST_BITS):
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def _public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address) and (address.scope_id is not None or address not in _V6_PUBLIC):
        return False
    return not _within(address, _REFUSED)


def _within(address: Address, found: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in found)


class Resolver:
    """Looks names up in threads of its own, which end with the process: a name server that does not answer holds up nothing.

    Those who ask for a name that is being looked up share the answer, so no name takes up more than one place.
    """

    def __init__(self) -> None:
        self._places = asyncio.Semaphore(LOOK_UPS_AT_ONCE)
        self._under_way: dict[tuple[str, int], asyncio.Task[list[str]]] = {}

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """Return all addresses of a name; a number is its own."""
        with suppress(ValueError):
            return [str(ipaddress.ip_address(host))]
        asked = (host, port)
        if asked not in self._under_way:
            task = self._under_way[asked] = asyncio.ensure_future(self._resolve(host, port))
            task.add_done_callback(lambda done: self._forget(asked, done))
        return list(await asyncio.shield(self._under_way[asked]))

    def _forget(self, asked: tuple[str, int], task: asyncio.Task[list[str]]) -> None:
        del self._under_way[asked]
        if not task.cancelled():
            task.exception()  # the caller may have gone

    async def _resolve(self, host: str, port: int) -> list[str]:
        await self._places.acquire()
        loop = asyncio.get_running_loop()
        found: asyncio.Future[list[str]] = loop.create_future()
        arguments = (loop, found, host, port)
        threading.Thread(target=self._look_up, args=arguments, name="look-up", daemon=True).start()
        return list(dict.fromkeys(await found))

    def _look_up(self, loop: asyncio.AbstractEventLoop, found: asyncio.Future[list[str]], host: str, port: int) -> None:
        try:
            outcome = _look_up(host, port)
        except OSError as error:
            outcome = error
        with suppress(RuntimeError):  # the event loop has ended, and with it all waiting callers
            loop.call_soon_threadsafe(self._tell, found, outcome)

    def _tell(self, found: asyncio.Future[list[str]], outcome: list[str] | OSError) -> None:
        self._places.release()
        if found.done():
            return
        if isinstance(outcome, OSError):
            found.set_exception(outcome)
        else:
            found.set_result(outcome)


def _look_up(host: str, port: int) -> list[str]:
    try:
        return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except UnicodeError as error:
        raise OSError("this cannot be a name") from error
