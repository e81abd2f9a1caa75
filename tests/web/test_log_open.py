"""What the web client's check of a log cannot compare leaves a match undecided, as it does in `tafelrunde verify`, in Node.js."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.match.events import MatchOpened
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.dealing import merkle
from tafelrunde.service.features.records.verify import match_of
from tafelrunde.service.features.transparency.checks import content, hash_leaf, leaves_of, opening_of, reference
from tafelrunde.service.features.transparency.port import Leaf
from tests.service.features.records.test_record import CODEC
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.verdict_cases import SIGNER, make_kept, record
from tools.node import environment

pytestmark = pytest.mark.xdist_group("records")  # they are made once for all of these

SUPPORT = ROOT / "tests" / "support"
WITHOUT_ED25519 = f"--import={(SUPPORT / 'without_ed25519.mjs').as_uri()}"
CHECKING = SUPPORT / "checking.mjs"
MATCH, LOADED = match_of(record("plain"), GAMES)
HOUR_MS = 3_600_000


def own_leaves() -> tuple[Leaf, Leaf]:
    """Return the leaves of the opening and of the end of the match."""
    opened = CODEC.decode(LOADED.entries[0])[1]
    assert isinstance(opened, MatchOpened)
    (end,) = leaves_of(MATCH, LOADED.entries, CODEC)
    return opening_of(MATCH, opened), end


OPENING, END = own_leaves()


def answers_of(leaves: Sequence[Leaf]) -> Mapping[str, Any]:
    """Return what a service answers whose log has some leaves of the match, after which nothing was added."""
    hashes = [hash_leaf(each) for each in leaves]
    root = merkle.root(hashes)
    signed = str(SIGNER.checkpoint(len(leaves), root))
    paths = [[each.hex() for each in merkle.inclusion(hashes, index)] for index in range(len(leaves))]
    entries = [{"match": reference(MATCH), "outcome": each.outcome and each.outcome.value} for each in leaves]
    answers: dict[str, Any] = {
        "log/checkpoint": {"signed": signed, "time_ms": max((each.time_ms for each in leaves), default=0)},
        "log/keys": {"log_seconds": 60},
        "log/cosignatures": {"items": []},
        "log/entries": {"entries": entries},
    }
    if OPENING in leaves:
        index = leaves.index(OPENING)
        answers[f"log/openings/{MATCH}"] = {"index": index, "text": content(OPENING).decode(), "path": paths[index]}
    if END in leaves:
        index = leaves.index(END)
        answers[f"log/proofs/{MATCH}"] = {"leaves": [{"index": index, "path": paths[index]}]}
    return answers


def run_node(*arguments: str) -> tuple[int, str]:
    """Run Node.js; return its exit code and what it says."""
    command = ["node", *arguments]
    limit = 4 * PATIENCE_SECONDS
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=limit, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def check(folder: Path, leaves: Sequence[Leaf] | None, now_ms: int, *options: str, of: str = "plain") -> tuple[str, set[str]]:
    """Return what a device concludes at a time by its clock, and what it leaves open; without leaves there is no answer."""
    path = folder / "device.json"
    kept = msgspec.to_builtins(make_kept("whole", of))
    text = b"".join(record(of)).decode()
    answers = answers_of(leaves) if leaves is not None else None
    path.write_text(json.dumps({"kept": kept, "record": text, "readers": [answers], "now_ms": now_ms}))
    _, said = run_node(*options, str(CHECKING), str(path))
    conclusion, left = json.loads(said)
    return conclusion, {*(left or ())} - {"witnesses"}


def test_log_that_stands_still_leaves_a_match_undecided_after_an_hour(tmp_path: Path) -> None:
    """Without the end, or without the opening too: until then it may be too early."""
    early, late = (END.time_ms + HOUR_MS + more for more in (-1_000, 1_000))
    assert check(tmp_path, [OPENING, END], late) == ("right", set())
    for leaves, left in (([OPENING], {"end"}), ([], {"opening", "end"})):
        assert check(tmp_path, leaves, early) == ("right", left)
        assert check(tmp_path, leaves, late) == ("undecided", {*left, "stale"})


def test_log_that_goes_on_without_the_end_of_a_match_is_wrong(tmp_path: Path) -> None:
    """It has a leaf of another match that is ten minutes younger."""
    younger = msgspec.structs.replace(END, match="m" + "z" * 24, time_ms=END.time_ms + 600_000)
    assert check(tmp_path, [OPENING, younger], END.time_ms) == ("wrong", set())


def test_log_without_the_match_does_not_settle_the_day_of_its_deal(tmp_path: Path) -> None:
    """The leaf of the day was not compared."""
    assert check(tmp_path, [], END.time_ms, of="day") == ("undecided", {"opening", "end", "day_leaf", "unshared"})


def test_log_that_does_not_answer_leaves_a_match_undecided(tmp_path: Path) -> None:
    """Whether it has the match was not compared."""
    assert check(tmp_path, None, END.time_ms) == ("undecided", {"log_silent"})


def test_signature_that_cannot_be_checked_leaves_a_match_undecided(tmp_path: Path) -> None:
    """On a device with the log, and in the program that has none."""
    assert check(tmp_path, [OPENING, END], END.time_ms, WITHOUT_ED25519) == ("undecided", {"signature"})
    own, kept = tmp_path / "record.ndjson", tmp_path / "kept.json"
    own.write_bytes(b"".join(record("plain")))
    kept.write_bytes(msgspec.json.encode(make_kept("whole", "plain")))
    program = str(ROOT / "docs" / "verifier" / "verify.mjs")
    assert run_node(program, str(own), str(kept))[0] == 0
    code, said = run_node(WITHOUT_ED25519, program, str(own), str(kept))
    assert (code, said.startswith("undecided; "), "a signature; the log." in said) == (3, True, True), said
