"""A learner who plays a lesson as a client shows it: which lines fit a moment, and what they suggest.

`api/web/table/lesson.js` does the same in the browser.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Union

import msgspec

from tafelrunde.domain.game import AnyGame, Command, Event, Seat
from tafelrunde.domain.lessons import LEARNER, Lesson, Line, When
from tafelrunde.domain.match import MatchId, PlayerId, Status
from tafelrunde.domain.match.commands import BotPlay, MatchCommand, Play
from tafelrunde.domain.match.decide import decide
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.search import Steps
from tafelrunde.domain.secrecy import redact
from tafelrunde.domain.wording import wording
from tafelrunde.service.dealing.dealer import dealer_for
from tafelrunde.service.features.bots.service import chance_of, choose
from tafelrunde.service.features.lessons.service import beginning
from tests.support.cases import GAMES

ANNA = PlayerId("anna")
NOON_MS = 1_700_000_000_000
MOST = 5_000
"""More commands than any match has."""


class Moment(NamedTuple):
    """What the learner sees when it is asked, or at the end: prompt, types of legal commands, codes of refusals, new events."""

    prompt: str
    legal: Sequence[Mapping[str, Any]]
    refused: frozenset[str]
    events: Sequence[Mapping[str, Any]]


class Step(NamedTuple):
    """A moment, the lines shown at it, and what the learner does then."""

    moment: Moment
    lines: tuple[Line, ...]
    command: Mapping[str, Any] | None


def fits(when: When, moment: Moment) -> bool:
    """Return whether a line fits."""
    return (
        (not when.prompt or f"{moment.prompt}.".startswith(f"{when.prompt}."))
        and (not when.legal or any(has(each, when.legal) for each in moment.legal))
        and (not when.refused or when.refused in moment.refused)
        and (not when.event or any(is_news(when, event) for event in moment.events))
    )


def is_news(when: When, event: Mapping[str, Any]) -> bool:
    """Return whether an event is the one that a line waits for."""
    return event["type"] == when.event and has(event, when.fields)


def has(thing: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Return whether all these fields of an event or a command have these values."""
    return all(thing.get(name) == value for name, value in fields.items())


def shown(lesson: Lesson, heard: set[str], moment: Moment) -> tuple[Line, ...]:
    """Return the lines for a moment, after those that were *heard*: one on what has happened, and one on what is asked."""
    fresh = [line for line in lesson.lines if line.key not in heard and fits(line.when, moment)]
    return (*[line for line in fresh if line.when.event][:1], *[line for line in fresh if not line.when.event][:1])


def suggested(lines: Sequence[Line], legal: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the first legal command that a line suggests."""
    for line in lines:
        for command in legal if line.suggested else ():
            if has(command, line.suggested):
                return command
    return None


class Learner:
    """Plays a lesson as suggested, or else as its bot would; *wild*: anything that is legal. *seed*: its chance and match."""

    def __init__(self, game: AnyGame, seed: int = 0, *, wild: bool = False) -> None:
        assert game.lesson is not None
        self.game = game
        self.lesson = game.lesson
        self.rng = random.Random(seed) if wild else None
        self.taste = random.Random(seed)
        self.name = MatchId(f"m-{seed}")
        self.match = Match(GAMES)
        self.events: list[Event] = []
        self.count = 0
        self.heard: set[str] = set()

    def do(self, command: MatchCommand) -> None:
        """Carry a command out."""
        decided = decide(self.match, command, dealer_for(self.name, self.match, command, self.count), NOON_MS)
        self.match = decided.match
        self.events += decided.events
        self.count += len(decided.events)

    def begin(self) -> None:
        """Open the lesson."""
        self.do(beginning(self.name, ANNA, self.game, guest=True))

    def steps(self) -> Iterator[Step]:
        """Play to the end, and yield each moment that the learner meets."""
        self.begin()
        seen = 0
        for _ in range(MOST):
            ask = self.match.pending()
            if ask is not None and LEARNER not in ask.open:
                self.answer_for(ask.open[0])
                continue
            moment = self.moment(self.events[seen:])
            seen = len(self.events)
            lines = shown(self.lesson, self.heard, moment)
            self.heard |= {line.key for line in lines}
            command = self.wanted(lines, moment) if ask is not None else None
            yield Step(moment, lines, command)
            if ask is None or command is None:
                return
            typed = msgspec.convert(command, self.command_type())
            self.do(Play(ANNA, ask.decision, typed))
        raise AssertionError("the match does not end")

    def command_type(self) -> Any:
        """Return the union of the game's commands."""
        return Union[self.game.command_types]  # noqa: UP007 - the members are only known at run time

    def answer_for(self, seat: Seat) -> None:
        """Let a bot answer."""
        decision = self.match.open_decision()
        assert decision is not None
        command = choose(self.match, seat, chance_of(self.match, seat, decision), Steps(0))
        self.do(BotPlay(seat, decision, command))

    def moment(self, news: Sequence[Event]) -> Moment:
        """Return what the learner sees now."""
        table = self.match.table
        asked = self.match.asked if self.match.status is Status.RUNNING else None
        prompt = ""
        if asked is not None:
            more = self.game.prompt_arguments(self.game.view(table, LEARNER))
            prompt = wording(self.game.messages, asked.prompt, {**asked.arguments, **more}, LEARNER, asked=True)
        return Moment(
            prompt,
            [plain(command) for command in self.game.legal(table, LEARNER)],
            frozenset(
                f"{self.game.id}.{choice.refusal.code}" for choice in self.game.menu(table, LEARNER) if choice.refusal is not None
            )
            if asked is not None
            else frozenset(),
            [msgspec.to_builtins(shown) for event in news if (shown := redact(event, LEARNER)) is not None],
        )

    def wanted(self, lines: Sequence[Line], moment: Moment) -> Mapping[str, Any]:
        """Return what the learner does."""
        if self.rng is not None:
            return self.rng.choice(moment.legal)
        found = suggested(lines, moment.legal)
        if found is not None:
            return found
        legal = self.game.legal(self.match.table, LEARNER)
        bot = self.game.bots()[self.lesson.bot]
        return plain(bot.choose(self.game.view(self.match.table, LEARNER), legal, self.taste, Steps(0)))


def plain(command: Command) -> Mapping[str, Any]:
    """Return a command as clients see it."""
    return msgspec.to_builtins(command)
