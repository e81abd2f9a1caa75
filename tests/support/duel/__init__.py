"""Duel, the tests' own game: everybody bids in secret at once, then the tricks are played with open cards.

Two to four seats. Two suits of nine ranks. A bid may be changed until the last one is in. Follow suit if able; the highest
card of the led suit takes the trick and leads the next. A trick is worth its prize; whoever took exactly as many tricks as
it bid gets three points more.
"""

from tests.support.duel.game import DUEL, GAMES

__all__ = ["DUEL", "GAMES"]
