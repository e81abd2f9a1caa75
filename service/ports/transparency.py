"""The transparency log: its leaves, checkpoints and nodes, and the store that keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

import msgspec

from ...domain.match import MatchId
from ..dealing import merkle


class NodeId(NamedTuple):
    """The name of a node."""

    level: int
    number: int


class Outcome(Enum):
    """What a leaf records of a match: that it ended, or that an operator corrected its result."""

    OVER = "over"
    ABORTED = "aborted"
    VOIDED = "voided"
    ADJUDICATED = "adjudicated"


class Leaf(msgspec.Struct, frozen=True, array_like=True):
    """What the log records of a match: where its log ended, and with which outcome, right after it ended or was corrected."""

    match: MatchId
    version: int
    chain: bytes
    outcome: Outcome
    time_ms: int


class Checkpoint(msgspec.Struct, frozen=True):
    """The state of the whole log at one moment: the number of leaves, their root, and when the newest was added."""

    size: int
    root: bytes
    time_ms: int


EMPTY = Checkpoint(0, merkle.EMPTY, 0)
"""The checkpoint of a log without leaves."""


class Growth(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the log: new leaves, the nodes that they complete, and the checkpoint after them."""

    expected: int
    leaves: tuple[Leaf, ...]
    nodes: tuple[tuple[NodeId, bytes], ...]
    checkpoint: Checkpoint


class TransparencyStore(Protocol):
    """The transparency log of a deployment. Every method may raise StoreUnavailable."""

    async def checkpoint(self) -> Checkpoint:
        """Return the newest checkpoint; that of an empty log has size 0 and time 0."""
        ...

    async def nodes(self, places: Sequence[NodeId]) -> Sequence[bytes]:
        """Return nodes, in one round trip. Raises CorruptHistory if one is missing."""
        ...

    async def leaves(self, start: int, count: int) -> Sequence[Leaf]:
        """Return at most *count* leaves from number *start* on."""
        ...

    async def indexes(self, matches: Sequence[MatchId]) -> Sequence[Mapping[int, int]]:
        """Return for each match the numbers of its leaves, by version."""
        ...

    async def grow(self, growth: Growth) -> bool:
        """Add leaves in one step; False, and nothing added, if the log has another size or has one of the leaves already."""
        ...
