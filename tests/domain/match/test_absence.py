"""Missed decisions, stand-ins, leaving and coming back."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from tafelrunde.domain.game import DecisionId, Seat
from tafelrunde.domain.match import Clock
from tafelrunde.domain.match.commands import BotPlay, LeaveSeat, Play, Seating, TakeSeat, TimeOut
from tafelrunde.domain.match.events import (
    DecisionOpened,
    MissesForgotten,
    ReturnNoted,
    SeatHandedBack,
    SeatPlayed,
    StandInReason,
    StandInSeated,
    TimedOut,
)
from tafelrunde.domain.match.view import view
from tafelrunde.domain.secrecy import redact
from tests.domain.match.scene import ANNA, BERT, CARL, STEADY, Scene, opening, table_for_three, table_for_two
from tests.support.duel.events import BidMade, BidsShown, CardPlayed
from tests.support.duel.messages import Bid

MANY = {"first_seat": 0, "cards": 4}


def test_default_is_played_for_every_seat_that_has_not_answered() -> None:
    """One time-out closes the decision, for all late seats."""
    scene = table_for_two()
    caused = scene.time_out()
    assert caused[:5] == [
        TimedOut(Seat(0), DecisionId(1)),
        BidMade(Seat(0), 0),
        TimedOut(Seat(1), DecisionId(1)),
        BidMade(Seat(1), 0),
        BidsShown((0, 0)),
    ]
    assert isinstance(caused[5], DecisionOpened)


def test_answer_stays_when_only_the_other_seat_is_late() -> None:
    """A player who answered in time is not late."""
    scene = table_for_two()
    scene.do(Play(ANNA, scene.decision, Bid(2)))
    assert scene.time_out()[:3] == [TimedOut(Seat(1), DecisionId(1)), BidMade(Seat(1), 0), BidsShown((2, 0))]
    assert [chair.missed for chair in scene.match.chairs] == [0, 1]


@pytest.mark.parametrize("decision", [0, 1, 3, 99])
def test_time_out_causes_nothing_when_its_decision_is_not_open(decision: int) -> None:
    """A time-out that comes late or twice changes nothing."""
    scene = table_for_two()
    scene.time_out()
    assert scene.do(TimeOut(DecisionId(decision))) == []


def test_time_out_causes_nothing_when_the_match_is_over_or_not_begun() -> None:
    """Only a running match has clocks."""
    assert Scene(opening()).do(TimeOut(DecisionId(1))) == []
    scene = table_for_two()
    last = scene.decision
    scene.finish()
    assert scene.do(TimeOut(last)) == []


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_stand_in_is_seated_when_so_many_decisions_in_a_row_were_missed(limit: int) -> None:
    """The clock says after how many missed decisions a bot stands in: the first that the game lists."""
    scene = table_for_two(MANY, Clock(stand_in_after=limit))
    seated = StandInSeated(Seat(0), STEADY, StandInReason.TIMEOUTS)
    for missed in range(1, limit + 1):
        scene.until(lambda: scene.asked() == 0)
        assert (seated in scene.time_out()) == (missed == limit)
    assert (scene.match.chairs[0].player, scene.match.chairs[0].bot) == (ANNA, STEADY)


def test_stand_in_is_seated_after_two_missed_decisions_by_default() -> None:
    """Without a word about it, the second missed decision in a row calls the bot."""
    scene = table_for_two()
    scene.time_out()
    assert scene.match.chairs[0].present
    scene.time_out()
    assert not scene.match.chairs[0].present


def test_stand_in_is_never_seated_when_the_clock_says_so() -> None:
    """Zero means never."""
    scene = table_for_two(MANY, Clock(stand_in_after=0))
    while scene.match.pending() is not None:
        scene.time_out()
    assert all(chair.present for chair in scene.match.chairs)
    assert not any(isinstance(event, StandInSeated) for event in scene.events)


def test_misses_are_forgotten_when_the_player_answers() -> None:
    """Only missed decisions in a row count."""
    scene = table_for_two(MANY)
    for _ in range(2):
        scene.until(lambda: scene.asked() == 0)
        scene.time_out()
        scene.until(lambda: scene.asked() == 0)
        assert scene.play(ANNA)[0] == MissesForgotten(Seat(0))
        assert scene.match.chairs[0].missed == 0
    assert scene.match.chairs[0].present


def test_forgetting_misses_is_shown_to_one_s_own_seat_alone() -> None:
    """Otherwise it would reveal, while others are still asked, who has answered."""
    event = MissesForgotten(Seat(0))
    assert redact(event, Seat(0)) == event
    assert redact(event, Seat(1)) is None
    assert redact(event, None) is None


def test_bot_plays_on_when_a_player_leaves() -> None:
    """Leaving a running match seats the stand-in at once, and doing so twice changes nothing."""
    scene = table_for_two()
    assert scene.do(LeaveSeat(ANNA)) == [StandInSeated(Seat(0), STEADY, StandInReason.LEFT)]
    assert scene.do(LeaveSeat(ANNA)) == []
    assert scene.match.bots_asked() == [0]
    assert scene.match.people_present()
    assert scene.play_bot(0) == [BidMade(Seat(0), 0)]


def test_seat_is_handed_back_when_its_player_answers() -> None:
    """The player's next command takes the seat back, and clears the count of misses."""
    scene = table_for_two(MANY)
    scene.time_out()
    scene.time_out()
    scene.until(lambda: scene.asked() == 0)
    handed, first, played, *_ = scene.play(ANNA)
    assert (handed, first) == (SeatHandedBack(Seat(0)), SeatPlayed(Seat(0)))
    assert isinstance(played, CardPlayed)
    assert (scene.match.chairs[0].bot, scene.match.chairs[0].missed) == (None, 0)


def test_return_is_shown_to_no_one_while_others_are_still_asked() -> None:
    """If several are asked, an answer returns the seat only when the decision closes: earlier would reveal who has answered."""
    scene = table_for_two(MANY)
    scene.do(LeaveSeat(ANNA))
    before = [view(scene.match, viewer) for viewer in (Seat(1), None)]
    caused = scene.play(ANNA)
    assert caused[0] == ReturnNoted(Seat(0), returns=True)
    assert [redact(event, viewer) for event in caused for viewer in (Seat(1), None)] == [None] * 2 * len(caused)
    assert [view(scene.match, viewer) for viewer in (Seat(1), None)] == before
    closing = scene.play(BERT)
    kinds = [type(event) for event in closing]
    assert kinds.index(SeatHandedBack) + 1 == kinds.index(DecisionOpened)
    assert scene.match.chairs[0].present


def test_stand_in_does_not_answer_when_the_player_has() -> None:
    """From the answer on the seat is the player's, though it does not show yet; the bot may not change the answer."""
    scene = table_for_two(MANY)
    scene.do(LeaveSeat(ANNA))
    scene.do(Play(ANNA, scene.decision, Bid(1)))
    assert scene.match.bots_asked() == []
    assert scene.refused(BotPlay(Seat(0), scene.decision, Bid(2))) == "not-seated"
    assert scene.do(Play(ANNA, scene.decision, Bid(2))) == [BidMade(Seat(0), 2)]


def test_stand_in_stays_when_the_player_leaves_again_before_the_decision_closes() -> None:
    """Neither the return nor the second leaving shows."""
    scene = table_for_two(MANY)
    scene.do(LeaveSeat(ANNA))
    scene.play(ANNA)
    assert scene.do(LeaveSeat(ANNA)) == [ReturnNoted(Seat(0), returns=False)]
    assert not any(isinstance(event, SeatHandedBack) for event in scene.play(BERT))
    assert scene.match.chairs[0].bot == STEADY


def test_seat_is_handed_back_at_once_when_an_older_match_goes_on() -> None:
    """A match of the first edition is decided as it was."""
    seating = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), player=BERT))
    scene = Scene(opening(seating=seating, start=True, edition=UNSET))
    scene.do(LeaveSeat(ANNA))
    assert scene.play(ANNA) == [SeatHandedBack(Seat(0)), BidMade(Seat(0), 0)]


def test_seat_is_not_handed_back_when_the_answer_is_refused() -> None:
    """A refused command causes nothing."""
    scene = table_for_two()
    scene.do(LeaveSeat(ANNA))
    assert scene.refused(Play(ANNA, scene.decision, Bid(9))) == "no-such-bid"
    assert scene.match.chairs[0].bot == STEADY


def test_seat_is_handed_back_when_its_player_sits_down_again() -> None:
    """A player need not win a race against the bot to come back."""
    scene = table_for_two()
    scene.do(LeaveSeat(ANNA))
    assert scene.do(TakeSeat(player=ANNA)) == [SeatHandedBack(Seat(0))]
    assert scene.do(TakeSeat(player=ANNA, seat=Seat(0))) == []
    assert scene.match.chairs[0].present


@pytest.mark.parametrize(("player", "seat"), [(ANNA, Seat(1)), (CARL, None), (CARL, Seat(0)), (BERT, Seat(0))])
def test_seat_is_refused_to_others_when_a_bot_stands_in(player: str, seat: Seat | None) -> None:
    """The seat stays its player's."""
    scene = table_for_two()
    scene.do(LeaveSeat(ANNA))
    assert scene.refused(TakeSeat(player=type(ANNA)(player), seat=seat)) == "not-open"


def test_late_bot_is_not_replaced_when_it_misses_decisions() -> None:
    """A bot's misses never seat a stand-in."""
    scene = table_for_three(Clock(stand_in_after=1))
    scene.time_out()
    assert [event.seat for event in scene.caused if isinstance(event, StandInSeated)] == [0, 1]
    assert view(scene.match, None).chairs[2].player is None


@pytest.mark.parametrize("player", [ANNA, BERT])
def test_leaving_is_refused_when_the_match_is_finished(player: str) -> None:
    """A finished match keeps its seats."""
    scene = table_for_two()
    scene.finish()
    assert scene.refused(LeaveSeat(type(ANNA)(player))) == "finished"
