"""Meister Coup: the colour with the most value wins the trick, three to six seats, alone or in two teams.

Source: the German rules of 2023 and the house's rulings (docs/games/meister-coup.md). The diamonds of the cards are data that
the rulebook does not give, an option of the match. Variants: standard and team mode.
"""

from .game import MeisterCoup

GAME = MeisterCoup()

__all__ = ["GAME"]
