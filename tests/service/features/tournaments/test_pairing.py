"""Who meets whom: everyone once a round, no one twice while that can be avoided, and the same for all who compute it again."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.tournaments.events import TournamentKind
from tafelrunde.service.features.tournaments.matching import Matching
from tafelrunde.service.features.tournaments.pairing import Drawn, Field, draw_round, rounds_needed

SECRET = "5e" * 32
SEATS = sorted({seats for game in GAMES.values() for seats in range(game.min_seats, game.max_seats + 1)})


def played(
    kind: TournamentKind, seats: int, entrants: int, rounds: int, seed: int, leaving: float = 0.0
) -> list[tuple[Field, Drawn]]:
    """Return the rounds of a tournament with results by chance, in which some withdraw, each with what it was drawn from."""
    rng = random.Random(seed)
    points, active = [0] * entrants, list(range(entrants))
    found: list[tuple[Field, Drawn]] = []
    for _ in range(rounds):
        if len(active) < seats:
            break
        before = [drawn for _, drawn in found]
        field = Field(kind=kind, seats=seats, entrants=entrants, active=tuple(active), before=before, points=tuple(points))
        drawn = draw_round(field, SECRET, f"c{seed}")
        found.append((field, drawn))
        for table in drawn.tables:
            points[rng.choice(table)] += 1
        active = [number for number in active if rng.random() >= leaving]
    return found


def meetings(rounds: Sequence[Drawn]) -> Counter[tuple[int, int]]:
    """Return how often each two have met."""
    return Counter(pair for each in rounds for table in each.tables for pair in combinations(sorted(table), 2))


def pairable(order: Sequence[int], met: Counter[tuple[int, int]]) -> bool:
    """Return whether all can be paired without anyone meeting again, by trying everything."""
    if not order:
        return True
    one, *others = order
    return any(
        met[min(one, other), max(one, other)] == 0 and pairable([each for each in others if each != other], met)
        for other in others
    )


fields = st.tuples(
    st.sampled_from(TournamentKind),
    st.sampled_from(SEATS),
    st.integers(4, 64),
    st.integers(1, 5),
    st.integers(0, 99),
    st.sampled_from([0.0, 0.1]),
).filter(lambda each: each[2] >= each[1])


@settings(max_examples=25)
@given(fields)
def test_everyone_plays_once_a_round_or_rests(each: tuple[TournamentKind, int, int, int, int, float]) -> None:
    """Tables are full, and no more rest than are left over; at two seats of a round robin those rest whose rival has gone."""
    for field, drawn in played(*each):
        playing = [number for table in drawn.tables for number in table]
        assert sorted([*playing, *drawn.byes]) == sorted(field.active)
        assert {len(table) for table in drawn.tables} <= {field.seats}
        if field.seats > 2 or field.kind is TournamentKind.SWISS:
            assert len(drawn.byes) == len(field.active) % field.seats


@settings(max_examples=25)
@given(fields)
def test_no_one_rests_twice_before_all_have_rested(each: tuple[TournamentKind, int, int, int, int, float]) -> None:
    """Who rests had as few byes as anyone who plays; a round robin at two seats has its order from the start."""
    kind, seats, *_ = each
    if (kind, seats) == (TournamentKind.ROUND_ROBIN, 2):
        return
    for field, drawn in played(*each):
        byes = Counter(number for before in field.before for number in before.byes)
        resting = max((byes[number] for number in drawn.byes), default=0)
        assert all(byes[number] >= resting for table in drawn.tables for number in table)


@settings(max_examples=20)
@given(st.integers(4, 64), st.integers(0, 99))
def test_round_robin_of_two_lets_everyone_meet_everyone_once(entrants: int, seed: int) -> None:
    """In as many rounds as it needs; with an odd number everyone rests once."""
    rounds = [
        drawn
        for _, drawn in played(
            TournamentKind.ROUND_ROBIN, 2, entrants, rounds_needed(TournamentKind.ROUND_ROBIN, entrants, 2), seed
        )
    ]
    assert meetings(rounds) == Counter(combinations(range(entrants), 2))
    assert Counter(number for each in rounds for number in each.byes) == Counter(range(entrants) if entrants % 2 else ())


@settings(max_examples=40)
@given(st.integers(4, 9), st.integers(0, 999))
def test_swiss_pairs_no_one_twice_while_that_can_be_avoided(entrants: int, seed: int) -> None:
    """Another one of those with the fewest byes would have rested instead; checked by trying all pairs."""
    for field, drawn in played(TournamentKind.SWISS, 2, entrants, 9, seed):
        met = meetings(field.before)
        again = any(met[min(table), max(table)] for table in drawn.tables)
        byes = Counter(number for before in field.before for number in before.byes)
        fewest = [number for number in field.active if byes[number] == min(byes[each] for each in field.active)]
        rests = (
            [[each for each in field.active if each != number] for number in fewest] if len(field.active) % 2 else [field.active]
        )
        assert again == (not any(pairable(rest, met) for rest in rests))


@settings(max_examples=8)
@given(st.integers(10, 64), st.integers(0, 99))
def test_swiss_pairs_no_one_twice_in_as_many_rounds_as_it_has(entrants: int, seed: int) -> None:
    """In a large field there is always someone new; and who leads after the first round meets another who has won."""
    rounds = played(TournamentKind.SWISS, 2, entrants, rounds_needed(TournamentKind.SWISS, entrants, 2), seed)
    assert max(meetings([drawn for _, drawn in rounds]).values()) == 1
    field, drawn = rounds[1]
    across = [table for table in drawn.tables if len({field.points[number] for number in table}) == 2]
    assert len(across) <= 2


@pytest.mark.parametrize("seats", [seats for seats in SEATS if seats > 2])
@pytest.mark.parametrize("kind", TournamentKind)
def test_larger_tables_meet_again_seldom(kind: TournamentKind, seats: int) -> None:
    """No two meet more than once above what is even, and fewer meet again than by chance, half as many of 64."""
    for entrants in (28, 64):
        rounds = [drawn for _, drawn in played(kind, seats, entrants, min(8, rounds_needed(kind, entrants, seats)), entrants)]
        met = meetings(rounds)
        assert max(met.values()) <= 1 + -(-met.total() // len(list(combinations(range(entrants), 2))))
        rng = random.Random(entrants)
        orders = [rng.sample(range(entrants), entrants) for _ in rounds]
        starts = range(0, entrants - entrants % seats, seats)
        chance = meetings([Drawn(tuple(tuple(each[start : start + seats]) for start in starts), ()) for each in orders])
        again, by_chance = met.total() - len(met), chance.total() - len(chance)
        assert (2 if entrants == 64 else 1) * again <= by_chance


def test_round_is_the_same_when_it_is_computed_again() -> None:
    """It follows from the secret, the tournament and what was before; another secret gives another one."""
    for kind in TournamentKind:
        for seats in (2, 4):
            (field, drawn), *_ = played(kind, seats, 16, 1, 7)
            assert draw_round(field, SECRET, "c7") == drawn
            assert draw_round(field, "0f" * 32, "c7") != drawn


@settings(max_examples=60)
@given(st.integers(2, 10), st.floats(0.1, 0.9), st.integers(0, 9_999))
def test_matching_is_as_large_as_any(nodes: int, density: float, seed: int) -> None:
    """Against trying everything, on graphs by chance: odd cycles among them."""
    rng = random.Random(seed)
    edges = {pair for pair in combinations(range(nodes), 2) if rng.random() < density}
    neighbours = [[other for other in range(nodes) if (min(one, other), max(one, other)) in edges] for one in range(nodes)]
    found = Matching(neighbours)
    for one, other in enumerate(found.partner):
        assert other == -1 or (found.partner[other] == one and other in neighbours[one])

    def largest(left: frozenset[int]) -> int:
        if not left:
            return 0
        one = min(left)
        rest = left - {one}
        return max([largest(rest), *(1 + largest(rest - {other}) for other in neighbours[one] if other in rest)])

    assert sum(other != -1 for other in found.partner) == 2 * largest(frozenset(range(nodes)))
