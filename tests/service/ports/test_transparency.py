"""The transparency log: every proof follows RFC 6962, and every match is in it once."""

from __future__ import annotations

import asyncio
import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tafelrunde.domain.match import MatchId
from tafelrunde.service.dealing import merkle
from tafelrunde.service.errors import CorruptHistory, NotFound
from tafelrunde.service.features.transparency import redis as pages
from tafelrunde.service.features.transparency import tree
from tafelrunde.service.features.transparency.checks import check_consistency, check_inclusion, content, hash_leaf
from tafelrunde.service.features.transparency.feature import STORE as TREE
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.features.transparency.memory import MemoryTransparency
from tafelrunde.service.features.transparency.port import EMPTY, Leaf, NodeId, Outcome
from tafelrunde.service.features.transparency.tree import Span
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.signing.signer import signer_of
from tests.service.story import NOON_MS
from tests.support.servers import Server
from tests.support.thorough import tries

pytestmark = pytest.mark.anyio
SIGNER = signer_of(None, bytes(32))
MILLION = 1_000_000
MANY = tries(10_000, 30_000)


def leaf(number: int, version: int = 9) -> Leaf:
    """Return the leaf of a match."""
    return Leaf(MatchId(f"m-{number}"), version, hashlib.sha256(b"%d" % number).digest(), Outcome.OVER, NOON_MS + number)


def transparency_log(stores: Stores) -> TransparencyLog:
    """Return a transparency log at noon."""
    return TransparencyLog(TREE.of(stores), lambda: NOON_MS, SIGNER)


# The tree


def all_nodes(leaves: list[bytes]) -> tuple[dict[NodeId, bytes], list[bytes]]:
    """Return all nodes of a tree that grew leaf by leaf, and what it is made of."""
    found: dict[NodeId, bytes] = {}
    peaks: list[bytes] = []
    for size, each in enumerate(leaves):
        nodes, peaks = tree.complete(size, peaks, [each])
        found.update(nodes)
    return found, peaks


@pytest.mark.parametrize("size", range(70))
def test_tree_is_that_of_the_rfc(size: int) -> None:
    """Root, every inclusion and every consistency proof are those that the plain definition gives."""
    leaves = [merkle.leaf_hash(b"%d" % number) for number in range(size)]
    nodes, peaks = all_nodes(leaves)

    def value(span: Span) -> bytes:
        return tree.join([nodes[place] for place in tree.cover(span)])

    assert tree.join(peaks) == value(Span(0, size)) == merkle.root(leaves)
    for index in range(size):
        assert [value(span) for span in tree.inclusion(index, size)] == merkle.inclusion(leaves, index)
    for earlier in range(1, size + 1):
        assert [value(span) for span in tree.consistency(earlier, size)] == merkle.consistency(leaves, earlier)


@given(st.lists(st.integers(1, 9), max_size=12))
def test_tree_is_the_same_however_leaves_come_together(portions: list[int]) -> None:
    """Leaf by leaf or in portions: the same nodes, each made once."""
    leaves = [merkle.leaf_hash(b"%d" % number) for number in range(sum(portions))]
    found: list[tuple[NodeId, bytes]] = []
    peaks: list[bytes] = []
    size = 0
    for portion in portions:
        nodes, peaks = tree.complete(size, peaks, leaves[size : size + portion])
        found += nodes
        size += portion
    assert len(found) == len(dict(found))
    assert (dict(found), peaks) == all_nodes(leaves)


def test_roots_of_many_sizes_are_those_of_each_alone() -> None:
    """However they are ordered; a size that the log does not have has none."""
    leaves = [merkle.leaf_hash(b"%d" % number) for number in range(20)]
    assert tree.roots(leaves, [13, 0, 20, 7, 8, 21]) == {size: merkle.root(leaves[:size]) for size in (0, 7, 8, 13, 20)}


@pytest.mark.parametrize(("index", "size"), [(0, 0), (1, 1), (-1, 3), (3, 3)])
def test_leaf_that_is_not_there_has_no_proof(index: int, size: int) -> None:
    """A number beyond the log is an error, not an empty proof."""
    with pytest.raises(IndexError):
        tree.inclusion(index, size)


@pytest.mark.parametrize(("earlier", "size"), [(0, 0), (0, 5), (6, 5)])
def test_log_that_never_was_has_no_proof(earlier: int, size: int) -> None:
    """There is nothing to prove of an empty log, nor of one that is longer than all there is."""
    with pytest.raises(IndexError):
        tree.consistency(earlier, size)


def test_proof_among_a_million_takes_few_reads() -> None:
    """Nodes to read for a proof grow with the logarithm of the log: at most two for each of its twenty levels."""
    rng = random.Random(1)
    for _ in range(500):
        size = rng.randint(MILLION // 2, MILLION)
        spans = tree.inclusion(rng.randrange(size), size)
        assert len(spans) <= 20
        assert sum(len(tree.cover(span)) for span in spans) <= 40
        spans = tree.consistency(rng.randint(1, size), size)
        assert sum(len(tree.cover(span)) for span in spans) <= 60


# Every store


async def check_all(stores: Stores, leaves: list[Leaf]) -> None:
    """Check every proof there is."""
    log = transparency_log(stores)
    hashes = [hash_leaf(each) for each in leaves]
    checkpoint = await log.checkpoint()
    assert (checkpoint.size, checkpoint.root) == (len(leaves), merkle.root(hashes))
    for index, each in enumerate(leaves):
        proofs = await log.prove(each.match)
        (found,) = [one for one in proofs.leaves if one.leaf == each]
        assert (found.index, proofs.size, proofs.root) == (index, checkpoint.size, checkpoint.root)
        assert check_inclusion(each, index, found.path, proofs.size, proofs.root)
        assert not check_inclusion(leaf(99_999), index, found.path, proofs.size, proofs.root)
    for earlier in range(1, len(leaves) + 1):
        proof = await log.consistency(earlier)
        assert proof.earlier_root == merkle.root(hashes[:earlier])
        assert check_consistency(earlier, proof.earlier_root, proof.later, proof.later_root, proof.path)
        assert not check_consistency(earlier, bytes(32), proof.later, proof.later_root, proof.path)
    assert list(await log.leaves(0, len(leaves) + 5)) == leaves
    assert list(await log.hashes(0, 1_000)) == hashes


async def test_log_proves_every_leaf_and_every_earlier_log(stores: Stores) -> None:
    """Whatever was added in whatever portions can be proved, also in any earlier log."""
    assert await transparency_log(stores).checkpoint() == EMPTY
    leaves: list[Leaf] = []
    for portion in (1, 1, 3, 7, 2, 20):
        fresh = [leaf(len(leaves) + number) for number in range(portion)]
        assert await transparency_log(stores).add(fresh) == portion
        leaves += fresh
    await check_all(stores, leaves)
    log = transparency_log(stores)
    for size in range(6, len(leaves)):
        proofs = await log.prove(MatchId("m-5"), size)
        assert (proofs.size, proofs.root) == (size, merkle.root([hash_leaf(each) for each in leaves[:size]]))
        assert check_inclusion(leaf(5), 5, proofs.leaves[0].path, size, proofs.root)
        found = await log.consistency(3, size)
        assert check_consistency(3, found.earlier_root, size, proofs.root, found.path)


async def test_leaf_is_added_once(stores: Stores) -> None:
    """Adding again changes nothing, whether alone, among new ones or twice in one portion."""
    log = transparency_log(stores)
    assert await log.add([leaf(1)]) == 1
    assert await log.add([leaf(1)]) == 0
    assert await log.add([leaf(2), leaf(1), leaf(2), leaf(3)]) == 2
    await check_all(stores, [leaf(1), leaf(2), leaf(3)])


async def test_match_has_one_leaf_for_each_version(stores: Stores) -> None:
    """What was said of a match at its end stays beside what was said of it later."""
    log = transparency_log(stores)
    await log.add([leaf(1), leaf(2), leaf(1, 12)])
    await log.add([leaf(1, 14), leaf(1, 12)])
    proofs = await log.prove(MatchId("m-1"))
    assert [(each.leaf.version, each.index) for each in proofs.leaves] == [(9, 0), (12, 2), (14, 3)]
    assert [(each.leaf.version, each.index) for each in (await log.prove(MatchId("m-1"), 3)).leaves] == [(9, 0), (12, 2)]


async def test_proof_is_refused_when_there_is_none(stores: Stores) -> None:
    """An unknown match, a match that came later, and sizes that never were."""
    log = transparency_log(stores)
    with pytest.raises(NotFound):
        await log.prove(MatchId("m-1"))
    await log.add([leaf(1), leaf(2)])
    with pytest.raises(NotFound):
        await log.prove(MatchId("m-2"), 1)
    for size in (0, 3, -1):
        with pytest.raises(IndexError):
            await log.prove(MatchId("m-1"), size)
    for earlier, later in ((0, 2), (3, 2), (1, 3), (2, 1)):
        with pytest.raises(IndexError):
            await log.consistency(earlier, later)


async def test_growth_is_refused_when_it_does_not_continue_the_log(stores: Stores) -> None:
    """The size is the fence, and a leaf that is there is never written again."""
    log = transparency_log(stores)
    growth = await log._growth([leaf(1)])
    assert await TREE.of(stores).grow(growth)
    assert not await TREE.of(stores).grow(growth)
    again = await log._growth([leaf(1)])
    assert not await TREE.of(stores).grow(again)
    await check_all(stores, [leaf(1)])


async def test_many_writers_make_one_log(stores: Stores) -> None:
    """With concurrent writers of the same leaves: each leaf once, and all proofs hold."""
    await asyncio.gather(*(transparency_log(stores).add([leaf(number), leaf(number + 1)]) for number in range(12)))
    leaves = list(await TREE.of(stores).leaves(0, 100))
    assert sorted(each.match for each in leaves) == sorted(f"m-{number}" for number in range(13))
    await check_all(stores, leaves)


async def test_log_goes_over_its_pages(stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of nodes and leaves follow on each other without a seam."""
    monkeypatch.setattr(pages, "NODES", 8)
    monkeypatch.setattr(pages, "LEAVES", 4)
    leaves = [leaf(number) for number in range(45)]
    for start in range(0, 45, 9):
        await transparency_log(stores).add(leaves[start : start + 9])
    await check_all(stores, leaves)
    assert list(await TREE.of(stores).leaves(7, 11)) == leaves[7:18]


async def test_missing_node_is_reported(server: Server, redis_kind_stores: Stores) -> None:
    """A log that lost a node says so instead of proving nonsense."""
    log = transparency_log(redis_kind_stores)
    await log.add([leaf(number) for number in range(5)])
    server.ask(f"DEL {pages.TREE}:n:1:0")
    with pytest.raises(CorruptHistory):
        await log.prove(MatchId("m-0"))


def test_content_of_a_leaf_is_written_down() -> None:
    """Verifiers elsewhere need these exact bytes, permanently."""
    found = Leaf(MatchId("mabc"), 7, bytes(range(32)), Outcome.ABORTED, 1_700_000_000_000)
    chain = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    assert content(found) == f"tafelrunde.leaf.1\nmabc\n7\n{chain}\naborted\n1700000000000\n".encode()
    assert hash_leaf(found) == hashlib.sha256(b"\0" + content(found)).digest()


@pytest.mark.slow
async def test_log_of_many_matches_stays_small_and_quick(server: Server, redis_kind_stores: Stores) -> None:
    """A leaf costs a few hundred bytes, and a proof one round trip for its nodes, however long the log is."""
    log = transparency_log(redis_kind_stores)
    before = _memory(server)
    for start in range(0, MANY, 1_000):
        await log.add([leaf(number) for number in range(start, start + 1_000)])
    assert (_memory(server) - before) / MANY < 400
    rng = random.Random(2)
    for number in rng.sample(range(MANY), 50):
        proofs = await log.prove(MatchId(f"m-{number}"))
        assert check_inclusion(leaf(number), number, proofs.leaves[0].path, proofs.size, proofs.root)


def _memory(server: Server) -> int:
    found = server.ask("EVAL \"return tonumber(string.match(redis.call('INFO', 'memory'), 'used_memory:(%d+)'))\" 0")
    assert found is not None
    return int(found[1:])


async def test_memory_and_server_agree(redis_kind_stores: Stores) -> None:
    """The same leaves give the same log everywhere."""
    plain = TransparencyLog(MemoryTransparency(), lambda: NOON_MS, SIGNER)
    leaves = [leaf(number) for number in range(21)]
    await plain.add(leaves)
    await transparency_log(redis_kind_stores).add(leaves)
    assert await plain.checkpoint() == await transparency_log(redis_kind_stores).checkpoint()
