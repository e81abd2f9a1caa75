"""What the transparency log promises, as pure functions that anyone may run: no server is needed or trusted.

A leaf's content is six lines, each ended by a line feed: `tafelrunde.leaf.1`, the match's id, the version (a decimal number),
the chain after that version (64 hex digits), the outcome, the time (Unix milliseconds, decimal). The tree over the leaves is
that of RFC 6962, section 2.1, with SHA-256.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...domain.game import Event
from ...domain.match import MatchId
from ...domain.match.events import MatchAborted, MatchAdjudicated, MatchEnded, MatchVoided
from ..dealing import merkle
from ..matches.codec import Codec, Envelope
from ..ports.events import GENESIS, chain_over
from ..ports.transparency import Leaf, Outcome

KIND = "tafelrunde.leaf.1"


def content(leaf: Leaf) -> bytes:
    """Return the bytes that are hashed for a leaf."""
    lines = (KIND, leaf.match, str(leaf.version), leaf.chain.hex(), leaf.outcome.value, str(leaf.time_ms))
    return "".join(f"{line}\n" for line in lines).encode()


def hashed(leaf: Leaf) -> bytes:
    """Return a leaf as the tree has it."""
    return merkle.leaf_hash(content(leaf))


def check_inclusion(leaf: Leaf, index: int, path: Sequence[bytes], size: int, root: bytes) -> bool:
    """Return whether *path* proves that *leaf* is number *index* of the log with *size* leaves and this root."""
    return merkle.root_from(hashed(leaf), index, size, path) == root


def check_consistency(earlier: int, earlier_root: bytes, later: int, later_root: bytes, path: Sequence[bytes]) -> bool:
    """Return whether *path* proves that the log of *later* leaves begins with *earlier* ones: nothing was changed or removed."""
    return merkle.consistent(earlier, earlier_root, later, later_root, path)


def leaves_of(match: MatchId, entries: Sequence[bytes], codec: Codec) -> Iterator[Leaf]:
    """Yield the leaves that a match's log must have, in order: one for the command that ended it, one for each correction."""
    chain, pending = GENESIS, None
    for version, entry in enumerate(entries, start=1):
        chain = chain_over(chain, (entry,))
        envelope, event = codec.decode(entry)
        pending = _outcome(event) or pending
        if pending is not None and _complete(envelope):
            yield Leaf(match, version, chain, pending, envelope.time_ms)
            pending = None


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


def _complete(envelope: Envelope) -> bool:
    """Return whether a command's last event is in this envelope."""
    return bool(envelope.digest)
