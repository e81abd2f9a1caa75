"""How a finished match becomes one blob: msgpack in a zstd frame with its length and a checksum.

The blob is an array: format number, match id, version, chain, status, entries, used keys. It can be read without anything
beside it, and its entries hash to its chain.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

import msgspec
import zstandard

from ...domain.match import MatchId, Status
from ..errors import CorruptHistory
from .archives import Contents, Used
from .events import GENESIS, Head, Version, chain_over

FORMAT = 1
LEVEL = 12
KEY_BYTES = 16


class _Packed(msgspec.Struct, frozen=True, array_like=True):
    format: Annotated[int, msgspec.Meta(ge=FORMAT, le=FORMAT)]
    match: MatchId
    version: Version
    chain: bytes
    status: Status
    entries: tuple[bytes, ...]
    used: tuple[Used, ...]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Packed)


def short_key(key: str) -> bytes:
    """Return what stands for an idempotency key: short enough to keep all keys of a match compact."""
    return hashlib.sha256(key.encode()).digest()[:KEY_BYTES]


def pack(match: MatchId, contents: Contents) -> bytes:
    """Return the blob of a match. The same contents give the same blob, as long as zstd is the same."""
    head = contents.head
    packed = _Packed(FORMAT, match, head.version, head.chain, head.status, contents.entries, contents.used)
    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compress(_ENCODER.encode(packed))


def unpack(match: MatchId, blob: bytes) -> Contents:
    """Return what a blob holds, `archived` up to its end; raise CorruptHistory unless it is whole and hashes to its chain."""
    packed = _read(blob)
    if packed.match != match:
        raise CorruptHistory(f"the archive of {match} is that of another match")
    if len(packed.entries) != packed.version or chain_over(GENESIS, packed.entries) != packed.chain:
        raise CorruptHistory(f"the archive of {match} does not hash to its chain")
    return Contents(Head(packed.version, packed.chain, packed.status, packed.version), packed.entries, packed.used)


def _read(blob: bytes) -> _Packed:
    try:
        return _DECODER.decode(zstandard.ZstdDecompressor().decompress(blob))
    except (zstandard.ZstdError, msgspec.MsgspecError) as error:
        raise CorruptHistory(f"an archive cannot be read: {error}") from error
