"""Kept evidence that a check cannot compare is named as open, never as compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import msgspec
import pytest

from tafelrunde.audit import kept_evidence
from tafelrunde.audit.check_record import Evidence, check_record
from tafelrunde.audit.kept_evidence import Comparison, apply_comparison, compare
from tafelrunde.audit.known_log import Differs, SavedLeaves, ServedLog
from tafelrunde.audit.records_folder import SavedCheckpoint, SavedLog
from tafelrunde.client import Client, shapes
from tafelrunde.client.keeping import Kept
from tafelrunde.domain.match.events import MatchOpened
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.dealing import merkle
from tafelrunde.service.dealing.day_deals import day_commitment
from tafelrunde.service.features.records.verdict import Conclusion, Doubt
from tafelrunde.service.features.records.verify import match_of, verify
from tafelrunde.service.features.transparency.checks import day_leaf, hash_leaf, leaves_of, opening_of
from tafelrunde.service.signing.judge import Judgement, Ruling
from tafelrunde.service.signing.statements import Origin, TreeHead
from tests.service.features.records.test_record import CODEC
from tests.support.verdict_cases import DAY, DAY_SECRET, OTHER, SIGNER, make_kept, make_proofs, record

pytestmark = pytest.mark.xdist_group("records")  # they are made once for all of these


def hashes_of(name: str) -> Sequence[bytes]:
    """Return the hashes of the leaves that a log must have of a record, and of the day."""
    match, loaded = match_of(record(name), GAMES)
    opened = CODEC.decode(loaded.entries[0])[1]
    assert isinstance(opened, MatchOpened)
    day = day_leaf(DAY, day_commitment(DAY, DAY_SECRET))
    return [hash_leaf(each) for each in (opening_of(match, opened), *leaves_of(match, loaded.entries, CODEC), day)]


def compare_saved(name: str, kept: Kept, days: Mapping[str, str] = {}) -> Comparison:
    """Compare a record with what was kept and a saved log."""
    hashes = hashes_of(name)
    sizes = [int(each.split("\n")[1]) for each in kept.checkpoints]
    checkpoint = SavedCheckpoint(size=len(hashes), root=merkle.root(hashes).hex(), time_ms=0)
    saved = SavedLog(checkpoints=(checkpoint,), leaves=tuple(each.hex() for each in hashes), days=days)
    return compare(kept, record(name), SavedLeaves(saved, sizes))


def test_mark_of_a_feed_in_an_older_shape_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its signature is right, and what it signs cannot be computed again: the record is undecided."""
    with monkeypatch.context() as patch:
        patch.setattr(kept_evidence, "judged_by", lambda *_: Judgement(Ruling.OPEN, "an older shape"))
        found = compare(make_kept("no_feed", "plain"), record("plain"), None)
    assert ("signature" in found.open, "signature" in found.compared, found.finding) == (True, False, None)
    assert apply_comparison(verify(record("plain"), GAMES), found).conclusion is Conclusion.UNDECIDED


def test_day_in_a_saved_log_counts_with_its_secret_alone() -> None:
    """Without the secret the leaf does not show what the cards were made of."""
    kept, verdict = make_kept("whole", "day"), verify(record("day"), GAMES)
    found = compare_saved("day", kept)
    assert ("day" in found.open, "day" in found.compared, found.finding) == (True, False, None)
    assert apply_comparison(verdict, found).undecided == (Doubt.DAY_LEAF,)
    found = compare_saved("day", kept, {DAY: DAY_SECRET})
    assert ("day" in found.compared, apply_comparison(verdict, found).conclusion) == (True, Conclusion.RIGHT)
    found = compare_saved("day", kept, {DAY: OTHER})
    assert apply_comparison(verdict, found).conclusion is Conclusion.WRONG


def test_log_is_compared_with_a_record_that_is_undecided_without_it(tmp_path: Path) -> None:
    """The leaf of its day makes a deal right, and another leaf makes it wrong."""
    source, log = tmp_path / "record.ndjson", tmp_path / "log.json"
    source.write_bytes(b"".join(record("day")))
    for name, conclusion in (("right", Conclusion.RIGHT), ("other_leaf", Conclusion.WRONG)):
        log.write_bytes(msgspec.json.encode(make_proofs(name, "day")))
        verdict = check_record(str(source), lambda _: [], None, Evidence(log)).verdict
        assert verdict is not None
        assert verdict.conclusion is conclusion


def test_checkpoint_that_is_longer_than_a_saved_log_is_open() -> None:
    """A shorter one is compared, and is wrong if the first leaves are others; ends of one match cannot be counted by hashes."""
    whole = make_kept("whole", "plain")
    hashes = hashes_of("plain")

    def compared(size: int, root: bytes) -> Comparison:
        return compare_saved("plain", msgspec.structs.replace(whole, checkpoints=(str(SIGNER.checkpoint(size, root)),)))

    found = compared(2, merkle.root(hashes[:2]))
    assert ({"log", "opening", "end"} <= {*found.compared}, {*found.open}, found.finding) == (True, {"ends"}, None)
    found = compared(len(hashes) + 1, bytes(32))
    assert ("log" in found.compared, {*found.open}, found.finding) == (False, {"log", "ends"}, None)
    assert compared(2, bytes(32)).finding is not None


class LyingService:
    """Answers about a log: a kept checkpoint is granted its root, and the path that should lead on from it is made up."""

    def __init__(self, hashes: Sequence[bytes]) -> None:
        self._size, self._root = len(hashes), merkle.root(hashes)

    def checkpoint(self) -> shapes.Checkpoint:
        """Return the newest checkpoint."""
        signed = str(SIGNER.checkpoint(self._size, self._root))
        return shapes.Checkpoint(size=self._size, root=self._root.hex(), time_ms=0, signed=signed)

    def log_consistency(self, earlier: int, later: int) -> shapes.Consistency:
        """Return a proof that proves nothing."""
        root = self._root.hex()
        return shapes.Consistency(earlier=earlier, earlier_root=OTHER, later=later, later_root=root, path=(OTHER,))


def test_served_log_that_does_not_continue_a_checkpoint_differs() -> None:
    """Of the same size by its root, of a smaller size by the path between the two."""
    hashes = hashes_of("plain")
    log = ServedLog("the service", cast("Client", LyingService(hashes)))
    origin = Origin(SIGNER.origin)
    assert log.continues(TreeHead(origin=origin, size=len(hashes), root=merkle.root(hashes)))
    for size in (len(hashes), 1):
        with pytest.raises(Differs):
            log.continues(TreeHead(origin=origin, size=size, root=bytes.fromhex(OTHER)))
