"""Every game has a lesson that can be played to its end, says each of its lines to someone, and is the same for everyone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import pytest

from tafelrunde.domain.bots import character
from tafelrunde.domain.game import AnyGame, Level
from tafelrunde.domain.lessons import LEARNER, Line
from tafelrunde.domain.match import MatchId
from tafelrunde.domain.match.events import LessonBegun
from tafelrunde.domain.match.terms import Status
from tafelrunde.domain.registry import GAMES
from tests.support.lessons import Learner, Step, suggested
from tests.support.thorough import tries

ENOUGH, RANDOM_LEARNERS = tries(15, 60), 60
"""How many learners do anything, once each line has been said, and at most."""
FEWEST, MOST = 10, 30
"""How many lines a lesson has."""
LONGEST, TOGETHER = 240, 310
"""Characters that are read in passing, of a line and of the two of a moment: a phone shows the hand below them."""
EVERY = [pytest.param(game, id=game.id) for game in GAMES.values()]
TAUGHT: Mapping[str, int] = {"coup": 15, "matchmaster": 14, "meister-coup": 11, "mondkrone": 13, "stich-meister": 11}
"""How many lines a learner who does as suggested meets at least."""


def lines(game: AnyGame) -> tuple[Line, ...]:
    """Return the lines of a game's lesson."""
    assert game.lesson is not None
    return game.lesson.lines


NAMES_CARDS: Mapping[str, tuple[str, str]] = {
    "coup": (r"Deine .*Captain", r"Your .*captain"),
    "matchmaster": (r"\b\d+ in (Dunkel|Hell)", r"\b\d+ in (dark|light)"),
    "meister-coup": (r"\b\d+ in (Gelb|Grün|Blau|Violett)", r"\b\d+ in (yellow|green|blue|violet)"),
    "mondkrone": (r"Mühle|Diplomat", r"Mill\b|Diplomat"),
    "stich-meister": (r"\b1[45]\b", r"\b1[45]\b"),
}
"""How a line of each game reads that says where cards lie, in German and in English."""
TRUE: Mapping[tuple[str, str], Callable[[Any], bool]] = {
    ("coup", "start"): lambda view: [role.value for role in view.hand] == ["captain", "duke"],
    ("matchmaster", "bid"): lambda view: view.size == 7 and {12, 51} < set(view.hand),
    ("matchmaster", "lead"): lambda view: not view.tricks and 12 in view.hand,
    ("matchmaster", "again"): lambda view: view.size == 6 and {37, 38} < set(view.hand) and min(view.hand) > 12,
    ("meister-coup", "lead"): lambda view: 47 in view.hand,
    ("meister-coup", "second-round"): lambda view: view.round == 2 and {34, 35, 46, 47} < set(view.hand),
    ("mondkrone", "lead"): lambda view: (
        [card.value for card in view.pile] == ["ace-of-moons"]
        and "diplomat" in {card.value for card in view.hand}
        and [card.value for card in view.seats[1].palette] == ["mill"]
    ),
    ("stich-meister", "choose"): lambda view: 17 in view.rule_cards and {43, 44} < set(view.hand),
    ("stich-meister", "lead"): lambda view: 44 in view.hand and not set(view.rules) & {30, 31, *range(1, 17), *range(18, 22)},
}
"""What a line says of the cards, by game and line: true of what the learner sees when it is said."""


@pytest.mark.parametrize("game", EVERY)
def test_every_line_is_said_to_someone_and_true(game: AnyGame) -> None:
    """Played as suggested, and by learners who do anything that is legal; each of them comes to the end.

    A line that says where cards lie is right for all who hear it, and no moment has more to read than fits above the hand.
    """
    unsaid = {line.key for line in lines(game)}
    for number in range(RANDOM_LEARNERS + 1):
        if not unsaid and number > ENOUGH:
            break
        learner = Learner(game, number - 1, wild=True) if number else Learner(game)
        for step in learner.steps():
            view = game.view(learner.match.table, LEARNER)
            assert [line.key for line in step.lines if not TRUE.get((game.id, line.key), bool)(view)] == []
            assert max(sum(len(getattr(line.text, each)) for line in step.lines) for each in ("de", "en")) <= TOGETHER
            unsaid -= {line.key for line in step.lines}
        assert learner.match.status is Status.OVER
    assert unsaid == set()


@pytest.mark.parametrize("game", EVERY)
def test_lines_that_say_where_cards_lie_are_tested(game: AnyGame) -> None:
    """In both languages alike; the table above knows what is true of each."""
    for pattern, language in zip(NAMES_CARDS[game.id], ("de", "en"), strict=True):
        named = {line.key for line in lines(game) if re.search(pattern, getattr(line.text, language))}
        assert named == {key for of, key in TRUE if of == game.id}


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
def test_lesson_is_the_same_for_everyone(game: AnyGame) -> None:
    """Learners who decide alike have the same cards, and meet the same answers, in different matches and to the end."""

    def whole(match: str) -> list[Mapping[str, Any]]:
        learner = Learner(game, wild=True)
        learner.name = MatchId(match)
        return [told(game, step) for step in learner.steps()]

    assert whole("m-1") == whole("m-2")


def told(game: AnyGame, step: Step) -> Mapping[str, Any]:
    """Return what a learner sees of the game at a step."""
    events = [event for event in step.moment.events if event["type"].startswith(f"{game.id}.")]
    return {"prompt": step.moment.prompt, "legal": step.moment.legal, "events": events}


@pytest.mark.parametrize("game", EVERY)
def test_lesson_is_marked_and_the_learner_begins(game: AnyGame) -> None:
    """Its log says that it is one; the first question is the learner's, so that its text fits the cards."""
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
        assert {fields["type"] for fields in (when.legal, line.suggested) if fields} <= commands
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
