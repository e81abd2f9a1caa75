"""The run over all sets of rules: it covers them all, resumes where it was stopped, and says how to reproduce a failure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tools import stich_meister_exhaustive as exhaustive
from tools.stich_meister_exhaustive import Chunk, FailedSetError, all_sets, kept, main, play_set, report, run_chunk


def chunk(number: int) -> Chunk:
    """The outcome of two sets."""
    return Chunk(number, sets=2, matches=6, audited=3, decisions=1_000, tricks=250, seconds=0.5, digest=f"{number:064}")


def test_all_sets_are_the_487635_sets_of_four_of_sixty() -> None:
    """Every set once."""
    sets = set(all_sets())
    assert len(sets) == 487_635
    assert all(len(set(rules)) == 4 and 1 <= min(rules) <= max(rules) <= 60 for rules in sets)


def test_match_of_a_set_is_always_the_same() -> None:
    """It is seeded by its set and its number of seats, audited or not."""
    assert play_set((21, 24, 34, 40), 5, audited=True) == play_set((21, 24, 34, 40), 5, audited=False)
    assert play_set((21, 24, 34, 40), 5, audited=False) != play_set((21, 24, 34, 41), 5, audited=False)


def test_chunk_is_played_alike_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the time differs."""
    monkeypatch.setattr(exhaustive, "CHUNK", 3)
    once, again = run_chunk(7), run_chunk(7)
    assert isinstance(once, Chunk)
    assert isinstance(again, Chunk)
    assert (once.sets, once.matches, once.audited) == (3, 9, 3)
    assert once._replace(seconds=0.0) == again._replace(seconds=0.0)


def test_failing_set_is_reported_with_the_command_that_repeats_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first failing set ends the chunk."""

    def failing(rules: Sequence[int], seats: int, audited: bool) -> object:
        raise AssertionError(f"no legal card with {seats} seats")

    monkeypatch.setattr(exhaustive, "play_set", failing)
    told = run_chunk(0)
    assert isinstance(told, str)
    assert told.splitlines() == [
        "python -m tools.stich_meister_exhaustive --rules 1 2 3 4 --seats 3",
        "AssertionError: no legal card with 3 seats",
    ]


def test_failure_ends_the_run_with_an_exit_code(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """And without a summary."""

    def failing(chunks: object, path: Path, total: int) -> dict[int, Chunk]:
        raise FailedSetError("--rules 1 2 3 4 --seats 3")

    monkeypatch.setattr(exhaustive, "run", failing)
    assert main(["--chunks", "2"]) == 1
    assert "--rules 1 2 3 4 --seats 3" in capsys.readouterr().out


def test_one_set_can_be_played_again(capsys: pytest.CaptureFixture[str]) -> None:
    """With the auditor's judgement."""
    assert main(["--rules", "1", "2", "3", "4", "--seats", "3"]) == 0
    assert "Outcome(decisions=" in capsys.readouterr().out


def test_stopped_run_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    """A line that the stop cut off is played again."""
    path = tmp_path / "progress.jsonl"
    path.write_text(json.dumps(chunk(0)) + "\n" + json.dumps(chunk(2)) + "\n" + json.dumps(chunk(3))[:20], encoding="utf-8")
    assert kept(path) == {0: chunk(0), 2: chunk(2)}
    assert kept(tmp_path / "none.jsonl") == {}


def test_summary_adds_the_chunks_up() -> None:
    """Sets, matches, decisions and tricks; its digest depends on every chunk."""
    text = report([chunk(0), chunk(1)])
    assert "| sets of four rules | 4 |" in text
    assert "| decisions | 2,000 |" in text
    assert text.splitlines()[-1] != report([chunk(0), chunk(2)]).splitlines()[-1]
