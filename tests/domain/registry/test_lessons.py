"""Every game has a lesson that can be played to its end, says each of its lines to someone, and is the same for everyone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.bots import character
from tafelrunde.domain.game import AnyGame, Level
from tafelrunde.domain.lessons import LEARNER, FixedChance, Line
from tafelrunde.domain.match.events import LessonBegun
from tafelrunde.domain.match.terms import Status
from tafelrunde.domain.registry import GAMES
from tests.support.lessons import Learner, Step, suggested

RANDOM_LEARNERS = 60
FEWEST, MOST = 10, 30
"""How many lines a lesson has."""
LONGEST = 340
"""Characters that are read in passing."""
EVERY = [pytest.param(game, id=game.id) for game in GAMES.values()]
TAUGHT: Mapping[str, int] = {"coup": 12, "matchmaster": 9, "meister-coup": 10, "mondkrone": 10, "stich-meister": 8}
"""How many lines a learner who does as suggested meets at least."""


def lines(game: AnyGame) -> tuple[Line, ...]:
    """Return the lines of a game's lesson."""
    assert game.lesson is not None
    return game.lesson.lines


@pytest.mark.parametrize("game", EVERY)
def test_every_line_is_said_to_somebody(game: AnyGame) -> None:
    """Played as suggested, and by learners who do anything that is legal; each of them comes to the end."""
    learners = [Learner(game), *(Learner(game, seed, wild=True) for seed in range(RANDOM_LEARNERS))]
    heard: set[str] = set()
    for learner in learners:
        heard |= {line.key for step in learner.steps() for line in step.lines}
        assert learner.match.status is Status.OVER
    assert [line.key for line in lines(game) if line.key not in heard] == []


@pytest.mark.parametrize("game", EVERY)
def test_learner_who_follows_meets_most_of_it(game: AnyGame) -> None:
    """What a lesson suggests is legal where it is said, and no decision has more than two new lines."""
    steps = list(Learner(game).steps())
    assert len({line.key for step in steps for line in step.lines}) >= TAUGHT[game.id]
    assert all(len(step.lines) <= 2 for step in steps)
    assert steps[0].lines, "the first decision is explained"


@pytest.mark.parametrize("game", EVERY)
def test_first_suggestion_is_legal(game: AnyGame) -> None:
    """The first thing that a learner is advised to do can be done."""
    first = next(Learner(game).steps())
    advised = [line for line in first.lines if line.suggested]
    assert not advised or suggested(advised, first.moment.legal) is not None


@pytest.mark.parametrize("game", EVERY)
def test_lesson_is_the_same_for_everybody(game: AnyGame) -> None:
    """Two learners whose matches have different secrets have the same cards, and meet the same answers to what they do."""

    def beginning(seed: int) -> list[Mapping[str, Any]]:
        steps = Learner(game, seed).steps()
        return [told(game, next(steps)) for _ in range(2)]

    assert beginning(1) == beginning(2)


def told(game: AnyGame, step: Step) -> Mapping[str, Any]:
    """Return what a learner sees of the game at a step."""
    events = [event for event in step.moment.events if event["type"].startswith(f"{game.id}.")]
    return {"prompt": step.moment.prompt, "legal": step.moment.legal, "events": events}


@pytest.mark.parametrize("game", EVERY)
def test_lesson_is_marked_and_the_learner_begins(game: AnyGame) -> None:
    """Its log says that no chance has dealt; the first question is the learner's, so that its text fits the cards."""
    learner = Learner(game)
    first = next(learner.steps())
    assert [event for event in learner.events if isinstance(event, LessonBegun)] == [LessonBegun(1)]
    assert learner.match.practice
    assert (learner.match.settings.rated, learner.match.settings.hints) == (False, True)
    assert LEARNER in (learner.match.asked or pytest.fail("nothing is asked")).seats
    assert first.moment.legal


@pytest.mark.parametrize("game", EVERY)
def test_lines_wait_for_what_the_game_has(game: AnyGame) -> None:
    """Prompts, commands, refusals and events of a line exist in the game, under keys that occur once."""
    assert FEWEST <= len(lines(game)) <= MOST
    assert len({line.key for line in lines(game)}) == len(lines(game))
    commands = {kind.__struct_config__.tag for kind in game.command_types}
    events = {kind.__struct_config__.tag for kind in game.event_types}
    refusals = {f"{game.id}.{code.value}" for code in game.refusals}
    for line in lines(game):
        when = line.when
        assert when.prompt == "" or when.prompt in game.messages
        assert {when.legal, line.suggested.get("type", "")} <= {*commands, ""}
        assert {when.event} <= {*events, ""}
        assert {when.refused} <= {*refusals, ""}
        assert msgspec.structs.asdict(when) != msgspec.structs.asdict(type(when)()), "a line that always fits"


@pytest.mark.parametrize("game", EVERY)
def test_lines_are_short_and_in_both_languages(game: AnyGame) -> None:
    """A line is read in passing; the German one is not the English one."""
    for line in lines(game):
        for text in (line.text.de, line.text.en):
            assert 20 < len(text) <= LONGEST, (line.key, len(text))
            assert re.search(r"[.!?]$", text), line.key
        assert line.text.de != line.text.en


@pytest.mark.parametrize("game", EVERY)
def test_bots_of_a_lesson_play_by_rules_of_thumb(game: AnyGame) -> None:
    """A bot that searches draws its own chance, and would not be the same for everyone."""
    assert game.lesson is not None
    assert game.lesson.bot in game.bots()
    assert character(game, game.lesson.bot).level is Level.RULES


def test_fixed_chance_is_fair_enough_and_always_the_same() -> None:
    """Every place of a shuffled row can have every card, and the same number gives the same row."""
    rows = [FixedChance(number).shuffle("deal", range(6)) for number in range(1, 400)]
    assert all(sorted(row) == list(range(6)) for row in rows)
    assert all({row[place] for row in rows} == set(range(6)) for place in range(6))
    assert FixedChance(7).shuffle("deal", range(6)) == FixedChance(7).shuffle("deal", range(6)) == [0, 3, 5, 4, 1, 2]
