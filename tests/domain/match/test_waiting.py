"""A table waits for its players once none of them is there, and goes on when one is back."""

from __future__ import annotations

import pytest
from msgspec import UNSET, UnsetType

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import Clock
from tafelrunde.domain.match.commands import Abort, BotPlay, LeaveSeat, Seating, TakeSeat
from tafelrunde.domain.match.events import (
    DecisionOpened,
    MatchAborted,
    ReturnNoted,
    SeatHandedBack,
    StandInReason,
    StandInSeated,
    TableGoesOn,
    TableWaits,
)
from tafelrunde.domain.match.presence import is_paced
from tafelrunde.domain.match.terms import CLOCK_STEP_MS, EDITION
from tafelrunde.domain.secrecy import redact
from tests.domain.match.scene import ANNA, BERT, NOON_MS, STEADY, Scene, opening, table_for_two

MANY = {"first_seat": 0, "cards": 4}
AWAY_MS, TURN_MS = 60_000, 10_000
CLOCK = Clock(turn_seconds=10, reaction_seconds=10, away_seconds=60)
WAITS = TableWaits(NOON_MS + AWAY_MS, NOON_MS + AWAY_MS + TURN_MS)


def alone(clock: Clock = CLOCK, edition: int | UnsetType = EDITION) -> Scene:
    """Return a running match of Anna and a bot."""
    seating = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), bot=STEADY))
    return Scene(opening(options=MANY, clock=clock, seating=seating, start=True, edition=edition))


def test_table_waits_when_its_last_player_leaves() -> None:
    """Until when is public, and the open decision has its whole time after that."""
    scene = alone()
    assert scene.do(LeaveSeat(ANNA)) == [StandInSeated(Seat(0), STEADY, StandInReason.LEFT), WAITS]
    assert [redact(WAITS, viewer) for viewer in (Seat(1), None)] == [WAITS, WAITS]
    assert scene.match.waits_until_ms == WAITS.until_ms
    assert scene.match.asked is not None
    assert scene.match.asked.deadline_ms == WAITS.deadline_ms
    assert scene.match.length_ms() == AWAY_MS + TURN_MS
    assert scene.do(LeaveSeat(ANNA)) == []


def test_table_does_not_wait_while_another_player_is_there() -> None:
    """Who stays is not kept waiting: a computer plays at once. It waits when the last one goes."""
    scene = table_for_two(MANY, CLOCK)
    assert scene.do(LeaveSeat(ANNA)) == [StandInSeated(Seat(0), STEADY, StandInReason.LEFT)]
    assert scene.do(LeaveSeat(BERT)) == [StandInSeated(Seat(1), STEADY, StandInReason.LEFT), WAITS]


def test_table_waits_when_its_last_player_misses_too_many_decisions() -> None:
    """The next decision is opened, and waits."""
    scene = alone(Clock(turn_seconds=10, reaction_seconds=10, stand_in_after=1, away_seconds=60))
    assert [type(event) for event in scene.time_out()[-2:]] == [DecisionOpened, TableWaits]
    assert scene.caused[-1] == WAITS


@pytest.mark.parametrize(
    ("clock", "edition"),
    [(CLOCK, 2), (CLOCK, UNSET), (Clock(), EDITION), (Clock(away_seconds=0), EDITION)],
    ids=["second-edition", "first-edition", "not-said", "none"],
)
def test_table_waits_for_no_one_in_an_older_match_or_without_time_for_it(clock: Clock, edition: int | UnsetType) -> None:
    """A stored command causes again what it caused then."""
    scene = alone(clock, edition)
    assert scene.do(LeaveSeat(ANNA)) == [StandInSeated(Seat(0), STEADY, StandInReason.LEFT)]
    assert not is_paced(scene.match)
    assert "waits_until_ms" not in scene.match.digest_form()


def test_table_goes_on_when_a_player_takes_the_seat_back() -> None:
    """Who is back has the whole time, and is not late at once; the state is that of a match that never waited."""
    scene = table_for_two(MANY, CLOCK)
    scene.do(LeaveSeat(ANNA))
    scene.do(LeaveSeat(BERT))
    assert "waits_until_ms" in scene.match.digest_form()
    scene.now_ms += AWAY_MS - 1
    assert scene.do(TakeSeat(player=BERT)) == [SeatHandedBack(Seat(1)), TableGoesOn(scene.now_ms + TURN_MS)]
    assert scene.match.length_ms() == TURN_MS
    assert "waits_until_ms" not in scene.match.digest_form()
    assert scene.do(TakeSeat(player=ANNA)) == [SeatHandedBack(Seat(0))]


def test_table_goes_on_when_the_only_player_answers() -> None:
    """No other player could learn from it that there is an answer. If it closes the decision, the next has its own time."""
    scene = alone()
    scene.do(LeaveSeat(ANNA))
    handed, *_, on = scene.play(ANNA)
    assert (handed, on) == (SeatHandedBack(Seat(0)), TableGoesOn(NOON_MS + TURN_MS))
    scene.until(lambda: scene.asked() == 0 and scene.match.asked is not None and len(scene.match.asked.seats) == 1)
    scene.do(LeaveSeat(ANNA))
    caused = scene.play(ANNA)
    assert caused[0] == SeatHandedBack(Seat(0))
    assert not any(isinstance(event, TableGoesOn) for event in caused)
    assert scene.match.waits_until_ms is None


def test_answer_among_others_does_not_end_the_wait_when_other_players_are_away() -> None:
    """It would show them who has answered. Taking the seat back does."""
    scene = table_for_two(MANY, CLOCK)
    scene.do(LeaveSeat(ANNA))
    scene.do(LeaveSeat(BERT))
    caused = scene.play(ANNA)
    assert caused[0] == ReturnNoted(Seat(0), returns=True)
    assert [redact(event, viewer) for event in caused for viewer in (Seat(1), None)] == [None] * 2 * len(caused)
    assert scene.match.waits_until_ms == WAITS.until_ms
    assert scene.do(TakeSeat(player=ANNA)) == [SeatHandedBack(Seat(0)), TableGoesOn(NOON_MS + TURN_MS)]


def test_table_waits_once_when_no_one_comes_back() -> None:
    """Bots play on to the end; coming back and leaving again is another wait."""
    scene = alone()
    scene.do(LeaveSeat(ANNA))
    scene.now_ms += AWAY_MS
    scene.step()
    scene.step()
    assert scene.match.waits_until_ms is None
    scene.do(TakeSeat(player=ANNA))
    assert isinstance(scene.do(LeaveSeat(ANNA))[-1], TableWaits)
    scene.now_ms += AWAY_MS
    scene.finish()
    assert sum(isinstance(event, TableWaits) for event in scene.events) == 2
    assert is_paced(scene.match), "bots play at the pace of people as long as one could come back"


def test_nothing_is_played_while_the_table_waits() -> None:
    """A bot that chose its answer, or a clock that struck, just before the last player left is too late: the place is kept."""
    scene = alone()
    scene.do(LeaveSeat(ANNA))
    scene.now_ms += AWAY_MS - 1
    assert scene.refused(BotPlay(Seat(0), scene.decision, scene.legal(0))) == "decision-closed"
    assert scene.time_out() == []
    scene.now_ms += 1
    assert scene.play_bot(0)


def test_table_waits_no_more_when_the_match_is_aborted() -> None:
    """There is nothing to come back to."""
    scene = alone()
    scene.do(LeaveSeat(ANNA))
    assert isinstance(scene.do(Abort(ANNA))[-1], MatchAborted)
    assert scene.match.waits_until_ms is None


def test_wait_is_no_sign_of_a_clock_that_was_set_back() -> None:
    """The decision is asked from the beginning of the wait; before that the clock must have been set back."""
    scene = alone()
    scene.do(LeaveSeat(ANNA))
    for now_ms, back in ((NOON_MS, False), (NOON_MS - CLOCK_STEP_MS, False), (NOON_MS - CLOCK_STEP_MS - 1, True)):
        assert scene.match.clock_went_back(now_ms, scene.match.length_ms()) is back
        assert scene.match.time_is_up(now_ms) is back
    assert not scene.match.time_is_up(WAITS.deadline_ms - 1)
    assert scene.match.time_is_up(WAITS.deadline_ms)
