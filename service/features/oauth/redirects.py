"""Where an application may have players sent back to (RFC 8252 and OAuth 2.1): addresses of its own, matched exactly."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlencode, urlsplit

LONGEST = 500
_PRINTED = re.compile(r"[!-~]+")
_FORBIDDEN = frozenset('\\<>"`{}|^#')
_OWN_SCHEME = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")
"""A scheme of an app on a device: the name of a domain, backwards."""
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\]")


def fault_of(address: str) -> str | None:
    """Return what is wrong with an address to be sent back to; None if it will do."""
    if not 1 <= len(address) <= LONGEST or _PRINTED.fullmatch(address) is None or _FORBIDDEN & {*address}:
        return f"an address has at most {LONGEST} characters of ASCII and no fragment"
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return "this is no address"
    if parts.scheme not in {"http", "https"}:
        ours = _OWN_SCHEME.fullmatch(parts.scheme) is not None and address.startswith(f"{parts.scheme}:/")
        return None if ours else "besides https, a scheme is the name of a domain, backwards, as in com.example.app:/back"
    host = parts.hostname or ""
    given = parts.netloc.rpartition("@")
    if not address.startswith(f"{parts.scheme}://{parts.netloc.lower()}"):
        return "an address has its scheme and its host in small letters"
    if given[1] or _HOST.fullmatch(f"[{host}]" if ":" in host else host) is None or port == 0:
        return "an address has a host in small letters and no user"
    if parts.scheme == "http" and not (_is_loopback(host) or host == "localhost"):
        return "http is for this machine alone: 127.0.0.1, [::1] or localhost"
    return None


def fits(registered: str, asked: str) -> bool:
    """Return whether an address is one that is registered. An app that listens on this machine takes any free port."""
    if registered == asked:
        return True
    if fault_of(asked) is not None:
        return False
    one, other = urlsplit(registered), urlsplit(asked)
    if one.scheme != "http" or not _is_loopback(one.hostname or ""):
        return False
    return _without_port(one) == _without_port(other) and one.fragment == other.fragment


def host_of(address: str) -> str:
    """Return what people know an address by: its host, or the scheme of an app on a device, which may write any host there."""
    parts = urlsplit(address)
    return (parts.hostname if parts.scheme in {"http", "https"} else None) or f"{parts.scheme}:"


def with_answer(address: str, answer: dict[str, str]) -> str:
    """Return an address with an answer in its query, behind what is there."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(answer)}"


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback and host in {"127.0.0.1", "::1"}
    except ValueError:
        return False


def _without_port(parts: SplitResult) -> tuple[str, str | None, str, str, bool]:
    return parts.scheme, parts.hostname, parts.path, parts.query, parts.username is None
