"""All games have one floor plan: the same files with the same duties, so that one game's layout explains all the others'."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tafelrunde import domain
from tafelrunde.domain.registry import FOLDERS, GAMES

ROOT = Path(domain.__file__).parent
DUTIES = {
    "__init__": {"GAME"},
    "bots/__init__": {"BOTS"},
    "bots/beginner": {"BeginnerBot"},
    "bots/determinization": {"determinize"},
    "bots/honest": {"HonestBot"},
    "bots/rollout": {"Rollout"},
    "bots/styles": {"STYLES"},
    "disclosure": {"dealt", "shown"},
    "events": {"EVENT_TYPES"},
    "fold": {"fold"},
    "game": {"RULEBOOK"},
    "guide/__init__": set[str](),
    "guide/reasons": {"WHY", "reason"},
    "guide/texts": {"MESSAGES"},
    "messages": set[str](),
    "move_codec": {"command_of", "move_of"},
    "moves": {"legal", "waiting"},
    "refusals": {"menu", "why_not"},
    "rules": {"apply", "default", "set_up"},
    "stages": set[str](),
    "table": set[str](),
    "view": {"view"},
}
"""What every game has, and in which file. A game may have more files, named after what only it has."""
SHEETS = {"guide/rules.de.md", "guide/rules.en.md"}
ONCE = {name for names in DUTIES.values() for name in names} | {"NOBODY", "seat_or_none", "seat_or_nobody", "redact"}

ROOMS = {"bots", "guide"}
"""What plays by the rules, and what explains them. Only `game` knows both; the rules know neither."""

every_folder = pytest.mark.parametrize("folder", FOLDERS)

OPTIONAL = frozenset({"guide/reasons", "bots/beginner", "bots/styles"})
"""What a game may do without: then its hints say no why, and those who choose a bot find the honest one first."""


def parsed(path: Path) -> ast.Module:
    """Return the syntax of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def defined(path: Path) -> set[str]:
    """Return the names that a module gives to functions, classes and values of its own."""
    names: set[str] = set()
    for node in parsed(path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


def misplaced(folder: Path) -> list[str]:
    """Return the duties that a game's folder has in no file, or in another one."""
    found = {path.relative_to(folder).with_suffix("").as_posix(): defined(path) for path in folder.rglob("*.py")}
    due = {file: names for file, names in DUTIES.items() if file in found or file not in OPTIONAL}
    lacking = [f"{file}.py" for file in due.keys() - found.keys()]
    lacking += [f"{file}.py: {name}" for file, names in due.items() for name in names - found.get(file, set())]
    wrong = [f"{file}.py: {name}" for file, names in found.items() for name in (names & ONCE) - DUTIES.get(file, set())]
    return sorted(lacking + wrong)


@every_folder
def test_game_has_its_duties_where_all_games_have_them(folder: str) -> None:
    """Each duty has one file in every game, and is in no other; what is the same for all games is in no folder at all."""
    assert misplaced(ROOT / folder) == []
    assert {path.relative_to(ROOT / folder).as_posix() for path in (ROOT / folder).rglob("*.md")} == SHEETS


def test_duty_in_another_file_is_found(tmp_path: Path) -> None:
    """A game that folds in its table, or lacks a file for refusals, is reported."""
    for room in ROOMS:
        (tmp_path / room).mkdir()
    for file, names in DUTIES.items():
        (tmp_path / f"{file}.py").write_text("".join(f"{name} = 1\n" for name in names), encoding="utf-8")
    assert misplaced(tmp_path) == []
    (tmp_path / "table.py").write_text("def fold(): ...\n", encoding="utf-8")
    (tmp_path / "refusals.py").unlink()
    assert misplaced(tmp_path) == ["refusals.py", "refusals.py: menu", "refusals.py: why_not", "table.py: fold"]


def entered(path: Path) -> set[str]:
    """Return the rooms of its game that a module at the top of the folder imports from."""
    nodes = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.ImportFrom) and node.level == 1]
    return {name.partition(".")[0] for node in nodes for name in [node.module or "", *(each.name for each in node.names)]} & ROOMS


@every_folder
def test_rules_know_no_bot_and_no_text(folder: str) -> None:
    """Rules can be read, and folded, without what plays by them and what explains them; both are behind the game alone."""
    assert {path.relative_to(ROOT / folder).parts[0] for path in (ROOT / folder).glob("*/*.py")} == ROOMS
    assert {path.stem: rooms for path in (ROOT / folder).glob("*.py") if (rooms := entered(path))} == {"game": ROOMS}


def test_registry_finds_every_folder_that_is_a_game() -> None:
    """One line in the registry is all that a game needs outside its folder, and no folder is forgotten."""
    assert {path.parent.name for path in ROOT.glob("*/game.py")} == {*FOLDERS}
    assert [game.id.replace("-", "_") for game in GAMES.values()] == [*FOLDERS]


@every_folder
@pytest.mark.parametrize(("file", "matches"), [("fold.py", 1), ("disclosure.py", 2)])
def test_events_have_no_case_for_the_rest(folder: str, file: str, matches: int) -> None:
    """The type checker names an event without a case only where nothing else takes it: also one that deals cards."""
    wild = [
        ast.unparse(each.body[0])
        for node in ast.walk(parsed(ROOT / folder / file))
        if isinstance(node, ast.Match)
        for each in node.cases
        if isinstance(each.pattern, ast.MatchAs) and each.pattern.pattern is None
    ]
    assert wild == ["assert_never(event)"] * matches
