"""What rivals of Coup hold and how they doubt, from what they have done: the same for everyone who watches the table.

A hand is as likely as its roles: each role has a weight, which is linear in what the seat has claimed, declined and doubted
(conduct.py). The weights were fitted to the hands of bots of all kinds, by maximum likelihood, so that they are right on average
over honest players and liars; a lie that was seen shifts them towards liars.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final, NamedTuple, TypeAlias

from .. import stages
from ..conduct import DOUBTS, HELD, KINDS, LIES, PROOFS, TRUSTS, kind_of, of_seat
from ..table import CoupTable
from ..view import CoupView
from .determinization import public_table

Doubts: TypeAlias = Sequence[Sequence[float]]
"""How often each seat doubts each kind of claim, for each copy of the role that it sees and one more."""

DIGITS: Final = 9
"""Factors have no more: the last digits of `exp` differ from machine to machine, and a verifier has to find the same."""
MOST_TIMES: Final = 4
MOST_SHOWN: Final = 3
MOST_COINS: Final = 8
COINS_UNIT: Final = 4
"""Counts above these tell no more; coins are measured in this unit."""
PATIENCE: Final = 2.0
"""How many usual doubts an unknown rival is taken to have made: as many must be seen of it before it counts as much as that."""


class Habits(NamedTuple):
    """What players of Coup usually do.

    `weights`: for each role but the inquisitor, in the order of their names, a weight for each of the `features`; `pair`: what is
    added for two equal cards; `doubts`: how often each kind of claim is doubted, for each copy of the role that is seen and one
    more; `usual_doubt`: the share of all claims that is doubted.
    """

    weights: tuple[tuple[float, ...], ...]
    pair: float
    doubts: tuple[float, ...]
    usual_doubt: float


class Rivals:
    """The other seats of a view: how likely their hands are in a world, and how often they doubt."""

    def __init__(self, view: CoupView, viewer: int, habits: Habits, *, learns: bool) -> None:
        table = public_table(view)
        living = [each.seat for each in view.seats if each.seat != viewer and each.influence]
        self._weights = [(seat, role_weights(habits, features(table, seat, view.seats[seat].influence))) for seat in living]
        self._pair = round(exp(habits.pair), DIGITS)
        self.doubts: Doubts = [
            doubt_rates(habits, of_seat(table.conduct, seat)) if learns and seat != viewer else habits.doubts
            for seat in range(table.seats)
        ]

    def likelihood(self, world: CoupTable) -> float:
        """Return how well the hands of a world go with what their seats have done, up to a factor."""
        found = 1.0
        for seat, weights in self._weights:
            hand = world.hands[seat]
            first = hand[0]
            found *= weights[first]
            if len(hand) > 1:
                second = hand[1]
                found *= self._pair if second == first else weights[second]
        return found


def role_weights(habits: Habits, seen: Sequence[float]) -> list[float]:
    """Return a factor for each role: how much what is known of a seat speaks for it."""
    found: list[float] = []
    for weights in habits.weights:
        total = 0.0
        for weight, value in zip(weights, seen, strict=True):
            total += weight * value
        found.append(round(exp(total), DIGITS))
    return [*found, found[0]]  # the inquisitor is the fifth role as the ambassador is


def features(table: CoupTable, seat: int, influence: int) -> list[float]:
    """Return what is known of a seat, as numbers."""
    counts = of_seat(table.conduct, seat)
    lies, proofs = min(counts[LIES], MOST_SHOWN), min(counts[PROOFS], MOST_SHOWN)
    found = [float(min(count, MOST_TIMES)) for count in counts[:HELD]]
    for times in (1, lies, proofs):
        found += [float(times) if count else 0.0 for count in counts[:KINDS]]
    found += [1.0, float(influence == 1), float(lies), float(proofs), min(table.coins[seat], MOST_COINS) / COINS_UNIT]
    open_ = [0.0] * KINDS
    if _claims_now(table, seat):
        open_[kind_of(table.role, table.block_role)] = 1.0
    return found + open_


def _claims_now(table: CoupTable, seat: int) -> bool:
    """Return whether the open decision is about a claim of this seat."""
    if table.stage is stages.BLOCK_CHALLENGE:
        return seat == table.blocker
    return table.stage in (stages.CHALLENGE, stages.BLOCK) and seat == table.turn and table.role >= 0


def doubt_rates(habits: Habits, counts: Sequence[int]) -> list[float]:
    """Return how often a rival doubts: as players usually do, and more or less by what it has doubted so far."""
    chances = counts[DOUBTS] + counts[TRUSTS]
    factor = (PATIENCE + counts[DOUBTS]) / (PATIENCE + chances * habits.usual_doubt)
    return [rate * factor for rate in habits.doubts]
