"""Forged records: the same seed makes the same ones, a player's device finds them all, and the archive has some for others."""

from __future__ import annotations

import functools
import json
import lzma
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tafelrunde.audit import kept_evidence
from tafelrunde.audit.kept_evidence import apply_comparison, compare
from tafelrunde.client.keeping import Kept
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.records.verdict import Conclusion
from tafelrunde.service.features.records.verify import match_of, verify
from tafelrunde.service.matches.repository import Loaded
from tests.service.features.records.test_mutants import with_sum
from tests.service.features.records.test_record import CODEC
from tests.support.forging import (
    CLAIMS,
    FAMILIES,
    KINDS,
    Forgery,
    Found,
    claimed,
    digest_of,
    forged,
    judged,
    kept_of,
    kind_of,
    original,
    stories,
)
from tests.support.paths import ROOT
from tests.support.thorough import tries
from tests.support.verifying import verdicts
from tools.forgeries import FORMAT, main, read

pytestmark = pytest.mark.xdist_group("records")  # they are made once for all of these

CORPUS = ROOT / "tests" / "archive" / "forgeries.ndjson.xz"
OF_EACH_GAME = tries(10, 4_000)


def corpus() -> list[dict[str, Any]]:
    """Return the lines of the archive."""
    with lzma.open(CORPUS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(autouse=True)
def _read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a record be read once, however many kinds of kept files it is compared with."""

    @functools.lru_cache(1)
    def read_before(lines: tuple[bytes, ...]) -> tuple[MatchId, Loaded]:
        return match_of(lines, GAMES)

    def once(lines: Sequence[bytes], _: object) -> tuple[MatchId, Loaded]:
        return read_before(tuple(lines))

    monkeypatch.setattr(kept_evidence, "match_of", once)


def test_same_seed_makes_the_same_forgeries() -> None:
    """So that a survivor can be looked at again, and another seed tries others."""
    one, again, other = (digest_of(forged("coup", 40, seed)) for seed in (3, 3, 4))
    assert one == again
    assert one != other


def test_match_that_claims_a_deal_without_a_share_is_found() -> None:
    """A lesson of no edition, a day without a commitment, draws of version 1: by the record, or by the nonce that was kept."""
    forgeries = [claimed(game, family) for game in GAMES for family in CLAIMS]
    found = {(each.game, each.family): said for each, said in judged(forgeries)}
    unused, kept = "a nonce in a match whose draws take none", "kept: a nonce in a match whose draws take none"
    expected = [
        *(("record", unused), ("kept", kept)) * 2,
        ("record", "undecided: old_draws"),
        ("record", "draws that are keyed have version 2 or a later one"),
    ]
    for game in GAMES:
        assert [found[game, family][:2] for family in CLAIMS] == expected, game
    for each in forgeries:
        ours = of_python(each)
        assert ours == found[each.game, each.family].conclusions, each.family
        assert "right" not in ours.values()


@pytest.mark.parametrize("game", GAMES)
def test_every_forgery_is_found_on_a_players_device(game: str) -> None:
    """By the record itself, by what was kept, or by the log; `make forgeries` tries 20,000."""
    found = list(judged(forged(game, OF_EACH_GAME, 20), (game,)))
    assert len(found) == OF_EACH_GAME
    assert [(forgery.family, said) for forgery, said in found if said.by is None] == []
    assert [(forgery.family, said, ours) for forgery, said in found if not agree(said, ours := of_python(forgery))] == []


def of_python(forgery: Forgery) -> Mapping[str, str]:
    """Return what `tafelrunde verify` says of a record, beside each kind of what was kept."""
    lines = forgery.record.splitlines(keepends=True)
    verdict = verify(lines, GAMES, CODEC)
    if verdict.finding is not None:
        return dict.fromkeys(KINDS, "wrong")
    kinds = forgery.kinds or kept_of(original(forgery.game))
    return {name: apply_comparison(verdict, compare(kept, lines, None)).conclusion.value for name, kept in kinds.items()}


def conclusion_of(record: bytes, kept: Kept) -> Conclusion:
    """Return what `tafelrunde verify` says of a record that is right by itself, beside what was kept."""
    lines = record.splitlines(keepends=True)
    verdict = verify(lines, GAMES, CODEC)
    assert verdict.right
    return apply_comparison(verdict, compare(kept, lines, None)).conclusion


def agree(found: Found, ours: Mapping[str, str]) -> bool:
    """Return whether both checks say the same; what the rules alone show, only the one that has them finds."""
    return found.conclusions == ours or {*ours.values()} == {"wrong"}


def test_record_that_is_not_forged_is_found_right_by_all_three() -> None:
    """What is found is found because of the forgery; a file without any event leaves the play unproved."""
    right = [Forgery(game, "none", b"".join(original(game))) for game in GAMES]
    told = {"all": "right", "marks": "right", "commitment": "undecided"}
    assert [found for _, found in judged(right)] == [Found(None, None, told)] * len(GAMES)
    assert [of_python(each) for each in right] == [told] * len(GAMES)


def test_legal_history_that_was_not_played_is_found_by_what_was_kept_alone() -> None:
    """It is a right record of a match with the same secret: only who was there can tell, and has kept what it takes."""
    others = [Forgery(game, "another", b"".join(lines)) for game in GAMES for lines in (stories(game)[1], stories(game)[-1])]
    told = {"all": "wrong", "marks": "wrong", "commitment": "undecided"}
    assert [(said.by, said.conclusions) for _, said in judged(others)] == [("kept", told)] * len(others)
    assert [of_python(forgery) for forgery in others] == [told] * len(others)


def renamed(lines: Sequence[bytes]) -> bytes:
    """Return a record that says that another release wrote it."""
    head = json.loads(lines[0])
    return b"".join(with_sum([msgspec.json.encode({**head, "software": "tafelrunde 0.2.1"}) + b"\n", *lines[1:-1]]))


def test_history_that_is_shorter_than_a_signed_mark_or_of_another_release_is_found() -> None:
    """A match that is over lacks nothing that was signed, and the name of the software is bound by nothing."""
    for game in GAMES:
        shortest, *_, longest = stories(game)
        kept = kept_of(longest)["marks"]
        records = [b"".join(shortest), renamed(shortest)]
        assert [conclusion_of(record, kept) for record in records] == [Conclusion.WRONG] * 2
        wrong = {"conclusion": "wrong", "wrong": "kept: your signed feed"}
        assert verdicts(records, msgspec.to_builtins(kept)) == [wrong] * 2
        assert conclusion_of(renamed(longest), kept) is Conclusion.RIGHT


OF_THE_WRITER = ("rules", "schemas", "software")
"""What a head has of the software that wrote it: a later version's differ, without a difference in the match."""


def _lasting(record: bytes) -> list[dict[str, Any]]:
    """Return the lines of a record without what its writer's version makes of them: parts of the head, and the sum."""
    head, *lines, _ = map(json.loads, record.splitlines())
    return [{name: value for name, value in head.items() if name not in OF_THE_WRITER}, *lines]


def kinds_in(line: Mapping[str, Any]) -> Mapping[str, Kept] | None:
    """Return what the player has kept of a forged match, where that is not what there is of the right one."""
    return msgspec.convert(line["kinds"], dict[str, Kept]) if "kinds" in line else None


def test_archive_has_forgeries_of_every_family_with_what_finds_them() -> None:
    """Each is found by the same check as when it was written, and the right records among them are right."""
    lines = corpus()
    heads = [line for line in lines if "format" in line]
    assert [(line["format"], line["game"]) for line in heads] == [(FORMAT, game) for game in GAMES]
    for line in heads:
        assert verify(read(line).splitlines(keepends=True), GAMES, CODEC).conclusion is Conclusion.RIGHT
        assert _lasting(read(line)) == _lasting(b"".join(original(line["game"])))
    forgeries = [line for line in lines if "format" not in line]
    again = judged(Forgery(line["game"], line["family"], read(line), kinds_in(line)) for line in forgeries)
    assert [found[:2] for _, found in again] == [(line["found_by"], line["wrong"]) for line in forgeries]
    assert {line["family"] for line in forgeries} == FAMILIES.keys()


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ("entry 12: the chain", "entry: the chain"),
        ("a record that can be read (SyntaxError: Unexpected token ':' at 7)", "a record that can be read"),
        ("kept: the root of deal 3", "kept: the root of deal 3"),
        ("the order of the lines", "the order of the lines"),
    ],
)
def test_findings_of_one_kind_are_counted_together(wrong: str, kind: str) -> None:
    """Wherever they are, and whatever JavaScript says of a text."""
    assert kind_of(wrong) == kind


def test_command_counts_what_finds_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """And writes them, so that a verifier in another language can be tried with them."""
    with pytest.raises(SystemExit) as ended:
        main(["--forgeries", "12", "--games", "coup", "--out", str(tmp_path / "some.ndjson")])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("12 forgeries, 12 found, 0 not\n")
    lines = [json.loads(line) for line in (tmp_path / "some.ndjson").read_text().splitlines()]
    assert Counter("found_by" in line for line in lines) == {True: 12, False: 1}
