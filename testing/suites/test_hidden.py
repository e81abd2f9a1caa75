"""Hidden information: whatever a viewer cannot know may change without changing a byte of its views and feed.

A hidden world is drawn by `determinize`; both worlds are then played on in parallel. The events of a command
and the view after it agree: both equal in the two worlds, or both different. So neither reveals what the other hides.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import nullcontext
from zlib import crc32

import msgspec
import pytest

from ...domain.game import AnyGame, Bot, Command, Event, GameView, Seat, Table
from ...domain.search import Steps
from ...domain.secrecy import redact
from .cases import PLAIN, SENSIBLE, WILD, Case, Step, every_case, every_game, folded, played, reached
from .dice import Dice
from .spyhole import LeakingAnswers, LeakingFeed, LeakingView, SilentFeed, Spyhole, SwappedDice
from .stored import stored
from .thorough import tries

TABLES = tries(4, 8)
WORLDS = tries(1, 2)
STEPS = tries(100, 200)
SWAPS, MOST_SWAPS = 8, 40
ANSWERED = 8
QUESTIONS = 25
TOGETHER = 6


def thinkable(case: Case, seed: int) -> list[Command]:
    """Return some commands that a client could try at any time of a random match."""
    found = {
        stored(choice.command): choice.command
        for step in played(case, seed)
        for seat in range(case.seats)
        for choice in case.game.menu(step.after, Seat(seat))
    }
    return random.Random(seed).sample(list(found.values()), min(QUESTIONS, len(found)))


def check_worlds(case: Case, hole: Spyhole, seed: int) -> int:
    """Check that other worlds which agree with a view look the same, now and while both are played on; return how many."""
    rng = random.Random(seed)
    questions = thinkable(case, seed)
    checked = 0
    for table in reached(case, seed, TABLES):
        for viewer in case.viewers():
            for _ in range(WORLDS):
                world = case.game.determinize(case.game.view(table, viewer), rng)
                assert hole.sees(world, viewer, questions) == hole.sees(table, viewer, questions)
                checked += 1 + play_on(case, hole, rng, (table, world), viewer)
    return checked


def play_on(case: Case, hole: Spyhole, rng: random.Random, worlds: tuple[Table, Table], viewer: Seat | None) -> int:
    """Play two worlds in parallel as long as the viewer cannot distinguish them; return for how many commands."""
    table, world = worlds
    for number in range(TOGETHER):
        common = [
            (Seat(seat), command)
            for seat in range(case.seats)
            for command in case.game.legal(table, Seat(seat))
            if case.game.why_not(world, Seat(seat), command) is None
        ]
        if not common:
            return number
        seat, command = rng.choice(common)
        facts, other = (case.game.decide(each, seat, command, Dice(number)) for each in (table, world))
        table, world = folded(case.game, table, facts), folded(case.game, world, other)
        if not check_alike(hole, viewer, (table, facts), (world, other)):
            return number
    return TOGETHER


def check_alike(hole: Spyhole, viewer: Seat | None, one: tuple[Table, list[Event]], other: tuple[Table, list[Event]]) -> bool:
    """Check that what a viewer receives differs exactly if what it sees differs; return whether all is alike."""
    heard = hole.hears(one[1], viewer) == hole.hears(other[1], viewer)
    seen = hole.sees(one[0], viewer) == hole.sees(other[0], viewer)
    assert heard == seen
    return heard


def check_chance(case: Case, hole: Spyhole, seed: int) -> int:
    """Check the same for commands, the deal included, that chance answers differently; return how often nothing showed.

    Where little is hidden, most swaps show: then more of them are tried, until one did not.
    """
    alike = 0
    for number, step in enumerate(played(case, seed)[:STEPS]):
        facts = decided(case, step, Dice(number))
        for swap in range(1, MOST_SWAPS + 1):
            chance = SwappedDice(number, swap)
            other = decided(case, step, chance)
            if not chance.swapped or (alike and swap > SWAPS):
                break
            if stored(facts) == stored(other):
                continue
            tables = [folded(case.game, step.before, each) for each in (facts, other)]
            for viewer in case.viewers():
                alike += check_alike(hole, viewer, (tables[0], facts), (tables[1], other))
    return alike


def check_answers(case: Case, hole: Spyhole, seed: int) -> int:
    """Check that an answer which does not show is not heard of, and one that is not heard of does not show; return how many."""
    rng = random.Random(seed)
    alike = 0
    for table in reached(case, seed, ANSWERED):
        ask = case.game.pending(table)
        for seat in ask.open if ask is not None else ():
            command = rng.choice(case.game.legal(table, seat))
            events = case.game.decide(table, seat, command, Dice(seed))
            after = folded(case.game, table, events)
            alike += sum(check_alike(hole, viewer, (table, []), (after, events)) for viewer in case.viewers())
    return alike


def decided(case: Case, step: Step, chance: Dice) -> list[Event]:
    """Return the facts of a step as this chance gives them."""
    if step.seat is None or step.command is None:
        return case.game.start(step.before, chance)
    return case.game.decide(step.before, step.seat, step.command, chance)


@pytest.mark.parametrize("seed", [WILD, SENSIBLE])
@every_case
def test_views_and_feeds_are_the_same_when_hidden_parts_are_drawn_again(case: Case, seed: int) -> None:
    """A viewer cannot distinguish the true world from others that agree with its view, nor later on."""
    assert check_worlds(case, Spyhole(case.game), seed) > 0


@pytest.mark.parametrize("seed", [WILD, SENSIBLE])
@every_case
def test_feeds_are_the_same_when_chance_changed_only_what_is_hidden(case: Case, seed: int) -> None:
    """Secret deals and draws do not show in any other seat's feed."""
    assert check_chance(case, Spyhole(case.game), seed) > 0


def check_between(case: Case, hole: Spyhole, seed: int) -> int:
    """Check that also between the events of one command what is seen differs exactly if what was heard differs."""
    alike = 0
    for number, step in enumerate(played(case, seed)[:STEPS]):
        facts = decided(case, step, Dice(number))
        for swap in range(1, SWAPS + 1):
            other = decided(case, step, SwappedDice(number, swap))
            if stored(facts) != stored(other):
                alike += sum(alike_so_far(case, hole, viewer, step.before, (facts, other)) for viewer in case.viewers())
    return alike


def alike_so_far(case: Case, hole: Spyhole, viewer: Seat | None, before: Table, facts: tuple[list[Event], list[Event]]) -> int:
    """Compare two courses of a command after each event that the viewer hears, until they differ; return how many were alike."""
    courses = [heard_steps(case, hole, viewer, before, each) for each in facts]
    for count, (one, other) in enumerate(zip(*courses, strict=False)):
        if one[0] != other[0]:
            return count
        assert one[1] == other[1]
    return min(map(len, courses))


def heard_steps(case: Case, hole: Spyhole, viewer: Seat | None, before: Table, facts: list[Event]) -> list[tuple[bytes, bytes]]:
    """Return each event of a command that a viewer hears, with the view right after it."""
    table = before
    found = list[tuple[bytes, bytes]]()
    for event in facts:
        table = folded(case.game, table, [event])
        if hole.tells(event, viewer) is not None:
            found.append((hole.hears([event], viewer), stored(case.game.view(table, viewer))))
    return found


@pytest.mark.parametrize("seed", [WILD, SENSIBLE])
@every_case
def test_views_between_events_are_the_same_when_chance_changed_only_what_is_hidden(case: Case, seed: int) -> None:
    """A view between two events of a command shows no more than the events up to there."""
    check_between(case, Spyhole(case.game), seed)


@pytest.mark.parametrize("seed", [WILD, SENSIBLE])
@every_case
def test_answer_shows_in_the_feed_when_it_shows_in_the_view(case: Case, seed: int) -> None:
    """An answer that is not shown yet does not show itself, in whatever it is or that it was given."""
    check_answers(case, Spyhole(case.game), seed)


@pytest.mark.parametrize(
    ("check", "leak"),
    [
        pytest.param(check_worlds, LeakingView, id="view"),
        pytest.param(check_worlds, LeakingAnswers, id="answers"),
        pytest.param(check_chance, LeakingFeed, id="feed"),
        pytest.param(check_answers, LeakingFeed, id="hidden-answer"),
        pytest.param(check_chance, SilentFeed, id="silence"),
    ],
)
@every_game
def test_leak_is_found_when_it_is_planted(game: AnyGame, check: Callable[[Case, Spyhole, int], int], leak: type[Spyhole]) -> None:
    """Each way of showing too much, or too little, is one that these tests can see."""
    case = next(case for case in PLAIN if case.game is game and case.seats == min(3, game.max_seats))
    there_is_one = check is not check_answers or hides_answers(case)
    with pytest.raises(AssertionError) if there_is_one else nullcontext():
        _ = [check(case, leak(case.game), seed) for seed in range(tries(10, 5))]


def hides_answers(case: Case) -> bool:
    """Return whether the game hides from some seat that something has happened at all."""
    facts = [event for step in played(case, seed=WILD) for event in step.events]
    return any(redact(event, viewer) is None for event in facts for viewer in case.viewers())


@every_case
def test_redaction_only_takes_away(case: Case) -> None:
    """A redacted event says what the event says, or None."""
    for step in played(case, seed=SENSIBLE):
        for event in step.events:
            for viewer in case.viewers():
                seen = redact(event, viewer)
                if seen is not None:
                    assert type(seen) is type(event)
                    assert less(msgspec.to_builtins(seen), msgspec.to_builtins(event))


def less(part: object, whole: object) -> bool:
    """Return whether something is the same but for parts that are None."""
    match part, whole:
        case None, _:
            return True
        case dict(), dict():
            return part.keys() == whole.keys() and all(less(part[key], whole[key]) for key in part)
        case ((list() | tuple()), (list() | tuple())):
            return len(part) == len(whole) and all(map(less, part, whole))
        case _:
            return part == whole


@every_case
def test_spectator_is_shown_nothing_that_a_seat_is_not(case: Case) -> None:
    """What is public, every seat sees too."""
    for step in played(case, seed=WILD):
        for event in step.events:
            public = redact(event, None)
            for seat in map(Seat, range(case.seats)):
                assert less(msgspec.to_builtins(public), msgspec.to_builtins(redact(event, seat)))


Chooser = Callable[[Case, Table, Seat], Command]


def choosers(case: Case) -> list[Chooser]:
    """Return how each bot of a game chooses."""

    def chooser(bot: Bot[GameView, Command]) -> Chooser:
        return lambda case, table, seat: bot.choose(
            case.game.view(table, seat), case.game.legal(table, seat), random.Random(26), Steps(1)
        )

    return [chooser(bot) for bot in case.game.bots().values()]


def peeking(case: Case, table: Table, seat: Seat) -> Command:
    """Choose as a bot that looks at the whole table."""
    legal = case.game.legal(table, seat)
    return legal[crc32(stored(table.digest_form())) % len(legal)]


def check_choices(case: Case, choose: Chooser, seed: int) -> None:
    """Check that a choice is legal, and does not change with what its seat cannot see."""
    rng = random.Random(seed)
    for table in reached(case, seed, TABLES):
        ask = case.game.pending(table)
        for seat in ask.open if ask is not None else ():
            world = case.game.determinize(case.game.view(table, seat), rng)
            assert choose(case, table, seat) == choose(case, world, seat)
            assert choose(case, table, seat) in case.game.legal(table, seat)


@every_case
def test_bots_choose_alike_when_hidden_parts_are_drawn_again(case: Case) -> None:
    """A bot decides from its view alone: same view, same generator, same choice, and it is a legal one."""
    for choose in choosers(case):
        check_choices(case, choose, seed=WILD)


@every_game
def test_peeking_is_found_when_a_bot_does_it(game: AnyGame) -> None:
    """The same check sees a bot that looks at the whole table."""
    case = next(case for case in PLAIN if case.game is game)
    with pytest.raises(AssertionError):
        _ = [check_choices(case, peeking, seed) for seed in range(5)]
