"""Rates that are compared: measured in turns, by processor time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import TypeAlias

from bench.scale import size

ROUNDS = size(5, 1)
LEAST_SECONDS = size(0.2, 0.001)

Action: TypeAlias = Callable[[], object]


def rates(count: int, sides: Mapping[str, Action]) -> dict[str, float]:
    """Return how often per second of processor time each side processes *count* things, measured in turns."""
    seen: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(ROUNDS):
        for name, action in sides.items():
            seen[name].append(_rate(count, action))
    return {name: round(median(found), 1) for name, found in seen.items()}


def _rate(count: int, action: Action) -> float:
    times = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < LEAST_SECONDS:
        action()
        times += 1
    return times * count / spent
