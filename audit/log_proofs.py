"""Whether a record is in the transparency log: the proofs of its leaves, against a saved root."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ..domain.match import MatchId
from ..domain.match.events import MatchOpened
from ..domain.registry import GAMES
from ..service.dealing.day_deals import day_commitment, secret_of_deal
from ..service.errors import StartupRefused
from ..service.features.records.record import RecordEntry, RecordHead
from ..service.features.records.verdict import Finding
from ..service.features.records.verify import SECRET, read
from ..service.features.transparency.checks import check_inclusion, content, day_of, leaves_of
from ..service.features.transparency.port import Leaf
from ..service.games import Games
from ..service.matches.codec import Codec

if TYPE_CHECKING:
    from tafelrunde.client.shapes import DayProof, LeafProof, LeafProofs

CHECKPOINT = re.compile(r"(\d{1,9}):([0-9a-f]{64})")


class LogRoot(NamedTuple):
    """The number of leaves in the log at that time, and its root in hex."""

    size: int
    root: str


def parse_checkpoint(text: str) -> LogRoot:
    """Return a checkpoint that is written as `size:root`; raise StartupRefused."""
    if (found := CHECKPOINT.fullmatch(text)) is None:
        raise StartupRefused(f"{text} is not a checkpoint: a number of leaves, a colon, and a root of 64 hex digits.")
    return LogRoot(int(found[1]), found[2])


def parse_proofs(content: bytes) -> LeafProofs:
    """Parse proofs from the service, in the shape of `/log/proofs/{match}`; raise StartupRefused if they are invalid."""
    from tafelrunde.client.shapes import LeafProofs

    try:
        return msgspec.json.decode(content, type=LeafProofs)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StartupRefused(f"These are no proofs of a match in the log: {error}.") from error


def check_proofs(lines: Iterable[bytes], proofs: LeafProofs, kept: LogRoot | None, games: Games = GAMES) -> Finding | None:
    """Return what is wrong with the proofs for a right record, None if nothing is.

    Without a *kept* checkpoint the root is believed, which shows only that the service says the same of match and log. A
    checkpoint can be from before a correction, so that the log had fewer leaves then than the record has now, but never more.
    """
    if kept is not None and kept != (proofs.size, proofs.root):
        return Finding("log", "the checkpoint that was kept", f"{kept.size}:{kept.root}", f"{proofs.size}:{proofs.root}")
    head, *rest = read(lines)
    assert isinstance(head, RecordHead), "the record was checked before"
    codec = Codec(games)
    entries = [base64.b64decode(line.bytes) for line in rest if isinstance(line, RecordEntry)]
    expected = list(leaves_of(MatchId(head.match), entries, codec))
    missing = len(expected) - len(proofs.leaves)
    if not proofs.leaves or missing < 0 or (kept is None and missing):
        return Finding("log", "a leaf for the end and for each correction", str(len(expected)), str(len(proofs.leaves)))
    for leaf, proof in zip(expected, proofs.leaves, strict=False):
        if (wrong := _check_leaf(leaf, proof, proofs)) is not None:
            return wrong
    return _check_day(entries, codec, proofs)


def _check_leaf(leaf: Leaf, proof: LeafProof, proofs: LeafProofs) -> Finding | None:
    wanted = (leaf.version, leaf.chain.hex(), leaf.outcome and leaf.outcome.value, leaf.time_ms)
    found = (proof.version, proof.chain, proof.outcome, proof.time_ms)
    if wanted != found:
        return Finding("log", f"leaf {proof.index}", str(wanted), str(found))
    return _check_path(leaf, proof, proofs)


def _check_day(entries: Sequence[bytes], codec: Codec, proofs: LeafProofs) -> Finding | None:
    """Return what is wrong with the leaf of a deal's day: one with a commitment of its day must have that one, and its secret."""
    if (leaf := day_of(entries, codec)) is None:
        return None
    (day, commitment), proof = leaf.lines, proofs.day
    if proof is None or proof.text != content(leaf).decode():
        return Finding("log", f"the leaf of {day}", commitment, "none" if proof is None else proof.text)
    opened = codec.decode(entries[0])[1]
    assert isinstance(opened, MatchOpened), "the record was checked before"
    return check_day_secret(opened, leaf, proof.secret) or _check_path(leaf, proof, proofs)


def check_day_secret(opened: MatchOpened, leaf: Leaf, secret: str | None) -> Finding | None:
    """Return why the leaf of a day does not bind the secret of a match: the secret of the day has to fit both."""
    (day, commitment) = leaf.lines
    found = secret or ""
    if SECRET.fullmatch(found) is None or day_commitment(day, found) != commitment:
        return Finding("log", f"the secret of {day}", f"one with the commitment {commitment}", found or "none")
    if (bound := secret_of_deal(day, found, opened.game)) != opened.secret:
        return Finding("log", f"the secret of the deal of {day}", bound, str(opened.secret))
    return None


def _check_path(leaf: Leaf, proof: LeafProof | DayProof, proofs: LeafProofs) -> Finding | None:
    try:
        path = [bytes.fromhex(each) for each in proof.path]
        root = bytes.fromhex(proofs.root)
    except ValueError as error:
        return Finding("log", f"the path of leaf {proof.index}", "hex digits", str(error))
    if check_inclusion(leaf, proof.index, path, proofs.size, root):
        return None
    return Finding("log", f"the path of leaf {proof.index} to the root", proofs.root, "another root")
