"""`python -m bench.thinking`: how long bots think with the budgets that matches have, beside the longest thought allowed for.

Positions come from matches that the bots play themselves, all seats at the same level; processor time is taken for the whole
answer: view, legal moves and search. One process, one core.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import msgspec

from bench.figures import commit, keep, machine
from bench.scale import part, size, sized
from tafelrunde.domain.bots import character
from tafelrunde.domain.game import AnyGame, Bot, Command, Level
from tafelrunde.domain.match import BotName
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.search import Steps
from tafelrunde.domain.seats import Seat
from tafelrunde.domain.table import Table
from tafelrunde.service.matches.pacing import longest_ms
from tafelrunde.service.simulate import Unlimited

Element = TypeVar("Element")

SEATS = 4
TIMED = {Level.RULES, Level.SEARCH_SMALL, Level.SEARCH_LARGE, Level.INFERENCE}
DECISIONS = size(1_000, 1)
"""Number of decisions with a choice that are timed: the longest of 1,000 is what 99.9 % do not exceed."""
AGAIN = 2
"""How often a thought is repeated that took over half of the time allowed: the shortest counts, as other processes disturb."""


class QuickChance:
    """Chance for measurements: every order equally likely, by sorting along random numbers."""

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in a uniformly random order."""
        luck = self._random
        return sorted(items, key=lambda _: luck())

    def below(self, label: str, bound: int) -> int:
        """Return a random integer in 0..bound-1."""
        return int(self._random() * bound)


class Thinking(msgspec.Struct, frozen=True, kw_only=True):
    """How long a bot of a game thought, in milliseconds."""

    game: str
    bot: str
    level: str
    decisions: int
    median_ms: float
    p95_ms: float
    most_ms: float
    longest_ms: int | None
    """The longest thought according to `pacing`; None for a level that does not search."""


def times_of(game: AnyGame, name: str, many: int) -> Sequence[float]:
    """Return how long a bot thought about each of its decisions with a choice, in seconds."""
    rng = random.Random(1)
    found = list[float]()
    while len(found) < many:
        found += _match(game, name, rng, many - len(found))
    return found


def _match(game: AnyGame, name: str, rng: random.Random, most: int) -> Iterator[float]:
    chance = QuickChance(rng)
    table = game.create(game.options_type(), SEATS)
    bot, allowed = game.bots()[name], longest_ms(game, BotName(name))
    for event in game.start(table, chance):
        game.fold(table, event)
    while (ask := game.pending(table)) is not None and most:
        state = rng.getstate()
        command, choices, seconds = _thought(game, bot, table, ask.open[0], rng)
        for _ in range(AGAIN if allowed and 2_000 * seconds > allowed else 0):
            rng.setstate(state)
            seconds = min(seconds, _thought(game, bot, table, ask.open[0], rng)[2])
        if choices > 1:
            yield seconds
            most -= 1
        game.play(table, ask.open[0], command, chance)


def _thought(game: AnyGame, bot: Bot[Any, Any], table: Table, seat: Seat, rng: random.Random) -> tuple[Command, int, float]:
    """Return a bot's answer, the number of legal commands, and the processor time of the answer in seconds."""
    began = time.process_time()
    legal = game.legal(table, seat)
    command = bot.choose(game.view(table, seat), legal, rng, size(Unlimited(), Steps(1)))
    return command, len(legal), time.process_time() - began


def measured() -> Iterator[Thinking]:
    """Time every bot of every game whose level is timed."""
    for game in GAMES.values():
        for name in game.bots():
            if character(game, name).level in TIMED:
                part(f"{game.id}, {name}")
                yield _thinking(game, name, sorted(times_of(game, name, DECISIONS)))


def _thinking(game: AnyGame, name: str, times: Sequence[float]) -> Thinking:
    return Thinking(
        game=game.id,
        bot=name,
        level=character(game, name).level.value,
        decisions=len(times),
        median_ms=round(1_000 * statistics.median(times), 2),
        p95_ms=round(1_000 * times[int(0.95 * len(times))], 2),
        most_ms=round(1_000 * times[-1], 2),
        longest_ms=longest_ms(game, BotName(name)),
    )


def text_of(found: Sequence[Thinking]) -> str:
    """Return the figures for people."""
    lines = [f"# How long bots think, commit {commit()}", "", ", ".join(f"{name} {value}" for name, value in machine().items())]
    lines += ["", f"{SEATS} seats, all by the same bot; milliseconds of a core per decision with a choice."]
    lines += [
        "*Allowed* is how long an answer is kept back, counted from when its bot began to think.",
        "",
    ]
    lines += ["| game | bot | decisions | median | p95 | most | allowed |", "|---|---|---:|---:|---:|---:|---:|"]
    lines += [
        f"| {e.game} | {e.bot} | {e.decisions} | {e.median_ms} | {e.p95_ms} | {e.most_ms} | {e.longest_ms or ''} |" for e in found
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, print, write."""
    found = list(measured())
    keep("thinking", found, text_of(found))


if __name__ == "__main__":
    sized(__doc__)
    main()
