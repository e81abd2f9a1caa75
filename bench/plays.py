"""What players of MatchMaster play: fits the policy that its strongest bot expects of all seats. `python -m bench.plays`.

The strongest bot plays matches with itself, with two to seven seats. Each decision with a choice is noted: the features of the
legal cards, and which of them was played. The weights are those under which these cards are most likely (a conditional logit, by
Newton's method), for each kind of decision its own. Prints what to write into domain/matchmaster/bots/learned_policy.py, and how
many nats a card costs with it and with all legal cards alike.

The bot reckons with this policy itself, so a fit after a change of it is repeated until it stands still. PLAYS_MATCHES says how
many matches of each number of seats (100). Their deals and chance are the same in each run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from bench.scale import part, size, sized
from bench.self_play import answers
from tafelrunde.domain.matchmaster.bots.policy import FEATURES, KINDS, Course, Weights, about, scores
from tafelrunde.domain.matchmaster.messages import PlayCard
from tafelrunde.domain.matchmaster.moves import playable
from tafelrunde.domain.matchmaster.table import MatchMasterTable

MATCHES = size(100, 1)
BOT = "inference"
SEATS = range(2, size(7, 2) + 1)
UNITS = tuple(Weights([float(place == each) for place in range(FEATURES)]) for each in range(FEATURES))
"""Weights with which the score of a card is one of its features."""
DECAY = 1e-4
STEPS = 20
Numbers: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]


class Choice(msgspec.Struct, frozen=True):
    """A decision with a choice: its kind, the features of each legal card, and the place of the one that was played."""

    kind: int
    features: tuple[tuple[float, ...], ...]
    played: int


def main() -> None:
    """Print the weights, and what a card costs."""
    matches = int(os.environ.get("PLAYS_MATCHES", MATCHES))
    plan = [(seats, number) for number in range(matches) for seats in SEATS]
    part(f"{len(plan)} matches")
    with ProcessPoolExecutor() as pool:
        choices = [each for noted in pool.map(choices_of, *zip(*plan, strict=True), chunksize=4) for each in noted]
    weights = [fitted([each for each in choices if each.kind == kind]) for kind in range(KINDS)]
    alike = float(np.mean([np.log(len(each.features)) for each in choices]))
    print(f"{len(choices)} cards, {cost(choices, weights):.3f} nats a card, {alike:.3f} with all legal ones alike")
    print("\n\n".join(" ".join(f"{value:.2f}" for value in row) for row in weights))


def choices_of(seats: int, number: int) -> list[Choice]:
    """Return all decisions with a choice of one match of the strongest bot with itself."""
    return list(_choices(seats, random.Random(f"{seats}/{number}")))


def _choices(seats: int, rng: random.Random) -> Iterator[Choice]:
    for table, seat, command in answers(BOT, seats, rng):
        if isinstance(command, PlayCard) and len(legal := playable(table.hands[seat], table.trick)) > 1:
            yield _choice(table, legal, command.card)


def _choice(table: MatchMasterTable, legal: list[int], card: int) -> Choice:
    seen = sum(1 << each for each in [*table.trick, *(each for trick in table.tricks for each in trick.cards)])
    course = Course(table.leader, table.trick, table.bids, table.taken, seen)
    hand = table.hands[table.turn]
    columns = [scores(course, hand, legal, unit) for unit in UNITS]
    return Choice(about(course, len(hand)), tuple(zip(*columns, strict=True)), legal.index(card))


def cost(choices: Sequence[Choice], weights: Sequence[Numbers]) -> float:
    """Return the mean surprise at a card, in nats."""
    total = 0.0
    for each in choices:
        found = np.array(each.features) @ weights[each.kind]
        total += float(np.log(np.exp(found - found.max()).sum()) + found.max() - found[each.played])
    return total / max(len(choices), 1)


def fitted(choices: Sequence[Choice]) -> Numbers:
    """Return the weights under which the cards that were played are most likely, large ones a little less."""
    weights: Numbers = np.zeros(FEATURES)
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
    curve: Numbers = (rows.T @ likely - expected.T @ expected) / len(counts) + 2 * DECAY * np.eye(FEATURES)
    step = np.linalg.solve(curve, slope).astype(np.float64)
    return weights - step


if __name__ == "__main__":
    sized(__doc__)
    main()
