"""Answering decisions in a running match."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import Command, DecisionId, Seat
from tafelrunde.domain.match import Clock, Status
from tafelrunde.domain.match.commands import BotPlay, MatchCommand, Play, TakeSeat
from tafelrunde.domain.match.events import DecisionOpened, MatchEnded, SeatPlayed
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.view import view
from tests.domain.match.scene import ANNA, BERT, CARL, NOON_MS, SECRET, Scene, opening, table_for_three, table_for_two
from tests.support.duel.events import BidMade, BidsShown
from tests.support.duel.messages import Bid, PlayCard
from tests.support.own import GAMES
from tests.support.stored import decoder, stored


class Foreign(Command, frozen=True, tag="other.move"):
    """A command of another game."""


def test_answer_opens_no_new_decision_when_others_are_still_asked() -> None:
    """A hidden answer changes neither the decision's number nor its deadline."""
    scene = table_for_two()
    before = scene.match.asked
    assert scene.play(ANNA) == [SeatPlayed(Seat(0)), BidMade(Seat(0), 0)]
    assert scene.match.asked == before


def test_answer_is_not_reported_in_waiting_when_others_are_still_asked() -> None:
    """The public part of an open decision does not reveal who has answered."""
    scene = table_for_two()
    before = view(scene.match, Seat(1))
    scene.play(ANNA)
    assert view(scene.match, Seat(1)) == before


def test_answer_may_be_changed_when_the_rules_allow_it() -> None:
    """The same decision may be answered again until the last answer is in."""
    scene = table_for_two()
    scene.do(Play(ANNA, scene.decision, Bid(1)))
    assert scene.do(Play(ANNA, scene.decision, Bid(2))) == [BidMade(Seat(0), 2)]
    assert BidsShown((2, 0)) in scene.do(Play(BERT, scene.decision, Bid(0)))


def test_last_answer_opens_the_next_decision() -> None:
    """The next decision is a fact, with who is asked and until when."""
    scene = table_for_two(clock=Clock(turn_seconds=10, reaction_seconds=5))
    assert scene.match.asked is not None
    assert scene.match.asked.deadline_ms == NOON_MS + 5_000
    scene.play(ANNA)
    scene.now_ms += 2_000
    *_, opened = scene.play(BERT)
    arguments: dict[str, str | int] = {"seat": 0, "trick": 1}
    assert opened == DecisionOpened(DecisionId(2), (Seat(0),), "duel.prompt.play", arguments, NOON_MS + 12_000)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        pytest.param(Play(CARL, DecisionId(1), Bid(0)), "not-seated", id="stranger"),
        pytest.param(Play(ANNA, DecisionId(0), Bid(0)), "decision-closed", id="earlier"),
        pytest.param(Play(ANNA, DecisionId(2), Bid(0)), "decision-closed", id="later"),
        pytest.param(Play(ANNA, DecisionId(1), Bid(3)), "no-such-bid", id="rules"),
        pytest.param(Play(ANNA, DecisionId(1), PlayCard(0)), "not-now", id="rules-of-another-phase"),
        pytest.param(Play(ANNA, DecisionId(1), Foreign()), "other-game", id="foreign"),
        pytest.param(BotPlay(Seat(0), DecisionId(1), Bid(0)), "not-seated", id="bot-for-player"),
        pytest.param(BotPlay(Seat(2), DecisionId(1), Bid(3)), "no-such-bid", id="bot-against-rules"),
        pytest.param(BotPlay(Seat(2), DecisionId(1), Foreign()), "other-game", id="bot-foreign"),
        pytest.param(BotPlay(Seat(2), DecisionId(2), Bid(0)), "decision-closed", id="bot-later"),
        pytest.param(BotPlay(Seat(3), DecisionId(1), Bid(0)), "seat-unknown", id="bot-nowhere"),
        pytest.param(BotPlay(Seat(-1), DecisionId(1), Bid(0)), "seat-unknown", id="bot-negative"),
    ],
)
def test_answer_is_refused_when_it_does_not_fit(command: MatchCommand, code: str) -> None:
    """Every refusal of an answer has its code; the game's own codes come through."""
    assert table_for_three().refused(command) == code


def test_answer_is_refused_when_the_match_has_not_begun() -> None:
    """There is nothing to answer before the start."""
    scene = Scene(opening())
    scene.do(TakeSeat(player=ANNA))
    assert scene.refused(Play(ANNA, DecisionId(1), Bid(0))) == "not-running"


def test_answer_is_refused_when_another_is_asked() -> None:
    """Only an asked seat answers."""
    scene = table_for_two()
    scene.until(lambda: scene.decision == 2)
    assert scene.refused(Play(BERT, scene.decision, PlayCard(0))) == "decision-closed"


def test_bot_answers_for_its_own_seat() -> None:
    """A bot's answer counts like a player's."""
    scene = table_for_three()
    scene.play(ANNA)
    scene.play(BERT)
    assert [type(event) for event in scene.play_bot(2)] == [BidMade, BidsShown, DecisionOpened]
    assert scene.match.bots_asked() == []


def test_question_has_all_legal_commands_and_why_not_the_others() -> None:
    """The view of an asked seat is playable as it is; that of others asks nothing."""
    scene = table_for_two()
    scene.play(ANNA, 1)
    question = view(scene.match, Seat(0)).question
    assert question is not None
    assert question.legal == (Bid(0), Bid(2))
    assert (question.answered, question.refused) == (Bid(1), ())
    assert view(scene.match, None).question is None


def test_same_answer_again_causes_nothing() -> None:
    """What stands already is no event; another answer is one, and takes its place."""
    scene = table_for_two()
    scene.play(ANNA, 1)
    assert scene.do(Play(ANNA, scene.decision, Bid(1))) == []
    assert scene.do(Play(ANNA, scene.decision, Bid(2))) == [BidMade(Seat(0), 2)]
    question = view(scene.match, Seat(0)).question
    assert question is not None
    assert question.answered == Bid(2)


def test_nothing_is_answered_before_the_first_answer_and_no_one_else_sees_it() -> None:
    """The current answer is in the seat's own question only."""
    scene = table_for_two()
    mine, theirs = (view(scene.match, Seat(seat)).question for seat in range(2))
    assert mine is not None
    assert mine.answered is None
    scene.play(ANNA, 1)
    assert view(scene.match, Seat(1)).question == theirs


def test_match_ends_with_its_result_when_the_table_is_over() -> None:
    """The last event of a finished match has the placings, and nothing is asked any more."""
    scene = table_for_two()
    scene.finish()
    ended = scene.events[-1]
    assert isinstance(ended, MatchEnded)
    assert ended.secret == SECRET
    assert scene.match.status is Status.OVER
    assert scene.match.pending() is None
    assert scene.refused(Play(ANNA, DecisionId(1), Bid(0))) == "decision-closed"
    seen = view(scene.match, None)
    assert (seen.placings, seen.waiting) == (ended.placings, None)
    assert min(placing.rank for placing in ended.placings) == 1


def test_stored_events_fold_to_the_live_match() -> None:
    """Folding the stored bytes gives the same state as deciding did."""
    scene = table_for_three(options={"cards": 3, "prizes": [3, 1, 2]})
    scene.finish()
    reader = decoder(GAMES.values())
    folded = Match(GAMES)
    for event in scene.events:
        folded.fold(reader.decode(stored(event)))
    assert stored(folded.digest_form()) == stored(scene.match.digest_form())
