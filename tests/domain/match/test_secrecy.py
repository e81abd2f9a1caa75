"""What of a match stays secret, from whom, and until when."""

from __future__ import annotations

import msgspec
import pytest

from tafelrunde.domain.game import Event, Seat
from tafelrunde.domain.match import Clock
from tafelrunde.domain.match.commands import Abort
from tafelrunde.domain.match.events import TimedOut
from tafelrunde.domain.match.view import view
from tafelrunde.domain.secrecy import redact
from tests.domain.match.scene import ANNA, BERT, COMMITMENT, SECRET, Scene, table_for_three

VIEWERS = [Seat(0), Seat(1), Seat(2), None]


def shown(scene: Scene, events: list[Event], viewer: Seat | None) -> list[Event]:
    """Return the events as a viewer may know them."""
    visible = (redact(event, viewer) for event in events)
    return [event for event in visible if event is not None]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_secret_is_not_visible_when_the_match_runs(viewer: Seat | None) -> None:
    """Neither views nor feeds have the secret before the end."""
    scene = table_for_three()
    while scene.match.pending() is not None:
        seen = msgspec.json.encode((view(scene.match, viewer), shown(scene, scene.events, viewer)))
        assert SECRET.encode() not in seen
        assert COMMITMENT.encode() in seen
        scene.step()


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("aborted", [False, True])
def test_secret_is_visible_when_the_match_has_ended(viewer: Seat | None, aborted: bool) -> None:
    """The end, and an abort, reveal the secret to all."""
    scene = table_for_three()
    if aborted:
        scene.do(Abort(ANNA))
        scene.do(Abort(BERT))
    scene.finish()
    opened, *_, ended = shown(scene, scene.events, viewer)
    assert SECRET.encode() in msgspec.json.encode(ended)
    assert SECRET.encode() not in msgspec.json.encode(opened)


def test_opening_is_otherwise_shown_whole() -> None:
    """Redaction takes the secret out of the opening and nothing else."""
    scene = table_for_three()
    plain = msgspec.to_builtins(scene.events[0])
    assert msgspec.to_builtins(redact(scene.events[0], None)) == plain | {"secret": None}


def test_time_out_is_shown_to_its_own_seat_alone() -> None:
    """It would reveal to the others who had not answered yet."""
    scene = table_for_three()
    scene.play(ANNA)
    event = scene.time_out()[0]
    assert isinstance(event, TimedOut)
    assert [redact(event, viewer) for viewer in VIEWERS] == [None, event, None, None]


def test_others_see_the_same_when_it_is_unknown_who_was_late() -> None:
    """Which of two others answered and which was late: the third cannot infer it from its feed."""
    feeds: list[bytes] = []
    for player in (ANNA, BERT):
        scene = table_for_three(Clock(stand_in_after=0))
        scene.play(player)
        scene.time_out()
        feeds.append(msgspec.json.encode((shown(scene, scene.events, Seat(2)), view(scene.match, Seat(2)))))
    assert feeds[0] == feeds[1]


def test_others_see_the_same_when_a_late_player_answers_among_others() -> None:
    """An answer that is not shown does not show itself through what goes with it."""
    scene = table_for_three()
    scene.match.chairs[0] = msgspec.structs.replace(scene.match.chairs[0], missed=1, agrees_to_abort=True)
    before = view(scene.match, Seat(1))
    assert shown(scene, list(scene.play(ANNA)), Seat(1)) == []
    assert view(scene.match, Seat(1)) == before
