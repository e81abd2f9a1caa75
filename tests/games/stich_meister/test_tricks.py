"""One trick: following, hidden play, who wins, who leads next, and which way round (rules 26 to 33, 36, 37)."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.events import CardsTurnedUp, TrickBegun
from tafelrunde.domain.stich_meister.messages import PlayCard
from tafelrunde.domain.stich_meister.trick import law_of, winner
from tafelrunde.domain.stich_meister.trump import NO_SUIT
from tests.games.stich_meister.kit import PLAIN, Scene, card, cards, winner_of


def test_seat_left_of_the_dealer_leads_and_play_goes_clockwise() -> None:
    """Seat 3 deals, so seat 0 leads; then seats 1, 2 and 3."""
    scene = Scene(PLAIN, "f6", "f7", "f8", "f9")
    assert (scene.stage, scene.asked) == ("lead", (0,))
    assert scene.play("f6").asked == (1,)
    assert scene.play("f7 f8").asked == (3,)


def test_led_suit_must_be_followed() -> None:
    """Who holds a card of the led suit must play one; the others of the hand are refused with that suit."""
    scene = Scene(PLAIN, "f6", "f7 f15 k2", "f8", "f9").play("f6")
    assert scene.may_play(1) == {"f7", "f15"}
    assert scene.refusal(1, PlayCard(card("k2"))).arguments == {"suit": "fan"}
    menu = {command.card: refusal for command, refusal in menu_of(scene, 1)}
    assert {card: refusal is None for card, refusal in menu.items()} == {card("f7"): True, card("f15"): True, card("k2"): False}


def menu_of(scene: Scene, seat: int) -> list[tuple[PlayCard, object]]:
    """The cards that a seat could think of."""
    choices = GAME.menu(scene.table, Seat(seat))
    return [(each.command, each.refusal) for each in choices if isinstance(each.command, PlayCard)]


def test_who_cannot_follow_plays_any_card() -> None:
    """Without the led suit everything is allowed."""
    assert Scene((15,), "f6", "c7 k2 t3", "f8", "f9").play("f6").may_play(1) == {"c7", "k2", "t3"}


def test_leader_plays_any_card() -> None:
    """The first card of a trick is free, trump or not."""
    assert Scene((15,), "c7 k2 t3", "f8", "f9", "f10").may_play(0) == {"c7", "k2", "t3"}


def test_highest_card_of_the_led_suit_wins_without_trump() -> None:
    """Off-suit cards lose, however high; a trump wins."""
    assert winner_of((15,), "f6 t15 f9 f11") == 3
    assert winner_of((15,), "f6 t15 f9 c1") == 3


def test_winner_leads_the_next_trick() -> None:
    """Who took the trick plays out next."""
    assert Scene(PLAIN, "f6 k1", "f7 k2", "f9 k3", "f8 k4").play("f6 f7 f9 f8").asked == (2,)


def test_play_is_refused_out_of_turn_and_of_cards_not_held() -> None:
    """Only the seat whose turn it is plays, and only a card of its hand."""
    scene = Scene(PLAIN, "f6", "f7", "f8", "f9")
    assert scene.refused(1, PlayCard(card("f7"))) == "not-asked"
    assert scene.refused(0, PlayCard(card("f7"))) == "card-not-held"
    assert scene.refused(0, PlayCard(60)) == "card-unknown"


# Rule 26


def test_rule_26_lets_all_others_choose_face_down_at_once() -> None:
    """Only the first card is open; the others are asked together, follow it, and see nothing of each other."""
    scene = Scene((26,), "f6", "f7 k2", "f8", "f9").play("f6")
    assert (scene.stage, scene.asked) == ("play-hidden", (1, 2, 3))
    assert scene.may_play(1) == {"f7"}
    before = scene.view(1)
    scene.do(3, PlayCard(card("f9")))
    assert scene.view(1) == before
    assert scene.view(3).answer == (card("f9"),)


def test_rule_26_turns_the_cards_up_together_in_the_order_of_play() -> None:
    """The last answer turns all up; a choice that was made stands."""
    scene = Scene((26,), "f6", "f7 f2", "f8", "f9").play("f6").do(1, PlayCard(card("f7")))
    assert scene.refused(1, PlayCard(card("f2"))) == "already-answered"
    scene.do(3, PlayCard(card("f9"))).do(2, PlayCard(card("f8")))
    assert [play.seat for play in scene.last(CardsTurnedUp).plays] == [1, 2, 3]
    assert scene.winner == 3


def test_rule_26_keeps_later_as_the_order_of_play() -> None:
    """Of equal trumps the one later in the order of the trick is higher, regardless of the order of the answers."""
    scene = Scene((26, 5), "f1", "f6", "k6", "k1").play("f1")
    for seat, said in ((3, "k1"), (2, "k6"), (1, "f6")):
        scene.do(seat, PlayCard(card(said)))
    assert scene.winner == 2


def test_rule_26_with_37_takes_later_from_the_turned_direction() -> None:
    """In an anticlockwise trick seat 1 comes after seat 2."""
    scene = Scene((26, 37, 5), "f1", "f6", "k6", "k1").trick(2, 0, -1).play("f1")
    for seat, said in ((1, "f6"), (2, "k6"), (3, "k1")):
        scene.do(seat, PlayCard(card(said)))
    assert scene.winner == 1


def test_rule_26_with_27_follows_the_lead() -> None:
    """Only the lead lies open, so it is the card to follow."""
    scene = Scene((26, 27), "f6", "f7 k2", "k8 f8", "f9").play("f6").do(1, PlayCard(card("f7")))
    assert scene.may_play(2) == {"f8"}


# Rules 27 and 28


def test_rule_27_makes_the_last_card_the_one_to_follow() -> None:
    """The second seat could not follow fan; the third has to follow what it played."""
    scene = Scene((27,), "f6", "k2", "f8 k9 t1", "k3 t9").play("f6 k2")
    assert scene.view(2).follow == "koi"
    assert scene.may_play(2) == {"k9"}


def test_rule_27_takes_trump_as_its_own_suit() -> None:
    """After a trump trump is to be followed, whatever is printed on it."""
    scene = Scene((3, 27), "f6", "f4", "f8 c4 t1", "k3").play("f6 f4")
    assert scene.may_play(2) == {"c4"}


def test_rule_27_leaves_the_first_suit_the_led_one() -> None:
    """It changes what must be followed, not who wins: the suit of the first card is still led."""
    assert winner_of((27,), "f6 k2 k9 k15") == 0


def test_rule_28_makes_trump_a_duty_for_who_cannot_follow() -> None:
    """Without the led suit a trump must be played, any trump: there is no duty to overtrump."""
    scene = Scene((3, 28), "f6", "k4 t1", "k9 t4 c4", "f9").play("f6 k4")
    assert scene.may_play(2) == {"t4", "c4"}
    assert scene.refused(2, PlayCard(card("k9"))) == "must-trump"


def test_rule_28_with_an_equal_or_lower_trump_is_no_duty_to_overtrump() -> None:
    """A trump below one that lies is as good as any."""
    scene = Scene((20, 28), "f6", "t9", "t3 t12 k1", "f9").play("f6 t9")
    assert scene.may_play(2) == {"t3", "t12"}


def test_rule_28_without_a_trump_in_hand_leaves_any_card() -> None:
    """Every player has a legal card."""
    assert Scene((3, 28), "f6", "k9 t1", "c9", "f9").play("f6").may_play(1) == {"k9", "t1"}


def test_rule_28_with_27_is_about_the_last_card() -> None:
    """Who cannot follow the last card must play trump, although the first could be followed."""
    scene = Scene((3, 27, 28), "f6", "k2", "f8 c4", "k3").play("f6 k2")
    assert scene.may_play(2) == {"c4"}


def test_rule_28_with_21_knows_no_trump_in_the_first_trick() -> None:
    """Rule 21 has no effect there, so there is no duty either."""
    assert Scene((21, 28), "f6", "k9 t1", "c9", "f9").play("f6").may_play(1) == {"k9", "t1"}


# Rules 29 and 30


def test_rule_29_takes_the_first_card_out() -> None:
    """The first card cannot win, although it is the highest; its suit is still the led one."""
    assert winner_of((29,), "f15 t15 f2 k15") == 2
    assert winner_of((29,), "f15 t15 k14 k15") == 3


def test_rule_29_keeps_a_led_trump_from_winning() -> None:
    """The highest trump led loses to the next one."""
    assert winner_of((29, 20), "t15 t2 f15 t3") == 3


def test_rule_30_gives_the_trick_to_the_second_highest() -> None:
    """The order is that of the whole trick: trump, led suit, the rest."""
    assert winner_of((30,), "f15 f2 f9 k15") == 2
    assert winner_of((30, 20), "f15 t2 f9 k15") == 0
    assert winner_of((30,), "f15 c14 t14 k13") == 2


def test_rule_30_counts_equal_cards_one_by_one() -> None:
    """Of two equal highest cards the later is first and the earlier is second."""
    assert winner_of((30, 5), "f6 t15 k6 t2") == 0


def test_rule_29_with_30_takes_the_second_of_the_rest() -> None:
    """The first card is taken out, then the second of the order that is left wins."""
    assert winner_of((29, 30), "f15 f2 f9 k15") == 1
    assert winner_of((29, 30), "f2 f15 k9") == 2


# Rules 31 to 33


def test_rule_31_reverses_values_in_every_suit() -> None:
    """1 is the highest of a suit, led or not."""
    assert winner_of((31,), "f6 f2 f15 k1") == 1
    assert winner_of((30, 31), "f1 k9 k8 c10") == 2


def test_rule_31_reverses_trumps_but_not_the_order_of_trump_rules() -> None:
    """Torii 1 is above torii 15; sixes (5) are still above torii (20)."""
    assert winner_of((20, 31), "t15 t1 t2 f1") == 1
    assert winner_of((5, 20, 31), "t1 k6 t2 f1") == 1


def test_rule_31_leaves_later_higher() -> None:
    """Of equal trumps the later wins, reversed or not."""
    assert winner_of((5, 31), "f6 t15 k6 t2") == 2


def test_rule_32_puts_trump_below_everything() -> None:
    """A trump wins against no plain card; a led plain suit keeps its precedence."""
    assert winner_of((20, 32), "f2 t15 k15 k1") == 0
    assert winner_of((20, 30, 32), "f2 t15 k14 k13") == 2


def test_rule_32_with_trump_led_makes_plain_suits_equal() -> None:
    """The higher value wins whatever its suit; of equal ones the later."""
    assert winner_of((20, 32), "t15 f9 k11 c2") == 2
    assert winner_of((20, 32), "t15 f11 k11 c2") == 2


def test_rule_32_with_trumps_only_keeps_their_usual_order() -> None:
    """Among trumps the strongest wins, also where rule 30 asks for the second."""
    assert winner_of((20, 32), "t9 t11 t15 t2") == 2
    assert winner_of((20, 30, 32), "t9 t11 t15 t2") == 1
    assert winner_of((20, 29, 32), "t15 t11 t9 t2") == 1


def test_rule_32_leaves_following_as_it_is() -> None:
    """Trump is still a suit of its own that follows itself only."""
    assert Scene((20, 32), "f6", "t1 f2", "c9", "f9").play("f6").may_play(1) == {"f2"}
    assert Scene((20, 28, 32), "f6", "t1 c2", "c9", "f9").play("f6").may_play(1) == {"t1"}


def test_rule_33_compares_plain_suits_by_value_alone() -> None:
    """The led suit has no precedence; the later of equal values wins; trump stays on top."""
    assert winner_of((33,), "f9 k15 f14 c2") == 1
    assert winner_of((33,), "f9 k15 f15 c2") == 2
    assert winner_of((20, 33), "f9 k15 t1 c2") == 2


def test_rule_33_with_32_has_trump_at_the_bottom() -> None:
    """Plain cards by value, whatever is led; trumps below."""
    assert winner_of((20, 32, 33), "f9 k15 t15 c2") == 1


def test_rule_33_leaves_following_as_it_is() -> None:
    """The led suit must be followed all the same."""
    assert Scene((33,), "f6", "k15 f2", "c9", "f9").play("f6").may_play(1) == {"f2"}


def test_rule_33_with_31_makes_the_lowest_value_win() -> None:
    """Reversed values count across all suits."""
    assert winner_of((31, 33), "f9 k15 c2 t3") == 2


# Rules 36 and 37


@pytest.mark.parametrize(("said", "leader"), [("f9 f2 f3 f4", 3), ("f2 f3 f9 f4", 1)])
def test_rule_36_lets_the_right_neighbour_of_the_winner_lead(said: str, leader: int) -> None:
    """Right is the seat before, clockwise."""
    hands = [f"{each} k{place + 1}" for place, each in enumerate(said.split())]
    assert Scene((36,), *hands).play(said).asked == (leader,)


def test_rule_37_turns_the_direction_from_trick_to_trick() -> None:
    """The first trick goes clockwise, the second the other way, the third clockwise again."""
    scene = Scene((37,), "f9 k1 t9", "f2 k2 t2", "f3 k3 t3", "f4 k4 t4")
    scene.play("f9 f2 f3 f4 k1")
    assert scene.asked == (3,)
    scene.play("k4")
    assert scene.asked == (2,)
    scene.play("k3 k2 t4")
    assert scene.asked == (0,)
    assert [begun.step for begun in scene.all_of(TrickBegun)] == [1, -1, 1]


def test_rule_37_with_36_keeps_right_by_seating() -> None:
    """Right is the previous seat clockwise, also after an anticlockwise trick."""
    scene = Scene((36, 37), "f9 k1", "f2 k2", "f3 k3", "f4 k4").trick(2, 0, -1).play("f9 f4 f3 f2")
    assert (scene.winner, scene.asked) == (0, (3,))


def test_trick_without_a_card_left_to_win_goes_to_the_first_player() -> None:
    """It cannot happen with three seats or more, but the rule is there: two cards, 29 takes one out, 30 wants a second."""
    assert winner(law_of((29, 30, 52, 53), NO_SUIT), list(cards("f2 f9"))) == 0
