"""How many connections an address may have open to one process."""

from __future__ import annotations

import pytest

from tafelrunde.service.runtime.connections import ConnectionLimiter
from tafelrunde.service.settings import LimitSettings, Settings


def limited(limit: int = 2, *, descriptors: int | None = None, proxies: str = "", limits: bool = True) -> ConnectionLimiter:
    """Return a crowd with a limit."""
    crowd = ConnectionLimiter()
    crowd.limit_to(
        Settings(limits=LimitSettings(connections_per_address=limit, rate_limits=limits), trusted_proxies=proxies),
        descriptors=descriptors,
    )
    return crowd


def test_address_is_refused_while_it_has_too_many() -> None:
    """One that ends makes room, and other addresses have their own number."""
    crowd = limited()
    assert [crowd.enter("198.51.100.7") for _ in range(3)] == [True, True, False]
    assert crowd.enter("198.51.100.8")
    crowd.leave("198.51.100.7")
    assert [crowd.enter("198.51.100.7") for _ in range(2)] == [True, False]
    assert (crowd.count, crowd.refused) == (3, 2)
    for peer in ("198.51.100.7", "198.51.100.7", "198.51.100.8"):
        crowd.leave(peer)
    assert crowd.count == 0


def test_subscriber_counts_once_whatever_it_is_called() -> None:
    """All of an IPv6 network of 64 bits is one address, and an IPv4 address in IPv6 is itself."""
    crowd = limited()
    assert [crowd.enter(f"2001:db8::{number:x}") for number in range(3)] == [True, True, False]
    assert crowd.enter("2001:db8:0:1::1")
    assert [crowd.enter(peer) for peer in ("198.51.100.7", "::ffff:198.51.100.7", "198.51.100.7")] == [True, True, False]


@pytest.mark.parametrize("proxies", ["198.51.100.7", "10.0.0.1, 198.51.100.0/24", "*"])
def test_trusted_proxy_is_not_limited(proxies: str) -> None:
    """It speaks for many clients; so does what has no address, a socket of the machine."""
    crowd = limited(1, proxies=proxies)
    for peer in ("198.51.100.7", ""):
        assert all(crowd.enter(peer) for _ in range(5))
    assert crowd.count == 10


def test_address_gets_its_share_of_the_descriptors() -> None:
    """Whatever the setting says, others can still connect."""
    crowd = limited(1_000, descriptors=4)
    assert [crowd.enter("198.51.100.7") for _ in range(3)] == [True, True, False]


def test_nothing_is_limited_when_limits_are_off() -> None:
    """As with all other limits; connections are still counted."""
    crowd = limited(1, limits=False)
    assert all(crowd.enter("198.51.100.7") for _ in range(5))
    assert crowd.count == 5
