"""Shapes of the transparency log."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ....service.days import Day
from ....service.features.transparency.checks import content, reference
from ....service.features.transparency.log import Consistency, Inclusion, MatchProofs
from ....service.features.transparency.port import Checkpoint, Leaf, LeafKind, Outcome
from ....service.signing.notes import Note
from ...schema.common import Request
from ...schema.fields import DayRef, Digest, MatchRef, Moment

LeafCount = Annotated[int, Meta(ge=0, le=1_000_000_000, description="Number of leaves.")]
LeafPlace = Annotated[int, Meta(ge=0, le=999_999_999, description="Number of a leaf, from 0.")]
Path = tuple[Digest, ...]
LeafText = Annotated[str, Meta(max_length=10_000, description="A leaf's content: lines that each end with a line feed.")]


NOTE_CHARACTERS = 20_000
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
    """Who signs: `origin` names the deployment in all that it signs, and `keys` are its public keys, the current one first.

    `log_seconds`: within how many seconds every opening and end is in the log; where spectators are delayed, after their delay.
    """

    origin: Annotated[str, Meta(max_length=200)]
    keys: tuple[PublicKeyText, ...]
    log_seconds: Annotated[int, Meta(ge=1, le=86_400)]


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


class DayProof(msgspec.Struct, frozen=True, kw_only=True):
    """The leaf of a day's deals, with its proof against the log of `size` leaves with this `root`.

    `text` is the leaf's content: `tafelrunde.day.1`, the day, the commitment. `secret` is what the commitment binds, once the day
    is over.
    """

    day: DayRef
    size: LeafCount
    root: Digest
    index: LeafPlace
    text: LeafText
    path: Path
    secret: Digest | None


class LeafProofs(msgspec.Struct, frozen=True, kw_only=True):
    """All leaves of a match, each with its proof against the log of `size` leaves with this `root`.

    `day`: the same of the day whose deal the match is, null for other matches.
    """

    match: MatchRef
    size: LeafCount
    root: Digest
    leaves: tuple[LeafProof, ...]
    day: DayProof | None


class OpeningProof(msgspec.Struct, frozen=True, kw_only=True):
    """The leaf of a match's opening, with its proof against the log of `size` leaves with this `root`.

    `text` is the leaf's content: `tafelrunde.opening.1`, the match's reference, the time, and each commitment.
    """

    match: MatchRef
    size: LeafCount
    root: Digest
    index: LeafPlace
    text: LeafText
    path: Path


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One leaf of the log as everyone may see it: its hash and, of all but ends, the content that was hashed.

    The content of an end has the id of the match, so it is for those whom the match concerns. Here the end has the reference of
    its match, the outcome, and its time. `time_ms` of a day is when it was entered, which its content does not say.
    """

    hash: Digest
    text: LeafText | None
    match: Digest | None
    outcome: Outcome | None
    time_ms: Moment


class LogEntries(msgspec.Struct, frozen=True, kw_only=True):
    """Leaves in order, starting at number `from`."""

    from_: LeafPlace = msgspec.field(name="from")
    entries: tuple[LogEntry, ...]


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


class CosignedCheckpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A checkpoint as a note with two signatures: the deployment's, and one by which a witness says that it saw it, and when."""

    witness: PublicKeyText
    note: Annotated[str, Meta(max_length=NOTE_CHARACTERS)]


class Cosignatures(msgspec.Struct, frozen=True, kw_only=True):
    """The latest checkpoint of each witness, the largest first."""

    items: tuple[CosignedCheckpoint, ...]


class CosignatureRequest(Request, frozen=True):
    """A checkpoint that a witness has signed, with the public key of the witness (C2SP's cosignature/v1, kind 4)."""

    witness: PublicKeyText
    note: Annotated[str, Meta(max_length=NOTE_CHARACTERS)]


def checkpoint_body(found: Checkpoint, signed: Note) -> CheckpointBody:
    """Return a checkpoint with its signed note."""
    return CheckpointBody(size=found.size, root=found.root.hex(), time_ms=found.time_ms, signed=str(signed))


def proofs_body(match: str, found: MatchProofs, day: DayProof | None) -> LeafProofs:
    """Return the proofs of a match's leaves, and that of its day."""
    return LeafProofs(match=match, size=found.size, root=found.root.hex(), leaves=tuple(map(_leaf, found.leaves)), day=day)


def day_body(day: Day, secret: str | None, found: MatchProofs) -> DayProof:
    """Return the proof of a day's commitment, with the secret that it binds, once that may be known."""
    (noted,) = found.leaves
    return DayProof(
        day=day,
        size=found.size,
        root=found.root.hex(),
        index=noted.index,
        text=content(noted.leaf).decode(),
        path=tuple(each.hex() for each in noted.path),
        secret=secret,
    )


def opening_body(match: str, found: MatchProofs) -> OpeningProof:
    """Return the proof of an opening."""
    (opening,) = found.leaves
    return OpeningProof(
        match=match,
        size=found.size,
        root=found.root.hex(),
        index=opening.index,
        text=content(opening.leaf).decode(),
        path=tuple(each.hex() for each in opening.path),
    )


def entry_body(hashed: bytes, leaf: Leaf) -> LogEntry:
    """Return a leaf as everyone may see it."""
    ends = leaf.kind is LeafKind.END
    return LogEntry(
        hash=hashed.hex(),
        text=None if ends else content(leaf).decode(),
        match=reference(leaf.match) if leaf.kind in {LeafKind.END, LeafKind.OPENING} else None,
        outcome=leaf.outcome,
        time_ms=leaf.time_ms,
    )


def _leaf(found: Inclusion) -> LeafProof:
    assert found.leaf.outcome is not None, "only ends are proved so"
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
