"""The transparency log in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ....domain.match import MatchId
from ...errors import CorruptHistory
from .port import EMPTY, Checkpoint, Cosignature, Growth, Leaf, NodeId


class MemoryTransparency:
    """The log, with every node by its place."""

    def __init__(self) -> None:
        self._checkpoint = EMPTY
        self._nodes: dict[NodeId, bytes] = {}
        self._leaves: list[Leaf] = []
        self._cosignatures: dict[str, Cosignature] = {}
        self._indexes: defaultdict[MatchId, dict[int, int]] = defaultdict(dict)

    async def checkpoint(self) -> Checkpoint:
        return self._checkpoint

    async def nodes(self, places: Sequence[NodeId]) -> Sequence[bytes]:
        try:
            return [self._nodes[place] for place in places]
        except KeyError as error:
            raise CorruptHistory("a node of the transparency log is missing") from error

    async def leaves(self, start: int, count: int) -> Sequence[Leaf]:
        return self._leaves[start : start + count]

    async def indexes(self, matches: Sequence[MatchId]) -> Sequence[Mapping[int, int]]:
        return [dict(self._indexes.get(match_id, {})) for match_id in matches]

    async def cosignatures(self) -> Sequence[Cosignature]:
        return list(self._cosignatures.values())

    async def cosign(self, cosignature: Cosignature) -> None:
        self._cosignatures[cosignature.witness] = cosignature

    async def forget_witness(self, witness: str) -> None:
        self._cosignatures.pop(witness, None)

    async def grow(self, growth: Growth) -> bool:
        keys = [(leaf.match, leaf.version) for leaf in growth.leaves]
        known = any(version in self._indexes.get(match_id, {}) for match_id, version in keys)
        if growth.expected != self._checkpoint.size or known or len(set(keys)) < len(keys):
            return False
        for index, (match_id, version) in enumerate(keys, start=growth.expected):
            self._indexes[match_id][version] = index
        self._leaves.extend(growth.leaves)
        self._nodes.update(growth.nodes)
        self._checkpoint = growth.checkpoint
        return True
