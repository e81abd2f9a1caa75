"""Heads, entries and used keys, as parsed from the server's replies."""

from __future__ import annotations

from ...domain.match import MatchId, Status
from ..ports.archives import Used
from ..ports.events import NO_EVENTS, Head, Version
from . import keys
from .client import items, text
from .link import Reply, Value

_FIELDS = ("version", "chain", "status", "archived", "outside")


def ask_head(match_id: MatchId) -> tuple[Value, ...]:
    """Return the command that reads a head."""
    return ("HMGET", keys.head(match_id), *_FIELDS)


def read_head(reply: Reply) -> Head | None:
    """Return a head; None if there is none."""
    version, chain, status, archived, outside = items(reply)
    if version is None:
        return None
    assert isinstance(chain, bytes)
    end = NO_EVENTS if archived is None else Version(int(text(archived)))
    return Head(Version(int(text(version))), chain, Status(text(status)), end, "" if outside is None else text(outside))


def read_entries(found: list[Reply], after: Version, count: int) -> tuple[bytes, ...] | None:
    """Return the *count* entries after a version; None if they are not all there."""
    lines = [items(line) for line in found[:count]]
    if len(lines) < count or (lines and text(lines[0][0]) != f"0-{after + 1}"):
        return None
    return tuple(_entry(fields) for _, fields in lines)


def _entry(fields: Reply) -> bytes:
    entry = items(fields)[1]
    assert isinstance(entry, bytes)
    return entry


def read_used(digest: bytes, value: Reply) -> Used | None:
    """Return what is stored under the digest of an idempotency key."""
    if not isinstance(value, bytes):
        return None
    first, last, fingerprint = value.split(b" ", 2)
    return Used(digest, fingerprint, Version(int(first)), Version(int(last)))
