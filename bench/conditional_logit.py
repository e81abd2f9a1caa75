"""A conditional logit: what was chosen of several, by features of each, where the score of a choice is linear in its features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

DECAY = 1e-4
STEPS = 20
Numbers: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]


class Choice(msgspec.Struct, frozen=True):
    """A decision with a choice: its kind, the features of each legal card, and the place of the one that was played."""

    kind: int
    features: tuple[tuple[float, ...], ...]
    played: int


def report(choices: Sequence[Choice], kinds: int, features: int) -> str:
    """Return what a choice costs with the weights of each kind of decision, and the weights as a bot reads them."""
    weights = [fitted([each for each in choices if each.kind == kind], features) for kind in range(kinds)]
    alike = float(np.mean([np.log(len(each.features)) for each in choices]))
    head = f"{len(choices)} cards, {cost(choices, weights):.3f} nats a card, {alike:.3f} with all legal ones alike"
    return "\n".join((head, "\n\n".join(" ".join(f"{value:.2f}" for value in row) for row in weights)))


def cost(choices: Sequence[Choice], weights: Sequence[Numbers]) -> float:
    """Return the mean surprise at a card, in nats."""
    total = 0.0
    for each in choices:
        found = np.array(each.features) @ weights[each.kind]
        total += float(np.log(np.exp(found - found.max()).sum()) + found.max() - found[each.played])
    return total / max(len(choices), 1)


def fitted(choices: Sequence[Choice], features: int) -> Numbers:
    """Return the weights under which the cards that were played are most likely, large ones a little less."""
    weights: Numbers = np.zeros(features)
    if not choices:
        return weights
    rows = np.array([row for each in choices for row in each.features])
    counts = np.array([len(each.features) for each in choices])
    begins = np.concatenate([[0], np.cumsum(counts)[:-1]])
    played = rows[begins + np.array([each.played for each in choices])]
    for _ in range(STEPS):
        weights = _step(rows, counts, begins, played, weights)
    return weights


def _step(rows: Numbers, counts: Counts, begins: Counts, played: Numbers, weights: Numbers) -> Numbers:
    """Return better weights, by Newton's method."""
    found = np.exp(rows @ weights - np.repeat(np.maximum.reduceat(rows @ weights, begins), counts))
    likely: Numbers = rows * (found / np.repeat(np.add.reduceat(found, begins), counts))[:, None]
    expected: Numbers = np.add.reduceat(likely, begins)
    slope: Numbers = (expected - played).mean(axis=0) + 2 * DECAY * weights
    curve: Numbers = (rows.T @ likely - expected.T @ expected) / len(counts) + 2 * DECAY * np.eye(len(weights))
    step = np.linalg.solve(curve, slope).astype(np.float64)
    return weights - step
