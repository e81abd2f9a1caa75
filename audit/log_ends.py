"""What the entries of a log say of the ends of matches: a match with two ends has two histories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .remote import read_entries

if TYPE_CHECKING:
    from tafelrunde.client import Client
    from tafelrunde.client.shapes import LogEntry

ENDS = frozenset(("over", "aborted"))
"""Outcomes that a match has once at most; corrections may follow them."""


def find_second_ends(entries: Sequence[LogEntry]) -> Iterator[str]:
    """Yield a sentence for each match with more than one end."""
    found: dict[str, list[int]] = {}
    for place, entry in enumerate(entries):
        if entry.match is not None and entry.outcome in ENDS:
            found.setdefault(entry.match, []).append(place)
    for match, places in found.items():
        if len(places) > 1:
            yield f"Match {match} has {len(places)} ends, in leaves {', '.join(map(str, places))}: it has one history at most."


def find_outcomes(client: Client, match: str, first: int, size: int) -> Iterator[int]:
    """Yield the places of all ends and corrections that a log of this size has of a match, from a leaf on.

    *match* is its reference. Cost: a request for each thousand leaves.
    """
    for place, entry in enumerate(read_entries(client, first, size), first):
        if entry.match == match and entry.outcome is not None:
            yield place
