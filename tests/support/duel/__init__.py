"""Duel: all players bid in secret how many tricks to take, then the tricks are played with open cards.

The smallest game of the floor plan, written for the tests and for docs/tutorial-a-game.md.
"""

from .game import DuelGame

GAME = DuelGame()

__all__ = ["GAME"]
