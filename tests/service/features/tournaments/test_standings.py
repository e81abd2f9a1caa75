"""Standings: what is won is shared out whole, and what decides between equals is what the docs say."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tafelrunde.domain.game import GameId
from tafelrunde.domain.match import BotName, MatchSettings, PlayerId
from tafelrunde.service.features.tournaments.duty import field_of
from tafelrunde.service.features.tournaments.events import (
    AnyFact,
    BotAdded,
    Joined,
    Opened,
    ResultTaken,
    RoundDrawn,
    TournamentKind,
    Withdrawn,
    decode,
    encode,
)
from tafelrunde.service.features.tournaments.pairing import draw_round
from tafelrunde.service.features.tournaments.rules import Tournament, folded, start
from tafelrunde.service.features.tournaments.standings import POINT, shares, standings

SECRET = "5e" * 32


def opening(kind: TournamentKind, seats: int, entrants: int, bots: int, rounds: int | None = None) -> list[AnyFact]:
    """Return the facts of a tournament that has just started."""
    opened = Opened(
        at_ms=0,
        organiser=PlayerId("anna"),
        name="Cup",
        settings=MatchSettings(game=GameId("duel"), seats=seats),
        kind=kind,
        rounds=rounds,
        places=64,
        fill=None,
        starts_ms=None,
        draw_secret=SECRET,
        deal_secret=SECRET,
    )
    players = [Joined(at_ms=1, player=PlayerId(f"p{number}"), nonce="") for number in range(entrants - bots)]
    facts: list[AnyFact] = [opened, *players, *(BotAdded(at_ms=1, bot=BotName("random")) for _ in range(bots))]
    state = folded(facts)
    assert state is not None
    return [*facts, *start(state, 2)]


def state_of(facts: list[AnyFact]) -> Tournament:
    """Return the state after facts."""
    state = folded(facts)
    assert state is not None
    return state


def played(kind: TournamentKind, seats: int, entrants: int, bots: int, seed: int) -> list[AnyFact]:
    """Return the facts of a tournament that is played by chance: ties, matches without a result, and players who withdraw."""
    rng = random.Random(seed)
    facts = opening(kind, seats, entrants, bots)
    while (state := state_of(facts)).goes_on():
        drawn = draw_round(field_of(state), SECRET, "c")
        facts.append(RoundDrawn(at_ms=3, tables=drawn.tables, byes=drawn.byes))
        for table in rng.sample(range(len(drawn.tables)), len(drawn.tables)):
            ranks = () if rng.random() < 0.1 else tuple(rng.randint(1, 3) for _ in range(seats))
            facts.append(ResultTaken(at_ms=4, table=table, ranks=ranks))
        if rng.random() < 0.3:
            facts.append(Withdrawn(at_ms=5, player=PlayerId(f"p{rng.randrange(entrants)}")))
    return facts


tournaments = st.tuples(
    st.sampled_from(TournamentKind), st.integers(2, 7), st.integers(7, 20), st.integers(0, 6), st.integers(0, 999)
)


@settings(max_examples=40)
@given(tournaments)
def test_points_are_shared_out_whole(each: tuple[TournamentKind, int, int, int, int]) -> None:
    """Each table that has a result, or a bot, gives one point, and each bye what a seat wins on average; nothing else does."""
    state = state_of(played(*each))
    found = standings(state)
    bots = state.bots()
    given_away = sum(bool(table.ranks) or not bots.isdisjoint(table.entrants) for one in state.rounds for table in one.tables)
    byes = sum(len(one.byes) for one in state.rounds)
    assert sum(Fraction(row.points, POINT) for row in found) == given_away + Fraction(byes, state.seats)
    assert sum(row.played for row in found) == state.seats * sum(len(one.tables) for one in state.rounds)
    assert sum(row.byes for row in found) == byes
    assert sorted(row.entrant for row in found) == list(range(len(state.entrants)))


@settings(max_examples=40)
@given(tournaments)
def test_places_follow_the_order_of_what_decides(each: tuple[TournamentKind, int, int, int, int]) -> None:
    """Points, Buchholz, direct encounters, wins; who is equal in all of them shares a place. Stored facts say the same."""
    facts = played(*each)
    found = standings(state_of(facts))
    merits = [(row.points, row.buchholz, row.direct, row.wins) for row in found]
    assert merits == sorted(merits, reverse=True)
    assert [row.place for row in found] == [1 + sum(other > merit for other in merits) for merit in merits]
    assert standings(state_of([decode(encode(fact)) for fact in facts])) == found


@pytest.mark.parametrize(
    ("ranks", "bots", "expected"),
    [
        ((1, 2), (False, False), [1, 0]),
        ((1, 1, 3), (False, False, False), [Fraction(1, 2), Fraction(1, 2), 0]),
        ((2, 2, 2, 2), (False,) * 4, [Fraction(1, 4)] * 4),
        ((3, 2, 5), (False, False, True), [0, 1, 0]),
        ((), (False, True, True), [0, Fraction(1, 2), Fraction(1, 2)]),
        ((), (False, False), [0, 0]),
    ],
)
def test_table_gives_one_point_to_the_first(ranks: tuple[int, ...], bots: tuple[bool, ...], expected: list[Fraction]) -> None:
    """In equal shares; a match that was ended without a result gives it to its bots, and none to its players."""
    assert [Fraction(won, POINT) for won in shares(ranks, bots)] == expected


@pytest.mark.parametrize(
    ("kind", "seats", "entrants", "wished", "expected"),
    [
        (TournamentKind.ROUND_ROBIN, 2, 4, 63, 3),
        (TournamentKind.ROUND_ROBIN, 4, 8, 63, 3),
        (TournamentKind.ROUND_ROBIN, 2, 64, 63, 63),
        (TournamentKind.SWISS, 2, 4, 63, 15),
        (TournamentKind.SWISS, 2, 4, 2, 2),
        (TournamentKind.SWISS, 2, 8, None, 3),
    ],
)
def test_rounds_are_bounded_whatever_is_wished(
    kind: TournamentKind, seats: int, entrants: int, wished: int | None, expected: int
) -> None:
    """A round robin ends once it has all that it needs, and Swiss after fifteen."""
    assert state_of(opening(kind, seats, entrants, 0, wished)).planned == expected


def test_direct_encounter_decides_between_equals() -> None:
    """Three have as many points and met rivals as strong; who beat the others is ahead, although numbered last."""
    tables = (((3, 0), (1, 2)), ((0, 1), (2, 3)), ((3, 1), (0, 2)))
    facts = opening(TournamentKind.ROUND_ROBIN, 2, 4, 0)
    for drawn, results in zip(tables, (((1, 2), (1, 2)), ((1, 2), (1, 2)), ((1, 2), (2, 1))), strict=True):
        facts.append(RoundDrawn(at_ms=3, tables=drawn, byes=()))
        facts += [ResultTaken(at_ms=4, table=table, ranks=ranks) for table, ranks in enumerate(results)]
    rows = standings(state_of(facts))
    assert [(row.entrant, row.points // POINT, row.direct) for row in rows] == [(2, 2, 2), (3, 2, 0), (0, 1, 2), (1, 1, 0)]


def test_bye_counts_as_rivals_who_are_as_strong() -> None:
    """It neither helps nor harms by Buchholz, and is worth what a seat wins on average."""
    facts = opening(TournamentKind.SWISS, 4, 5, 0)
    facts += [RoundDrawn(at_ms=3, tables=((0, 1, 2, 3),), byes=(4,)), ResultTaken(at_ms=4, table=0, ranks=(1, 2, 3, 4))]
    rests = next(row for row in standings(state_of(facts)) if row.entrant == 4)
    assert (rests.points, rests.buchholz, rests.played, rests.byes) == (POINT // 4, 3 * POINT // 4, 0, 1)
