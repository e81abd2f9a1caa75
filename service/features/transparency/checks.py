"""What the transparency log promises, as pure functions that anyone may run: no server is needed or trusted.

A leaf's content is lines, each ended by a line feed. Of the end of a match, or of a correction: `tafelrunde.leaf.1`, the match's
id, the version (a decimal number), the chain after that version (64 hex digits), the outcome, the time (Unix milliseconds,
decimal). Of an opening: `tafelrunde.opening.1`, the match's reference, the time, and each commitment. Of a key:
`tafelrunde.key.1`, the key, the time, and the signature of the key before it. Of a day: `tafelrunde.day.1`, the day, and the
commitment to its secret. The tree over the leaves is that of RFC 6962, section 2.1, with SHA-256.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from msgspec import UNSET

from ....domain.game import Event
from ....domain.match import MatchId
from ....domain.match.events import (
    DealOfDay,
    MatchAborted,
    MatchAdjudicated,
    MatchEnded,
    MatchOpened,
    MatchStarted,
    MatchVoided,
)
from ...dealing import merkle
from ...matches.codec import Codec
from ...ports.events import GENESIS, chain_over
from .port import DAYS, OPENING_VERSION, Leaf, LeafKind, Outcome


def content(leaf: Leaf) -> bytes:
    """Return the bytes that are hashed for a leaf."""
    match leaf.kind:
        case LeafKind.END:
            assert leaf.outcome is not None, "what ends has an outcome"
            lines = (leaf.match, str(leaf.version), leaf.chain.hex(), leaf.outcome.value, str(leaf.time_ms))
        case LeafKind.OPENING:
            lines = (reference(leaf.match), str(leaf.time_ms), *leaf.lines)
        case LeafKind.KEY:
            key, signature = leaf.lines
            lines = (key, str(leaf.time_ms), signature)
        case LeafKind.DAY:
            lines = leaf.lines
    return "".join(f"{line}\n" for line in (leaf.kind.value, *lines)).encode()


def reference(match_id: MatchId) -> str:
    """Return what stands for a match where everyone may read it: a hash, as the id itself lets its holder look at the match."""
    return hashlib.sha256(f"tafelrunde.match.1\n{match_id}\n".encode()).hexdigest()


def key_content(key: str, time_ms: int) -> bytes:
    """Return the bytes that the key before a new one signs, to hand over to it: the leaf's content without its last line."""
    return f"{LeafKind.KEY.value}\n{key}\n{time_ms}\n".encode()


def hash_leaf(leaf: Leaf) -> bytes:
    """Return a leaf as the tree has it."""
    return merkle.leaf_hash(content(leaf))


def check_inclusion(leaf: Leaf, index: int, path: Sequence[bytes], size: int, root: bytes) -> bool:
    """Return whether *path* proves that *leaf* is number *index* of the log with *size* leaves and this root."""
    return merkle.root_from(hash_leaf(leaf), index, size, path) == root


def check_consistency(earlier: int, earlier_root: bytes, later: int, later_root: bytes, path: Sequence[bytes]) -> bool:
    """Return whether *path* proves that the log of *later* leaves begins with *earlier* ones: nothing was changed or removed."""
    return merkle.consistent(earlier, earlier_root, later, later_root, path)


def leaves_of(match_id: MatchId, entries: Sequence[bytes], codec: Codec) -> Iterator[Leaf]:
    """Yield the leaves that a match's log must have, in order: one for the command that ended it, one for each correction."""
    chain = GENESIS
    pending = None
    for version, entry in enumerate(entries, start=1):
        chain = chain_over(chain, (entry,))
        envelope, event = codec.decode(entry)
        pending = _outcome(event) or pending
        if pending is not None and envelope.complete:
            yield Leaf(match_id, version, chain, pending, envelope.time_ms)
            pending = None


def opening_of(match_id: MatchId, opened: MatchOpened) -> Leaf:
    """Return the leaf of an opening. Its lines are its commitments, each named here: what is signed must never change unseen."""
    commitments = (opened.commitment,)
    return Leaf(match_id, OPENING_VERSION, b"", None, opened.at_ms, LeafKind.OPENING, commitments)


def day_leaf(day: str, commitment: str, number: int = 0, time_ms: int = 0) -> Leaf:
    """Return the leaf of a day. Its content has neither number nor time, so its hash follows from the commitment."""
    return Leaf(DAYS, number, b"", None, time_ms, LeafKind.DAY, (day, commitment))


def day_of(entries: Sequence[bytes], codec: Codec) -> Leaf | None:
    """Return the leaf that the log must have of the day whose deal a match is; None for others, and for the first deals."""
    for entry in entries:
        event = codec.decode(entry)[1]
        if isinstance(event, DealOfDay) and event.commitment is not UNSET:
            return day_leaf(event.day, event.commitment)
        if isinstance(event, MatchStarted):
            break
    return None


def _outcome(event: Event) -> Outcome | None:
    """Return the final outcome that an event gives a match, if the log has to record it."""
    match event:
        case MatchEnded():
            return Outcome.OVER
        case MatchAborted():
            return Outcome.ABORTED
        case MatchVoided():
            return Outcome.VOIDED
        case MatchAdjudicated():
            return Outcome.ADJUDICATED
        case _:
            return None
