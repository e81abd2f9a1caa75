"""Bots that know no game."""

from __future__ import annotations

from collections.abc import Sequence

from .game import Budget, C, GameView, Rng


class RandomBot:
    """Plays any legal command, each with the same chance."""

    def choose(self, view: GameView, legal: Sequence[C], rng: Rng, budget: Budget) -> C:
        """Return one of *legal* at random."""
        return legal[rng.randrange(len(legal))]
