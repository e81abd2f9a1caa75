"""What the web client says: every word it uses is there in both languages, and every word that is there is used."""

from __future__ import annotations

import re

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.paths import ROOT

WEB = ROOT / "api" / "web"
VENDORED = {f"{path.name.removesuffix('.LICENSE.txt')}.js" for path in WEB.rglob("*.LICENSE.txt")}
"""Scripts of others: each has its license beside it."""
MODULES = sorted(path for path in WEB.rglob("*.js") if path.name not in VENDORED)


def test_words_are_complete_in_both_languages() -> None:
    """No key is missing in German or English, and none is left over."""
    table = (WEB / "core" / "words.js").read_text(encoding="utf-8")
    there = dict(re.findall(r"^  (\w+): \{\s+(de: .+?,\s+en: .+?),?\s+\},$", table, re.MULTILINE | re.DOTALL))
    code = "".join(path.read_text(encoding="utf-8") for path in MODULES)
    used = set(re.findall(r'\bword\(\s*"(\w+)",?\s*\)', code))
    used |= set(re.findall(r'notice(?:: | = )"(\w+)"', code))
    assert there
    assert used - there.keys() == set()
    assert there.keys() - used == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_sign_of_a_drawing_has_a_text(game: GameId) -> None:
    """Also those that are rarely on a table: the game says what it means, or the client what it means in all games."""
    common = set(re.findall(r"^  (\w+): \{", (WEB / "table" / "tips.js").read_text("utf-8"), re.MULTILINE))
    code = "".join((WEB / each).read_text("utf-8") for each in (f"games/{game}.js", "table/cards.js", "table/plate.js"))
    signs = set(re.findall(r'data-tip="(\w+)"', code))
    assert {"seat", "robot", "back"} < signs
    assert {sign for sign in signs - common if f"{game}.tip.{sign}" not in GAMES[game].messages} == set()


def test_only_modules_of_one_game_name_a_game() -> None:
    """What is drawn otherwise for a game is in `games/`, and how it is dealt in `proof/`; symbols are known by their names."""
    games = re.compile(rf"(?<![\w-])(?:{'|'.join({*GAMES, *(game.messages[game.id].en for game in GAMES.values())})})(?![\w-])")
    shared = {path for path in MODULES if path.parent.name not in {"games", "proof", "art"}}
    named = {path.name for path in shared if games.search(path.read_text(encoding="utf-8"))}
    assert named == {"symbols.js"}


def test_no_drawing_of_a_game_reckons_with_the_numbers_of_cards() -> None:
    """Suits and ranks are those of the game's sheet, and what a move does is in the view: rules are in the domain alone."""
    reckoning = re.compile(r"Math\.floor\(|[\w)\]] % \d")
    found = {path.name for path in MODULES if path.parent.name == "games" and reckoning.search(path.read_text(encoding="utf-8"))}
    assert found == set()
    assert reckoning.search("card % 12")


def test_modules_import_only_modules_of_the_client() -> None:
    """Relative addresses, so that the client works under any path, and nothing from elsewhere."""
    for path in MODULES:
        code = re.sub(r"/\*\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)  # types stand in comments
        for name in re.findall(r'(?:from|import\()\s*["`]([^"`]+)', code):
            assert name.startswith(("./", "../"))
            assert "$" in name or (path.parent / name).exists(), name
