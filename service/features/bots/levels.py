"""Who is offered at a table, and how strong it is at that very table: `ladder.json`, written by `make ladder`.

A level is only one where it shows: at a table where its odds against the level below are less than `LEAST` times fair odds, by
the upper end of the interval, it is not offered. It may still be asked for by name. The bot that plays for absent players is
always offered. In teams all are: one seat was measured, and its partners were the other bot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

import msgspec

from ....domain.bots import character
from ....domain.game import AnyGame, InvalidOptions, Level
from ....domain.match import BotName

LEAST = 1.5
"""The least odds of a level against the one below, as a multiple of fair odds."""
TEAMS = "teams"
SIDES = 2
"""How many teams there are where there are any."""


class LadderRow(msgspec.Struct, frozen=True):
    """What a challenger won at a table full of another bot; not `current`: one of them plays differently now."""

    challenger: BotName
    other: BotName
    deals: int
    share: float
    low: float
    high: float
    current: bool


class Offer(msgspec.Struct, frozen=True):
    """A bot that is offered at a table, and what shows its strength there; None: nothing was measured."""

    bot: BotName
    measured: LadderRow | None


class OfferedTable(msgspec.Struct, frozen=True):
    """A table of a game, and who is offered there, the weakest level first."""

    seats: int
    teams: bool
    offers: tuple[Offer, ...]


LADDER: Mapping[str, Sequence[LadderRow]] = msgspec.json.decode(
    files(__package__ or __name__).joinpath("ladder.json").read_bytes(), type=dict[str, list[LadderRow]]
)
"""What was measured, by table: the game and the number of seats, and `teams` where they play in teams."""


def tables_of(game: AnyGame, ladder: Mapping[str, Sequence[LadderRow]] = LADDER) -> Iterator[OfferedTable]:
    """Yield every table of a game: those with the usual options, and those in teams."""
    for seats in range(game.min_seats, game.max_seats + 1):
        name = f"{game.id}-{seats}"
        usual = _is_usual(game, seats)
        if usual:
            yield OfferedTable(seats, False, tuple(_offers(game, seats, ladder.get(name, ()), LEAST)))
        if not usual or f"{name}-{TEAMS}" in ladder:
            rows = [_of_team(row, seats) for row in ladder.get(f"{name}-{TEAMS}", ())]
            yield OfferedTable(seats, True, tuple(_offers(game, seats, rows, 0.0)))


def _is_usual(game: AnyGame, seats: int) -> bool:
    try:
        game.check(game.options_type(), seats)
    except InvalidOptions:
        return False
    return True


def _of_team(row: LadderRow, seats: int) -> LadderRow:
    """Return what the team of a seat won: the ladder gives each of its members an equal part."""
    members = seats / SIDES
    return msgspec.structs.replace(row, share=row.share * members, low=row.low * members, high=row.high * members)


def _offers(game: AnyGame, seats: int, rows: Sequence[LadderRow], least: float) -> Iterator[Offer]:
    """Yield the bots that are offered, level after level, the first bot of each level before its other characters."""
    below: list[BotName] = []
    offered: list[BotName] = []
    for level in Level:
        names = [BotName(name) for name in game.bots() if character(game, name).level is level]
        shown = [name for name in names if character(game, name).offered]
        usual = names[:1] == list(game.bots())[:1]
        if not names or (shown and not usual and not _is_level(shown[0], offered, seats, rows, least)):
            continue
        for name in shown:
            yield Offer(name, _telling(name, [*names[:1], *below], rows))
        below.insert(0, names[0])
        if shown:
            offered.insert(0, names[0])


def _is_level(name: BotName, below: Sequence[BotName], seats: int, rows: Sequence[LadderRow], least: float) -> bool:
    """Return whether a level may show at a table: it is taken to, unless it clearly does not against the one offered below."""
    row = _telling(name, below[:1], rows)
    return row is None or odds_of(row.high, 1 / seats) >= least


def _telling(name: BotName, others: Sequence[BotName], rows: Sequence[LadderRow]) -> LadderRow | None:
    """Return what a bot won against the first of some others against whom it was measured."""
    found = {row.other: row for row in rows if row.challenger == name}
    return next((found[other] for other in others if other in found), None)


def odds_of(share: float, fair: float) -> float:
    """Return the odds of a share of wins as a multiple of fair odds."""
    return share / max(1 - share, 1e-9) / (fair / (1 - fair))
