"""What two signed texts of one deployment prove, as pure functions: two stories, or one."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from ..dealing import merkle
from .notes import BadNote, Note, PublicKey, is_signed
from .statements import FeedMark, Statement, TreeHead, read_statement


class Ruling(Enum):
    """Whether two texts contradict each other, agree, or leave it open."""

    CONTRADICTION = "contradiction"
    AGREEMENT = "agreement"
    OPEN = "open"


class Judgement(NamedTuple):
    """A ruling, and in a sentence what it rests on."""

    ruling: Ruling
    why: str


def statement_of(note: Note, keys: Sequence[PublicKey]) -> Statement:
    """Return what a note says, if one of the deployment's keys signed it; raise BadNote."""
    statement = read_statement(note.text)
    if not any(key.name == statement.origin and is_signed(note, key) for key in keys):
        raise BadNote(f"not signed by a key of {statement.origin} that was given")
    return statement


def judge(one: Statement, other: Statement, leaves: Sequence[bytes] = ()) -> Judgement:
    """Return what two statements prove, with the hashes of the leaves of the longer log, where two checkpoints differ in size."""
    match one, other:
        case TreeHead(), TreeHead() if one.origin == other.origin:
            earlier, later = sorted((one, other), key=lambda head: head.size)
            return _of_heads(earlier, later, leaves)
        case FeedMark(), FeedMark() if one.origin == other.origin:
            return _of_marks(one, other)
        case _:
            return Judgement(
                Ruling.OPEN, "the texts are not about the same: one needs two checkpoints, or two marks, of one origin"
            )


def _of_heads(earlier: TreeHead, later: TreeHead, leaves: Sequence[bytes]) -> Judgement:
    if earlier == later:
        return Judgement(Ruling.AGREEMENT, f"both are the log of {later.size} leaves with the same root")
    if earlier.size == later.size:
        return Judgement(Ruling.CONTRADICTION, f"two logs of {later.size} leaves: different readers were shown different logs")
    if len(leaves) < later.size or merkle.root(leaves[: later.size]) != later.root:
        return Judgement(Ruling.OPEN, f"the hashes of all {later.size} leaves of the later checkpoint are needed to compare them")
    if merkle.root(leaves[: earlier.size]) == earlier.root:
        return Judgement(Ruling.AGREEMENT, f"the log of {later.size} leaves begins with that of {earlier.size}")
    return Judgement(
        Ruling.CONTRADICTION, f"the log of {later.size} leaves does not begin with that of {earlier.size}: it was rewritten"
    )


def _of_marks(one: FeedMark, other: FeedMark) -> Judgement:
    first, second = one.mark, other.mark
    if (first.match, first.seat) != (second.match, second.seat):
        return Judgement(Ruling.OPEN, "the marks are of different feeds")
    if first.n != second.n:
        return Judgement(Ruling.OPEN, "the marks are of different places in the feed: compare each with the record of the match")
    if first.chain == second.chain:
        return Judgement(Ruling.AGREEMENT, f"both are of the same {first.n} items")
    return Judgement(Ruling.CONTRADICTION, f"two different beginnings of one feed, of {first.n} items each, were sent")
