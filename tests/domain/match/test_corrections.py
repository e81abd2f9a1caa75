"""Corrections: an operator takes a result back or sets another one; nothing that was played changes."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import Placing, Seat
from tafelrunde.domain.match.commands import Abort, AdjudicateMatch, AgreeRematch, OpenRematch, VoidMatch
from tafelrunde.domain.match.events import MatchAdjudicated, MatchVoided
from tafelrunde.domain.match.refusals import MatchRefusal
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.view import Correction, CorrectionKind, view
from tafelrunde.domain.secrecy import redact
from tests.domain.match.scene import ANNA, BERT, NOON_MS, OTHER, Scene, opening, table_for_two
from tests.support.own import GAMES
from tests.support.stored import stored

TURNED = (Placing(Seat(0), 2), Placing(Seat(1), 1))
VOID = VoidMatch("why")


def over() -> Scene:
    """Return a match that is over."""
    scene = table_for_two()
    scene.finish()
    return scene


def aborted() -> Scene:
    """Return a match that both players aborted."""
    scene = table_for_two()
    scene.do(Abort(ANNA))
    scene.do(Abort(BERT))
    return scene


def test_voided_match_has_no_result_but_all_else() -> None:
    """Status, table and the table's result stay; the effective result is none, and everyone sees why."""
    scene = over()
    before = view(scene.match, Seat(0))
    assert scene.do(VOID) == [MatchVoided("why", NOON_MS)]
    after = view(scene.match, Seat(0))
    assert (after.placings, scene.match.placings) == (None, None)
    assert after.correction == Correction(kind=CorrectionKind.VOIDED, reason="why", at_ms=NOON_MS)
    assert (after.status, after.table) == (before.status, before.table)
    assert scene.match.ended is not None


def test_adjudicated_match_has_the_result_of_the_operator() -> None:
    """In seat order, whatever order it was given in."""
    scene = over()
    assert scene.do(AdjudicateMatch(TURNED[::-1], "why")) == [MatchAdjudicated(TURNED, "why", NOON_MS)]
    found = view(scene.match, None)
    assert found.placings == TURNED
    assert found.correction == Correction(kind=CorrectionKind.ADJUDICATED, reason="why", at_ms=NOON_MS)


def test_newest_correction_counts() -> None:
    """A correction can be corrected; none is ever removed."""
    scene = over()
    scene.do(VOID)
    scene.do(AdjudicateMatch(TURNED, "so"))
    assert scene.match.placings == TURNED
    scene.do(VOID)
    assert scene.match.placings is None
    assert [type(event) for event in scene.events[-3:]] == [MatchVoided, MatchAdjudicated, MatchVoided]


def test_aborted_match_can_be_given_a_result() -> None:
    """It has none that could be taken back before."""
    scene = aborted()
    assert scene.refused(VOID) == MatchRefusal.NO_RESULT.value
    scene.do(AdjudicateMatch(TURNED, "why"))
    assert scene.match.placings == TURNED


def test_voided_match_cannot_be_voided_again() -> None:
    """There is nothing left to take back."""
    scene = over()
    scene.do(VOID)
    assert scene.refused(VOID) == MatchRefusal.NO_RESULT.value


def test_match_is_not_corrected_before_its_end() -> None:
    """An open or running match is left to its players."""
    for scene in (Scene(opening()), table_for_two()):
        assert scene.refused(VOID) == MatchRefusal.NOT_OVER.value
        assert scene.refused(AdjudicateMatch(TURNED, "why")) == MatchRefusal.NOT_OVER.value


def test_match_that_never_began_is_given_no_result() -> None:
    """No one played it."""
    scene = Scene(opening())
    scene.do(Abort(ANNA))
    assert scene.refused(AdjudicateMatch(TURNED, "why")) == MatchRefusal.NEVER_STARTED.value


@pytest.mark.parametrize(
    "placings",
    [
        (),
        (Placing(Seat(0), 1),),
        (Placing(Seat(0), 1), Placing(Seat(0), 2)),
        (Placing(Seat(0), 1), Placing(Seat(2), 2)),
        (*TURNED, Placing(Seat(1), 1)),
        (Placing(Seat(0), 2), Placing(Seat(1), 2)),
        (Placing(Seat(0), 0), Placing(Seat(1), 1)),
    ],
    ids=["none", "missing", "twice", "unknown", "more", "nobody-first", "rank-zero"],
)
def test_result_needs_every_seat_once_and_a_first(placings: tuple[Placing, ...]) -> None:
    """A result that omits a seat is refused."""
    assert over().refused(AdjudicateMatch(placings, "why")) == MatchRefusal.PLACINGS_WRONG.value


def test_rematch_stays_possible_when_match_is_voided() -> None:
    """A correction takes the result, not the table."""
    scene = over()
    scene.do(AgreeRematch(ANNA))
    scene.do(VOID)
    scene.do(AgreeRematch(BERT))
    scene.do(OpenRematch(OTHER))
    assert scene.match.rematch == OTHER


def test_everyone_sees_a_correction() -> None:
    """It is an item of every feed."""
    scene = over()
    (event,) = scene.do(VOID)
    assert [redact(event, seat) for seat in (Seat(0), Seat(1), None)] == [event] * 3


def test_state_without_correction_is_stored_as_before() -> None:
    """Digests of uncorrected matches are the same as before corrections existed."""
    scene = over()
    assert b"correction" not in stored(scene.match.digest_form())
    scene.do(VOID)
    assert b"correction" in stored(scene.match.digest_form())


def test_facts_of_a_corrected_match_fold_to_the_same() -> None:
    """The log is the only truth."""
    scene = over()
    scene.do(VOID)
    scene.do(AdjudicateMatch(TURNED, "so"))
    folded = Match(GAMES)
    for event in scene.events:
        folded.fold(event)
    assert stored(folded.digest_form()) == stored(scene.match.digest_form())
    assert stored(folded.copy().digest_form()) == stored(folded.digest_form())
