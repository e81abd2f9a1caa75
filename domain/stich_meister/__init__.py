"""Stich-Meister: four rule cards make each round's rules of a trick-taking game, three to five seats.

Source: the German rules, and the house's rulings and texts of the sixty rule cards (docs/games/stich-meister.md).
"""

from .game import StichMeister

GAME = StichMeister()

__all__ = ["GAME"]
