"""How many connections, streams and long polls each address has open to this process.

A trusted proxy speaks for many clients: its own connections are not counted, but what it names is.
"""

from __future__ import annotations

import ipaddress
from collections import Counter
from functools import lru_cache
from typing import Protocol

from ..errors import StartupRefused
from ..players.quota_table import CONNECTIONS
from ..settings import Settings

SHARE = 2
"""No address gets more than one part in this number of the descriptors that a process may have."""
LONGEST_ADDRESS = 64
FRAME_BYTES = 64 * 1024
"""The largest message that a client may send over a socket, in whatever number of fragments."""
ROOM_BYTES = 64 * 1024
"""While more than this is unsent to a client, nothing is read from its socket and none of its subscriptions goes on."""


class Gate(Protocol):
    """Lets those who read for one connection through one at a time, in the order in which they come, while there is room."""

    async def enter(self) -> None:
        """Wait until this one may read; who has entered may."""
        ...

    def leave(self) -> None:
        """Let the next one through: what was read is sent. Nothing happens for who has not entered."""
        ...


@lru_cache(10_000)
def address_of(peer: str) -> str:
    """Return what an address counts as: an IPv6 subscriber has 2^64 of them, which count as one."""
    address = _read(peer.partition("%")[0])
    if address is None:
        return f"at {peer[:LONGEST_ADDRESS]}"
    if isinstance(address, ipaddress.IPv6Address):
        return f"at {ipaddress.ip_network((int(address) >> 64 << 64, 64))}"
    return f"at {address}"


def _read(peer: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Proxies:
    """The proxies that the settings trust."""

    def __init__(self, listed: str) -> None:
        self._names = {name for each in listed.split(",") if (name := each.strip())}
        self._networks = [network for name in self._names if (network := _network(name)) is not None]

    def include(self, peer: str) -> bool:
        """Return whether a peer is one of them, or has no address, as on a unix socket."""
        if not peer or "*" in self._names or peer in self._names:
            return True
        address = _read(peer)
        return address is not None and any(address in network for network in self._networks)


def proxies_of(listed: str) -> Proxies:
    """Return the proxies of the setting; raise StartupRefused for what is neither `*` nor addresses and networks.

    A name, or a network with bits of a host in it, would be trusted by no one, and clients would all look like the proxy.
    """
    found = [name for each in listed.split(",") if (name := each.strip())]
    wrong = [] if found == ["*"] else [name for name in found if not _is_network(name)]
    if wrong:
        raise StartupRefused(
            f"TAFELRUNDE_TRUSTED_PROXIES: {wrong[0]!r} is neither an address nor a network, like 10.1.2.3 or 10.1.0.0/16; "
            "`*`, alone, trusts every sender."
        )
    return Proxies(listed)


def _is_network(name: str) -> bool:
    try:
        ipaddress.ip_network(name)
    except ValueError:
        return False
    return True


def _network(name: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(name, strict=False)
    except ValueError:
        return None


class ConnectionLimiter:
    """Counts what each address has open; without `limit_to` it only counts."""

    def __init__(self) -> None:
        self.refused = 0
        self._limit: int | None = None
        self._proxies = Proxies("")
        self._open: Counter[str] = Counter()

    @property
    def count(self) -> int:
        """The number of all that are open."""
        return self._open.total()

    def limit_to(self, settings: Settings, descriptors: int | None = None, *, share: int = 1) -> None:
        """Limit each address to what the settings say, or to one part in *share* of that.

        With *descriptors*, also to its share of those, which the process may have.
        """
        self._proxies = Proxies(settings.trusted_proxies)
        self._limit = max(1, CONNECTIONS.share(settings.limits) // share) if settings.limits.rate_limits else None
        if self._limit is not None and descriptors is not None:
            self._limit = min(self._limit, max(1, descriptors // SHARE))

    def enter(self, peer: str) -> bool:
        """Count one more; False, and nothing is counted, if its address has too many."""
        address = address_of(peer)
        if self._limit is not None and self._open[address] >= self._limit and not self._proxies.include(peer):
            self.refused += 1
            return False
        self._open[address] += 1
        return True

    def leave(self, peer: str) -> None:
        """Count one less."""
        address = address_of(peer)
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]


crowd = ConnectionLimiter()
"""All connections of this process."""
