"""Forged records: the same seed makes the same ones, a player's device finds them all, and the archive has some for others."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tafelrunde.domain.registry import GAMES
from tafelrunde.service.records.verdict import Conclusion
from tafelrunde.service.records.verify import verify
from tests.service.records.test_record import CODEC
from tests.support.forging import FAMILIES, Forgery, Found, digest_of, forged, judged, kind_of, original, stories
from tests.support.paths import ROOT
from tests.support.thorough import tries
from tools.forgeries import FORMAT, main, read

CORPUS = ROOT / "tests" / "archive" / "forgeries.ndjson.xz"
OF_EACH_GAME = tries(25, 4_000)


def corpus() -> list[dict[str, Any]]:
    """Return the lines of the archive."""
    with lzma.open(CORPUS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_same_seed_makes_the_same_forgeries() -> None:
    """So that a survivor can be looked at again, and another seed tries others."""
    one, again, other = (digest_of(forged("coup", 40, seed)) for seed in (3, 3, 4))
    assert one == again
    assert one != other


@pytest.mark.parametrize("game", GAMES)
def test_every_forgery_is_found_on_a_players_device(game: str) -> None:
    """By the record itself, by what was kept, or by the log; `make forgeries` tries 20,000."""
    found = list(judged(forged(game, OF_EACH_GAME, 20), (game,)))
    assert len(found) == OF_EACH_GAME
    assert [(forgery.family, said) for forgery, said in found if said.by is None] == []


def test_record_that_is_not_forged_is_found_right_by_all_three() -> None:
    """What is found is found because of the forgery."""
    right = [Forgery(game, "none", b"".join(original(game))) for game in GAMES]
    assert [found for _, found in judged(right)] == [Found(None, None)] * len(GAMES)


def test_legal_history_that_was_not_played_is_found_by_what_was_kept_alone() -> None:
    """It is a right record of a match with the same secret: only who was there can tell, and has kept what it takes."""
    for game in GAMES:
        _, *others = stories(game)
        for lines in others:
            assert verify(lines, GAMES, CODEC).conclusion is Conclusion.RIGHT
        found = judged((Forgery(game, "another", b"".join(lines)) for lines in others), (game,))
        assert {said.by for _, said in found} == {"kept"}


OF_THE_WRITER = ("rules", "schemas", "software")
"""What a head has of the software that wrote it: a later version's differ, without a difference in the match."""


def _lasting(record: bytes) -> list[dict[str, Any]]:
    """Return the lines of a record without what its writer's version makes of them: parts of the head, and the sum."""
    head, *lines, _ = map(json.loads, record.splitlines())
    return [{name: value for name, value in head.items() if name not in OF_THE_WRITER}, *lines]


def test_archive_has_forgeries_of_every_family_with_what_finds_them() -> None:
    """Each is found by the same check as when it was written, and the right records among them are right."""
    lines = corpus()
    heads = [line for line in lines if "format" in line]
    assert [(line["format"], line["game"]) for line in heads] == [(FORMAT, game) for game in GAMES]
    for line in heads:
        assert verify(read(line).splitlines(keepends=True), GAMES, CODEC).conclusion is Conclusion.RIGHT
        assert _lasting(read(line)) == _lasting(b"".join(original(line["game"])))
    forgeries = [line for line in lines if "format" not in line]
    again = judged(Forgery(line["game"], line["family"], read(line)) for line in forgeries)
    assert [found for _, found in again] == [Found(line["found_by"], line["wrong"]) for line in forgeries]
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
