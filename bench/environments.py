"""`python -m bench.environments`: steps of the learning environments, beside those of other packages in the same run.

A step: one random legal action, with the observation and mask of the next seat to act, through each package's own interface.
Deals are included. In seconds of processor time, the best of several short runs in turns: the machine may be busy.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, cast

import msgspec
import numpy as np

from bench.figures import commit, keep, machine, today
from bench.peers import PEERS, peer_rate
from bench.scale import part, size, sized
from tafelrunde.domain.registry import GAMES
from tafelrunde.research import env, tables

RUNS = size(4, 1)
SECONDS = size(0.5, 0.02)
SEATS = 4
TABLES = 64
OTHERS = tuple(name for name in PEERS if "OpenSpiel" not in name)
"""The packages whose steps give an observation."""


class Environments(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one run: steps per second of each form, and of peers (or why there are none)."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    turns: Mapping[str, float]
    tables: Mapping[str, float]
    peers: Mapping[str, float | str]


def turns_per_second(game: str, seconds: float) -> float:
    """Return the steps of the environment in which agents take turns, as PettingZoo's page has the loop."""
    table = cast("Any", env(game, seats=SEATS))
    steps = 0
    seed = 0
    for agent in table.possible_agents:
        table.action_space(agent).seed(1)
    began = time.process_time()
    while time.process_time() - began < seconds:
        seed += 1
        table.reset(seed=seed)
        for agent in table.agent_iter():
            seen, _, over, cut, _ = table.last()
            table.step(None if over or cut else table.action_space(agent).sample(seen["action_mask"]))
            steps += not over
    return steps / (time.process_time() - began)


def table_steps_per_second(game: str, seconds: float) -> float:
    """Return the steps of many tables, counted one by one."""
    many = tables(game, TABLES, seats=SEATS, seed=1)
    rng = np.random.default_rng(1)
    steps = 0
    batch, began = many.batch(), time.process_time()
    while time.process_time() - began < seconds:
        batch = many.step((batch.action_masks * rng.random(batch.action_masks.shape)).argmax(axis=1))
        steps += TABLES
    return steps / (time.process_time() - began)


def measured() -> Environments:
    """Measure everything, run after run in turns."""
    turns = dict[str, float]()
    many = dict[str, float]()
    peers = dict[str, float | str]()
    for _ in range(RUNS):
        for game in GAMES:
            part(f"environments of {game}")
            turns[game] = max(turns.get(game, 0.0), round(turns_per_second(game, SECONDS)))
            many[game] = max(many.get(game, 0.0), round(table_steps_per_second(game, SECONDS)))
        for name in OTHERS:
            part(name)
            rate = peer_rate(name, SECONDS)
            before = peers.get(name, 0.0)
            peers[name] = rate if isinstance(rate, str) or isinstance(before, str) else max(before, round(rate))
    return Environments(day=today(), commit=commit(), machine=machine(), turns=turns, tables=many, peers=peers)


def text_of(found: Environments) -> str:
    """Return the figures for people."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Environments) -> Iterator[str]:
    yield f"# Environments of {found.day}, commit {found.commit}"
    yield ""
    yield ", ".join(f"{name} {value}" for name, value in found.machine.items())
    yield ""
    yield f"Random steps per processor second, {SEATS} seats, best of {RUNS} runs of {SECONDS} s in turns; other work may run."
    yield ""
    yield f"| game | `env` | {TABLES} `tables` |"
    yield "|---|---|---|"
    for game, rate in found.turns.items():
        yield f"| {game} | {rate:,.0f} | {found.tables[game]:,.0f} |"
    yield ""
    for name, rate in found.peers.items():
        yield f"- {name}: {rate}" if isinstance(rate, str) else f"- {name}: {rate:,.0f}"


def main() -> None:
    """Measure, print, write."""
    found = measured()
    keep("environments", found, text_of(found))


if __name__ == "__main__":
    sized(__doc__)
    main()
