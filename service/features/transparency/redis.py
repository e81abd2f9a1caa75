"""The transparency log on a server: nodes in pages of 32 bytes each, leaves in pages, and an index by match in buckets.

Pages and buckets are small enough to be kept compactly, and large enough to be few: a million matches take some 200 bytes each.
"""

from __future__ import annotations

import binascii
from collections.abc import Mapping, Sequence

import msgspec

from ....domain.match import MatchId
from ...errors import CorruptHistory
from ...redis_store.client import items, number, text
from ...redis_store.link import Reply, Value
from ...redis_store.script import WRITE, Script
from ...redis_store.store_client import StoreClient
from .port import EMPTY, Checkpoint, Cosignature, Growth, Leaf, NodeId

TREE = "tree:{log}"
"""Hash: size, root and time of the transparency log; the other keys of that log begin with it."""
HASH_BYTES = 32
NODES = 16_384
LEAVES = 512
BUCKETS = 16_384
_GROW = Script("grow", beside=__name__)
_WITNESSES = f"{TREE}:w"
_COSIGNATURE = msgspec.msgpack.Decoder(Cosignature)
_ENCODER = msgspec.msgpack.Encoder()
_LEAF = msgspec.msgpack.Decoder(Leaf)
_INDEXES = msgspec.msgpack.Decoder(dict[int, int])


class RedisTransparency:
    """The log, on a server. With *wait_ms* every step waits until one replica has it."""

    def __init__(self, client: StoreClient, wait_ms: int | None = None) -> None:
        self._client = client
        self._wait_ms = wait_ms

    async def checkpoint(self) -> Checkpoint:
        size, root, time_ms = items(await self._client.call("HMGET", TREE, "size", "root", "time"))
        if not isinstance(root, bytes):
            return EMPTY
        return Checkpoint(int(text(size)), root, int(text(time_ms)))

    async def nodes(self, places: Sequence[NodeId]) -> Sequence[bytes]:
        if not places:
            return ()
        replies = await self._client.together(_read_node(place) for place in places)
        return [_node(reply) for reply in replies]

    async def leaves(self, start: int, count: int) -> Sequence[Leaf]:
        end = start + count
        pages = range(start // LEAVES, -(-end // LEAVES))
        replies = await self._client.together(_read_leaves(page, start, end) for page in pages)
        return [_leaf(each) for reply in replies for each in items(reply)]

    async def indexes(self, matches: Sequence[MatchId]) -> Sequence[Mapping[int, int]]:
        return [_indexes(value) for value in await self._read_indexes(matches)]

    async def _read_indexes(self, matches: Sequence[MatchId]) -> list[bytes]:
        if not matches:
            return []
        replies = await self._client.together(("HGET", f"{TREE}:i:{_bucket(match_id)}", match_id) for match_id in matches)
        return [reply if isinstance(reply, bytes) else b"" for reply in replies]

    async def cosignatures(self) -> Sequence[Cosignature]:
        return [_COSIGNATURE.decode(_bytes(each)) for each in items(await self._client.call("HVALS", _WITNESSES))]

    async def cosign(self, cosignature: Cosignature) -> None:
        value = _ENCODER.encode(cosignature)
        await self._client.run(WRITE, (_WITNESSES,), ("HSET", cosignature.witness, value))

    async def forget_witness(self, witness: str) -> None:
        await self._client.run(WRITE, (_WITNESSES,), ("HDEL", witness))

    async def grow(self, growth: Growth) -> bool:
        matches = list(dict.fromkeys(leaf.match for leaf in growth.leaves))
        stored = dict(zip(matches, await self._read_indexes(matches), strict=True))
        indexed = _index_entries(stored, growth)
        if indexed is None:
            return False
        checkpoint = growth.checkpoint
        facts = (growth.expected, checkpoint.size, checkpoint.root, checkpoint.time_ms, len(matches), len(growth.leaves))
        return await self._run((*facts, *indexed, *_written_leaves(growth), *_written_nodes(growth)))

    async def _run(self, arguments: Sequence[Value]) -> bool:
        if self._wait_ms is None:
            return number(await self._client.run(_GROW, (TREE,), arguments)) == 1
        return number(await self._client.run_and_wait(_GROW, (TREE,), arguments, 1, self._wait_ms)) == 1


def _bucket(match_id: MatchId) -> int:
    return binascii.crc32(match_id.encode()) % BUCKETS


def _read_node(place: NodeId) -> tuple[Value, ...]:
    at = HASH_BYTES * (place.number % NODES)
    return ("GETRANGE", f"{TREE}:n:{_page(place)}", at, at + HASH_BYTES - 1)


def _page(place: NodeId) -> str:
    return f"{place.level}:{place.number // NODES}"


def _node(reply: Reply) -> bytes:
    if not isinstance(reply, bytes) or len(reply) != HASH_BYTES:
        raise CorruptHistory("a node of the transparency log is missing")
    return reply


def _read_leaves(page: int, start: int, end: int) -> tuple[Value, ...]:
    first = page * LEAVES
    return ("LRANGE", f"{TREE}:l:{page}", max(start - first, 0), min(end - first, LEAVES) - 1)


def _leaf(reply: Reply) -> Leaf:
    return _LEAF.decode(_bytes(reply))


def _bytes(reply: Reply) -> bytes:
    assert isinstance(reply, bytes)
    return reply


def _indexes(value: bytes) -> dict[int, int]:
    return _INDEXES.decode(value) if value else {}


def _index_entries(stored: Mapping[MatchId, bytes], growth: Growth) -> list[Value] | None:
    """Return the index entries as the script takes them, None if one of the leaves is there already."""
    fresh = {match_id: _indexes(value) for match_id, value in stored.items()}
    for index, leaf in enumerate(growth.leaves, start=growth.expected):
        if fresh[leaf.match].setdefault(leaf.version, index) != index:
            return None
    return [
        part for match_id, old in stored.items() for part in (_bucket(match_id), match_id, old, _ENCODER.encode(fresh[match_id]))
    ]


def _written_leaves(growth: Growth) -> list[Value]:
    numbered = enumerate(growth.leaves, start=growth.expected)
    return [part for index, leaf in numbered for part in (index // LEAVES, _ENCODER.encode(leaf))]


def _written_nodes(growth: Growth) -> list[Value]:
    """Return page, offset and bytes of what is new in each page; the new nodes of a level follow on each other."""
    pages: dict[str, tuple[int, list[bytes]]] = {}
    for place, node in growth.nodes:
        _, found = pages.setdefault(_page(place), (HASH_BYTES * (place.number % NODES), []))
        found.append(node)
    return [part for page, (offset, found) in pages.items() for part in (page, offset, b"".join(found))]
