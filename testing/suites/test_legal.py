"""Legal commands: complete, accepted, and present exactly when a seat is asked."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Union

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ...domain.game import AnyGame, Command, RuleViolation, Seat, Table
from .cases import CASES, SENSIBLE, WILD, Case, begin, every_case, every_game, plain_cases, played
from .commands import commands
from .dice import Dice
from .stored import stored
from .thorough import some, tries

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Neither a deadline nor the health check can measure an example on a busy machine."""


def accepted(game: AnyGame, table: Table, seat: Seat, command: Command) -> bool:
    """Return whether deciding accepts a command; raise ValueError if it is refused with a code that is not the game's."""
    try:
        game.decide(table, seat, command, Dice("legal"))
    except RuleViolation as violation:
        game.refusals(violation.refusal.code)
        return False
    return True


def distinct(found: Sequence[Command]) -> bool:
    """Return whether no command is there twice."""
    return len({stored(command) for command in found}) == len(found)


@every_case
def test_legal_commands_are_those_that_are_accepted(case: Case) -> None:
    """Every listed command is accepted, and whatever else a seat could think of is refused; of very many, some are tried."""
    game = case.game
    for step in played(case, seed=SENSIBLE):
        for seat in map(Seat, range(case.seats)):
            legal = game.legal(step.after, seat)
            listed = {stored(command) for command in legal}
            assert len(listed) == len(legal)
            for command in some(legal):
                assert game.why_not(step.after, seat, command) is None
                assert accepted(game, step.after, seat, command)
            for choice in some(game.menu(step.after, seat)):
                assert (choice.refusal is None) == (stored(choice.command) in listed)
                assert choice.refusal == game.why_not(step.after, seat, choice.command)


def turned(command: Command) -> Command:
    """Return a command with all its lists in the other order."""
    lists = {name: value for name in command.__struct_fields__ if isinstance(value := getattr(command, name), tuple)}
    return msgspec.structs.replace(command, **{name: value[::-1] for name, value in lists.items()})


@every_case
def test_legal_command_is_one_command_whatever_the_order_of_its_lists(case: Case) -> None:
    """A list in another order is the same command, or a refused one: nothing is accepted that is not offered."""
    for step in played(case, seed=SENSIBLE):
        for seat in map(Seat, range(case.seats)):
            legal = case.game.legal(step.after, seat)
            for command in some(legal):
                if (other := turned(command)) != command:
                    assert accepted(case.game, step.after, seat, other) == (other in legal)


@every_case
def test_menu_has_every_legal_command_once(case: Case) -> None:
    """What a seat can think of includes all that it may do."""
    for step in played(case, seed=WILD):
        for seat in map(Seat, range(case.seats)):
            menu = [choice.command for choice in case.game.menu(step.after, seat)]
            assert distinct(menu)
            assert set(map(stored, case.game.legal(step.after, seat))) <= set(map(stored, menu))


@every_case
def test_someone_may_do_something_exactly_when_asked(case: Case) -> None:
    """Every seat that has not answered has a legal command; seats that are not asked have none; no seat is asked at the end."""
    for step in played(case, seed=SENSIBLE):
        ask = case.game.pending(step.after)
        assert (ask is None) == (case.game.standing(step.after) is not None)
        asked, missing = (ask.seats, ask.open) if ask is not None else ((), ())
        assert set(missing) <= set(asked)
        assert missing or ask is None
        for seat in map(Seat, range(case.seats)):
            legal = bool(case.game.legal(step.after, seat))
            assert legal or seat not in missing
            assert seat in asked or not legal


@every_case
def test_default_is_legal_for_every_seat_that_has_not_answered(case: Case) -> None:
    """A time-out can always be played."""
    for step in played(case, seed=WILD):
        ask = case.game.pending(step.after)
        for seat in ask.open if ask is not None else ():
            assert case.game.default(step.after, seat) in case.game.legal(step.after, seat)


@every_case
def test_decisions_are_counted_from_one(case: Case) -> None:
    """A new decision has the next number; an answer that opens none leaves it."""
    last = 0
    for step in played(case, seed=SENSIBLE):
        ask = case.game.pending(step.after)
        if ask is not None:
            assert ask.decision in {last, last + 1}
            assert ask.decision >= 1
            last = ask.decision


@every_case
def test_commands_survive_json(case: Case) -> None:
    """A client gives back what it was offered."""
    reader = msgspec.json.Decoder(Union[case.game.command_types])  # noqa: UP007 - the members are only known at run time
    for step in played(case, seed=SENSIBLE):
        if step.command is not None:
            assert reader.decode(msgspec.json.encode(step.command)) == step.command


@every_game
def test_nothing_is_asked_before_the_start(game: AnyGame) -> None:
    """A table on which nothing has happened asks no seat, has no result, and can be viewed."""
    table = game.create(game.options_type(), game.min_seats)
    assert game.pending(table) is None
    assert game.standing(table) is None
    for seat in map(Seat, range(game.min_seats)):
        assert game.legal(table, seat) == []
        assert game.menu(table, seat) == []
        assert game.view(table, seat) == game.view(table, seat)
    assert game.view(table, None) is not None


@pytest.mark.parametrize("started", [False, True])
@every_game
@settings(PATIENT)
@given(data=st.data())
def test_any_command_is_answered_or_refused_on_the_initial_table(game: AnyGame, started: bool, data: st.DataObject) -> None:
    """Nothing that can be sent raises anything but a refusal."""
    seats = data.draw(st.integers(game.min_seats, game.max_seats))
    step = begin(Case(game, seats, game.options_type(), ""), seed=16)
    table = step.after if started else step.before
    seat = Seat(data.draw(st.integers(0, seats - 1)))
    command = data.draw(commands(game))
    assert accepted(game, table, seat, command) == (command in game.legal(table, seat))


@plain_cases
@settings(PATIENT, max_examples=tries(25, 2_000))
@given(data=st.data())
def test_any_command_is_accepted_if_and_only_if_it_is_legal(case: Case, data: st.DataObject) -> None:
    """Whatever is sent, at whatever point of a match: it is accepted exactly if it was offered."""
    steps = played(case, seed=data.draw(st.sampled_from([WILD, SENSIBLE])))
    table = data.draw(st.sampled_from(steps)).after
    legal = [(seat, case.game.legal(table, seat)) for seat in map(Seat, range(case.seats))]
    for command in data.draw(st.lists(commands(case.game), min_size=5, max_size=20)):
        for seat, offered in legal:
            assert accepted(case.game, table, seat, command) == (command in offered)


@plain_cases
def test_standing_has_one_placing_for_each_seat(case: Case) -> None:
    """The result places all seats, and at least one is first."""
    standing = case.game.standing(played(case, seed=SENSIBLE)[-1].after)
    assert standing is not None
    assert [placing.seat for placing in standing.placings] == list(range(case.seats))
    assert standing.winners
    assert all(placing.rank >= 1 for placing in standing.placings)


@plain_cases
def test_rematch_has_options_that_the_game_offers(case: Case) -> None:
    """A rematch can be opened after any result."""
    for seed in (0, WILD, SENSIBLE):
        standing = case.game.standing(played(case, seed)[-1].after)
        assert standing is not None
        case.game.check(case.game.rematch(case.options, standing), case.seats)


@every_game
def test_matches_have_every_kind_of_command_and_decision(game: AnyGame) -> None:
    """The few matches that these suites play leave no command and no prompt of a game out."""
    missing = {*game.command_types, *(prompt_of(key) for key in game.messages if ".prompt." in key)}
    for case, seed in itertools.product([case for case in CASES if case.game is game], (WILD, SENSIBLE)):
        for step in played(case, seed) if missing else ():
            ask = game.pending(step.after)
            missing -= {type(step.command), prompt_of(ask.prompt) if ask is not None else ""}
    assert missing == set()


def prompt_of(key: str) -> str:
    """Return the name of a prompt from the key of one of its wordings: `<game>.prompt.<name>...`."""
    return key.split(".")[2]
