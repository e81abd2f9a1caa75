"""Wheels of rules: what was played by rules that are not here any more is decided by the verifier of their release."""

from __future__ import annotations

import functools
import shutil
import tempfile
import zipfile
from pathlib import Path

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES as REGISTERED
from tafelrunde.service.errors import StartupRefused
from tafelrunde.service.records.apart import decided_by, opinion_of, wheels_in
from tafelrunde.service.records.record import Recorder, encoded
from tafelrunde.service.records.verdict import Conclusion, Verdict
from tafelrunde.service.records.verify import verify
from tafelrunde.workers.cli.records import Evidence, as_text, verdict_of
from tests.service.records.test_record import REAL, forgeries, rewritten, story
from tests.support.cases import GAMES
from tests.support.paths import ROOT
from tools.archive_matches import CODEC, kept, loaded_of, path_of
from tools.rules_wheel import build

COUP = GAMES[GameId("coup")]
ARCHIVED = ROOT / "tests" / "archive" / "rules"
CASE = next(case for case in REAL if case.name == "coup-2-default")


@functools.cache
def wheel() -> Path:
    """Return the wheel of today's rules, in a folder of its own."""
    return build(Path(tempfile.mkdtemp(prefix="tr-rules-")))


@pytest.fixture
def lines() -> list[bytes]:
    """A record that was played by today's rules."""
    return story(CASE).lines()


@pytest.fixture
def replaced(lines: list[bytes], monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The same record, in a time in which Coup has other rules and has not kept those of the record."""
    monkeypatch.setattr(type(COUP), "rules_version", 9)
    monkeypatch.setattr(type(COUP), "of_version", lambda self, _: self)
    assert verify(lines, GAMES).conclusion is Conclusion.UNDECIDED
    return lines


def judged(lines: list[bytes], folder: Path) -> Verdict:
    """Return the verdict with the wheels of a folder."""
    return decided_by(lines, verify(lines, GAMES), folder)


def test_wheel_of_its_rules_decides_a_record(replaced: list[bytes], tmp_path: Path) -> None:
    """It is right, and the answer names the wheel; without one it stays undecided."""
    verdict = judged(replaced, wheel().parent)
    assert (verdict.conclusion, verdict.by) == (Conclusion.RIGHT, wheel().name)
    assert judged(replaced, tmp_path).conclusion is Conclusion.UNDECIDED


def test_command_line_takes_a_folder_of_wheels(replaced: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And says by which rules it was decided."""
    monkeypatch.setattr("tafelrunde.workers.cli.records.GAMES", GAMES)
    record = tmp_path / "record.ndjson"
    record.write_bytes(b"".join(replaced))
    verdict = verdict_of(str(record), lambda: pytest.fail("no store"), None, Evidence(rules=wheel().parent))
    assert verdict.right
    assert f"by version 2 of the rules, from {wheel().name}" in as_text(verdict)


def test_forgery_that_only_the_rules_show_is_found_by_the_wheel(lines: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands cut out and everything hashed again: the present release cannot see it, the wheel does."""
    left_out = next(each.values[0] for each in forgeries() if each.id == "command_left_out")
    forged = rewritten(lines, left_out)
    monkeypatch.setattr(type(COUP), "rules_version", 9)
    monkeypatch.setattr(type(COUP), "of_version", lambda self, _: self)
    assert verify(forged, GAMES).conclusion is Conclusion.UNDECIDED
    verdict = judged(forged, wheel().parent)
    assert (verdict.conclusion, verdict.by) == (Conclusion.WRONG, wheel().name)


@pytest.mark.parametrize(
    ("was", "becomes", "conclusion"),
    [
        ("Action.INCOME: Coins(gain=1)", "Action.INCOME: Coins(gain=2)", Conclusion.WRONG),
        ("rules_version = 2", "rules_version = 3", Conclusion.UNDECIDED),
    ],
)
def test_wheel_runs_its_own_rules_and_not_the_present_ones(
    was: str, becomes: str, conclusion: Conclusion, replaced: list[bytes], tmp_path: Path
) -> None:
    """Rules that were changed in the tree of the wheel decide otherwise; one of another version decides nothing."""
    tree = tmp_path / "tree"
    for layer in ("domain", "service"):
        shutil.copytree(ROOT / layer, tree / layer, ignore=shutil.ignore_patterns("__pycache__"))
    changed = [path for path in (tree / "domain" / "coup").glob("*.py") if was in path.read_text(encoding="utf-8")]
    assert changed
    for path in changed:
        path.write_text(path.read_text(encoding="utf-8").replace(was, becomes), encoding="utf-8")
    build(tmp_path / "wheels", tree)
    assert judged(replaced, tmp_path / "wheels").conclusion is conclusion


def test_wheel_that_its_name_does_not_fit_is_refused(tmp_path: Path) -> None:
    """Before any of its code runs."""
    other = tmp_path / wheel().name
    shutil.copy(wheel(), other)
    assert wheels_in(tmp_path) == [other]
    with zipfile.ZipFile(other, "a") as file:
        file.writestr("tafelrunde/domain/more.py", "raise SystemExit")
    with pytest.raises(StartupRefused, match="its modules have the digest"):
        wheels_in(tmp_path)
    other.write_bytes(b"no wheel")
    with pytest.raises(StartupRefused, match="cannot be read"):
        wheels_in(tmp_path)
    with pytest.raises(StartupRefused, match="no such folder"):
        wheels_in(tmp_path / "none")


def test_same_sources_give_the_same_wheel(tmp_path: Path) -> None:
    """Anyone can build it again and compare."""
    assert build(tmp_path).read_bytes() == wheel().read_bytes()


def test_what_is_no_record_gets_no_opinion(tmp_path: Path) -> None:
    """A wheel that breaks, or does not know the game, says nothing."""
    assert opinion_of(wheel(), [b"\xff\n"]) is None
    assert opinion_of(tmp_path / "none.whl", [b"{}\n"]) is None


@pytest.mark.parametrize("archived", [pytest.param(path, id=path.stem[-30:]) for path in wheels_in(ARCHIVED)])
def test_archived_wheels_still_decide_the_matches_of_their_time(archived: Path) -> None:
    """One match of each game and each version of its rules that the archive has."""
    for game in REGISTERED.values():
        found = {match.rules_version: match for match in kept(path_of(game))}
        for match in found.values():
            record = list(encoded(Recorder(CODEC).lines(match.match, loaded_of(match))))
            opinion = opinion_of(archived, record)
            assert opinion is not None
            assert (opinion.decided, opinion.finding) == (True, None), match.plan


def test_archive_can_decide_every_version_of_rules_that_it_has() -> None:
    """A version is kept by its game, or by a wheel in the archive."""
    assert wheels_in(ARCHIVED)
    for game in REGISTERED.values():
        for version in {match.rules_version for match in kept(path_of(game))}:
            here = game.of_version(version).rules_version == version
            match = next(match for match in kept(path_of(game)) if match.rules_version == version)
            record = list(encoded(Recorder(CODEC).lines(match.match, loaded_of(match))))
            assert here or any((said := opinion_of(each, record)) and said.decided for each in wheels_in(ARCHIVED))
