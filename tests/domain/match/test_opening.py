"""Opening, seating, starting."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tafelrunde.domain.game import GameId, InvalidOptions, Seat
from tafelrunde.domain.match import BotName, Status
from tafelrunde.domain.match.commands import Abort, ClearSeat, LeaveSeat, SeatBot, Seating, StartMatch, TakeSeat
from tafelrunde.domain.match.events import BotSeated, DecisionOpened, MatchOpened, MatchStarted, SeatLeft, SeatTaken
from tafelrunde.domain.match.opening import read_options
from tafelrunde.domain.match.terms import OptionValue
from tafelrunde.domain.match.view import view
from tests.domain.match.scene import ANNA, BERT, CARL, COMMITMENT, NOON_MS, STEADY, Scene, opening, table_for_two
from tests.support.duel.events import Dealt
from tests.support.duel.messages import DuelOptions
from tests.support.own import DUEL, GAMES


def test_opening_says_every_option_when_defaults_are_used() -> None:
    """The first event pins all options and the rules version, so that later defaults change no stored match."""
    opened = Scene(opening(options={})).events[0]
    assert isinstance(opened, MatchOpened)
    assert opened.options == {"cards": 2, "prizes": (), "first_seat": None}
    assert (opened.rules_version, opened.at_ms) == (DUEL.rules_version, NOON_MS)


def test_commitment_is_there_before_any_seat_is_taken() -> None:
    """The first event carries the commitment, also when seats are filled in the same command."""
    scene = Scene(opening(seating=(Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), bot=STEADY))))
    first, *rest = scene.events
    assert isinstance(first, MatchOpened)
    assert first.commitment == COMMITMENT
    assert rest == [SeatTaken(Seat(0), ANNA, ""), BotSeated(Seat(1), STEADY)]


def test_opening_starts_at_once_when_asked_to_and_full() -> None:
    """One command opens, seats and starts."""
    seating = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), bot=STEADY))
    scene = Scene(opening(seating=seating, start=True))
    kinds = [type(event) for event in scene.events]
    assert kinds == [MatchOpened, SeatTaken, BotSeated, MatchStarted, Dealt, DecisionOpened]
    assert scene.match.status is Status.RUNNING


def test_opening_is_refused_when_it_should_start_with_empty_seats() -> None:
    """A match starts only with all seats filled."""
    blank = Scene(opening())
    blank.match = type(blank.match)(GAMES)
    assert blank.refused(opening(start=True)) == "seats-empty"


def test_opening_is_refused_when_the_match_is_open_already() -> None:
    """A match is opened once."""
    assert Scene(opening()).refused(opening()) == "already-opened"


@pytest.mark.parametrize(
    ("options", "seats", "field"),
    [
        pytest.param({"cards": 5}, 2, "cards", id="out-of-bounds"),
        pytest.param({"cards": "two"}, 2, "cards", id="wrong-type"),
        pytest.param({"jokers": 1}, 2, "jokers", id="unknown"),
        pytest.param({"prizes": [1, 10]}, 2, "prizes", id="inside-a-list"),
        pytest.param({"cards": 3, "prizes": [1, 2]}, 2, "prizes", id="fields-that-do-not-fit"),
        pytest.param({"first_seat": 2}, 2, "first_seat", id="not-with-these-seats"),
        pytest.param({}, 1, "seats", id="too-few-seats"),
        pytest.param({}, 5, "seats", id="too-many-seats"),
    ],
)
def test_options_are_refused_with_the_field_that_is_wrong(options: Mapping[str, OptionValue], seats: int, field: str) -> None:
    """Options that the game does not offer name the first wrong field."""
    with pytest.raises(InvalidOptions) as refusal:
        Scene(opening(seats, options))
    assert refusal.value.field == field


def test_opening_is_refused_when_the_game_is_unknown() -> None:
    """Only registered games are played."""
    with pytest.raises(InvalidOptions) as refusal:
        Scene(opening(game=GameId("chess")))
    assert refusal.value.field == "game"


def test_options_are_typed_when_they_are_read() -> None:
    """Options from outside become the game's own type."""
    assert read_options(GAMES[DUEL.id], {"cards": 3, "prizes": [1, 2, 3]}, 2) == DuelOptions(cards=3, prizes=(1, 2, 3))


def test_player_gets_the_first_empty_seat_when_it_names_none() -> None:
    """Seats are filled from the first on."""
    scene = Scene(opening(3))
    scene.do(TakeSeat(player=ANNA, seat=Seat(0)))
    assert scene.do(TakeSeat(player=BERT, nonce="b")) == [SeatTaken(Seat(1), BERT, "b")]
    assert scene.match.chairs[1].nonce == "b"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        pytest.param(TakeSeat(player=ANNA), "already-seated", id="twice"),
        pytest.param(TakeSeat(player=CARL, seat=Seat(0)), "seat-taken", id="of-another"),
        pytest.param(TakeSeat(player=CARL), "match-full", id="full"),
        pytest.param(TakeSeat(player=CARL, seat=Seat(2)), "seat-unknown", id="too-high"),
        pytest.param(TakeSeat(player=CARL, seat=Seat(-1)), "seat-unknown", id="negative"),
        pytest.param(SeatBot(BERT, Seat(1), STEADY), "not-host", id="bot-by-guest"),
        pytest.param(SeatBot(ANNA, Seat(1), STEADY), "seat-taken", id="bot-on-player"),
        pytest.param(SeatBot(ANNA, Seat(-1), STEADY), "seat-unknown", id="bot-nowhere"),
        pytest.param(ClearSeat(BERT, Seat(0)), "not-host", id="clear-by-guest"),
        pytest.param(ClearSeat(ANNA, Seat(7)), "seat-unknown", id="clear-nowhere"),
        pytest.param(LeaveSeat(CARL), "not-seated", id="leave-unseated"),
        pytest.param(StartMatch(BERT), "not-host", id="start-by-guest"),
        pytest.param(Abort(BERT), "not-host", id="abort-by-guest"),
    ],
)
def test_command_is_refused_when_two_sit_in_an_open_match(command: TakeSeat, code: str) -> None:
    """Every refusal before the start has its code."""
    scene = Scene(opening(seating=(Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), player=BERT))))
    assert scene.refused(command) == code


def test_bot_is_refused_when_the_game_does_not_have_it() -> None:
    """Only the game's own bots are seated."""
    assert Scene(opening()).refused(SeatBot(ANNA, Seat(0), BotName("deep-thought"))) == "bot-unknown"


def test_seat_cannot_be_cleared_when_it_is_empty() -> None:
    """Only an occupied seat can be cleared."""
    assert Scene(opening()).refused(ClearSeat(ANNA, Seat(0))) == "seat-empty"


def test_start_is_refused_when_a_seat_is_empty() -> None:
    """All seats are filled at the start."""
    assert Scene(opening()).refused(StartMatch(ANNA)) == "seats-empty"


def test_seat_is_empty_again_when_its_player_leaves_or_its_bot_is_cleared() -> None:
    """Before the start seats may change."""
    scene = Scene(opening())
    scene.do(TakeSeat(player=BERT))
    scene.do(SeatBot(ANNA, Seat(1), STEADY))
    assert scene.do(LeaveSeat(BERT)) == [SeatLeft(Seat(0))]
    assert scene.do(ClearSeat(ANNA, Seat(1))) == [SeatLeft(Seat(1))]
    assert all(chair.empty for chair in scene.match.chairs)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(TakeSeat(player=CARL), id="take"),
        pytest.param(TakeSeat(player=ANNA, seat=Seat(1)), id="change"),
        pytest.param(SeatBot(ANNA, Seat(0), STEADY), id="bot"),
        pytest.param(ClearSeat(ANNA, Seat(0)), id="clear"),
        pytest.param(StartMatch(ANNA), id="start"),
    ],
)
def test_seating_is_refused_when_the_match_runs(command: TakeSeat) -> None:
    """After the start seats stay as they are."""
    assert table_for_two().refused(command) == "not-open"


def test_view_has_no_table_when_the_match_has_not_begun() -> None:
    """Before the start there is nothing to see but the chairs."""
    scene = Scene(opening())
    scene.do(TakeSeat(player=ANNA))
    seen = view(scene.match, Seat(0))
    assert (seen.table, seen.waiting, seen.question, seen.placings) == (None, None, None, None)
    assert [chair.player for chair in seen.chairs] == [ANNA, None]
