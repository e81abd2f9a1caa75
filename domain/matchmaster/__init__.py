"""MatchMaster: thirteen rounds of tricks, each seat bidding in secret how many it will take."""

from .game import KERNEL, MatchMaster

GAME = MatchMaster()

__all__ = ["GAME", "KERNEL"]
