"""Standings, purely: a projection of the results, with what decides between those who have won as much.

Each table gives one point: to the first one, or in equal shares to all who share that place. A bye is worth what a seat wins on
average. Points are kept as integers, in parts that divide evenly among as many as sit at a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, groupby

import msgspec

from ....domain.game import Seat
from ....domain.match import Status
from ....domain.match.state import Match
from .pairing import Drawn, Field
from .rules import Round, Tournament

POINT = 27_720
"""A point in parts: the smallest number that 1 to 12 divide."""
MOST_SEATS = 12


class StandingRow(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the standings. Points and Buchholz are in parts of `POINT`, the direct encounters in halves of one.

    - buchholz: the points of all rivals met; a bye counts as rivals with the entrant's own points.
    - direct: how many of those who are equal until here it was ahead of, over all tables at which they met.
    - wins: tables won alone.
    """

    place: int
    entrant: int
    points: int
    buchholz: int
    direct: int
    wins: int
    played: int
    byes: int


def shares(ranks: Sequence[int], bots: Sequence[bool]) -> list[int]:
    """Return what each seat of a table wins; without ranks its bots share the point, and its players win nothing.

    Tables of bots alone have no ranks in tournaments that an earlier release has played.
    """
    first = [rank == min(ranks) for rank in ranks] if ranks else list(bots)
    return [POINT // sum(first) if each else 0 for each in first]


def standings(state: Tournament) -> list[StandingRow]:
    """Return all entrants, best first: by points, Buchholz, direct encounters, wins. Who is equal in all shares a place."""
    points = points_of(state)
    tallies = [_Tally() for _ in state.entrants]
    for one, won, rivals in _played(state):
        tallies[one].played += 1
        tallies[one].wins += won == POINT
        tallies[one].buchholz += sum(points[each] for each in rivals)
    for one in (number for each in state.rounds for number in each.byes):
        tallies[one].byes += 1
        tallies[one].buchholz += points[one] * (state.seats - 1)
    keys = [(points[one], each.buchholz) for one, each in enumerate(tallies)]
    for _, equal in groupby(sorted(range(len(keys)), key=lambda one: keys[one]), key=lambda one: keys[one]):
        for one, won in _direct(state, frozenset(equal)):
            tallies[one].direct += won
    merits = [(*keys[one], each.direct, each.wins) for one, each in enumerate(tallies)]
    order = sorted(range(len(merits)), key=lambda one: ([-part for part in merits[one]], one))
    return [
        StandingRow(
            place=1 + sum(merit > merits[one] for merit in merits),
            entrant=one,
            points=points[one],
            buchholz=tallies[one].buchholz,
            direct=tallies[one].direct,
            wins=tallies[one].wins,
            played=tallies[one].played,
            byes=tallies[one].byes,
        )
        for one in order
    ]


class _Tally:
    __slots__ = ("buchholz", "byes", "direct", "played", "wins")

    def __init__(self) -> None:
        self.buchholz = self.byes = self.direct = self.played = self.wins = 0


def points_of(state: Tournament) -> list[int]:
    """Return what each entrant has won, by number."""
    points = [0] * len(state.entrants)
    for one, won, _ in _played(state):
        points[one] += won
    for number in (number for each in state.rounds for number in each.byes):
        points[number] += POINT // state.seats
    return points


def _played(state: Tournament) -> Iterator[tuple[int, int, Sequence[int]]]:
    """Yield for each seat of a table that is over its entrant, what it has won, and its rivals."""
    bots = state.bots()
    for table in (table for each in state.rounds for table in each.tables):
        if table.ranks is None:
            continue
        won = shares(table.ranks, [number in bots for number in table.entrants])
        for seat, number in enumerate(table.entrants):
            yield number, won[seat], [other for place, other in enumerate(table.entrants) if place != seat]


def _direct(state: Tournament, equal: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Yield what those who are equal have won against each other: 2 for being ahead of another one, 1 each for being level."""
    if len(equal) < 2:
        return
    for each in state.rounds:
        yield from _direct_in(each, equal)


def _direct_in(each: Round, equal: frozenset[int]) -> Iterator[tuple[int, int]]:
    for table in each.tables:
        ranked = zip(table.entrants, table.ranks or (), strict=False)
        for (one, mine), (other, its) in combinations([pair for pair in ranked if pair[0] in equal], 2):
            yield one, 1 + (mine < its) - (mine > its)
            yield other, 1 + (its < mine) - (its > mine)


def field_of(state: Tournament) -> Field:
    """Return what the next round is drawn from."""
    return Field(
        kind=state.opened.kind,
        seats=state.seats,
        entrants=len(state.entrants),
        active=state.active(),
        before=[Drawn(tuple(table.entrants for table in each.tables), each.byes) for each in state.rounds],
        points=points_of(state),
    )


def ranks_of(match: Match) -> tuple[int, ...]:
    """Return the ranks of a finished match by seat: all equal if its result was taken back, none if it was aborted."""
    if match.status is Status.ABORTED:
        return ()
    by_seat = {placing.seat: placing.rank for placing in match.placings or ()}
    return tuple(by_seat.get(Seat(seat), 1) for seat in range(len(match.chairs)))
