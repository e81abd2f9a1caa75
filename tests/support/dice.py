"""Chance for tests, that of the suites over all games."""

from tafelrunde.testing.suites.dice import Dice

__all__ = ["Dice"]
