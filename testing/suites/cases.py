"""What the suites run over: every chosen game, with its numbers of seats and its options."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

import msgspec
import pytest

from ...domain.game import AnyGame, Command, Event, GameId, InvalidOptions, Options, Seat, Table
from ...domain.search import Steps
from ..games import games_under_test
from . import CASE_GROUP
from .dice import Dice
from .thorough import tries

GAMES: Mapping[GameId, AnyGame] = games_under_test()


class Case(NamedTuple):
    """One game with options and a number of seats."""

    game: AnyGame
    seats: int
    options: Options
    name: str

    def viewers(self) -> list[Seat | None]:
        """Return all viewers: the seats and a spectator."""
        return [*(Seat(seat) for seat in range(self.seats)), None]


def values(kind: Any) -> list[Any]:
    """Return values that an option of this type can have; the first and last of a range, the examples of a list."""
    if kind is bool:
        return [False, True]
    if kind is NoneType:
        return [None]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)
    origin = get_origin(kind)
    arguments = get_args(kind)
    if origin is Literal:
        return list(arguments)
    if origin in {Union, UnionType}:
        return [value for argument in arguments for value in values(argument)]
    if origin is Annotated:
        return [
            value for meta in arguments[1:] if isinstance(meta, msgspec.Meta) for value in (*_ends(meta), *(meta.examples or ()))
        ]
    return []


def _ends(meta: msgspec.Meta) -> list[int]:
    return [end for end in (meta.ge, meta.le) if isinstance(end, int)]


def said(value: Any) -> str:
    """Return the value of an option as a part of a case's name."""
    if isinstance(value, tuple):
        return "-".join(map(str, cast("tuple[object, ...]", value)))
    return str(value.value if isinstance(value, Enum) else value)


def variants(game: AnyGame) -> Iterator[tuple[str, Options]]:
    """Yield the default options, and each single change of them."""
    default = game.options_type()
    yield "default", default
    for name, kind in get_type_hints(game.options_type, include_extras=True).items():
        for value in values(kind):
            if value != getattr(default, name):
                yield f"{name}={said(value)}", msgspec.structs.replace(default, **{name: value})


def cases(game: AnyGame, *, whole: bool = True) -> Iterator[Case]:
    """Yield every number of seats with the default options, and each change of them with the fewest and the most seats.

    A number of seats that the default options are not for has all the options that are. What is a number, as who begins, is
    changed with the fewest seats alone, unless *whole* is asked for.
    """
    usual = offered(game, game.options_type())
    for name, options in variants(game):
        seats = offered(game, options)
        most = seats[-1:] if whole or not name.partition("=")[2].isdigit() else []
        wanted = seats if name == "default" else [*seats[:1], *most, *(each for each in seats if each not in usual)]
        for each in sorted(set(wanted)):
            yield Case(game, each, options, f"{game.id}-{each}-{name}")


def offered(game: AnyGame, options: Options) -> list[int]:
    """Return the numbers of seats that options are offered for."""
    return [seats for seats in range(game.min_seats, game.max_seats + 1) if offers(game, options, seats)]


def offers(game: AnyGame, options: Options, seats: int) -> bool:
    """Return whether options are available for that number of seats."""
    try:
        game.check(options, seats)
    except InvalidOptions:
        return False
    return True


CASES = [case for game in GAMES.values() for case in cases(game, whole=tries(1, 2) == 2)]
BOT_SHARE = 0.8
WILD, SENSIBLE = 2, 5
"""Two seeds for `played`: the matches of all cases with them have every kind of command and decision (a test sees to it)."""
PLAIN = [case for case in CASES if case.name.endswith("-default")]


def of_cases(cases: Iterable[Case]) -> pytest.MarkDecorator:
    """Return the mark that runs a test for cases; all tests of a case share one process, and there the matches of `played`."""
    params = [pytest.param(case, id=case.name, marks=pytest.mark.xdist_group(CASE_GROUP + case.name)) for case in cases]
    return pytest.mark.parametrize("case", params)


every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])
every_case = of_cases(CASES)
plain_cases = of_cases(PLAIN)


class Step(NamedTuple):
    """One command of a played match, or its start (no command)."""

    before: Table
    seat: Seat | None
    command: Command | None
    events: tuple[Event, ...]
    after: Table


@functools.lru_cache(maxsize=256)
def begin(case: Case, seed: int | str) -> Step:
    """Return the start of a match. The tables must not be changed."""
    before = case.game.create(case.options, case.seats)
    events = case.game.start(before, Dice((seed, "start")))
    after = before.copy()
    for event in events:
        case.game.fold(after, event)
    return Step(before, None, None, tuple(events), after)


@functools.lru_cache(maxsize=256)
def played(case: Case, seed: int, limit: int = 4_000) -> tuple[Step, ...]:
    """Return a match in which asked seats, in random order, answer at random; with an odd seed mostly as the game's first bot.

    Random play ends soon, a bot's goes far. The tables must not be changed.
    """
    steps = [begin(case, seed)]
    rng = random.Random(f"{case.name}/{seed}")
    while (ask := case.game.pending(steps[-1].after)) is not None and len(steps) < limit:
        before = steps[-1].after
        seat = rng.choice(ask.open)
        command = chosen(case, before, seat, rng, bot_share=BOT_SHARE if seed % 2 else 0.0)
        events = case.game.decide(before, seat, command, Dice((seed, len(steps))))
        steps.append(Step(before, seat, command, tuple(events), folded(case.game, before, events)))
    return tuple(steps)


def chosen(case: Case, table: Table, seat: Seat, rng: random.Random, bot_share: float) -> Command:
    """Return a seat's answer: with probability *bot_share* that of the game's first bot, otherwise any legal command."""
    legal = case.game.legal(table, seat)
    if rng.random() >= bot_share:
        return rng.choice(legal)
    bot = next(iter(case.game.bots().values()))
    return bot.choose(case.game.view(table, seat), legal, rng, Steps(9))


def folded(game: AnyGame, table: Table, events: list[Event]) -> Table:
    """Return the table after some facts; the input stays as it is."""
    after = table.copy()
    for event in events:
        game.fold(after, event)
    return after


def reached(case: Case, seed: int, count: int) -> list[Table]:
    """Return some tables of a random match, from all along it."""
    steps = played(case, seed)
    chosen = random.Random(seed).sample(range(len(steps)), min(count, len(steps)))
    return [steps[place].after for place in sorted(chosen)]
