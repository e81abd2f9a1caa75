"""`python -m bench.thinking`: how long bots think with the budgets that matches have, beside the longest thought allowed for.

Positions come from matches that the bots play themselves, all seats at the same level; processor time is taken for the whole
answer: view, legal moves and search. One process, one core.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from bench.figures import commit, keep, machine
from bench.play import QuickChance
from bench.scale import part, size, sized
from tafelrunde.domain.bots import character
from tafelrunde.domain.game import AnyGame, Level
from tafelrunde.domain.match import BotName
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.search import Steps
from tafelrunde.service.matches.pacing import longest_ms
from tafelrunde.service.simulate import Unlimited

SEATS = 4
DECISIONS: Mapping[Level, int] = {
    Level.RULES: size(400, 2),
    Level.SEARCH_SMALL: size(200, 1),
    Level.SEARCH_LARGE: size(100, 1),
    Level.INFERENCE: size(100, 1),
}
"""Number of decisions with a choice that are timed."""


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
    bot = game.bots()[name]
    for event in game.start(table, chance):
        game.fold(table, event)
    while (ask := game.pending(table)) is not None and most:
        began = time.process_time()
        legal = game.legal(table, ask.open[0])
        command = bot.choose(game.view(table, ask.open[0]), legal, rng, size(Unlimited(), Steps(1)))
        if len(legal) > 1:
            yield time.process_time() - began
            most -= 1
        game.play(table, ask.open[0], command, chance)


def measured() -> Iterator[Thinking]:
    """Time every bot of every game whose level is timed."""
    for game in GAMES.values():
        for name in game.bots():
            if (many := DECISIONS.get(character(game, name).level)) is not None:
                part(f"{game.id}, {name}")
                yield _thinking(game, name, sorted(times_of(game, name, many)))


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
