"""Shapes of the transparency log."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ...service.ports.transparency import Checkpoint, Outcome
from ...service.transparency.log import Consistency, Inclusion, Proofs
from ...service.transparency.notes import Note
from .fields import Digest, MatchRef, Moment

LeafCount = Annotated[int, Meta(ge=0, le=1_000_000_000, description="Number of leaves.")]
LeafPlace = Annotated[int, Meta(ge=0, le=999_999_999, description="Number of a leaf, from 0.")]
Path = tuple[Digest, ...]


NOTE_CHARACTERS = 100_000
PublicKeyText = Annotated[
    str, Meta(max_length=500, description="A public key as C2SP's signed-note writes it: `name+id+base64`.")
]


class CheckpointBody(msgspec.Struct, frozen=True, kw_only=True):
    """The log at one moment: the Merkle `root` of all leaves, and when the latest was added (`time_ms`, 0: the log is empty).

    `signed` is the same as C2SP's tlog-checkpoint, signed by the deployment.
    """

    size: LeafCount
    root: Digest
    time_ms: Moment
    signed: Annotated[str, Meta(max_length=NOTE_CHARACTERS)]


class SigningKeys(msgspec.Struct, frozen=True, kw_only=True):
    """Who signs: `origin` names the deployment in all that it signs, and `keys` are its public keys, the current one first."""

    origin: Annotated[str, Meta(max_length=200)]
    keys: tuple[PublicKeyText, ...]


class LeafProof(msgspec.Struct, frozen=True, kw_only=True):
    """A leaf of a match and its proof. `version` and `chain` are those of its record right after it ended or was corrected.

    The leaf's content is six lines: `tafelrunde.leaf.1`, match, version, chain, outcome, time_ms. `path` has the
    sibling hashes from the leaf up, as in RFC 6962.
    """

    index: LeafPlace
    version: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    chain: Digest
    outcome: Outcome
    time_ms: Moment
    path: Path


class LeafProofs(msgspec.Struct, frozen=True, kw_only=True):
    """All leaves of a match, each with its proof against the log of `size` leaves with this `root`."""

    match: MatchRef
    size: LeafCount
    root: Digest
    leaves: tuple[LeafProof, ...]


class ConsistencyBody(msgspec.Struct, frozen=True, kw_only=True):
    """Proof that the log of `to` leaves begins with the log of `from` leaves: nothing was changed or removed."""

    from_: LeafCount = msgspec.field(name="from")
    from_root: Digest
    to: LeafCount
    to_root: Digest
    path: Path


class LeafHashes(msgspec.Struct, frozen=True, kw_only=True):
    """Hashes of leaves, starting at number `from`. With all of them, every root can be recomputed."""

    from_: LeafPlace = msgspec.field(name="from")
    hashes: Path


def checkpoint_body(found: Checkpoint, signed: Note) -> CheckpointBody:
    """Return a checkpoint with its signed note."""
    return CheckpointBody(size=found.size, root=found.root.hex(), time_ms=found.time_ms, signed=str(signed))


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
