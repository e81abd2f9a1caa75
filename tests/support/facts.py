"""What the suites need to know of a game and cannot find in it. It lies with the game's tests: `tests/games/<game>/facts.py`.

No fact has a default: a new one has to be given for every game, and a game without facts fails every suite that needs one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import NamedTuple, TypeAlias, cast

import pytest

from tafelrunde.client.shapes import Plain
from tafelrunde.domain.game import Command, GameId, Table
from tests.support.positions import Position
from tests.support.sights import Sights

Positions: TypeAlias = Callable[[], Iterator[Position]]


class Wrong(NamedTuple):
    """A value that an option cannot have, with this number of seats."""

    seats: int
    option: str
    value: object


class Watched(NamedTuple):
    """A table at which everything on the wire is compared between two worlds; `seed` says how it is played."""

    name: str
    seats: int
    seed: int
    options: Mapping[str, object] = {}


class Ladder(NamedTuple):
    """How many deals show that each level of bots beats the one below, with the fewest seats; 0 leaves it to `make ladder`."""

    rules: int
    small: int
    large: int


class Facts(NamedTuple):
    """The facts of one game."""

    rule_tests: tuple[str, ...]
    """The files beside the facts whose tests stand for sentences of the rules (docs/rules-coverage.md)."""
    headings: frozenset[str]
    """The headings of the German rules, without numbers: what refusals name as their source."""
    changed_rule: Callable[[pytest.MonkeyPatch], None]
    """Changes a rule of scoring or of effects, which no table remembers, so that old matches would go another way."""
    wrong_options: tuple[Wrong, ...]
    random_options: Callable[[random.Random], Mapping[str, object]] | None
    """Options drawn at random that examples of their types do not cover; None if there are none."""
    positions: Positions | str
    """Late positions with all deals that are possible there, or the file beside the facts that enumerates worlds its own way."""
    shows_lacks: bool
    """Whether a play shows what its seat does not hold, so that hands of two others cannot just be exchanged."""
    secret_answers: bool
    """Whether seats answer in secret, so that a step may leave no trace for the others."""
    sights: Sights
    """Which cards its events show, and to whom, as the rules have it."""
    unseen: Callable[[Table, Command], bool]
    """Whether no one else may notice that a command was given, until its decision closes."""
    back_of: Callable[[int], object] | None
    """What everyone sees of a card that lies face down; None if all backs are equal."""
    laid_open: frozenset[str]
    """The tags of events whose hands are public."""
    watched: tuple[Watched, ...]
    planted: Watched
    """The table at which leaks are planted, and have to be found."""
    suits: tuple[str, ...]
    """The names of its suits, which must differ in shape, letters and colour."""
    trick_won: str | None
    """The name of the event that ends a trick; None in a game without tricks."""
    fixed_options: dict[str, Plain]
    """Options that leave nothing to chance but the cards."""
    replay_heading: str | None
    """A heading in the replay of a match of three, where it has rounds or tricks."""
    ladder: Ladder
    ladder_seats: tuple[int, ...]
    """The numbers of seats of the long ladder (bench/ladder.py); the first gives the bots their ratings."""


def facts_of(game: GameId) -> Facts:
    """Return the facts of a game; raise LookupError if it has none."""
    name = f"tests.games.{game.replace('-', '_')}.facts"
    try:
        return cast("Facts", import_module(name).FACTS)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        raise LookupError(f"{name.replace('.', '/')}.py is missing: what the suites need to know of {game}") from None
