"""How the searching bots of Duel see a decision: imagined hands, and the tricks played out by a simple policy."""

from __future__ import annotations

from collections.abc import Sequence

from tafelrunde.domain.game import Rng
from tafelrunde.domain.search import SampledChance, Steps, ahead, seat_of
from tafelrunde.domain.seats import NOBODY

from ..cards import rank
from ..messages import DuelCommand
from ..move_codec import BID, Move, move_of
from ..moves import legal, waiting
from ..rules import apply
from ..table import DuelTable
from ..view import DuelView
from .determinization import determinize
from .honest import HonestBot

HONEST = HonestBot()


class Rollout:
    """A decision of Duel."""

    def __init__(self, view: DuelView) -> None:
        self._view = view
        self._seat = seat_of(view, view.seat)

    def candidates(self, commands: Sequence[DuelCommand], rng: Rng) -> Sequence[DuelCommand]:
        """Return all moves, the honest bot's first."""
        return ahead(commands, HONEST.choose(self._view, commands, rng, Steps(0)))

    def world(self, rng: Rng) -> DuelTable:
        """Return a table with imagined hands and bids."""
        return determinize(self._view, rng)

    def worth(self, world: DuelTable, command: DuelCommand, rng: Rng) -> float:
        """Return the share of all seats that the viewer's score beats at the end, ties as one half."""
        table = world.copy()
        chance = SampledChance(rng)
        apply(table, self._seat, move_of(command), chance)
        while (seat := waiting(table)) != NOBODY:
            apply(table, seat, wished(table, seat, legal(table, seat), rng), chance)
        scores = table.scores or ()
        own = scores[self._seat]
        return sum((own > score) + (own == score) / 2 for score in scores) / len(scores)


def wished(table: DuelTable, seat: int, moves: Sequence[Move], rng: Rng) -> Move:
    """Return the move of the policy: any bid; high cards towards the bid, low ones after that."""
    if moves[0] >= BID:
        return moves[int(rng.random() * len(moves))]
    missing = (table.bids[seat] or 0) - table.taken[seat]
    return max(moves, key=rank) if missing > 0 else min(moves, key=rank)
