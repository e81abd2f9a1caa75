"""The tables of the ladder, and how their bots play today."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

from tafelrunde.domain.game import AnyGame, GameId
from tafelrunde.domain.match.terms import OptionValue
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.bots.arena import CHEAT
from tafelrunde.service.features.bots.stamps import stamps_of
from tests.support.facts import facts_of

Rung: TypeAlias = tuple[str, str]
"""A challenger, and the bot that has all other seats."""

TEAMS = "teams"
OPTIONS: Mapping[str, Mapping[str, OptionValue]] = {"": {}, TEAMS: {"mode": "team"}}


LEAST_DEALS = 100
LEAST_DEALS_AT_ONCE = 400
"""Rows of fewer deals are not shown: those of bots that think for long, and those of bots that answer at once."""


def answers_at_once(rung: Rung) -> bool:
    """Return whether no bot of a rung searches: such rows take seconds, and have many deals."""
    return not any(name.startswith((CHEAT, "frozen", "fitted")) or "search" in name or "inference" in name for name in rung)


def least_deals(rung: Rung) -> int:
    """Return of how many deals a row must be to be shown."""
    return LEAST_DEALS_AT_ONCE if answers_at_once(rung) else LEAST_DEALS


class LadderTable(NamedTuple):
    """A game with a number of seats, and what is not usual there."""

    game: GameId
    seats: int
    kind: str = ""

    @property
    def name(self) -> str:
        """How the table is called where tables are chosen."""
        return "-".join(filter(None, (self.game, str(self.seats), self.kind)))

    @property
    def rules(self) -> AnyGame:
        """The game."""
        return GAMES[self.game]

    @property
    def title(self) -> str:
        """The heading of its section."""
        return f"{self.rules.messages[self.game].en}, {self.seats} seats" + f", in {self.kind}" * bool(self.kind)

    @property
    def options(self) -> Mapping[str, OptionValue]:
        """The options of its matches."""
        return OPTIONS[self.kind]


TABLES = [
    *(
        LadderTable(game, seats)
        for place in range(6)
        for game in GAMES
        for seats in facts_of(game).ladder_seats[place : place + 1]
    ),
    *(LadderTable(GameId("meister-coup"), seats, TEAMS) for seats in (4, 6)),
]
"""First one table of each game: it gives the game's bots their ratings."""


class Stamps(NamedTuple):
    """How each bot of a table plays."""

    bots: Mapping[str, str]

    def rung(self, rung: Rung) -> str:
        """Return the stamp of two bots; another one if one of them plays differently or is gone."""
        both = "/".join(self.bots.get(name.removeprefix(CHEAT), "") for name in rung)
        return hashlib.sha256(both.encode()).hexdigest()[:12]


@cache
def stamps_today(table: LadderTable) -> Stamps:
    """Return how the bots of a table play today."""
    return Stamps(stamps_of(table.rules, table.seats, table.options))
