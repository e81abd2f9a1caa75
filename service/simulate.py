"""Matches played by bots alone, in memory and without a log: for the CLI, the tests and the benchmarks.

The same game, seats, options, bots and seed give the same matches, whatever the machine.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeVar

import msgspec

from ..domain.game import AnyGame, Bot, Chance, Command, GameId, GameView, InvalidOptions, Options, Rng, Seat, Standing, Table
from ..domain.match import BotName
from ..domain.match.opening import read_options
from ..domain.match.terms import OptionValue

Element = TypeVar("Element")
AnyBot: TypeAlias = Bot[GameView, Command]

MOST_DECISIONS = 100_000


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a number of matches: how many ended, how often each seat was among the winners, and how many decisions."""

    game: GameId
    seats: int
    matches: int
    ended: int
    wins: list[int]
    decisions: int


class SeededChance:
    """Chance from a seeded generator: repeatable and predictable, so never for a match that counts."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        return self._rng.sample(items, len(items))

    def below(self, label: str, bound: int) -> int:
        """Return a uniformly random integer in 0..bound-1."""
        return self._rng.randrange(bound)


class Unlimited:
    """A budget without a limit: the bot's own number of steps ends the search."""

    def allows(self, steps: int) -> bool:
        """Return True."""
        return True


class Played(msgspec.Struct, frozen=True):
    """One match: its result (None if it did not end) and the number of answers given."""

    standing: Standing | None
    decisions: int


def simulate(
    game: AnyGame,
    seats: int,
    matches: int,
    seed: int,
    *,
    options: Mapping[str, OptionValue] | None = None,
    bots: Sequence[BotName] = (),
) -> Tally:
    """Play *matches* with *bots* on the seats in turn (default: the game's first bot); raise InvalidOptions."""
    typed = read_options(game, options or {}, seats)
    players = players_of(game, seats, bots)
    wins = [0] * seats
    ended = 0
    decisions = 0
    for number in range(matches):
        played = play(game, typed, players, random.Random(f"{seed}/{number}"))  # noqa: S311 - repeatable on purpose
        decisions += played.decisions
        if played.standing is not None:
            ended += 1
            for seat in played.standing.winners:
                wins[seat] += 1
    return Tally(game=game.id, seats=seats, matches=matches, ended=ended, wins=wins, decisions=decisions)


def players_of(game: AnyGame, seats: int, names: Sequence[BotName] = ()) -> list[AnyBot]:
    """Return one bot for each seat; raise InvalidOptions if the game has none of that name."""
    offered = game.bots()
    names = names or [BotName(next(iter(offered)))]
    for name in names:
        if name not in offered:
            raise InvalidOptions("bots", f"{game.id} has no bot {name!r}, but {', '.join(offered)}")
    return [offered[names[seat % len(names)]] for seat in range(seats)]


def play(game: AnyGame, options: Options, players: Sequence[AnyBot], rng: random.Random) -> Played:
    """Play one match to its end, or to `MOST_DECISIONS` answers."""
    chance = SeededChance(rng)
    table = start_table(game, options, len(players), chance)
    decisions = 0
    while (ask := game.pending(table)) is not None and decisions < MOST_DECISIONS:
        seat = ask.open[0]
        game.play(table, seat, answer(game, table, seat, players[seat], rng), chance)
        decisions += 1
    return Played(game.standing(table), decisions)


def start_table(game: AnyGame, options: Options, seats: int, chance: Chance) -> Table:
    """Return a table after the deal."""
    table = game.create(options, seats)
    for event in game.start(table, chance):
        game.fold(table, event)
    return table


def answer(game: AnyGame, table: Table, seat: Seat, player: AnyBot, rng: Rng) -> Command:
    """Return a bot's answer, from its seat's view and legal commands alone."""
    return player.choose(game.view(table, seat), game.legal(table, seat), rng, Unlimited())
