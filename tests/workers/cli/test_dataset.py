"""Data sets on the command line: rows in a file that is whole or not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tafelrunde.workers.cli import app
from tafelrunde.workers.cli.dataset import Format, writer

PLAY = ["dataset", "play", "coup", "--seats", "2", "--matches", "3", "--bots", "honest,random"]


def test_matches_of_bots_are_written_as_lines(tmp_path: Path) -> None:
    """One JSON object for each decision, and a line for people beside them."""
    out = tmp_path / "rows.ndjson"
    done = CliRunner().invoke(app, [*PLAY, "--legal", "--out", str(out)], catch_exceptions=False)
    rows = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert done.exit_code == 0
    assert f"{len(rows)} decisions of 3 matches." in done.output
    assert rows[0].keys() == {
        *("match", "game", "rules_version", "seats", "options", "decision", "seat", "bot"),
        *("view", "legal", "command", "rank", "score"),
    }
    assert all(row["command"] in row["legal"] and row["view"]["seat"] == row["seat"] for row in rows)
    assert list(tmp_path.iterdir()) == [out]


def test_file_is_left_alone_when_writing_fails(tmp_path: Path) -> None:
    """A data set that could not be written whole leaves the one before in its place, and nothing else."""
    out = tmp_path / "rows.ndjson"
    out.write_text("before")
    with pytest.raises(RuntimeError, match="torn"), writer(out, Format.NDJSON):
        raise RuntimeError("torn")
    assert out.read_text() == "before"
    assert list(tmp_path.iterdir()) == [out]
