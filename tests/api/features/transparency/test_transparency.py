"""The transparency log over HTTP: a client that keeps a checkpoint can prove later that nothing was changed."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tafelrunde.domain.match import MatchId, Status
from tafelrunde.service.dealing import merkle
from tafelrunde.service.features.ratings.duty import RatingProjector
from tafelrunde.service.features.ratings.feature import STORE as RATINGS
from tafelrunde.service.features.transparency.checks import check_consistency, check_inclusion, hash_leaf
from tafelrunde.service.features.transparency.feature import STORE as TREE
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.features.transparency.port import Leaf, Outcome
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.ports.events import Head, Version, chain_over
from tafelrunde.service.signing.notes import Kind, PrivateKey, read_note
from tafelrunde.service.signing.signer import signer_of
from tests.support.table import Table

pytestmark = pytest.mark.anyio


async def over(table: Table, **wishes: Any) -> tuple[str, str]:
    """Play a match to its end and let it be entered; return it and a player's token."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, **wishes)
    await table.finish(match, one, other)
    await table.application.finalizer.portion()
    return match, one


async def checkpoint(table: Table) -> dict[str, Any]:
    """Return the newest checkpoint."""
    answer = await table.get("/log/checkpoint")
    assert answer.status == 200
    return answer.json


def leaf_of(match: str, told: dict[str, Any]) -> Leaf:
    """Return a leaf from an answer."""
    return Leaf(MatchId(match), told["version"], bytes.fromhex(told["chain"]), Outcome(told["outcome"]), told["time_ms"])


def path_of(told: dict[str, Any]) -> list[bytes]:
    """Return the path of a proof."""
    return [bytes.fromhex(each) for each in told["path"]]


async def test_empty_log_has_the_root_of_nothing(table: Table) -> None:
    """A service in which nothing has ended yet has a log without leaves."""
    empty = await checkpoint(table)
    assert (empty["size"], empty["root"], empty["time_ms"]) == (0, merkle.EMPTY.hex(), 0)
    assert (await table.get("/log/leaves")).json == {"from": 0, "hashes": []}
    assert (await table.get("/log/consistency")).json["type"] == "urn:tafelrunde:problem:not-in-log"


async def test_cosignature_is_listed_with_the_checkpoint_that_it_signs(table: Table) -> None:
    """A witness signs the note of the newest checkpoint; what is no note of this log is refused."""
    witness = PrivateKey("witness.example.org", bytes(32), Kind.COSIGNATURE)
    signed = (await table.ask("GET", "/api/v1/log/signed-checkpoint")).body.decode()
    note = f"{signed}{witness.cosign(read_note(signed).text, table.now_ms // 1_000).line}\n"
    for content, status in (({"note": note}, 204), ({"note": note + "x"}, 422)):
        assert (await table.post("/log/cosignatures", content={"witness": witness.public.text, **content})).status == status
    assert (await table.get("/log/cosignatures")).json["items"] == [{"witness": witness.public.text, "note": note}]


async def test_finished_match_is_proved_by_its_record(table: Table) -> None:
    """The leaf can be computed from the match's log by anyone, and the proof leads to the checkpoint's root."""
    for _ in range(4):
        await over(table)
    match, one = await over(table)
    await over(table)
    told = (await table.get(f"/log/proofs/{match}", one)).json
    newest = await checkpoint(table)
    assert (told["size"], told["root"]) == (newest["size"], newest["root"]) == (6, newest["root"])
    [found] = told["leaves"]
    log = await table.application.stores.events.load(MatchId(match))
    assert log is not None
    assert found["chain"] == chain_over(bytes(32), log.entries).hex() == log.head.chain.hex()
    assert (found["version"], found["outcome"], found["time_ms"]) == (log.head.version, "over", table.now_ms)
    assert check_inclusion(leaf_of(match, found), found["index"], path_of(found), told["size"], bytes.fromhex(told["root"]))


async def test_any_other_leaf_is_not_proved(table: Table) -> None:
    """Another chain, version, status, time or match: the same path does not lead to the root."""
    await over(table)
    await over(table)
    match, one = await over(table)
    told = (await table.get(f"/log/proofs/{match}", one)).json
    [found] = told["leaves"]
    lies = [{"chain": "00" * 32}, {"version": 1}, {"outcome": "aborted"}, {"time_ms": 1}]
    for lie in lies:
        leaf = leaf_of(match, {**found, **lie})
        assert not check_inclusion(leaf, found["index"], path_of(found), told["size"], bytes.fromhex(told["root"]))
    assert not check_inclusion(
        leaf_of("m" + "a" * 24, found), found["index"], path_of(found), told["size"], bytes.fromhex(told["root"])
    )


async def test_log_proves_that_it_only_grew(table: Table) -> None:
    """Between any two checkpoints ever seen, also with one that is not the newest."""
    seen = [await checkpoint(table)]
    for _ in range(5):
        await over(table)
        seen.append(await checkpoint(table))
    for earlier in seen[1:]:
        for later in seen[1:]:
            if earlier["size"] <= later["size"]:
                told = (await table.get(f"/log/consistency?from={earlier['size']}&to={later['size']}")).json
                roots = bytes.fromhex(earlier["root"]), bytes.fromhex(later["root"])
                assert (told["from_root"], told["to_root"]) == (earlier["root"], later["root"])
                assert check_consistency(earlier["size"], roots[0], later["size"], roots[1], path_of(told))
    assert (await table.get("/log/consistency?from=2")).json["to"] == 5


async def test_proof_is_given_for_an_old_checkpoint(table: Table) -> None:
    """A client may insist on the checkpoint that it has."""
    match, one = await over(table)
    old = await checkpoint(table)
    await over(table)
    await over(table)
    told = (await table.get(f"/log/proofs/{match}?size=1", one)).json
    assert (told["size"], told["root"]) == (1, old["root"])
    assert told["leaves"][0]["path"] == []


async def test_watcher_computes_the_root_again(table: Table) -> None:
    """The hashes of all leaves are public, page by page; what they stand for is not."""
    matches = [(await over(table))[0] for _ in range(5)]
    pages = [(await table.get(f"/log/leaves?from={start}&limit=2")).json for start in (0, 2, 4, 6)]
    assert [page["from"] for page in pages] == [0, 2, 4, 6]
    hashes = [bytes.fromhex(each) for page in pages for each in page["hashes"]]
    assert merkle.root(hashes).hex() == (await checkpoint(table))["root"]
    proofs = [await table.application.get(TransparencyLog).prove(MatchId(match)) for match in matches]
    assert hashes == [hash_leaf(each.leaves[0].leaf) for each in proofs]


async def test_match_is_not_in_the_log_before_its_end(table: Table) -> None:
    """404 with a type of its own: the client knows the match, and may ask again."""
    (_, one) = await table.player()
    match = await table.open(one)
    answer = await table.get(f"/log/proofs/{match}", one)
    assert (answer.status, answer.json["type"]) == (404, "urn:tafelrunde:problem:not-in-log")
    await table.post(f"/matches/{match}/abort", one)
    await table.application.finalizer.portion()
    [found] = (await table.get(f"/log/proofs/{match}", one)).json["leaves"]
    assert found["outcome"] == "aborted"


async def test_match_that_does_not_concern_the_caller_is_not_found(table: Table) -> None:
    """Only those who may see an unlisted match learn whether it is in the log."""
    match, _ = await over(table, visibility="unlisted")
    _, stranger = await table.player()
    for token in (stranger, None):
        answer = await table.get(f"/log/proofs/{match}", token)
        assert (answer.status, answer.json["type"]) == (404, "urn:tafelrunde:problem:not-found")


@pytest.mark.parametrize("query", ["from=9", "from=2&to=1", "from=1&to=9"])
async def test_log_that_never_was_proves_nothing(table: Table, query: str) -> None:
    """Sizes beyond the log, or the wrong way round."""
    await over(table)
    await over(table)
    answer = await table.get(f"/log/consistency?{query}")
    assert (answer.status, answer.json["type"]) == (404, "urn:tafelrunde:problem:not-in-log")


async def test_match_is_entered_once_whatever_happens_to_it_later(table: Table) -> None:
    """Further portions, a rematch and archiving add no leaf and change none."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other)
    await table.finish(match, one, other)
    await table.application.finalizer.portion()
    before = (await table.get(f"/log/proofs/{match}", one)).json
    for token in (one, other):
        await table.post(f"/matches/{match}/rematch", token)
    for _ in range(3):
        table.now_ms += 4_000_000
        await table.application.finalizer.portion()
    head = await table.application.stores.events.head(MatchId(match))
    assert head is not None
    assert head.archived == head.version > before["leaves"][0]["version"]
    assert (await table.get(f"/log/proofs/{match}", one)).json == before


async def test_corrupt_match_does_not_keep_others_out_of_the_log(table: Table) -> None:
    """What does not hash to its chain is not entered; the rest is."""
    (_, one), (_, other) = await table.player(), await table.player()
    good, bad = [await table.begin(one, other) for _ in range(2)]
    for match in (good, bad):
        await table.finish(match, one, other)
    head = await table.application.stores.events.head(MatchId(bad))
    assert head is not None
    table.application.stores.events.histories[MatchId(bad)].rest[3] = b"forged"  # type: ignore[attr-defined]  # the store is in memory
    await table.application.finalizer.portion()
    assert (await checkpoint(table))["size"] == 1
    assert len((await table.get(f"/log/proofs/{good}", one)).json["leaves"]) == 1
    claims = await table.application.stores.agenda.claim(AgendaKind.CARE, 0, 1, 1)
    assert claims.next_ms is not None
    assert await table.application.stores.events.head(MatchId(bad)) == Head(Version(head.version), head.chain, Status.OVER)


# Openings and keys


async def entries(table: Table) -> list[dict[str, Any]]:
    """Return what everyone may see of all leaves."""
    return (await table.get("/log/entries")).json["entries"]


async def test_opening_is_proved_with_its_commitment_while_the_match_runs(table: Table) -> None:
    """A player has proof soon after the opening, and everyone sees the commitment under a reference instead of the id."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, visibility="unlisted")
    assert (await table.get(f"/log/openings/{match}", one)).json["type"] == "urn:tafelrunde:problem:not-in-log"
    await table.application.finalizer.openings()
    told = (await table.get(f"/log/openings/{match}", one)).json
    newest = await checkpoint(table)
    facts = (await table.get(f"/matches/{match}", one)).json
    named = hashlib.sha256(f"tafelrunde.match.1\n{match}\n".encode()).hexdigest()
    assert told["text"] == f"tafelrunde.opening.1\n{named}\n{facts['opened_ms']}\n{facts['commitment']}\n"
    hashed_text = merkle.leaf_hash(told["text"].encode())
    root = merkle.root_from(hashed_text, told["index"], told["size"], path_of(told))
    assert root is not None
    assert root.hex() == newest["root"] == told["root"]
    (entry,) = await entries(table)
    assert entry == {
        "hash": hashed_text.hex(),
        "text": told["text"],
        "match": named,
        "outcome": None,
        "time_ms": facts["opened_ms"],
    }
    assert match not in (await table.get("/log/entries")).body.decode()


async def test_opening_is_entered_once_and_its_match_has_other_leaves(table: Table) -> None:
    """What is asked about the end of a match does not find its opening, nor the other way round."""
    match, one = await over(table)
    await table.application.finalizer.openings()
    await table.application.finalizer.openings()
    assert [each["outcome"] for each in await entries(table)] == ["over", None]
    ends, opening = (await table.get(f"/log/proofs/{match}", one)).json, (await table.get(f"/log/openings/{match}", one)).json
    assert ([each["index"] for each in ends["leaves"]], opening["index"]) == ([0], 1)
    assert len({each["match"] for each in await entries(table)}) == 1
    await table.application.get(RatingProjector).catch_up()
    assert await RATINGS.of(table.application.stores).position() == 2


async def test_opening_that_is_a_start_waits_for_delayed_spectators(table: Table) -> None:
    """A rematch begins with its opening, so the log does not say of it what spectators may not know yet."""
    (_, one), (_, other) = await table.player(), await table.player()
    match = await table.begin(one, other, spectators="delayed")
    await table.finish(match, one, other)
    await table.application.finalizer.openings()
    for token in (one, other):
        assert (await table.post(f"/matches/{match}/rematch", token)).status == 200
    await table.application.finalizer.openings()
    assert len(await entries(table)) == 1
    table.now_ms += 60_000
    await table.application.finalizer.openings()
    assert len(await entries(table)) == 2


async def test_key_is_noted_in_the_log_once(table: Table) -> None:
    """The first step of every process notes the key that signs; it is the same for all of them."""
    log = table.application.get(TransparencyLog)
    assert await log.note_key()
    assert not await log.note_key()
    (entry,) = await entries(table)
    key = (await table.get("/log/keys")).json["keys"][0]
    assert entry["text"] == f"tafelrunde.key.1\n{key}\n{entry['time_ms']}\n\n"
    assert (entry["match"], entry["hash"]) == (None, merkle.leaf_hash(entry["text"].encode()).hex())


async def test_new_key_is_handed_over_by_the_one_before(table: Table) -> None:
    """A rotation is signed by the former key, if that is still there; without it the log says that it was not."""
    stores = table.application.stores
    signers = [signer_of(keys, stores.id_key) for keys in ("11" * 32, f"{'22' * 32} {'11' * 32}", "33" * 32)]
    for signer in signers:
        assert await TransparencyLog(TREE.of(stores), lambda: table.now_ms, signer).note_key()
    texts = [each["text"].split("\n") for each in await entries(table)]
    assert [text[1] for text in texts] == [signer.public.text for signer in signers]
    said = "".join(f"{line}\n" for line in texts[1][:3]).encode()
    Ed25519PublicKey.from_public_bytes(signers[0].public.raw).verify(base64.b64decode(texts[1][3]), said)
    assert (texts[0][3], texts[2][3]) == ("", "")
    known = (await table.get("/log/keys")).json["keys"]
    assert known == [table.application.signer.public.text, *(signer.public.text for signer in reversed(signers))]
