"""MatchMaster: thirteen rounds of tricks, each seat bidding in secret how many it will take."""

from .game import MatchMaster

GAME = MatchMaster()

__all__ = ["GAME"]
