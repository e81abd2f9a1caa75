"""Hints: who may take one, and what the log keeps of it."""

from __future__ import annotations

from tafelrunde.domain.game import DecisionId, Seat
from tafelrunde.domain.match.commands import Seating, TakeHint
from tafelrunde.domain.match.events import HintTaken
from tafelrunde.domain.match.refusals import MatchRefusal
from tafelrunde.domain.secrecy import redact
from tests.domain.match.scene import ANNA, BERT, CARL, Scene, opening, table_for_two


def hinted() -> Scene:
    """Return a match that allows hints and has begun."""
    both = (Seating(seat=Seat(0), player=ANNA), Seating(seat=Seat(1), player=BERT))
    return Scene(opening(seating=both, start=True, hints=True))


def test_hint_is_kept_once_for_a_decision() -> None:
    """The log keeps that a seat has taken a hint for a decision; asking again changes nothing."""
    scene = hinted()
    assert scene.do(TakeHint(ANNA)) == [HintTaken(Seat(0), DecisionId(1))]
    assert list(scene.do(TakeHint(ANNA))) == []
    assert scene.do(TakeHint(BERT)) == [HintTaken(Seat(1), DecisionId(1))]


def test_hint_is_no_one_elses_business() -> None:
    """Only the seat itself sees it while the match runs."""
    scene = hinted()
    [event] = scene.do(TakeHint(ANNA))
    assert [redact(event, seat) for seat in (Seat(0), Seat(1), None)] == [event, None, None]


def test_hint_is_refused_where_the_match_has_none() -> None:
    """A match allows hints from its opening on, or never."""
    assert table_for_two().refused(TakeHint(ANNA)) == MatchRefusal.NO_HINTS.value


def test_hint_is_refused_to_who_is_not_asked() -> None:
    """A stranger, and a seat while another one plays, get none."""
    scene = hinted()
    scene.play(ANNA)
    scene.play(BERT)
    waiting = BERT if scene.asked() == 0 else ANNA
    assert scene.refused(TakeHint(waiting)) == MatchRefusal.NOT_ASKED.value
    assert scene.refused(TakeHint(CARL)) == MatchRefusal.NOT_SEATED.value
