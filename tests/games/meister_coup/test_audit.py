"""Whole matches of Meister Coup: an auditor recomputes everything from the events, and nothing hidden shows."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest

from tafelrunde.domain.bots import RandomBot
from tafelrunde.domain.game import Seat
from tafelrunde.domain.meister_coup import GAME
from tafelrunde.domain.meister_coup.cards import CARDS, COLOUR_OF, counted
from tafelrunde.domain.meister_coup.events import (
    CardPicked,
    CardsTaken,
    ChoiceGiven,
    MatchWon,
    MeistercoupTicked,
    MeisterEvent,
    Reason,
    ResultEntered,
    RoundScored,
    TrickRanked,
)
from tafelrunde.domain.meister_coup.messages import MeisterOptions
from tafelrunde.domain.meister_coup.table import MeisterTable
from tests.games.meister_coup.audit import Audit, card, order
from tests.games.meister_coup.kit import Scene
from tests.games.meister_coup.played import KINDS, STANDARD, TEAM, Match, match_of, steps
from tests.support.dice import Dice
from tests.support.thorough import tries

MATCHES = tries(10, 40)
every_kind = pytest.mark.parametrize(
    ("seats", "options"), [pytest.param(seats, options, id=f"{seats}-{number}") for number, (seats, options) in enumerate(KINDS)]
)


def audited(match: Match) -> Audit:
    """Check a match from its events."""
    audit = Audit(match.seats, match.options)
    for event in match.events:
        audit.check(event)
    audit.check_standing(match.standing)
    return audit


@every_kind
def test_match_is_what_the_auditor_finds_when_it_reads_the_events(seats: int, options: MeisterOptions) -> None:
    """Deals, tricks, takings, Meistercoups, scores, votes and winners of random and honest matches, from the events alone."""
    for seed in range(MATCHES):
        audited(match_of(seats, options, seed))


def test_auditor_sees_every_way_to_win_when_many_matches_are_read() -> None:
    """The audited matches are of all kinds: won by points and by Meistercoups, with choices, with both takers ticking."""
    found = Counter[str]()
    for seats, options in KINDS:
        for seed in range(MATCHES):
            match = match_of(seats, options, seed)
            found.update(event.reason.value for event in match.events if isinstance(event, MatchWon))
            found["choices"] += any(isinstance(event, ChoiceGiven) for event in match.events)
            found["third by the pick"] += isinstance(match.events[-3], CardPicked)
            found["third by the two"] += isinstance(match.events[-3], CardsTaken)
    assert min(found[each] for each in ("points", "meistercoups", "choices", "third by the pick", "third by the two")) > 3, found


def spoiled(events: Sequence[MeisterEvent], kind: type[MeisterEvent], **change: object) -> list[MeisterEvent]:
    """Return events of which the last one of a kind is changed."""
    place = max(number for number, event in enumerate(events) if isinstance(event, kind))
    return [*events[:place], msgspec.structs.replace(events[place], **change), *events[place + 1 :]]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (TrickRanked, {"ranking": (0, 1, 2, 3)}),
        (TrickRanked, {"sums": (1, 2, 3, 4)}),
        (CardsTaken, {"cards": (0, 1)}),
        (CardPicked, {"card": 47}),
        (MeistercoupTicked, {"total": 4}),
        (RoundScored, {"points": (1, 2, 3, 4)}),
        (ResultEntered, {"points": 99}),
        (MatchWon, {"winners": (0, 1)}),
    ],
)
def test_auditor_complains_when_an_event_is_spoiled(kind: type[MeisterEvent], change: dict[str, object]) -> None:
    """The auditor can find something."""
    match = match_of(4, TEAM, 1)
    with pytest.raises(AssertionError):
        audited(match._replace(events=spoiled(match.events, kind, **change)))


def test_auditor_orders_the_examples_as_printed() -> None:
    """The auditor's own order agrees with the rulebook's examples 3 and 4."""
    assert order(list(enumerate(map(card, (9, 22, 27, 29)))))[:2] == [1, 0]
    assert order(list(enumerate(map(card, (9, 22, 27, 30)))))[:2] == [1, 3]
    assert order(list(enumerate(map(card, (9, 33, 5, 29))))) == [0, 2, 1, 3]


# Hidden cards


@every_kind
def test_view_knows_no_hand_but_its_own_when_cards_are_hidden(seats: int, options: MeisterOptions) -> None:
    """A view agrees with every hand of the same colours: exchanging two hidden cards of a colour changes nothing in it."""
    rng = random.Random(seats)
    for table, _ in steps(seats, options, 7, [RandomBot()] * seats):
        for viewer in (*map(Seat, range(seats)), None):
            other = exchanged(table, viewer, rng)
            assert GAME.view(other, viewer) == GAME.view(table, viewer)


def exchanged(table: MeisterTable, viewer: Seat | None, rng: random.Random) -> MeisterTable:
    """Return a table in which cards of one colour have changed places among the other hands and the undealt cards."""
    other = table.copy()
    colour = rng.randrange(4)
    hands = [hand if seat != viewer else [] for seat, hand in enumerate(table.hands)]
    seen = {
        *(table.hands[viewer] if viewer is not None else ()),
        *table.trick,
        *(each for trick in table.tricks for each in trick.cards),
    }
    pool = [each for each in range(CARDS) if COLOUR_OF[each] == colour and each not in seen]
    rng.shuffle(pool)
    for seat, hand in enumerate(hands):
        kept = [each for each in hand if COLOUR_OF[each] != colour]
        fresh = [pool.pop() for _ in range(len(hand) - len(kept))]
        if seat != viewer:
            other.hands[seat] = sorted((*kept, *fresh))
    return other


@every_kind
def test_drawn_world_has_the_colours_that_are_shown_when_it_is_drawn(seats: int, options: MeisterOptions) -> None:
    """A drawn world has different cards in all hands, with the backs that everyone sees, and none that was played."""
    rng = random.Random(seats)
    for table, _ in steps(seats, options, 8, [RandomBot()] * seats):
        for viewer in (Seat(0), None):
            world = GAME.determinize(GAME.view(table, viewer), rng)
            assert list(map(counted, world.hands)) == list(map(counted, table.hands))
            held = [each for hand in world.hands for each in hand]
            played = [each for trick in table.tricks for each in trick.cards]
            assert len({*held, *table.trick, *played}) == len(held) + len(table.trick) + len(played)


def test_drawn_worlds_are_all_that_are_possible_when_they_are_drawn_often() -> None:
    """Each value that a seat can hold turns up about equally often, the undealt ones too."""
    scene = Scene("v1 b1", "v2 b2", "v3 b3")
    rng = random.Random(5)
    view = GAME.view(scene.table, Seat(0))
    found = Counter(GAME.determinize(view, rng).hands[1][0] for _ in range(2_200))
    assert set(found) == set(range(1, 12))
    assert min(found.values()) > 140
    assert max(found.values()) < 265


# Counted positions


def sequences(table: MeisterTable, depth: int) -> int:
    """Return the number of ways to answer the next few decisions."""
    ask = GAME.pending(table)
    if depth == 0 or ask is None:
        return 1
    seat = ask.open[0]
    total = 0
    for command in GAME.legal(table, seat):
        work = table.copy()
        GAME.play(work, seat, command, Dice("count"))
        total += sequences(work, depth - 1)
    return total


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        (("v1 b2", "g3 y4", "v5 b6"), [2, 4, 8, 24, 24, 24, 24, 72]),
        (("v9 v8", "b7 b6", "g5 g4", "y3 y2"), [2, 4, 8, 16, 64, 64, 64, 64, 64, 256]),
    ],
)
def test_as_many_sequences_as_counted_by_hand_when_two_cards_are_held(hands: tuple[str, ...], expected: list[int]) -> None:
    """Two cards to play for each seat, then as many picks as cards; then one card each, and the picks again."""
    scene = Scene(*hands)
    assert [sequences(scene.table, depth) for depth in range(1, len(expected) + 1)] == expected


def test_as_many_sequences_as_counted_by_hand_when_runners_up_choose() -> None:
    """A 4 in three colours below two higher cards: each pick of a high card leaves three pairs, each pick of a 4 one."""
    scene = Scene("v9 v1", "v8 v2", "b4 b1", "g4 g1", "y4 y1").play("v9 v8 b4 g4 y4")
    assert [sequences(scene.table, depth) for depth in (1, 2, 3)] == [5, 3 + 3 + 1 + 1 + 1, 9]


def test_no_seat_gets_all_of_a_trick_when_it_is_taken() -> None:
    """Winner and runner-up are two seats, in every audited match."""
    for seats, options in ((3, STANDARD), (6, TEAM)):
        ranked = [event for event in match_of(seats, options, 2).events if isinstance(event, TrickRanked)]
        assert all(event.winner != event.runner_up for event in ranked)
        assert all(sorted(event.ranking) == list(range(seats)) for event in ranked)


def test_matches_end_in_at_most_three_rounds_when_they_are_audited() -> None:
    """Three rounds at most, and fewer only by three Meistercoups."""
    for seed, (seats, options) in itertools.product(range(tries(4, 10)), KINDS):
        match = match_of(seats, options, seed)
        rounds = sum(isinstance(event, RoundScored) for event in match.events)
        end = match.events[-1]
        assert isinstance(end, MatchWon)
        assert rounds == 3 if end.reason is Reason.POINTS else rounds < 3
