"""Who hosts, who may sit down again, and how an abandoned match ends."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import PlayerId, Status
from tafelrunde.domain.match.commands import Abort, ClearSeat, Expire, LeaveSeat, PassHost, SeatBot, Seating, StartMatch, TakeSeat
from tafelrunde.domain.match.events import (
    AbortReason,
    ExpiryReason,
    HostPassed,
    MatchAborted,
    MatchExpired,
    SeatCleared,
    SeatLeft,
)
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.terms import EDITION
from tests.domain.match.scene import ANNA, BERT, CARL, SECRET, STEADY, Scene, opening, table_for_two
from tests.support.own import GAMES
from tests.support.stored import stored

DORA = PlayerId("dora")
OLD = 1
"""The edition of matches that were opened before hosts were followed by others."""


def table(*players: PlayerId, edition: int = EDITION) -> Scene:
    """Return an open match of Anna's with four seats, taken by those players in turn."""
    scene = Scene(opening(4, edition=UNSET if edition == OLD else edition))
    for player in players:
        scene.do(TakeSeat(player=player))
    return scene


def test_next_player_is_host_when_the_host_leaves_an_open_match() -> None:
    """The host's powers go to the next seat that has a player, bots passed over."""
    scene = table(ANNA)
    scene.do(SeatBot(ANNA, Seat(1), STEADY))
    scene.do(TakeSeat(player=BERT, seat=Seat(2)))
    assert scene.do(LeaveSeat(ANNA)) == [SeatLeft(Seat(0)), HostPassed(BERT)]
    assert scene.match.host == BERT
    assert scene.refused(SeatBot(ANNA, Seat(0), STEADY)) == "not-host"
    scene.do(SeatBot(BERT, Seat(0), STEADY))
    scene.do(SeatBot(BERT, Seat(3), STEADY))
    scene.do(StartMatch(BERT))
    assert scene.match.status is Status.RUNNING


def test_host_passes_round_the_table_when_the_last_seat_leaves() -> None:
    """After the last seat comes the first."""
    scene = table(BERT, CARL, DORA, ANNA)
    scene.do(LeaveSeat(ANNA))
    assert scene.match.host == BERT


def test_match_ends_when_its_host_leaves_and_no_one_else_sits_there() -> None:
    """A table without a player is closed, and its secret revealed."""
    scene = table(ANNA)
    scene.do(SeatBot(ANNA, Seat(1), STEADY))
    assert scene.do(LeaveSeat(ANNA)) == [SeatLeft(Seat(0)), MatchAborted(AbortReason.HOST, SECRET)]
    assert scene.match.status is Status.ABORTED


def test_host_without_a_seat_hands_the_match_on_when_leaving() -> None:
    """A seated player can continue as host; without one the match ends."""
    assert table(BERT, CARL).do(LeaveSeat(ANNA)) == [HostPassed(BERT)]
    assert table().do(LeaveSeat(ANNA)) == [MatchAborted(AbortReason.HOST, SECRET)]


def test_host_stays_when_someone_else_leaves() -> None:
    """Only the host's own leaving passes anything on."""
    scene = table(ANNA, BERT)
    assert scene.do(LeaveSeat(BERT)) == [SeatLeft(Seat(1))]
    assert scene.refused(LeaveSeat(CARL)) == "not-seated"
    assert scene.match.host == ANNA


def test_host_hands_the_table_on_to_a_player_who_sits_there() -> None:
    """The new host may do what hosts may, and the old one keeps the seat."""
    scene = table(ANNA, BERT, CARL)
    assert scene.refused(PassHost(BERT, CARL)) == "not-host"
    assert scene.refused(PassHost(ANNA, DORA)) == "heir-not-seated"
    assert scene.do(PassHost(ANNA, CARL)) == [HostPassed(CARL)]
    assert scene.do(PassHost(CARL, CARL)) == []
    assert scene.refused(SeatBot(ANNA, Seat(3), STEADY)) == "not-host"
    scene.do(SeatBot(CARL, Seat(3), STEADY))
    scene.do(StartMatch(CARL))
    assert [chair.player for chair in scene.match.chairs] == [ANNA, BERT, CARL, None]
    assert scene.refused(PassHost(CARL, ANNA)) == "not-open"


def test_player_stays_away_when_the_host_has_cleared_the_seat() -> None:
    """The removed player cannot sit down anywhere in this match; others can, on that seat too."""
    scene = table(ANNA, BERT)
    assert scene.do(ClearSeat(ANNA, Seat(1))) == [SeatCleared(Seat(1))]
    assert scene.refused(TakeSeat(player=BERT)) == "cleared-by-host"
    assert scene.refused(TakeSeat(player=BERT, seat=Seat(3))) == "cleared-by-host"
    scene.do(TakeSeat(player=CARL, seat=Seat(1)))
    assert scene.match.seat_of(CARL) == 1


def test_player_stays_away_when_the_host_who_cleared_the_seat_has_left() -> None:
    """A removal outlives its host."""
    scene = table(ANNA, BERT, CARL)
    scene.do(ClearSeat(ANNA, Seat(1)))
    scene.do(LeaveSeat(ANNA))
    assert scene.match.host == CARL
    assert scene.refused(TakeSeat(player=BERT)) == "cleared-by-host"


def test_seat_is_only_left_when_the_host_clears_a_bot_or_one_s_own_seat() -> None:
    """It bans no one, and the host stays host."""
    scene = table(ANNA)
    scene.do(SeatBot(ANNA, Seat(1), STEADY))
    assert scene.do(ClearSeat(ANNA, Seat(1))) == [SeatLeft(Seat(1))]
    assert scene.do(ClearSeat(ANNA, Seat(0))) == [SeatLeft(Seat(0))]
    assert scene.match.host == ANNA
    scene.do(TakeSeat(player=ANNA))


def test_older_match_goes_on_as_it_was_opened() -> None:
    """Decisions of the first edition are reproduced: verifying a record decides every command again."""
    scene = table(ANNA, BERT, edition=OLD)
    assert scene.do(ClearSeat(ANNA, Seat(1))) == [SeatLeft(Seat(1))]
    scene.do(TakeSeat(player=BERT))
    assert scene.do(LeaveSeat(ANNA)) == [SeatLeft(Seat(0))]
    assert scene.match.host == ANNA
    assert scene.refused(LeaveSeat(ANNA)) == "not-seated"
    assert scene.do(Abort(ANNA)) == [MatchAborted(AbortReason.HOST, SECRET)]


@pytest.mark.parametrize("reason", ExpiryReason)
@pytest.mark.parametrize("edition", [OLD, EDITION])
def test_open_match_ends_when_no_one_needs_it(reason: ExpiryReason, edition: int) -> None:
    """The service ends it in its host's stead, and says why."""
    scene = table(ANNA, edition=edition)
    assert scene.do(Expire(reason)) == [MatchExpired(reason), MatchAborted(AbortReason.HOST, SECRET)]
    assert scene.do(Expire(reason)) == []


def test_running_match_does_not_expire() -> None:
    """Only a practice match does: a match that people play together is theirs to end."""
    scene = table_for_two()
    assert scene.do(Expire(ExpiryReason.UNUSED)) == []


def test_match_folds_to_the_same_state_when_hosts_and_players_changed() -> None:
    """Host and removed players are state like any other: rebuilt from the events alone."""
    scene = table(ANNA, BERT, CARL)
    scene.do(ClearSeat(ANNA, Seat(1)))
    scene.do(LeaveSeat(ANNA))
    again = Match(GAMES)
    for event in scene.events:
        again.fold(event)
    assert stored(again.digest_form()) == stored(scene.match.digest_form())
    assert (again.host, again.barred) == (CARL, frozenset({BERT}))
    assert stored(again.copy().digest_form()) == stored(again.digest_form())


def test_guest_is_noted_on_sitting_down() -> None:
    """Whether a player had a name then decides whether the match counts for it."""
    seating = (Seating(seat=Seat(0), player=ANNA, guest=True), Seating(seat=Seat(1), player=BERT))
    scene = Scene(opening(3, seating=seating))
    scene.do(TakeSeat(player=CARL, guest=True))
    assert [chair.guest for chair in scene.match.chairs] == [True, UNSET, True]
