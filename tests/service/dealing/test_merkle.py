"""The Merkle tree: the published roots, and proofs that hold for one leaf at one place of one tree only."""

from __future__ import annotations

import hashlib

import pytest

from tafelrunde.service.dealing import merkle

INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
"""The leaves and roots that Certificate Transparency's own test suites use."""
LEAVES = [merkle.leaf_hash(number.to_bytes(2, "big")) for number in range(40)]
SIZES = range(1, len(LEAVES) + 1)


def test_root_of_no_leaves_is_the_hash_of_nothing() -> None:
    """RFC 6962: the hash of an empty list is the hash of an empty string."""
    assert merkle.root([]) == hashlib.sha256(b"").digest()


@pytest.mark.parametrize("size", range(1, len(ROOTS) + 1))
def test_root_is_the_published_one(size: int) -> None:
    """Any implementation of RFC 6962 computes the same root."""
    leaves = [merkle.leaf_hash(bytes.fromhex(text)) for text in INPUTS[:size]]
    assert merkle.root(leaves).hex() == ROOTS[size - 1]


@pytest.mark.parametrize("size", SIZES)
def test_inclusion_leads_to_the_root(size: int) -> None:
    """Every leaf of every tree can be proved."""
    leaves = LEAVES[:size]
    for index, leaf in enumerate(leaves):
        assert merkle.root_from(leaf, index, size, merkle.inclusion(leaves, index)) == merkle.root(leaves)


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 8, 13])
def test_inclusion_of_another_leaf_place_or_path_leads_elsewhere(size: int) -> None:
    """A path proves one leaf at one place: changing either, or the path's length, or a bit of it, is found out."""
    leaves = LEAVES[:size]
    top = merkle.root(leaves)
    for index, leaf in enumerate(leaves):
        path = merkle.inclusion(leaves, index)
        assert merkle.root_from(LEAVES[-1], index, size, path) != top
        assert all(merkle.root_from(leaf, other, size, path) != top for other in range(size) if other != index)
        assert merkle.root_from(leaf, index, size, [*path, top]) is None
        assert all(merkle.root_from(leaf, index, size, path[:short]) != top for short in range(len(path)))
        assert all(merkle.root_from(leaf, index, size, _spoiled(path, place)) != top for place in range(len(path)))


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0)])
def test_inclusion_outside_the_tree_is_refused(index: int, size: int) -> None:
    """There is no path to a place that the tree does not have."""
    with pytest.raises(IndexError):
        merkle.inclusion(LEAVES[:size], index)
    assert merkle.root_from(LEAVES[0], index, size, []) is None


@pytest.mark.parametrize("size", SIZES)
def test_consistency_holds_with_every_earlier_tree(size: int) -> None:
    """A log that only grew can show it for each of its earlier states."""
    leaves = LEAVES[:size]
    top = merkle.root(LEAVES[:size])
    for earlier in range(1, size + 1):
        proof = merkle.consistency(leaves, earlier)
        assert merkle.consistent(earlier, merkle.root(leaves[:earlier]), size, top, proof)


@pytest.mark.parametrize("size", [2, 3, 6, 7, 8, 13])
def test_consistency_fails_for_a_changed_history(size: int) -> None:
    """No proof fits a log whose past was rewritten, nor does a proof with another bit, length or size."""
    leaves = LEAVES[:size]
    top = merkle.root(LEAVES[:size])
    for earlier in range(1, size):
        proof = merkle.consistency(leaves, earlier)
        before = merkle.root(leaves[:earlier])
        rewritten = merkle.root([LEAVES[-1], *leaves[1:earlier]])
        assert not merkle.consistent(earlier, rewritten, size, top, proof)
        assert not merkle.consistent(earlier, before, size, before, proof)
        assert not merkle.consistent(earlier, before, size, top, [*proof, top])
        assert not merkle.consistent(earlier, before, size, top, proof[:-1])
        assert not any(merkle.consistent(earlier, before, size, top, _spoiled(proof, place)) for place in range(len(proof)))


def test_consistency_with_no_earlier_tree_is_refused() -> None:
    """A tree of no leaves proves nothing, and none is larger than the whole."""
    for earlier in (0, 4):
        with pytest.raises(IndexError):
            merkle.consistency(LEAVES[:3], earlier)
        assert not merkle.consistent(earlier, merkle.EMPTY, 3, merkle.root(LEAVES[:3]), [])


def _spoiled(path: list[bytes], place: int) -> list[bytes]:
    return [*path[:place], bytes([path[place][0] ^ 1]) + path[place][1:], *path[place + 1 :]]
