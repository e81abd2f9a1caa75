"""Where passkeys are for, what an authenticator is asked for, and what it answers."""

from __future__ import annotations

from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

NAME = "Tafelrunde"
"""What browsers call the service when they ask whether to make a passkey."""
ALGORITHMS = (-7, -8, -257)
"""The signatures that are asked for, by their numbers in COSE: ES256, EdDSA, RS256; every authenticator has one of them."""
DEFAULT_PORTS = {"http": 80, "https": 443}


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
    """Return the site of an address of the service, as browsers write it. The path does not count: an origin has none."""
    parts = urlsplit(address)
    host = parts.hostname or ""
    shown = f"[{host}]" if ":" in host else host
    port = "" if parts.port in {None, DEFAULT_PORTS.get(parts.scheme)} else f":{parts.port}"
    return Site(f"{parts.scheme}://{shown}{port}", host)


def why_unfit(address: str) -> str | None:
    """Return why browsers make no passkeys for an address; None if they do."""
    try:
        scheme, host = urlsplit(address).scheme, site_of(address).host
    except ValueError:
        return "is no address"
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
