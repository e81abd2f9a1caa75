"""Levels of bots: at every table a search sees many more worlds than the one below."""

from __future__ import annotations

import itertools

from ...domain.bots import character
from ...domain.game import AnyGame, Level, Seat
from ...domain.search import SearchBot
from .cases import PLAIN, WILD, Case, begin, every_game

APART = 4
SEARCHES = (Level.SEARCH_SMALL, Level.SEARCH_LARGE, Level.INFERENCE)


def worlds(case: Case) -> list[int]:
    """Return how many worlds the searches of a game see at its first decision, from the lowest level on."""
    bots = {character(case.game, name).level: bot for name, bot in case.game.bots().items()}
    view = case.game.view(begin(case, WILD).after, Seat(0))
    found = [bots[level] for level in SEARCHES if level in bots]
    return [bot.worlds(view) for bot in found if isinstance(bot, SearchBot)]


@every_game
def test_search_sees_four_times_the_worlds_of_the_level_below_at_every_table(game: AnyGame) -> None:
    """Whatever the number of seats: with less it would not play better."""
    for case in (each for each in PLAIN if each.game is game):
        seen = worlds(case)
        assert all(higher >= APART * lower for lower, higher in itertools.pairwise(seen)), (case.name, seen)
