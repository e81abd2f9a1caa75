"""The transparency log: its leaves, checkpoints and nodes, and the store that keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

import msgspec

from ....domain.match import MatchId
from ...dealing import merkle


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


class LeafKind(Enum):
    """What a leaf is about, as the first line of its content: a match's end or opening, a key that signs, or a day's deals."""

    END = "tafelrunde.leaf.1"
    OPENING = "tafelrunde.opening.1"
    KEY = "tafelrunde.key.1"
    DAY = "tafelrunde.day.1"


OPENING_VERSION = 1
"""The version in the leaf of an opening, and in no other leaf: a match ends later."""
KEYS = MatchId("keys")
"""What stands for a match in the leaves of keys; their version counts them."""
DAYS = MatchId("days")
"""What stands for a match in the leaves of days; their version is the number of the day."""


class Leaf(msgspec.Struct, frozen=True, array_like=True):
    """What the log records of a match: where its log ended, and with which outcome, right after it ended or was corrected.

    Other leaves have neither chain (empty) nor outcome (None); `lines` is what their content has besides: the commitments of the
    match, the public key and the signature of the one before, or the day and its commitment.
    """

    match: MatchId
    version: int
    chain: bytes
    outcome: Outcome | None
    time_ms: int
    kind: LeafKind = LeafKind.END
    lines: tuple[str, ...] = ()


class Checkpoint(msgspec.Struct, frozen=True):
    """The state of the whole log at one moment: the number of leaves, their root, and when the newest was added."""

    size: int
    root: bytes
    time_ms: int


EMPTY = Checkpoint(0, merkle.EMPTY, 0)
"""The checkpoint of a log without leaves."""


class Cosignature(msgspec.Struct, frozen=True, kw_only=True):
    """A witness's word that it saw a checkpoint: its public key, the size, the time (Unix seconds), and the line of the note."""

    witness: str
    size: int
    time: int
    line: str


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

    async def cosignatures(self) -> Sequence[Cosignature]:
        """Return the newest cosignature of each witness, in any order."""
        ...

    async def cosign(self, cosignature: Cosignature) -> None:
        """Keep a cosignature in place of that witness's earlier one."""
        ...

    async def forget_witness(self, witness: str) -> None:
        """Forget the cosignature of a witness, if there is one."""
        ...

    async def grow(self, growth: Growth) -> bool:
        """Add leaves in one step; False, and nothing added, if the log has another size or has one of the leaves already."""
        ...
