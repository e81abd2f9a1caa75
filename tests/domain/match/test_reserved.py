"""A rematch opens with a seat reserved for each of its players; with the last one who comes it begins."""

from __future__ import annotations

import msgspec
import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.match import PlayerId, Status
from tafelrunde.domain.match.commands import (
    ClearSeat,
    LeaveSeat,
    ReleaseSeat,
    ReserveSeat,
    SeatBot,
    Seating,
    StartMatch,
    TakeSeat,
)
from tafelrunde.domain.match.events import (
    AbortReason,
    BotSeated,
    DecisionOpened,
    HostPassed,
    MatchAborted,
    MatchStarted,
    SeatLeft,
    SeatReserved,
    SeatTaken,
)
from tafelrunde.domain.match.view import view
from tests.domain.match.scene import ANNA, BERT, CARL, SECRET, STEADY, Scene, opening

DORA = PlayerId("dora")


def waiting(*players: PlayerId, seats: int = 0, bot: bool = False) -> Scene:
    """Return an open match of Anna's with a seat reserved for each player, perhaps a bot on the next one, and empty ones."""
    kept = tuple(Seating(seat=Seat(seat), player=player, reserved=True) for seat, player in enumerate(players))
    bots = (Seating(seat=Seat(len(players)), bot=STEADY),) if bot else ()
    return Scene(opening(seats or len(players) + len(bots), seating=kept + bots))


def test_seats_are_reserved_and_nothing_is_dealt_when_a_rematch_opens() -> None:
    """No one sits down by it: each player still draws a nonce, after the commitment."""
    scene = waiting(ANNA, BERT, bot=True)
    assert scene.events[1:] == [SeatReserved(Seat(0), ANNA), SeatReserved(Seat(1), BERT), BotSeated(Seat(2), STEADY)]
    assert scene.match.status is Status.OPEN
    assert [(chair.player, chair.reserved) for chair in view(scene.match, None).chairs] == [
        (None, ANNA),
        (None, BERT),
        (None, None),
    ]


def test_match_starts_when_the_last_reserved_seat_is_taken() -> None:
    """No one has to press start; the last one's nonce is there before anything is dealt."""
    scene = waiting(ANNA, BERT, bot=True)
    assert scene.do(TakeSeat(player=ANNA, nonce="a")) == [SeatTaken(Seat(0), ANNA, "a")]
    caused = scene.do(TakeSeat(player=BERT, nonce="b"))
    assert caused[:2] == [SeatTaken(Seat(1), BERT, "b"), MatchStarted()]
    assert any(isinstance(event, DecisionOpened) for event in caused)
    assert scene.match.status is Status.RUNNING


def test_match_alone_against_bots_starts_when_its_player_sits_down() -> None:
    """One request, and it runs."""
    scene = waiting(ANNA, bot=True)
    scene.do(TakeSeat(player=ANNA))
    assert scene.match.status is Status.RUNNING


def test_reserved_seat_is_taken_for_others() -> None:
    """Neither by its number nor as the first empty one; its own player need not name it."""
    scene = waiting(ANNA, BERT)
    assert scene.refused(TakeSeat(player=CARL, seat=Seat(1))) == "seat-taken"
    assert scene.refused(TakeSeat(player=CARL)) == "match-full"
    assert scene.refused(TakeSeat(player=ANNA, seat=Seat(1))) == "seat-taken"
    scene.do(TakeSeat(player=BERT, seat=Seat(1)))
    assert scene.match.seat_of(BERT) == 1


def test_reservation_ends_when_its_player_takes_another_seat() -> None:
    """No one has two seats; the match then waits for someone on the free one, and does not start."""
    scene = waiting(ANNA, BERT, CARL)
    scene.do(TakeSeat(player=ANNA))
    scene.do(ClearSeat(ANNA, Seat(2)))
    assert scene.do(TakeSeat(player=BERT, seat=Seat(2))) == [SeatLeft(Seat(1)), SeatTaken(Seat(2), BERT, "")]
    assert scene.match.status is Status.OPEN
    assert scene.do(TakeSeat(player=CARL)) == [SeatTaken(Seat(1), CARL, "")]
    assert scene.match.status is Status.OPEN  # no reserved seat was taken last: the host starts as usual
    scene.do(StartMatch(ANNA))
    assert scene.match.status is Status.RUNNING


def test_host_gives_a_reserved_seat_to_a_bot_when_its_player_does_not_come() -> None:
    """Then the host starts; the player comes too late."""
    scene = waiting(ANNA, BERT)
    scene.do(TakeSeat(player=ANNA))
    assert scene.do(SeatBot(ANNA, Seat(1), STEADY)) == [BotSeated(Seat(1), STEADY)]
    assert scene.refused(TakeSeat(player=BERT)) == "match-full"
    scene.do(StartMatch(ANNA))
    assert scene.match.status is Status.RUNNING
    assert scene.match.reserved_for(BERT) is None


def test_player_is_not_barred_when_the_host_ends_a_reservation() -> None:
    """It was not there: the seat is free for everyone, that player too."""
    scene = waiting(ANNA, BERT)
    scene.do(TakeSeat(player=ANNA))
    assert scene.do(ClearSeat(ANNA, Seat(1))) == [SeatLeft(Seat(1))]
    assert scene.refused(ClearSeat(ANNA, Seat(1))) == "seat-empty"
    scene.do(TakeSeat(player=BERT))
    assert scene.match.seat_of(BERT) == 1


def test_start_is_refused_when_a_reserved_seat_is_empty() -> None:
    """A reservation fills no seat."""
    scene = waiting(ANNA, BERT)
    scene.do(TakeSeat(player=ANNA))
    assert scene.refused(StartMatch(ANNA)) == "seats-empty"


def test_seat_is_free_when_its_player_does_not_want_it() -> None:
    """To leave without having sat gives the reservation up."""
    scene = waiting(ANNA, BERT)
    scene.do(TakeSeat(player=ANNA))
    assert scene.do(LeaveSeat(BERT)) == [SeatLeft(Seat(1))]
    assert scene.refused(LeaveSeat(BERT)) == "not-seated"
    scene.do(TakeSeat(player=CARL))
    assert scene.match.seat_of(CARL) == 1


def test_first_to_come_is_host_when_the_host_is_not_there() -> None:
    """Otherwise no one could give the seat of a host who does not come to someone else."""
    scene = waiting(ANNA, BERT, CARL)
    assert scene.do(TakeSeat(player=CARL)) == [SeatTaken(Seat(2), CARL, ""), HostPassed(CARL)]
    scene.do(TakeSeat(player=BERT))
    assert scene.match.host == CARL
    scene.do(SeatBot(CARL, Seat(0), STEADY))
    scene.do(StartMatch(CARL))
    assert scene.match.status is Status.RUNNING


def test_stranger_does_not_become_host_when_the_host_is_not_there() -> None:
    """Only who was expected is followed."""
    scene = waiting(ANNA, BERT, seats=3)
    assert scene.do(TakeSeat(player=DORA)) == [SeatTaken(Seat(2), DORA, "")]
    assert scene.match.host == ANNA


@pytest.mark.parametrize("came", [True, False])
def test_host_passes_when_the_missing_host_leaves(came: bool) -> None:
    """First to who sits there, otherwise to who is expected."""
    scene = waiting(ANNA, BERT, seats=3)
    if came:
        scene.do(TakeSeat(player=DORA))
    assert scene.do(LeaveSeat(ANNA)) == [SeatLeft(Seat(0)), HostPassed(DORA if came else BERT)]


def test_match_ends_when_the_last_one_expected_leaves() -> None:
    """No one is left to host it."""
    scene = waiting(ANNA, bot=True)
    assert scene.do(LeaveSeat(ANNA)) == [SeatLeft(Seat(0)), MatchAborted(AbortReason.HOST, SECRET)]


def test_chairs_read_as_before_in_digests_when_nothing_is_reserved() -> None:
    """Stored digests of older matches were made without it."""
    scene = waiting(ANNA, BERT)
    assert msgspec.to_builtins(scene.match.chairs)[0]["reserved"] == ANNA
    scene.do(TakeSeat(player=ANNA))
    assert "reserved" not in msgspec.to_builtins(scene.match.chairs)[0]


def test_seat_is_kept_at_an_open_table_for_who_is_expected() -> None:
    """The first free one, once; the match begins with the last who comes, although no one presses start."""
    scene = waiting(ANNA, seats=3)
    assert scene.do(ReserveSeat(BERT)) == [SeatReserved(Seat(1), BERT)]
    assert scene.do(ReserveSeat(BERT)) == []
    assert scene.do(ReserveSeat(CARL)) == [SeatReserved(Seat(2), CARL)]
    assert scene.refused(ReserveSeat(DORA)) == "match-full"
    for player in (CARL, ANNA):
        scene.do(TakeSeat(player=player))
    assert scene.match.status is Status.OPEN
    scene.do(TakeSeat(player=BERT))
    assert scene.match.status is Status.RUNNING


def test_kept_seat_is_given_up_for_who_does_not_come() -> None:
    """Who has sat down meanwhile keeps the seat; a host who never came is followed, and without anyone the match ends."""
    scene = waiting(ANNA, seats=3)
    for player in (BERT, CARL):
        scene.do(ReserveSeat(player))
    scene.do(TakeSeat(player=BERT))
    for player in (BERT, DORA):
        assert scene.do(ReleaseSeat(player)) == []
    assert scene.match.host == BERT
    assert scene.do(ReleaseSeat(ANNA)) == [SeatLeft(Seat(0))]
    assert scene.do(ReleaseSeat(CARL)) == [SeatLeft(Seat(2))]
    assert [chair.player for chair in scene.match.chairs] == [None, BERT, None]
    alone = waiting(ANNA, seats=3)
    alone.do(ReserveSeat(BERT))
    assert alone.do(ReleaseSeat(ANNA)) == [SeatLeft(Seat(0)), HostPassed(BERT)]
    assert alone.do(ReleaseSeat(BERT)) == [SeatLeft(Seat(1)), MatchAborted(AbortReason.HOST, SECRET)]


def test_no_seat_is_kept_for_who_may_not_sit_down() -> None:
    """Who sits there needs none, whom the host removed gets none, and no one does once the match has begun."""
    scene = Scene(opening(3))
    for player in (ANNA, BERT):
        scene.do(TakeSeat(player=player))
    assert scene.refused(ReserveSeat(BERT)) == "already-seated"
    scene.do(ClearSeat(ANNA, Seat(1)))
    assert scene.refused(ReserveSeat(BERT)) == "cleared-by-host"
    for seat in (1, 2):
        scene.do(SeatBot(ANNA, Seat(seat), STEADY))
    scene.do(StartMatch(ANNA))
    assert scene.refused(ReserveSeat(CARL)) == "not-open"
