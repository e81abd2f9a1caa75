"""`python -m bench.engine`: how fast the rules and the search are, beside other packages' games in the same run.

A decision: one random legal move, with the shuffle, the deal, finding the legal moves, and the rules; on tables without a sink,
so without events, and without views and commands. An iteration: one imagined world and the play-out of one move in it, as the
searching bots do it. All in seconds of processor time, the best of several short runs in turns: the machine may be busy.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

import msgspec

from bench import play
from bench.figures import commit, keep, machine, today
from bench.peers import PEERS, peer_rate
from bench.scale import part, size, sized
from tafelrunde.domain.game import AnyGame, Command, GameId, GameView, Table
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.search import Rollout, SearchBot
from tafelrunde.domain.seats import NOBODY
from tafelrunde.service.runtime.gc_tuning import calm_collector
from tests.support.facts import facts_of

AnySearch: TypeAlias = SearchBot[GameView, Table, Command]
Look: TypeAlias = Rollout[Table, Command]

RUNS = size(4, 1)
SECONDS = size(0.3, 0.01)
SEATS = 4
BOT = "search-large"
POSITIONS = size(12, 3)
MOST_DEPTH = 60
"""The searched positions are at most this number of decisions into a match."""

SEARCH_AIM = 15_000


class Engine(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one run: decisions, search iterations and peers' moves per second (or why there are none)."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    form: str = "plain"
    decisions: Mapping[str, float]
    iterations: Mapping[str, float]
    peers: Mapping[str, float | str]


def iterations_per_second(game: AnyGame, seats: int, seconds: float) -> float:
    """Return how many worlds are drawn, with one move played out in each, per second of processor time."""
    rng = random.Random(1)
    looks = [look for _ in range(POSITIONS) if (look := position(game, seats, rng)) is not None]
    done = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        for rollout, moves in looks:
            rollout.worth(rollout.world(rng), moves[done % len(moves)], rng)
            done += 1
    return done / (time.process_time() - began)


def position(game: AnyGame, seats: int, rng: random.Random) -> tuple[Look, list[Command]] | None:
    """Return a decision with a choice somewhere in a random match, and its moves; None if the match was over before."""
    rulebook = game.rulebook
    chance = play.QuickChance(rng)
    table = game.create(game.options_type(), seats)
    rulebook.set_up(table, chance)
    depth = rng.randrange(MOST_DEPTH)
    while (seat := rulebook.waiting(table)) != NOBODY:
        moves = rulebook.legal(table, seat)
        ask = game.pending(table)
        if depth <= 0 and len(moves) > 1 and ask is not None:
            bot = cast("AnySearch", game.bots()[BOT])
            rollout = bot.rollout(game.view(table, ask.open[0]))
            return rollout, list(rollout.candidates(game.legal(table, ask.open[0]), rng))
        rulebook.apply(table, seat, moves[rng.randrange(len(moves))], chance)
        depth -= 1
    return None


def measured() -> Engine:
    """Measure everything, run after run in turns, ours and theirs with the garbage collector as the service sets it."""
    calm_collector()
    decisions: dict[str, float] = {}
    iterations: dict[str, float] = {}
    peers: dict[str, float | str] = {}
    for _ in range(RUNS):
        for game in GAMES.values():
            part(f"rules and search of {game.id}")
            _better(decisions, game.id, play.decisions_per_second(game, SEATS, SECONDS))
            _better(iterations, game.id, iterations_per_second(game, SEATS, SECONDS))
        for name in PEERS:
            part(name)
            _better(peers, name, peer_rate(name, SECONDS))
    return Engine(
        day=today(),
        commit=commit(),
        machine=machine(),
        form="compiled" if play.compiled() else "plain",
        decisions=decisions,
        iterations=iterations,
        peers=peers,
    )


Rate: TypeAlias = "float | str"


def _better(best: dict[str, float] | dict[str, Rate], name: str, rate: Rate) -> None:
    """Keep the best rate of a name; a text says why there is none."""
    found = cast("dict[str, Rate]", best)
    before = found.get(name, 0.0)
    found[name] = rate if isinstance(rate, str) or isinstance(before, str) else max(before, round(rate))


def text_of(engine: Engine) -> str:
    """Return the figures for people."""
    return "\n".join(_lines(engine)) + "\n"


def _lines(engine: Engine) -> Iterator[str]:
    yield f"# Engine of {engine.day}, commit {engine.commit}"
    yield ""
    yield ", ".join(f"{name} {value}" for name, value in engine.machine.items())
    yield ""
    yield f"Per processor second, {SEATS} seats, the best of {RUNS} runs of {SECONDS} s in turns, on a machine with other work."
    yield f"The rules run in their {engine.form} form."
    yield "A decision: a random legal move with shuffle, deal, legal moves and rules; no events, no views, no commands."
    yield f"An iteration: one imagined world and one move played out in it, as `{BOT}` does."
    yield ""
    rates = {name: rate for name, rate in engine.peers.items() if not isinstance(rate, str)}
    yield "| game | decisions | aim | | " + " | ".join(f"times {name}" for name in rates) + " | iterations | aim | |"
    yield "|---|---|---|---|" + "---|" * len(rates) + "---|---|---|"
    for name, rate in engine.decisions.items():
        times = "".join(f" {rate / other:.2f} |" for other in rates.values())
        found = engine.iterations[name]
        yield f"| {name} | {_aim(rate, facts_of(GameId(name)).decisions_per_second)} |{times} {_aim(found, SEARCH_AIM)} |"
    yield ""
    for name, rate in engine.peers.items():
        yield f"- {name}: {rate}" if isinstance(rate, str) else f"- {name}: {rate:,.0f} moves"


def _aim(rate: float, aim: float) -> str:
    return f"{rate:,.0f} | {aim:,.0f} | {'met' if rate >= aim else 'missed'}"


def main() -> None:
    """Measure, print, write."""
    engine = measured()
    keep("engine", engine, text_of(engine))


if __name__ == "__main__":
    sized(__doc__)
    main()
