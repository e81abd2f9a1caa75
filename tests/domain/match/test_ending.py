"""Aborting, and playing again."""

from __future__ import annotations

import pytest
from msgspec import UNSET, UnsetType

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import Status
from tafelrunde.domain.match.commands import Abort, AgreeRematch, LeaveSeat, OpenRematch, Seating, TakeSeat
from tafelrunde.domain.match.events import (
    AbortAgreed,
    AbortReason,
    AbortWithdrawn,
    MatchAborted,
    RematchAgreed,
    RematchOpened,
    SeatForfeited,
    SeatPlayed,
)
from tafelrunde.domain.match.terms import EDITION
from tafelrunde.domain.match.view import view
from tafelrunde.domain.secrecy import redact
from tests.domain.match.scene import ANNA, BERT, CARL, OTHER, SECRET, STEADY, Scene, opening, table_for_three, table_for_two

MANY = {"first_seat": 0, "cards": 4}


def test_host_aborts_at_once_when_the_match_has_not_begun() -> None:
    """Before the start the host alone may end a match, and the secret is revealed."""
    scene = Scene(opening())
    assert scene.do(Abort(ANNA)) == [MatchAborted(AbortReason.HOST, SECRET)]
    assert scene.match.status is Status.ABORTED
    assert view(scene.match, None).table is None


def test_match_is_aborted_when_all_players_agree() -> None:
    """After the start every player must agree; bots are not asked."""
    scene = table_for_three()
    assert scene.do(Abort(BERT)) == [AbortAgreed(Seat(1))]
    assert scene.do(Abort(BERT)) == []
    assert [chair.agrees_to_abort for chair in view(scene.match, None).chairs] == [False, True, False]
    assert scene.do(Abort(ANNA)) == [AbortAgreed(Seat(0)), MatchAborted(AbortReason.AGREEMENT, SECRET)]
    assert scene.match.pending() is None


def test_absent_player_is_not_asked_when_the_others_want_to_abort() -> None:
    """A seat with a stand-in delays no one."""
    scene = table_for_two()
    scene.do(LeaveSeat(BERT))
    assert scene.do(Abort(ANNA))[-1] == MatchAborted(AbortReason.AGREEMENT, SECRET)


def test_player_forfeits_when_ending_a_rated_match_alone_after_having_played() -> None:
    """Left alone with bots and stand-ins, a player who has played ends the match as the loser, and everyone sees it."""
    scene = table_for_two()
    scene.play(ANNA)
    scene.do(LeaveSeat(BERT))
    assert scene.do(Abort(ANNA)) == [
        AbortAgreed(Seat(0)),
        SeatForfeited(Seat(0)),
        MatchAborted(AbortReason.AGREEMENT, SECRET),
    ]
    assert scene.match.forfeited == 0


def test_who_left_a_rated_match_after_playing_is_asked_whether_it_ends() -> None:
    """Or who leaves first would escape the result, if the other aborts then; with its agreement the match is not rated."""
    scene = table_for_two()
    scene.play(ANNA)
    scene.play(BERT)
    scene.do(LeaveSeat(BERT))
    assert scene.do(Abort(ANNA)) == [AbortAgreed(Seat(0))]
    assert scene.do(Abort(BERT)) == [AbortAgreed(Seat(1)), MatchAborted(AbortReason.AGREEMENT, SECRET)]


def test_who_left_is_not_asked_in_an_older_match() -> None:
    """The last player ends it alone, as it did."""
    seating = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), player=BERT))
    scene = Scene(opening(seating=seating, start=True, edition=2))
    scene.play(ANNA)
    scene.play(BERT)
    scene.do(LeaveSeat(BERT))
    assert [type(event) for event in scene.do(Abort(ANNA))] == [AbortAgreed, SeatForfeited, MatchAborted]


def test_player_forfeits_when_ending_alone_after_leaving() -> None:
    """A stand-in in the player's own seat does not avoid it."""
    scene = alone()
    scene.play(ANNA)
    scene.do(LeaveSeat(ANNA))
    assert SeatForfeited(Seat(0)) in scene.do(Abort(ANNA))


def alone(*, guest: bool = False, rated: bool = True, edition: int | UnsetType = EDITION) -> Scene:
    """Return a running match of Anna and a bot."""
    seating = (Seating(seat=Seat(0), player=ANNA, guest=guest or UNSET), Seating(seat=Seat(1), bot=STEADY))
    return Scene(opening(seating=seating, start=True, rated=rated, edition=edition))


def test_nothing_is_forfeited_before_the_first_own_answer() -> None:
    """A player who never answered, even if time ran out, may still leave."""
    assert SeatForfeited(Seat(0)) not in alone().do(Abort(ANNA))
    late = alone()
    late.time_out()
    assert SeatForfeited(Seat(0)) not in late.do(Abort(ANNA))


@pytest.mark.parametrize(
    "scene", [alone(guest=True), alone(rated=False), alone(edition=UNSET)], ids=["guest", "unrated", "older"]
)
def test_nothing_is_forfeited_when_nothing_is_rated(scene: Scene) -> None:
    """Guests and unrated matches have nothing to lose; an older match is decided as it was."""
    assert not any(isinstance(event, SeatPlayed) for event in scene.play(ANNA))
    assert scene.do(Abort(ANNA)) == [AbortAgreed(Seat(0)), MatchAborted(AbortReason.AGREEMENT, SECRET)]


def test_nothing_is_forfeited_when_two_players_agree() -> None:
    """Also when one of them has left after agreeing."""
    together, one_left = table_for_three(), table_for_three()
    for scene in (together, one_left):
        scene.play(ANNA)
        scene.play(BERT)
        scene.do(Abort(BERT))
    one_left.do(LeaveSeat(BERT))
    for scene in (together, one_left):
        assert scene.do(Abort(ANNA)) == [AbortAgreed(Seat(0)), MatchAborted(AbortReason.AGREEMENT, SECRET)]


def test_first_answer_is_shown_to_no_one() -> None:
    """If several are asked it would reveal who has answered."""
    scene = alone()
    event = scene.play(ANNA)[0]
    assert event == SeatPlayed(Seat(0))
    assert {redact(event, viewer) for viewer in (Seat(0), Seat(1), None)} == {None}


def test_absent_player_alone_cannot_abort() -> None:
    """A player who left has no vote over those who play."""
    scene = table_for_two()
    scene.do(LeaveSeat(BERT))
    assert scene.do(Abort(BERT)) == [AbortAgreed(Seat(1))]


def test_agreement_lapses_when_its_seat_plays_a_turn_of_its_own() -> None:
    """An agreement of the first turn must not end a match in the tenth."""
    scene = table_for_two(MANY)
    scene.until(lambda: scene.decision == 2)
    scene.do(Abort(ANNA))
    assert scene.play(ANNA)[0] == AbortWithdrawn(Seat(0))
    assert scene.do(Abort(BERT)) == [AbortAgreed(Seat(1))]
    assert scene.match.status is Status.RUNNING


def test_agreement_stays_when_its_seat_answers_together_with_others() -> None:
    """A lapse would reveal, while others are still asked, who has answered."""
    scene = table_for_two()
    scene.do(Abort(ANNA))
    before = view(scene.match, Seat(1))
    scene.play(ANNA)
    assert view(scene.match, Seat(1)) == before


def test_agreement_lapses_when_its_player_comes_back() -> None:
    """What was agreed before being away does not count after it."""
    scene = table_for_two()
    scene.do(Abort(ANNA))
    scene.do(LeaveSeat(ANNA))
    scene.do(TakeSeat(player=ANNA))
    assert not scene.match.chairs[0].agrees_to_abort


def test_abort_is_refused_when_the_player_does_not_sit_here_or_the_match_is_finished() -> None:
    """Only seated players of a running match agree."""
    scene = table_for_two()
    assert scene.refused(Abort(CARL)) == "not-seated"
    scene.finish()
    assert scene.refused(Abort(ANNA)) == "finished"


def finished() -> Scene:
    """Return a finished match of Anna, Bert and a bot."""
    scene = table_for_three()
    scene.finish()
    return scene


def test_rematch_is_agreed_when_all_players_want_it() -> None:
    """Bots always agree; agreeing twice changes nothing."""
    scene = finished()
    assert scene.do(AgreeRematch(ANNA)) == [RematchAgreed(Seat(0))]
    assert scene.do(AgreeRematch(ANNA)) == []
    assert not scene.match.rematch_agreed()
    assert scene.do(AgreeRematch(BERT)) == [RematchAgreed(Seat(1))]
    assert scene.match.rematch_agreed()


def test_rematch_is_opened_once() -> None:
    """Noting it again changes nothing, and no second one is offered."""
    scene = finished()
    scene.do(AgreeRematch(ANNA))
    scene.do(AgreeRematch(BERT))
    assert scene.do(OpenRematch(OTHER)) == [RematchOpened(OTHER)]
    assert scene.do(OpenRematch(OTHER)) == []
    assert scene.do(AgreeRematch(ANNA)) == []
    assert not scene.match.rematch_agreed()
    assert view(scene.match, None).rematch == OTHER


def test_rematch_is_not_opened_when_someone_has_not_agreed() -> None:
    """A rematch needs all players."""
    scene = finished()
    scene.do(AgreeRematch(ANNA))
    assert scene.do(OpenRematch(OTHER)) == []


def test_rematch_needs_the_players_who_left_too() -> None:
    """A stand-in does not speak for its player."""
    scene = table_for_two()
    scene.do(LeaveSeat(BERT))
    scene.finish()
    scene.do(AgreeRematch(ANNA))
    assert not scene.match.rematch_agreed()


@pytest.mark.parametrize(("aborted", "code"), [(False, "not-over"), (True, "not-over")])
def test_rematch_is_refused_when_the_match_has_no_result(aborted: bool, code: str) -> None:
    """Only a finished match is played again."""
    scene = table_for_two()
    if aborted:
        scene.do(Abort(ANNA))
        scene.do(Abort(BERT))
    assert scene.refused(AgreeRematch(ANNA)) == code


def test_rematch_is_refused_when_the_player_did_not_sit_here() -> None:
    """Only who played may want to play again."""
    assert finished().refused(AgreeRematch(CARL)) == "not-seated"
