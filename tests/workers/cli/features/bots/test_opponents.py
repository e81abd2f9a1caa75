"""Whom a program plays in the arena, and how it is started."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tafelrunde.domain.bots import character
from tafelrunde.domain.game import AnyGame, GameId, InvalidOptions, Level
from tafelrunde.domain.registry import GAMES
from tafelrunde.workers.cli.features.bots.commands import measure_bots
from tafelrunde.workers.cli.features.bots.opponents import SLOW, Against, rivals_of, with_exploiters
from tafelrunde.workers.cli.features.bots.program_arena import command_of

COUP = GAMES[GameId("coup")]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_ladder_has_every_bot_weakest_first_and_then_the_exploiters(game: AnyGame) -> None:
    """Quick opponents are the first of each level that does not think for long."""
    ladder = rivals_of(game, Against.LADDER)
    bots = ladder[: len(game.bots())]
    assert sorted(bots) == sorted(game.bots())
    levels = [[*Level].index(character(game, name).level) for name in bots]
    assert levels == sorted(levels)
    assert ladder[len(bots) :] == rivals_of(game, Against.EXPLOITERS) == [*game.exploiters()]
    quick = rivals_of(game, Against.QUICK)
    assert [character(game, name).level for name in quick] == [
        level for level in Level if level not in SLOW and level in {character(game, name).level for name in bots}
    ]


def test_exploiters_sit_in_matches_of_the_contest_alone() -> None:
    """The game of the contest offers them, with a level for the service to know how long they think; the game itself does not."""
    contest = with_exploiters(COUP)
    assert contest.bots().keys() == {*COUP.bots(), *COUP.exploiters()}
    assert next(iter(contest.bots())) == next(iter(COUP.bots()))
    assert character(contest, "fitted").level is Level.SEARCH_LARGE
    assert character(contest, "watcher").level is Level.RULES
    assert not COUP.bots().keys() & COUP.exploiters().keys()
    assert "fitted" not in COUP.characters


def test_program_without_opponents_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game may have no exploiters."""
    monkeypatch.setattr(type(COUP), "exploiters", lambda _: {})
    with pytest.raises(InvalidOptions) as caught:
        measure_bots("coup", seats=2, program="my_bot.py", against=Against.EXPLOITERS)
    assert caught.value.field == "against"


@pytest.mark.parametrize(
    ("program", "command"),
    [
        ("my_bot.py", [sys.executable, "my_bot.py"]),
        ("my_bot.py --bold", [sys.executable, "my_bot.py", "--bold"]),
        ("my_bot.ts", ["node", "my_bot.ts"]),
        ("python my_bot.py", ["python", "my_bot.py"]),
        ("./my_bot --depth 3", ["./my_bot", "--depth", "3"]),
    ],
)
def test_program_is_a_file_or_a_command(program: str, command: list[str]) -> None:
    """A file is started by what its name says, a command as it stands."""
    assert command_of(program) == command


def test_program_in_a_folder_with_spaces_is_a_file(tmp_path: Path) -> None:
    """What is there is not taken for a command with arguments."""
    program = tmp_path / "my bot.py"
    program.touch()
    assert command_of(str(program)) == [sys.executable, str(program)]
