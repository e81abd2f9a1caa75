"""The transparency log as a tree: what is kept of it, and which nodes a root or a proof needs.

Every complete subtree is kept as one node, named by its level (0: the leaves) and its place in that level. A tree over any
number of leaves is made of at most one such subtree for each level, so roots and proofs cost a few nodes however long it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ...dealing import merkle
from .port import NodeId


class Span(NamedTuple):
    """Leaves `start` to `end` - 1, as they lie under one hash of a proof."""

    start: int
    end: int


def cover(span: Span) -> list[NodeId]:
    """Return the complete subtrees that a span is made of, from left to right."""
    found: list[NodeId] = []
    start = span.start
    while start < span.end:
        level = (span.end - start).bit_length() - 1
        found.append(NodeId(level, start >> level))
        start += 1 << level
    return found


def join(nodes: Sequence[bytes]) -> bytes:
    """Return the hash over the complete subtrees that a span is made of."""
    if not nodes:
        return merkle.EMPTY
    found = nodes[-1]
    for left in reversed(nodes[:-1]):
        found = merkle.node(left, found)
    return found


def inclusion(index: int, size: int) -> list[Span]:
    """Return the spans whose hashes prove leaf *index* among *size*, from the leaf up; raise IndexError if there is none."""
    if not 0 <= index < size:
        raise IndexError(index)
    return _inclusion(index, Span(0, size))


def _inclusion(index: int, span: Span) -> list[Span]:
    if span.end - span.start == 1:
        return []
    left, right = _halves(span)
    if index < left.end:
        return [*_inclusion(index, left), right]
    return [*_inclusion(index, right), left]


def consistency(earlier: int, size: int) -> list[Span]:
    """Return the spans whose hashes prove that *size* leaves begin with the first *earlier*; raise IndexError if they cannot."""
    if not 0 < earlier <= size:
        raise IndexError(earlier)
    return _consistency(earlier, Span(0, size), whole=True)


def _consistency(earlier: int, span: Span, *, whole: bool) -> list[Span]:
    if earlier == span.end:
        return [] if whole else [span]
    left, right = _halves(span)
    if earlier <= left.end:
        return [*_consistency(earlier, left, whole=whole), right]
    return [*_consistency(earlier, right, whole=False), left]


def _halves(span: Span) -> tuple[Span, Span]:
    """Return a span cut at the largest power of two below its length."""
    middle = span.start + (1 << (span.end - span.start - 1).bit_length() - 1)
    return Span(span.start, middle), Span(middle, span.end)


def complete(size: int, peaks: Sequence[bytes], leaves: Sequence[bytes]) -> tuple[list[tuple[NodeId, bytes]], list[bytes]]:
    """Return the nodes that new leaves complete, and the complete subtrees that the tree is made of after them.

    *peaks* are those that the tree of *size* leaves is made of.
    """
    after = list(peaks)
    nodes: list[tuple[NodeId, bytes]] = []
    for index, leaf in enumerate(leaves, start=size):
        place = NodeId(0, index)
        found = leaf
        nodes.append((place, found))
        while place.number % 2:
            place = NodeId(place.level + 1, place.number // 2)
            found = merkle.node(after.pop(), found)
            nodes.append((place, found))
        after.append(found)
    return nodes, after


def roots(leaves: Sequence[bytes], sizes: Collection[int]) -> dict[int, bytes]:
    """Return the root of each size, in one pass over the leaves; there is none for a size beyond them."""
    done = 0
    peaks = list[bytes]()
    found = dict[int, bytes]()
    for size in sorted(size for size in sizes if size <= len(leaves)):
        _, peaks = complete(done, peaks, leaves[done:size])
        done = size
        found[size] = join(peaks)
    return found
