"""Who meets whom: pure, and drawn from a seed, so that anyone who knows it computes each round again.

Two seats, round robin: the circle method. Two seats, Swiss: from the top of the standings down, each meets the next one whom it
has not met, as long as all others can still be paired. Larger tables: groups that are improved by exchanging two entrants until
no exchange makes them better; who has not met yet goes before who stands alike. Byes go to those who had fewest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import msgspec

from ...dealing.keyed_random import Draw
from .events import TournamentKind
from .matching import Matching

MOST_ROUNDS = 63
FEWEST_SWISS, MOST_SWISS = 3, 15
STARTS = 16
"""From how many orders the groups of larger tables are improved: the best are taken."""
MOST_PASSES = 50
"""How often all exchanges are tried at most; in practice it takes a few."""
AGAIN = 10_000
"""What meeting again weighs against one step between those who stand apart."""


class Drawn(msgspec.Struct, frozen=True):
    """A round: the entrants of each table by seat, and those who rest."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """What a round is drawn from: all entrants are numbered from 0 to `entrants` - 1, and those in `active` play on.

    `before` are the rounds before, `points` what each has won, which only Swiss pairing looks at.
    """

    kind: TournamentKind
    seats: int
    entrants: int
    active: Sequence[int]
    before: Sequence[Drawn]
    points: Sequence[int]


def rounds_needed(kind: TournamentKind, entrants: int, seats: int) -> int:
    """Return how many rounds a tournament has if its organiser does not say.

    Round robin at two seats: until everyone has met everyone. At larger tables: as many as that takes at least, if no two met
    twice. Swiss: one for each time that the field can be halved, and three at least.
    """
    if kind is TournamentKind.SWISS:
        return max(FEWEST_SWISS, (entrants - 1).bit_length())
    playing = entrants - entrants % seats
    return min(MOST_ROUNDS, max(1, -(-(entrants - 1) * entrants // ((seats - 1) * playing))))


def most_rounds(kind: TournamentKind, entrants: int, seats: int) -> int:
    """Return how many rounds a tournament has at most, whatever its organiser says: a round robin as many as it needs."""
    return MOST_SWISS if kind is TournamentKind.SWISS else rounds_needed(kind, entrants, seats)


def draw_of(secret: str, tournament: str, round_number: int) -> Draw:
    """Return the chance of a round, counted from 1; that of number 0 is the order of a whole round robin."""
    return Draw(bytes.fromhex(secret), f"tafelrunde/tournament/1|{tournament}|{round_number}")


def draw_round(field: Field, secret: str, tournament: str) -> Drawn:
    """Return the next round; there must be enough who play on for one table. Cost: some tenths of a second for 64 at most."""
    draw = draw_of(secret, tournament, len(field.before) + 1)
    if field.seats == 2 and field.kind is TournamentKind.ROUND_ROBIN:
        circle = draw_of(secret, tournament, 0).shuffle(range(field.entrants))
        drawn = _turn(circle, len(field.before), frozenset(field.active))
    elif field.seats == 2:
        drawn = _paired(field, draw.shuffle(sorted(field.active)))
    else:
        drawn = _group(field, draw)
    return Drawn(tuple(tuple(draw.shuffle(table)) for table in drawn.tables), drawn.byes)


def _turn(circle: Sequence[int], turn: int, active: frozenset[int]) -> Drawn:
    """Return a round of the circle method: the first stays, all others move on by one place in each round.

    Whose rival is missing rests, also since it has withdrawn.
    """
    ring: list[int | None] = [*circle, *([None] if len(circle) % 2 else [])]
    shift = turn % (len(ring) - 1)
    ring = [ring[0], *ring[1 + shift :], *ring[1 : 1 + shift]]
    tables: list[tuple[int, ...]] = []
    byes: list[int] = []
    for one, other in zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True):
        there = [each for each in (one, other) if each is not None and each in active]
        if len(there) == 2:
            tables.append(tuple(there))
        else:
            byes += there
    return Drawn(tuple(tables), tuple(byes))


def _meetings(before: Sequence[Drawn]) -> Counter[tuple[int, int]]:
    """Return how often each two have met, the smaller number first."""
    return Counter(pair for each in before for table in each.tables for pair in combinations(sorted(table), 2))


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _resting(field: Field, order: Sequence[int]) -> list[int]:
    """Return in which order those come who may rest: with the fewest byes first, then the last ones of *order*."""
    byes = Counter(number for each in field.before for number in each.byes)
    last_first = {number: -place for place, number in enumerate(order)}
    return sorted(order, key=lambda number: (byes[number], last_first[number]))


def _standing(field: Field, shuffled: Sequence[int]) -> list[int]:
    """Return entrants by their points, the best first; equal ones stay in their order."""
    if field.kind is TournamentKind.ROUND_ROBIN:
        return list(shuffled)
    return sorted(shuffled, key=lambda number: -field.points[number])


def _paired(field: Field, shuffled: Sequence[int]) -> Drawn:
    """Return a round of a Swiss tournament at two seats."""
    order = _standing(field, shuffled)
    met = _meetings(field.before)
    if len(order) % 2 == 0:
        return Drawn(_pairs(order, met), ())
    byes = Counter(number for each in field.before for number in each.byes)
    resting = _resting(field, order)
    fewest = [number for number in resting if byes[number] == byes[resting[0]]]
    for number in fewest:
        rest = [each for each in order if each != number]
        if Matching(_neighbours(rest, met, 0)).perfect:
            return Drawn(_pairs(rest, met), (number,))
    return Drawn(_pairs([each for each in order if each != fewest[0]], met), (fewest[0],))


def _neighbours(order: Sequence[int], met: Mapping[tuple[int, int], int], most: int) -> list[list[int]]:
    """Return for each place of an order the places of those met at most *most* times, in that order."""
    return [
        [place for place, other in enumerate(order) if other != one and met.get(_pair(one, other), 0) <= most] for one in order
    ]


def _pairs(order: Sequence[int], met: Mapping[tuple[int, int], int]) -> tuple[tuple[int, ...], ...]:
    """Return an even number of entrants in pairs, from the top down; no one meets another more often than has to be."""
    most = 0
    while not (matching := Matching(neighbours := _neighbours(order, met, most))).perfect:
        most += 1
    left = set(range(len(order)))
    tables: list[tuple[int, ...]] = []
    while left:
        one = min(left)
        times = {each: met.get(_pair(order[one], order[each]), 0) for each in neighbours[one] if each in left}
        seldom = sorted(times, key=lambda each: times[each])
        other = next(each for each in seldom if matching.take(one, each))
        left -= {one, other}
        tables.append((order[one], order[other]))
    return tuple(tables)


def _group(field: Field, draw: Draw) -> Drawn:
    """Return a round at larger tables."""
    met = _meetings(field.before)
    order = _standing(field, draw.shuffle(sorted(field.active)))
    byes = tuple(_resting(field, order)[: len(order) % field.seats])
    playing = [number for number in order if number not in byes]
    levels = {points: level for level, points in enumerate(sorted({field.points[number] for number in playing}))}
    apart = field.kind is TournamentKind.SWISS
    groups = _Groups(met, {number: levels[field.points[number]] if apart else 0 for number in playing}, field.seats)
    begins = [playing, *(draw.shuffle(playing) for _ in range(STARTS - 1))]
    found = [groups.improve(each) for each in begins]
    best = min(found, key=groups.cost_of_all)
    return Drawn(tuple(tuple(best[start : start + field.seats]) for start in range(0, len(best), field.seats)), byes)


class _Groups:
    """Groups of *seats* entrants that lie in a row one after the other, and what they cost."""

    def __init__(self, met: Mapping[tuple[int, int], int], level: Mapping[int, int], seats: int) -> None:
        self._seats = seats
        self._costs = {
            one: {other: AGAIN * met.get(_pair(one, other), 0) ** 2 + abs(level[one] - level[other]) for other in level}
            for one in level
        }

    def cost_of_all(self, row: Sequence[int]) -> int:
        """Return what all groups of a row cost."""
        starts = range(0, len(row), self._seats)
        return sum(
            self._costs[one][other] for start in starts for one, other in combinations(row[start : start + self._seats], 2)
        )

    def improve(self, begin: Sequence[int]) -> list[int]:
        """Return a row after exchanges of two entrants, each of which has made it cost less."""
        row = list(begin)
        for _ in range(MOST_PASSES):
            if not self._pass(row):
                break
        return row

    def _pass(self, row: list[int]) -> bool:
        better = False
        seats, costs = self._seats, self._costs
        sums = self._sums(row)
        for one in range(len(row)):
            near = one // seats
            mine, between = sums[row[one]], costs[row[one]]
            for other in range((near + 1) * seats, len(row)):
                far, second = other // seats, row[other]
                its = sums[second]
                if mine[near] + its[far] + 2 * between[second] <= mine[far] + its[near]:
                    continue
                row[other], row[one] = row[one], second
                for number, each in sums.items():
                    change = costs[number][second] - costs[number][row[other]]
                    each[near] += change
                    each[far] -= change
                mine, between = its, costs[second]
                better = True
        return better

    def _sums(self, row: Sequence[int]) -> dict[int, list[int]]:
        """Return what each entrant costs with the members of each group, so that no exchange has to add it up again."""
        starts = range(0, len(row), self._seats)
        return {
            number: [sum([costs[each] for each in row[start : start + self._seats]]) for start in starts]
            for number, costs in self._costs.items()
        }
