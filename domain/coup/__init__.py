"""Coup: bluff and challenge for the last influence, two to six seats.

Source: the German rules of 2020 and the house's rulings (docs/games/coup.md). Variants: ambassador or inquisitor, one coin
each or a second for the other seat with two seats, and the two-seat draft.
"""

from .game import Coup

GAME = Coup()

__all__ = ["GAME"]
