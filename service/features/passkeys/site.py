"""Where passkeys are for, what an authenticator is asked for, and what it answers."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import NamedTuple

NAME = "Tafelrunde"
"""What browsers call the service when they ask whether to make a passkey."""
ALGORITHMS = (-7, -8, -257)
"""The signatures that are asked for, by their numbers in COSE: ES256, EdDSA, RS256; every authenticator has one of them."""
DEFAULT_PORTS = {"http": 80, "https": 443}
_ADDRESS = re.compile(r"([A-Za-z]+)://(\[[^\]]*\]|[^:/?#\[\]@]*)(?::([0-9]{0,5}))?(?=[/?#]|$)")


class PasskeyRefused(Exception):
    """An answer of an authenticator does not hold; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Site(NamedTuple):
    """The origin of the service's pages, and its host, which passkeys are bound to: browsers call it the relying party's id."""

    origin: str
    host: str


class Assertion(NamedTuple):
    """What an authenticator answers to `navigator.credentials.get`; `user` is the handle that was given when it was made."""

    credential: bytes
    client_data: bytes
    authenticator_data: bytes
    signature: bytes
    user: bytes


def site_of(address: str) -> Site:
    """Return the site of an address of the service, as browsers write it. The path does not count: an origin has none.

    Raises ValueError for what is no address; any Host header that the service lets in makes one.
    """
    found = _ADDRESS.match(address)
    if found is None:
        raise ValueError(address)
    scheme = found[1].lower()
    host = found[2].lower()
    port = int(found[3] or 0)
    shown = "" if port in {0, DEFAULT_PORTS.get(scheme)} else f":{port}"
    return Site(f"{scheme}://{host}{shown}", host.strip("[]"))


def why_unfit(address: str) -> str | None:
    """Return why browsers make no passkeys for an address; None if they do."""
    try:
        site = site_of(address)
    except ValueError:
        return "is no address"
    scheme = site.origin.partition("://")[0]
    host = site.host
    if not host or not host.isascii():
        return "needs a host, in ASCII"
    if _is_number(host):
        return "has a number for a host: passkeys need a name"
    is_local = host == "localhost" or host.endswith(".localhost")
    return None if scheme == "https" or (scheme == "http" and is_local) else "is not https"


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
