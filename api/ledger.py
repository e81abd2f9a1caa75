"""The shapes of the log over all matches on the wire."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ..service.registrar import Consistency, Inclusion, Proofs
from ..service.tree import Checkpoint, Outcome
from .patterns import Digest, MatchRef, Moment

LeafCount = Annotated[int, Meta(ge=0, le=1_000_000_000, description="The number of leaves.")]
LeafPlace = Annotated[int, Meta(ge=0, le=999_999_999, description="The number of a leaf, from 0.")]
Path = tuple[Digest, ...]


class CheckpointBody(msgspec.Struct, frozen=True, kw_only=True):
    """The whole log at one moment: `root` stands for all its leaves. `time_ms` is when the newest was added (0: none was)."""

    size: LeafCount
    root: Digest
    time_ms: Moment


class LeafProof(msgspec.Struct, frozen=True, kw_only=True):
    """One leaf of a match: where its record stood (`version`, `chain`) right after it ended or was corrected, and its proof.

    The leaf's content is six lines: `tafelrunde.leaf.1`, match, version, chain, outcome, time_ms. `path` has the sisters from
    the leaf up, as in RFC 6962.
    """

    index: LeafPlace
    version: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    chain: Digest
    outcome: Outcome
    time_ms: Moment
    path: Path


class LeafProofs(msgspec.Struct, frozen=True, kw_only=True):
    """All leaves of a match, each proved in the log of `size` leaves with this `root`."""

    match: MatchRef
    size: LeafCount
    root: Digest
    leaves: tuple[LeafProof, ...]


class ConsistencyBody(msgspec.Struct, frozen=True, kw_only=True):
    """That the log of `to` leaves begins with the log of `from` leaves: nothing in it was changed or removed."""

    from_: LeafCount = msgspec.field(name="from")
    from_root: Digest
    to: LeafCount
    to_root: Digest
    path: Path


class LeafHashes(msgspec.Struct, frozen=True, kw_only=True):
    """Hashes of leaves, the first of number `from`; whoever has them all can compute every root anew."""

    from_: LeafPlace = msgspec.field(name="from")
    hashes: Path


def checkpoint_body(found: Checkpoint) -> CheckpointBody:
    """Return a checkpoint."""
    return CheckpointBody(size=found.size, root=found.root.hex(), time_ms=found.time_ms)


def proofs_body(match: str, found: Proofs) -> LeafProofs:
    """Return the proofs of a match's leaves."""
    return LeafProofs(match=match, size=found.size, root=found.root.hex(), leaves=tuple(map(_leaf, found.leaves)))


def _leaf(found: Inclusion) -> LeafProof:
    return LeafProof(
        index=found.index,
        version=found.leaf.version,
        chain=found.leaf.chain.hex(),
        outcome=found.leaf.outcome,
        time_ms=found.leaf.time_ms,
        path=tuple(each.hex() for each in found.path),
    )


def consistency_body(found: Consistency) -> ConsistencyBody:
    """Return a proof of consistency."""
    return ConsistencyBody(
        from_=found.earlier,
        from_root=found.earlier_root.hex(),
        to=found.later,
        to_root=found.later_root.hex(),
        path=tuple(each.hex() for each in found.path),
    )
