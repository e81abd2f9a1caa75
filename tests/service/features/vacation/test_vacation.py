"""Vacation: how long it may be, and that slow matches wait for it, in whatever order things happen."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import AnyGame, DecisionId, GameId, Pace, Seat
from tafelrunde.domain.match import Clock, MatchSettings, PlayerId
from tafelrunde.domain.match.commands import Abort, OpenMatch, Play, Seating
from tafelrunde.domain.match.decide import decide
from tafelrunde.domain.match.events import AbortAgreed, MatchAborted, SeatForfeited
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.terms import EDITION
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.features.vacation.feature import STORE
from tafelrunde.service.features.vacation.port import DAY_MS, YEAR_MS, Stretch
from tafelrunde.service.features.vacation.service import (
    DAYS_A_YEAR,
    TooLong,
    Vacations,
    days,
    is_slow,
    prolonged,
)
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.stores import Stores
from tests.support.dice import Dice
from tests.support.table import NOW_MS

pytestmark = pytest.mark.anyio

ANNA, BERT = PlayerId("anna"), PlayerId("bert")
SLOW = {"turn_seconds": 86_400, "reaction_seconds": 86_400}
HOUR_MS = 3_600_000


class Time:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now_ms = NOW_MS

    def __call__(self) -> int:
        return self.now_ms


async def test_vacations_are_replaced_as_they_were_read(stores: Stores) -> None:
    """Or not at all; each player has its own, and a deleted one has none."""
    store = STORE.of(stores)
    empty = await store.read(ANNA)
    assert empty.stretches == ()
    first = (Stretch(1, 2),)
    assert await store.put(ANNA, empty, first, YEAR_MS)
    assert not await store.put(ANNA, empty, (), YEAR_MS)
    found = await store.read(ANNA)
    assert found.stretches == first
    assert await store.put(ANNA, found, [*first, Stretch(3, 4)], YEAR_MS)
    assert (await store.read(BERT)).stretches == ()
    await store.forget(ANNA)
    assert (await store.read(ANNA)).stretches == ()


async def test_vacation_takes_whole_days_of_the_year() -> None:
    """Each at least one; what is a year ago counts no more."""
    time = Time()
    vacations = Vacations(STORE.of(memory_stores()), time)
    assert (await vacations.of(ANNA)) == (None, DAYS_A_YEAR)
    assert (await vacations.end(ANNA)) == (None, DAYS_A_YEAR)
    begun = await vacations.begin(ANNA, NOW_MS + 2 * DAY_MS + 1)
    assert begun == (NOW_MS + 2 * DAY_MS + 1, DAYS_A_YEAR - 3)
    assert (await vacations.begin(ANNA, NOW_MS + DAY_MS)).days_left == DAYS_A_YEAR - 1
    time.now_ms += HOUR_MS
    assert (await vacations.end(ANNA)) == (None, DAYS_A_YEAR - 1)
    with pytest.raises(TooLong) as refused:
        await vacations.begin(ANNA, time.now_ms + 29 * DAY_MS + 1)
    assert refused.value.days_left == 29
    assert (await vacations.begin(ANNA, time.now_ms + 29 * DAY_MS)).days_left == 0
    time.now_ms += 29 * DAY_MS
    for _ in range(2):
        with pytest.raises(TooLong):
            await vacations.begin(ANNA, time.now_ms + 1)
    time.now_ms += YEAR_MS
    assert (await vacations.begin(ANNA, time.now_ms + DAY_MS)).days_left == 29
    assert (await vacations.of(BERT)).days_left == DAYS_A_YEAR


@pytest.mark.parametrize(
    ("stretches", "expected"),
    [
        ((), 100),
        ((Stretch(0, 5),), 100),
        ((Stretch(0, 40),), 130),
        ((Stretch(60, 90),), 130),
        ((Stretch(100, 200),), 100),
        ((Stretch(20, 50), Stretch(110, 150)), 170),
        ((Stretch(20, 50), Stretch(130, 150)), 130),
    ],
)
async def test_time_of_a_vacation_does_not_count(stretches: tuple[Stretch, ...], expected: int) -> None:
    """For a decision that is open from 10 to 100: what was left when it began is left when it ends."""
    assert prolonged(10, 100, stretches) == expected
    assert days(stretches) == len(stretches)


async def test_only_slow_matches_wait() -> None:
    """A day for a turn is not enough, if there is less for an answer."""
    assert is_slow(Clock(turn_seconds=86_400, reaction_seconds=86_400))
    assert not is_slow(Clock(turn_seconds=86_400, reaction_seconds=3_600))


def started(game: AnyGame, seats: int) -> Match:
    """Return a slow match with a player on every seat."""
    command = OpenMatch(
        settings=MatchSettings(game=game.id, seats=seats, options={}, clock=Clock(turn_seconds=86_400, reaction_seconds=86_400)),
        host=PlayerId("0"),
        secret="",
        commitment="",
        seating=tuple(Seating(seat=Seat(seat), player=PlayerId(str(seat))) for seat in range(seats)),
        start=True,
        edition=EDITION,
    )
    return decide(Match(GAMES), command, Dice("open"), NOW_MS).match


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_wait_for_a_traveller_follows_from_who_was_asked(game: AnyGame) -> None:
    """A decision has one deadline, no matter who has answered; only a traveller who is asked alone for a turn is waited for."""
    time = Time()
    vacations = Vacations(STORE.of(memory_stores()), time)
    seats = max(game.min_seats, min(game.max_seats, 4))
    await vacations.begin(PlayerId("0"), NOW_MS + 29 * DAY_MS)
    time.now_ms = NOW_MS + DAY_MS + 60_000
    match = started(game, seats)
    deadlines: dict[DecisionId, set[tuple[int | None, bool]]] = {}
    for number in range(400):
        if (ask := match.pending()) is None:
            break
        decision = match.open_decision()
        assert decision is not None
        alone = ask.seats == (Seat(0),) and ask.pace is Pace.TURN
        deadlines.setdefault(decision, set()).add((await vacations.put_off(match), alone))
        dice = Dice((game.id, number))
        seat = ask.open[dice.below("seat", len(ask.open))]
        legal = game.legal(match.table, seat)
        command = legal[dice.below("command", len(legal))]
        match = decide(match, Play(PlayerId(str(seat)), decision, command), dice, NOW_MS).match
    assert len(deadlines) > 5
    assert {decision: found for decision, found in deadlines.items() if len(found) != 1} == {}
    wrong = [found for each in deadlines.values() for found in each if (found[0] is not None) is not found[1]]
    assert wrong == []


async def test_player_left_alone_by_a_vacation_forfeits_a_rated_match_by_ending_it() -> None:
    """A traveller's absence lets no one escape a loss."""
    travelling = Seat(1)
    match = started(GAMES[GameId("coup")], 2)
    for number in range(40):
        ask, decision = match.pending(), match.open_decision()
        if ask is None or decision is None or all(chair.played is True for chair in match.chairs):
            break
        seat = ask.open[0]
        command = match.game.default(match.table, seat)
        match = decide(match, Play(PlayerId(str(seat)), decision, command), Dice(number), NOW_MS).match
    ended = decide(match, Abort(PlayerId("0"), (travelling,)), Dice("end"), NOW_MS)
    assert [type(event) for event in ended.events] == [AbortAgreed, SeatForfeited, MatchAborted]
    held = decide(match, Abort(PlayerId("0")), Dice("end"), NOW_MS)
    assert [type(event) for event in held.events] == [AbortAgreed]
