"""How a finished match becomes one blob: msgpack in a zstd frame with its length and a checksum.

The blob is an array: format number, match id, version, chain, status, entries, used keys. It can be read without anything
beside it, and its entries hash to its chain. Format 2 is written: it has only those parts of the keys that the entries do not
say already. Format 1, which has them whole, is still read.
"""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

import msgspec
import zstandard

from ...domain.match import MatchId, Status
from ..errors import CorruptHistory
from .archives import Contents, Used
from .derived_keys import PackedKeys, pack_keys, unpack_keys
from .events import GENESIS, Head, Version, chain_over

FIRST, NEWEST = 1, 2
"""The formats that are read; the newest one is written."""
LEVEL = 12
Keys = TypeVar("Keys")


class _Packed(msgspec.Struct, Generic[Keys], frozen=True, array_like=True):
    format: Annotated[int, msgspec.Meta(ge=FIRST, le=NEWEST)]
    match: MatchId
    version: Version
    chain: bytes
    status: Status
    entries: tuple[bytes, ...]
    used: Keys


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Packed[msgspec.Raw])
_USED = msgspec.msgpack.Decoder(tuple[Used, ...])
_KEYS = msgspec.msgpack.Decoder(PackedKeys)


def pack(match_id: MatchId, contents: Contents) -> bytes:
    """Return the blob of a match. The same contents give the same blob, as long as zstd is the same."""
    head = contents.head
    keys = pack_keys(contents.entries, contents.used)
    packed = _Packed(NEWEST, match_id, head.version, head.chain, head.status, contents.entries, keys)
    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(_ENCODER.encode(packed))


def unpack(match_id: MatchId, blob: bytes) -> Contents:
    """Return what a blob holds, `archived` up to its end; raise CorruptHistory unless it is whole and hashes to its chain."""
    packed = _read(match_id, blob)
    try:
        used = _used_keys(packed)
    except ValueError as error:
        raise CorruptHistory(f"the keys in the archive of {match_id} cannot be read: {error}") from error
    return Contents(Head(packed.version, packed.chain, packed.status, packed.version), packed.entries, used)


def _used_keys(packed: _Packed[msgspec.Raw]) -> tuple[Used, ...]:
    return _USED.decode(packed.used) if packed.format == FIRST else unpack_keys(packed.entries, _KEYS.decode(packed.used))


def unpack_entries(match_id: MatchId, blob: bytes) -> tuple[bytes, ...]:
    """Return the entries alone, which is cheaper; raise CorruptHistory as `unpack`."""
    return _read(match_id, blob).entries


def _read(match_id: MatchId, blob: bytes) -> _Packed[msgspec.Raw]:
    try:
        packed = _DECODER.decode(zstandard.ZstdDecompressor().decompress(blob))
    except (zstandard.ZstdError, msgspec.MsgspecError) as error:
        raise CorruptHistory(f"an archive cannot be read: {error}") from error
    if packed.match != match_id:
        raise CorruptHistory(f"the archive of {match_id} is that of another match")
    if len(packed.entries) != packed.version or chain_over(GENESIS, packed.entries) != packed.chain:
        raise CorruptHistory(f"the archive of {match_id} does not hash to its chain")
    return packed
