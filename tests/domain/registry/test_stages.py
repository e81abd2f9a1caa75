"""Stages are declared once in each game: number, key, prompt, and the constant that the rules compare with."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from tafelrunde import domain
from tafelrunde.domain.registry import FOLDERS, GAMES
from tafelrunde.domain.stages import Stage

WITH_STAGES = [folder for folder in FOLDERS if (Path(domain.__file__).parent / folder / "stages.py").exists()]
"""A game may ask for one kind of move only, and have none."""

every_folder = pytest.mark.parametrize("folder", WITH_STAGES)


def stages(folder: str) -> type[Stage]:
    """Return the stages of a game."""
    found = [each for each in vars(import_module(f"tafelrunde.domain.{folder}.stages")).values() if isinstance(each, type)]
    (kind,) = (each for each in found if issubclass(each, Stage) and each is not Stage)
    return kind


@every_folder
def test_stage_is_found_by_its_number_and_by_its_key(folder: str) -> None:
    """Numbers count from 0 in the order of the game; archived and golden matches prove that they stay."""
    assert [stages(folder)(number) for number in range(len(stages(folder)))] == list(stages(folder))
    assert [stages(folder).of(stage.key) for stage in stages(folder)] == list(stages(folder))


@every_folder
def test_each_stage_has_its_constant(folder: str) -> None:
    """The constants of the module are the members, each by its name."""
    module = vars(import_module(f"tafelrunde.domain.{folder}.stages"))
    assert {name: each for name, each in module.items() if isinstance(each, Stage)} == dict(stages(folder).__members__)


@every_folder
def test_prompt_has_a_text_exactly_where_a_seat_is_asked(folder: str) -> None:
    """Every prompt of a stage is a message of its game; before the start and after the end there is none."""
    game = GAMES[next(each for each in GAMES if each.replace("-", "_") == folder)]
    prompts = [stage.prompt for stage in stages(folder) if stage.key not in {"setup", "over"}]
    assert set(prompts) <= game.messages.keys()
    assert len(set(prompts)) == len(stages(folder)) - 2
    assert {stage.key for stage in stages(folder) if not stage.prompt} == {"setup", "over"}


def test_all_five_games_have_stages() -> None:
    """None of them has lost its module."""
    assert {"coup", "matchmaster", "meister_coup", "mondkrone", "stich_meister"} <= {*WITH_STAGES}


def test_stage_that_is_not_there_is_a_key_error() -> None:
    """A view that calls a stage by an unknown key is not understood."""
    with pytest.raises(KeyError):
        stages("coup").of("breakfast")
