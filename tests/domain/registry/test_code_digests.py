"""What records name of a game's code: its rules by one digest, and by another all code that its bots answer by."""

from __future__ import annotations

import sys
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from tafelrunde.service.features.records.record import rules_digest
from tafelrunde.service.matches.bot_answers import bot_code

if TYPE_CHECKING:
    from tafelrunde.domain.game import AnyGame

NAME = "game_of_digests"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the rooms of a game."""
    root = tmp_path / NAME
    for path, text in {
        "__init__.py": "",
        "game.py": "class Game: ...\n",
        "rules.py": "",
        "bots/__init__.py": "",
        "guide/__init__.py": "",
    }.items():
        (root / path).parent.mkdir(exist_ok=True, parents=True)
        (root / path).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    invalidate_caches()
    for module in [each for each in sys.modules if each.partition(".")[0] == NAME]:
        monkeypatch.delitem(sys.modules, module)
    return root


def digests() -> tuple[str, str]:
    """Return the digests of rules and of bots, read again."""
    game = cast("AnyGame", import_module(f"{NAME}.game").Game())
    return rules_digest.__wrapped__(game), bot_code.__wrapped__(game)


@pytest.mark.parametrize(
    ("path", "rules", "bots"),
    [("rules.py", True, True), ("more.py", True, True), ("bots/honest.py", False, True), ("guide/texts.py", False, False)],
)
def test_digest_changes_when_its_code_does(folder: Path, path: str, *, rules: bool, bots: bool) -> None:
    """A rule changes both, a bot that of the bots, and a text neither: it decides nothing."""
    before = digests()
    (folder / path).write_text("CHANGED = 1\n", encoding="utf-8")
    after = digests()
    assert (before[0] != after[0], before[1] != after[1]) == (rules, bots)
