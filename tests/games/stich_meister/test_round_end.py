"""What becomes of tricks, and how a round ends: rules 24, 34, 35, 39 and 40. Four seats play 15 tricks a round."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.stich_meister.events import (
    CardsTurnedUp,
    CardTakenOut,
    HandTricksMade,
    RoundScored,
    StichScoreLine,
    TrickBegun,
    TricksGivenAway,
    TrickTaken,
    TrickWon,
)
from tafelrunde.domain.stich_meister.messages import SetCardAside, TakeCardOut
from tests.games.stich_meister.kit import Scene, card, cards, names


def aside(scene: Scene, said: str) -> Scene:
    """Let all seats set a card aside."""
    return scene.all_do(*map(SetCardAside, cards(said)))


# Rule 24


def test_rule_24_makes_the_last_trick_of_the_cards_set_aside() -> None:
    """Nothing is chosen or followed; the winner of the trick before leads, and the usual winner wins it."""
    scene = aside(Scene((24, 58, 59, 60), "k1 f1", "c15 f2", "k3 f9", "t4 f4"), "k1 c15 k3 t4")
    scene.trick(14).play("f1 f2 f9 f4")
    turned = scene.last(CardsTurnedUp)
    assert [(play.seat, play.card) for play in turned.plays] == [
        (2, card("k3")),
        (3, card("t4")),
        (0, card("k1")),
        (1, card("c15")),
    ]
    assert scene.all_of(TrickBegun)[-1] == TrickBegun(15, Seat(2), 1, False)
    assert scene.winner == 2
    assert len(scene.all_of(RoundScored)) == 1


def test_rule_24_with_37_turns_the_direction_of_the_last_trick() -> None:
    """With four seats the last trick is the fifteenth and goes clockwise; with rule 40 it is the twelfth and does not."""
    scene = aside(Scene((24, 37, 40), "f1 f2 f3 f4 k1", "c1 c2 c3 c4 c5", "k6 k2 k3 k4 k5", "t1 t2 t3 t4 t5"), "k1 c5 k5 t5")
    scene.trick(11).play("f1 c1 k2 t1")
    assert [play.seat for play in scene.last(CardsTurnedUp).plays] == [0, 3, 2, 1]


def test_rule_24_with_29_has_the_leaders_card_as_the_first() -> None:
    """The card of the seat that leads cannot win; its suit is the led one."""
    scene = aside(Scene((24, 29), "k9 f1", "c15 f9", "k3 f2", "t4 f4"), "k9 c15 k3 t4")
    scene.trick(14, 3).play("f4 f1 f9 f2")
    assert scene.last(CardsTurnedUp).plays[0].seat == 1
    assert scene.winner == 0
    assert scene.last(TrickWon).number == 15


def test_rule_24_with_26_turns_the_last_trick_up_without_asking() -> None:
    """Rule 26 has nothing to ask where nothing is chosen."""
    assert len(Scene((24, 26), seats=4).finish().all_of(TrickWon)) == 15


def test_rule_24_with_34_lets_the_winner_take_a_card_out_of_the_last_trick() -> None:
    """The last trick is a trick as any other."""
    scene = aside(Scene((24, 34), "k9 f1", "k3 f9", "c15 f2", "t4 f4"), "k9 k3 c15 t4")
    scene.trick(14).play("f1 f9 f2 f4").do(1, TakeCardOut(card("f1")))
    assert (scene.stage, scene.asked) == ("take-out", (0,))
    assert len(scene.do(0, TakeCardOut(card("k3"))).all_of(RoundScored)) == 1


def test_rule_24_with_40_stops_at_three_hand_cards_before_the_last_trick() -> None:
    """Four seats: eleven tricks from hands of fourteen, then the set-aside trick is the twelfth and last."""
    scene = Scene((24, 40), seats=4).finish()
    assert [won.number for won in scene.all_of(TrickWon)] == list(range(1, 13))
    begun = scene.all_of(TrickBegun)
    assert [each.asked for each in begun[10:12]] == [True, False]
    assert [len(hand) for hand in scene.last(HandTricksMade).hands] == [3, 3, 3, 3]


# Rule 34


def test_rule_34_asks_the_winner_for_a_card_of_the_trick() -> None:
    """Only the winner is asked, and only a card of the trick can be taken."""
    scene = Scene((34,), "f6 k1", "f7 k2", "f9 k3", "f8 k4").play("f6 f7 f9 f8")
    assert (scene.stage, scene.asked) == ("take-out", (2,))
    assert scene.refusal(2, TakeCardOut(card("k3"))).arguments == {"suit": "koi", "value": 3}
    assert scene.refused(1, TakeCardOut(card("f6"))) == "not-asked"
    assert scene.do(2, TakeCardOut(card("f9"))).asked == (2,)
    assert scene.last(CardTakenOut).card == card("f9")


def test_rule_34_card_is_not_scored_but_the_trick_counts() -> None:
    """Seat 0 wins f15 and two more: without f15 it is a trick of one suit, worth one point and no minus three."""
    scene = Scene((34, 41, 53), "f15", "k2", "k3", "k4").trick(15).play("f15 k2 k3 k4").do(0, TakeCardOut(card("f15")))
    assert scene.scores == (1, 0, 0, 0)


def test_rule_34_is_chosen_before_35_gives_the_trick_away() -> None:
    """The winner chooses, its left neighbour gets the trick, and the winner leads."""
    scene = Scene((34, 35), "f6 k1", "f7 k2", "f9 k3", "f8 k4").play("f6 f7 f9 f8").do(2, TakeCardOut(card("f6")))
    assert scene.last(TrickTaken).seat == 3
    assert scene.asked == (2,)


# Rules 35 and 39


@pytest.mark.parametrize(("said", "winner", "holder"), [("f6 f7 f9 f8", 2, 3), ("f1 f2 f3 f4", 3, 0)])
def test_rule_35_gives_each_trick_to_the_left_neighbour(said: str, winner: int, holder: int) -> None:
    """The trick moves; who leads is still decided by who won it."""
    hands = [f"{each} k{place + 1}" for place, each in enumerate(said.split())]
    scene = Scene((35,), *hands).play(said)
    assert (scene.winner, scene.last(TrickTaken).seat, scene.asked) == (winner, holder, (winner,))


def test_rule_35_with_36_lets_the_right_neighbour_of_the_winner_lead() -> None:
    """Not of the holder."""
    assert Scene((35, 36), "f6 k1", "f7 k2", "f9 k3", "f8 k4").play("f6 f7 f9 f8").asked == (1,)


HANDS_OF_TWO = ("f1 k9", "f2 k2", "f3 k3", "f4 k4")


def test_rule_39_gives_all_tricks_of_the_last_winner_to_its_left() -> None:
    """Seat 0 wins the last trick and gives that and its earlier one to seat 1."""
    scene = Scene((39, 55), "f1 k9 t1", "f2 k2 t2", "f3 k3 t3", "f4 k4 t4").past(13, 0, "f1 f2 f3 f4").past(14, 2, "t1 t2 t3 t4")
    scene.trick(15).play("k9 k2 k3 k4")
    assert scene.last(TricksGivenAway) == TricksGivenAway(Seat(0), Seat(1))
    assert scene.last(RoundScored).lines[0] == StichScoreLine(0, (0, 2, 1, 0))


def test_rule_39_acts_after_35() -> None:
    """The last trick goes to seat 1 by rule 35; seat 0 gives away what it holds then."""
    scene = Scene((35, 39, 55), *HANDS_OF_TWO).past(14, 0, "f1 f2 f3 f4").trick(15).play("k9 k2 k3 k4")
    assert scene.last(RoundScored).lines[0].totals == (0, 2, 0, 0)
    scene = Scene((35, 39, 55), *HANDS_OF_TWO).past(14, 3, "f1 f2 f3 f4").trick(15).play("k9 k2 k3 k4")
    assert scene.last(RoundScored).lines[0].totals == (0, 1, 0, 1)


def test_rule_39_with_24_looks_at_the_set_aside_trick() -> None:
    """Its winner won the last trick."""
    scene = aside(Scene((24, 39, 55), "k9 f1", "k3 f9", "c15 f2", "t4 f4"), "k9 k3 c15 t4").trick(14).play("f1 f9 f2 f4")
    assert scene.winner == 0
    assert scene.last(RoundScored).lines[0].totals == (0, 2, 0, 0)


# Rule 40


def last_cards(*rules: int) -> Scene:
    """Four seats with four cards each before trick 12, the last one under rule 40; seat 0 wins it."""
    return Scene(rules, "f9 f1 f2 f3", "f4 c1 c2 c3", "f5 k1 k2 k3", "f6 t1 t2 t3").trick(12).play("f9 f4 f5 f6")


def test_rule_40_makes_three_tricks_of_the_last_hand_cards() -> None:
    """Every player gets three tricks besides those it won."""
    scene = last_cards(40, 55)
    assert [names(hand) for hand in scene.last(HandTricksMade).hands][1] == {"c1", "c2", "c3"}
    assert scene.last(RoundScored).lines[0].totals == (4, 3, 3, 3)


@pytest.mark.parametrize(("seats", "tricks"), [(3, 13), (4, 12), (5, 9)])
def test_rule_40_ends_the_round_when_three_cards_are_left(seats: int, tricks: int) -> None:
    """Three tricks less than cards were dealt."""
    assert len(Scene((40,), seats=seats).finish().all_of(TrickWon)) == tricks


def test_rule_40_tricks_score_their_cards() -> None:
    """Samurai among the three cards count: f1, c1, k1 and t1."""
    assert last_cards(40, 46).scores == (5, 4, 4, 4)


def test_rule_40_tricks_are_not_touched_by_39() -> None:
    """39 acts before they exist: seat 0 gives its trick away and keeps its own three."""
    assert last_cards(39, 40, 55).last(RoundScored).lines[0].totals == (3, 4, 3, 3)


def test_rule_40_tricks_are_not_touched_by_34_and_35() -> None:
    """They stay whole, with their owners."""
    scene = last_cards(34, 35, 40, 46).do(0, TakeCardOut(card("f9")))
    assert scene.last(RoundScored).lines[0].totals == (3, 4, 3, 3)
    assert scene.scores == (4, 5, 4, 4)


def test_rule_40_tricks_are_worth_what_41_to_43_say() -> None:
    """One suit each; doubled without a samurai; doubled without a trump."""
    assert last_cards(40, 41).scores == (4, 3, 3, 3)
    assert last_cards(40, 42).scores == (2 + 1 + 2 + 2, 1 + 2 + 2, 5, 5)
    assert last_cards(1, 40, 43).scores == (2 + 2 + 1 + 2, 5, 5, 5)


def test_rule_40_tricks_have_no_number_for_44_and_45() -> None:
    """Trick 12 is the last that was really played, and counts triple; the three others of seat 0 count one each."""
    assert last_cards(40, 45).scores == (3 + 3, 3, 3, 3)
    assert last_cards(40, 44).scores == (4, 3, 3, 3)
