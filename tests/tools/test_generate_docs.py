"""The generated tables of the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import generate_docs

HEAD = "# {number}. A subject\n\n- Status: accepted\n- Date: 2026-11-29\n"


@pytest.mark.parametrize(
    ("pages", "offender"),
    [
        ({"0001-a.md": 1, "0003-b.md": 3}, "0003-b.md"),
        ({"0001-a.md": 1, "0002-b.md": 3}, "0002-b.md"),
        ({"0001-a.md": 1, "0001-b.md": 1}, "0001-b.md"),
    ],
    ids=["a gap", "another number in the title", "a number used twice"],
)
def test_decisions_are_refused_when_their_numbers_have_a_gap(
    pages: dict[str, int], offender: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decisions are numbered from 1 on without gaps, in the name of the file and in the title."""
    folder = tmp_path / "decisions"
    folder.mkdir()
    for name, number in pages.items():
        (folder / name).write_text(HEAD.format(number=number), encoding="utf-8")
    monkeypatch.setattr(generate_docs, "DOCS", tmp_path)
    with pytest.raises(ValueError, match=offender):
        generate_docs.decisions()
