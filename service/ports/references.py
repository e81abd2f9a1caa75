"""The first entries of a branch as a reference to its origin: what they repeat of the origin's events is not stored again.

What is left is what only the branch has: its opening, its seats, its commitments to cards, its first decision. An entry is a
msgpack array with its event, a map with a tag under `type`, as the fifth element; nothing else is known of it here. Putting
the entries together again copies bytes, so it gives the same ones whatever becomes of the events' classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated

import msgspec
import zstandard

from ...domain.match import MatchId
from ..errors import CorruptHistory
from .events import Version

FORMAT = 1
EVENT = 4
OF_THE_MATCH = "match."
"""Tags of events around the table, which a branch has of its own."""


class Reference(msgspec.Struct, frozen=True, array_like=True):
    """Entries 1 to `count` of a branch, given the game's events among the entries 1 to `version` of its origin.

    `entries`: in turn an own entry, or how many of those events follow, each between `before` and `after`. The first own entry
    has its command, in which the first `shared` events stand in a row, in two parts.
    """

    format: Annotated[int, msgspec.Meta(ge=FORMAT, le=FORMAT)]
    origin: MatchId
    version: Version
    count: Version
    shared: int
    opening: tuple[bytes, bytes]
    before: bytes
    after: bytes
    entries: tuple[int | bytes, ...]


class _Tagged(msgspec.Struct, frozen=True):
    type: str


_ENTRY = msgspec.msgpack.Decoder(list[msgspec.Raw])
_TAG = msgspec.msgpack.Decoder(_Tagged)
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Reference)


def refer(origin: MatchId, known: Sequence[bytes], entries: Sequence[bytes]) -> bytes | None:
    """Return a reference for *entries*, given *known*, the first entries of *origin*; None if they have nothing in common."""
    events = _events(known)
    first = next((number for number, entry in enumerate(entries[1:], 1) if events and events[0] in entry), None)
    if first is None:
        return None
    before, _, after = entries[first].partition(events[0])
    parts = _split(entries[1:], events, before, after)
    shared = sum(part for part in parts if isinstance(part, int))
    start, found, end = entries[0].partition(b"".join(events[:shared]))
    if not found:
        return None
    reference = Reference(
        FORMAT, origin, Version(len(known)), Version(len(entries)), shared, (start, end), before, after, tuple(parts)
    )
    blob = zstandard.ZstdCompressor(write_checksum=True).compress(_ENCODER.encode(reference))
    return blob if entries_of(read(blob), known) == tuple(entries) else None


def _split(entries: Sequence[bytes], events: Sequence[bytes], before: bytes, after: bytes) -> list[int | bytes]:
    """Return the entries in turn: those that repeat the next events as their number, the others as they are."""
    parts: list[int | bytes] = []
    left = iter(events)
    event = next(left, None)
    for entry in entries:
        if event is None or entry != before + event + after:
            parts.append(entry)
            continue
        if parts and isinstance(last := parts[-1], int):
            parts[-1] = last + 1
        else:
            parts.append(1)
        event = next(left, None)
    return parts


def read(blob: bytes) -> Reference:
    """Decode a blob; raise CorruptHistory."""
    try:
        return _DECODER.decode(zstandard.ZstdDecompressor().decompress(blob))
    except (zstandard.ZstdError, msgspec.MsgspecError) as error:
        raise CorruptHistory(f"a reference cannot be read: {error}") from error


def entries_of(reference: Reference, known: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the entries that a reference stands for, given those of its origin; raise CorruptHistory."""
    events = _events(known[: reference.version])
    start, end = reference.opening
    left = iter(events)
    entries = [start + b"".join(events[: reference.shared]) + end]
    for part in reference.entries:
        if isinstance(part, bytes):
            entries.append(part)
        else:
            entries += [reference.before + event + reference.after for event in islice(left, part)]
    if len(known) < reference.version or len(entries) != reference.count:
        raise CorruptHistory(f"{reference.origin} does not have what was taken from it")
    return tuple(entries)


def _events(known: Sequence[bytes]) -> list[bytes]:
    """Return the events of the game among some entries, as they are stored; raise CorruptHistory."""
    try:
        return list(_of_the_game(known))
    except (msgspec.MsgspecError, UnicodeDecodeError, IndexError) as error:
        raise CorruptHistory(f"an entry cannot be read: {error}") from error


def _of_the_game(known: Sequence[bytes]) -> Iterator[bytes]:
    for entry in known:
        event = _ENTRY.decode(entry)[EVENT]
        if not _TAG.decode(event).type.startswith(OF_THE_MATCH):
            yield bytes(event)
