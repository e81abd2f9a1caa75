"""Mondkrone: lead in the fashion that the pile sets, or set another, for two to four seats.

Source: the German rules of Johannes Hüsing and the house's rulings (docs/games/mondkrone.md). Variants: drawing for cards put on
the pile, scoring one card or whole sets, and the extended deck.
"""

from .game import Mondkrone

GAME = Mondkrone()

__all__ = ["GAME"]
