"""The Merkle tree of RFC 6962 (section 2.1) over SHA-256: one root for a list of leaves, and short proofs against it.

Leaves and inner nodes are hashed with different first bytes, so that neither can be passed off as the other. All functions
but `leaf_hash` take leaves that are hashed already; a path lists the sibling hashes from the leaf up.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

EMPTY = hashlib.sha256().digest()
"""The root of no leaves."""


def leaf_hash(content: bytes) -> bytes:
    """Return the leaf of *content*: sha256(0x00 | content)."""
    return hashlib.sha256(b"\x00" + content).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """Return the root over *leaves*."""
    if not leaves:
        return EMPTY
    if len(leaves) == 1:
        return leaves[0]
    split = _split(len(leaves))
    return node(root(leaves[:split]), root(leaves[split:]))


def inclusion(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the path that proves leaf *index*; raise IndexError if there is none."""
    if not 0 <= index < len(leaves):
        raise IndexError(index)
    if len(leaves) == 1:
        return []
    split = _split(len(leaves))
    if index < split:
        return [*inclusion(leaves[:split], index), root(leaves[split:])]
    return [*inclusion(leaves[split:], index - split), root(leaves[:split])]


def root_from(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root of *size* leaves that has *leaf* at *index*, as *path* says; None if *path* is too long for the tree."""
    if not 0 <= index < size:
        return None
    place = index
    last = size - 1
    found = leaf
    for sister in path:
        if last == 0:
            return None
        if place % 2 or place == last:
            found = node(sister, found)
            place, last = _climb(place, last)
        else:
            found = node(found, sister)
        place, last = place // 2, last // 2
    return found if last == 0 else None


def consistency(leaves: Sequence[bytes], earlier: int) -> list[bytes]:
    """Return the proof that the tree over the first *earlier* leaves was only added to; raise IndexError if there was none."""
    if not 0 < earlier <= len(leaves):
        raise IndexError(earlier)
    return _subproof(leaves, earlier, whole=True)


def consistent(earlier: int, earlier_root: bytes, size: int, size_root: bytes, proof: Sequence[bytes]) -> bool:
    """Return whether *proof* shows that the tree of *size* leaves begins with the tree of *earlier* leaves."""
    if not 0 < earlier <= size:
        return False
    if earlier == size:
        return not proof and earlier_root == size_root
    # A whole subtree on the left is itself the first node, and is not sent.
    nodes = [earlier_root, *proof] if _is_power_of_two(earlier) else list(proof)
    return bool(nodes) and _both_roots(earlier - 1, size - 1, nodes) == (earlier_root, size_root)


def _both_roots(place: int, last: int, nodes: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """Return the roots before and after that the nodes of a consistency proof lead to."""
    while place % 2:
        place, last = place // 2, last // 2
    before = after = nodes[0]
    for sister in nodes[1:]:
        if last == 0:
            return None
        if place % 2 or place == last:
            before, after = node(sister, before), node(sister, after)
            place, last = _climb(place, last)
        else:
            after = node(after, sister)
        place, last = place // 2, last // 2
    return (before, after) if last == 0 else None


def _climb(place: int, last: int) -> tuple[int, int]:
    """Go up to the level where the node at *place* is a right child: below it had no sister and was its own parent."""
    while place and not place % 2:
        place, last = place // 2, last // 2
    return place, last


def _subproof(leaves: Sequence[bytes], earlier: int, *, whole: bool) -> list[bytes]:
    if earlier == len(leaves):
        return [] if whole else [root(leaves)]
    split = _split(len(leaves))
    if earlier <= split:
        return [*_subproof(leaves[:split], earlier, whole=whole), root(leaves[split:])]
    return [*_subproof(leaves[split:], earlier - split, whole=False), root(leaves[:split])]


def _split(size: int) -> int:
    """Return the largest power of two below *size*."""
    return 1 << (size - 1).bit_length() - 1


def _is_power_of_two(number: int) -> bool:
    return number & (number - 1) == 0


def node(left: bytes, right: bytes) -> bytes:
    """Return the parent of two nodes: sha256(0x01 | left | right)."""
    return hashlib.sha256(b"\x01" + left + right).digest()
