"""Contests of bots on all cores: progress while they run, and a file from which a later run resumes."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as Grid

from .....audit.progress import Pace, to_stderr
from .....domain.bots import character
from .....domain.game import AnyGame, InvalidOptions, Level
from .....domain.search import SearchBot
from .....service.features.bots.arena import CHEAT, Duel, DuelOutcome, Rating, Task, read_outcomes, run
from .....service.runtime.process_pool import end_with_parent
from ...environment import games_of_environment

LADDER = tuple(Level)
"""The levels, from the lowest rung up."""
BEGINNING = b'{"task":'
"""The start of every stored outcome: it distinguishes a truncated line from a foreign file."""


def pairs_of(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return each bot as the challenger of each other one."""
    return [(challenger, other) for challenger in names for other in names if challenger != other]


def rungs_of(game: AnyGame) -> list[tuple[str, str]]:
    """Return each level's first bot as the challenger of the level below, and what else is worth measuring.

    That is: other characters against the first of their level, the game's exploiters against the top and the best search, rules
    against chance, and these two and the upper bound, which is a search, against rules.
    """
    by_level: dict[Level, str] = {}
    for name in game.bots():
        by_level.setdefault(character(game, name).level, name)
    names = [by_level[level] for level in LADDER if level in by_level]
    rules = by_level[Level.RULES]
    search = next(name for name in reversed(names) if name == rules or isinstance(game.bots()[name], SearchBot))
    tops = [each for each in dict.fromkeys((search, names[-1])) if each != rules]
    bounds = [(rules, by_level[Level.RANDOM]), *[(each, rules) for each in tops]]
    bounds += [] if search == rules else [(CHEAT + search, rules)]
    rungs = list(zip(names[1:], names, strict=False))
    others = [(name, by_level[character(game, name).level]) for name in game.bots() if name not in names]
    exploits = [(name, each) for each in tops or [rules] for name in game.exploiters()]
    return rungs + others + exploits + [bound for bound in bounds if bound not in rungs]


def contest(tasks: Sequence[Task], file: Path | None, *, quiet: bool = False) -> list[DuelOutcome]:
    """Play all tasks, in their order in the answer; what *file* has already is not played again, the rest is added to it.

    Cost: one task is as many matches as there are seats. All cores are used. Raises InvalidOptions if the file does not serve.
    """
    done = _read_stored(file)
    open_ = [task for task in tasks if _key(task) not in done]
    with counting(tasks[0].game, len(tasks), len(tasks) - len(open_), quiet=quiet) as tick:
        for outcome in _play(open_, tick):
            done[_key(outcome.task)] = outcome
            _store(file, outcome)
    return [done[_key(task)] for task in tasks]


def _play(tasks: Sequence[Task], tick: Callable[[], None]) -> Iterator[DuelOutcome]:
    """Yield outcomes as they arrive."""
    with ProcessPoolExecutor(os.cpu_count(), initializer=end_with_parent) as pool:
        futures = [pool.submit(_run, task) for task in tasks]
        try:
            for future in as_completed(futures):
                tick()
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _run(task: Task) -> DuelOutcome:
    return run(games_of_environment()[task.game], task)


def _key(task: Task) -> bytes:
    return msgspec.json.encode(task, order="deterministic")


def _read_stored(file: Path | None) -> dict[bytes, DuelOutcome]:
    """Return the outcomes that a file already has, ready to be appended to; raise InvalidOptions if it cannot hold outcomes."""
    if file is None:
        return {}
    try:
        with file.open("ab+") as lines:
            _cut_torn_line(lines)
            return {_key(outcome.task): outcome for outcome in read_outcomes(lines)}
    except OSError as error:
        raise InvalidOptions("out", f"{file} cannot be written: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise InvalidOptions("out", f"{file} holds something else than outcomes of an arena") from error


def _cut_torn_line(lines: BinaryIO) -> None:
    """Drop a truncated last line: appended text would become part of it. Does nothing if there is none."""
    lines.seek(0)
    content = lines.read()
    whole = content.rfind(b"\n") + 1
    if not content[whole:].startswith(BEGINNING[: len(content) - whole]):
        raise msgspec.DecodeError
    lines.truncate(whole)
    lines.seek(0)


def _store(file: Path | None, outcome: DuelOutcome) -> None:
    if file is not None:
        with file.open("ab") as lines:
            lines.write(msgspec.json.encode(outcome) + b"\n")


@contextmanager
def counting(name: str, total: int, done: int, *, quiet: bool) -> Generator[Callable[[], None]]:
    """Yield what counts one more of *total* deals as played, and show how many are: on standard error, unless *quiet*.

    On a terminal that is a bar; elsewhere a line at the beginning, one every few seconds, and one at the end.
    """
    console = Console(stderr=True)
    if console.is_terminal or quiet:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=console, disable=quiet) as progress:
            bar = progress.add_task(name, total=total, completed=done)
            yield lambda: progress.advance(bar)
        return
    played = done
    pace = Pace(to_stderr)

    def tick() -> None:
        nonlocal played
        played += 1
        pace.say(lambda: f"{name}: {played} of {total} deals played.")

    to_stderr(f"{name}: {played} of {total} deals played.")
    yield tick
    to_stderr(f"{name}: {played} of {total} deals played.")


def grid_of(duels: Iterable[Duel], ratings: Iterable[Rating]) -> list[Grid]:
    """Return the results as tables for people."""
    table = Grid("challenger", "against", "deals", "matches", "share of wins", "95 %", "fair")
    for duel in duels:
        share, low, high = (f"{value:.1%}" for value in (duel.share, duel.low, duel.high))
        table.add_row(
            duel.challenger, duel.other, str(duel.deals), str(duel.matches), share, f"{low} to {high}", f"{duel.fair:.1%}"
        )
    ranks = Grid("bot", "rating", "give or take", "matches")
    for rating in ratings:
        ranks.add_row(rating.bot, str(rating.points), str(rating.spread), str(rating.matches))
    return [table, ranks]
