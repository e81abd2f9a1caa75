"""Trump: the rule cards 1 to 21, several at once, and what trumps may follow."""

from __future__ import annotations

import pytest

from tafelrunde.domain.stich_meister.events import TrumpSet
from tafelrunde.domain.stich_meister.messages import PlayCard
from tests.games.stich_meister.kit import Scene, card, names, winner_of

VALUE_RULES = [(number, number + 1) for number in range(1, 15)] + [(18, 1)]
SUIT_RULES = [(15, "c"), (16, "f"), (17, "k"), (20, "t")]


def trumps(*rules: int) -> list[set[str]]:
    """Return the trumps of four seats under some rules, strongest first, equal ones together."""
    return [names(rung.cards) for rung in Scene(rules, seats=4).view(None).trumps]


@pytest.mark.parametrize(("rule", "value"), VALUE_RULES)
def test_rules_1_to_14_and_18_make_every_card_of_a_value_trump(rule: int, value: int) -> None:
    """Rule n makes the cards of value n + 1 trump, rule 18 the ones: equal to each other, above all else."""
    assert trumps(rule) == [{f"f{value}", f"c{value}", f"k{value}", f"t{value}"}]
    high, low = 14 if value == 15 else 15, 4 if value == 3 else 3
    assert winner_of((rule,), f"f{high} f{low} k{value} t{high}") == 2


@pytest.mark.parametrize(("rule", "suit"), SUIT_RULES)
def test_rules_15_16_17_and_20_make_a_suit_trump_from_fifteen_to_one(rule: int, suit: str) -> None:
    """All cards of a suit are trump, 15 the highest and 1 the lowest."""
    assert trumps(rule) == [{f"{suit}{value}"} for value in range(15, 0, -1)]


def test_rule_19_makes_samurai_trump_by_their_value() -> None:
    """Ones, tens and thirteens are trump: 13 above 10 above 1."""
    assert trumps(19) == [{f"{suit}{value}" for suit in "fckt"} for value in (13, 10, 1)]


def test_rule_without_a_card_in_play_makes_no_trump() -> None:
    """Three seats play without samurai: rules about 1, 10 and 13 may be in force but match nothing."""
    assert Scene((9, 12, 18, 19), seats=3).view(None).trumps == ()


def test_card_of_more_trump_rules_is_stronger() -> None:
    """Koi 4 is matched twice and comes first; then the other fours; then koi. Two rules beat one with a lower number."""
    koi = [{f"k{value}"} for value in range(15, 0, -1) if value != 4]
    assert trumps(3, 17) == [{"k4"}, {"f4", "c4", "t4"}, *koi]
    assert winner_of((1, 5, 15), "f2 c6 k2 t6") == 1


def test_lower_rule_number_is_stronger() -> None:
    """Sixes (5) are above torii (20) although torii 15 is of higher value."""
    assert winner_of((5, 20), "f6 t15 c2 t14") == 0


def test_sorted_rule_numbers_are_compared_one_after_the_other() -> None:
    """Of two cards matched twice the one with the lower first number is higher; if that is the same, the second decides."""
    assert winner_of((1, 5, 15, 17), "c6 k2 k6 c2") == 3
    assert winner_of((1, 15, 16), "f2 c2 f15 c15") == 1


def test_value_decides_between_trumps_of_the_same_rules() -> None:
    """Two torii that only rule 20 matches: the higher value wins."""
    assert winner_of((20,), "t9 t11 t3 f15") == 1


def test_later_of_equal_trumps_is_higher() -> None:
    """Fan 6 and koi 6 are equal: the one played later wins."""
    assert winner_of((5, 20), "f6 t15 k6 t2") == 2
    assert winner_of((5, 20), "k6 t15 f6 t2") == 2


def test_no_trump_rule_means_no_trump() -> None:
    """Without trump rules the highest card of the led suit wins."""
    assert trumps(22) == []
    assert winner_of((36,), "f6 t15 f9 k15") == 2


def test_trump_does_not_follow_its_printed_suit() -> None:
    """Fours are trump: fan 4 cannot follow a led fan while there is another one in hand."""
    scene = Scene((3,), "f6 c1", "f4 f9 k2", "f4 k2", "c9").play("f6")
    assert scene.may_play(1) == {"f9"}
    assert scene.refusal(1, PlayCard(card("f4"))).arguments == {"suit": "fan"}


def test_trump_of_one_suit_alone_leaves_the_choice_free() -> None:
    """A player with no card of the led suit but trumps may play anything, trump or not."""
    assert Scene((3,), "f6", "f4 k2", "c9", "c8").play("f6").may_play(1) == {"f4", "k2"}


def test_trump_led_is_followed_with_any_trump() -> None:
    """Every trump follows a led trump, whatever is printed on it."""
    scene = Scene((3, 17), "f4", "c4 k9 f8", "c9", "c8").play("f4")
    assert scene.may_play(1) == {"c4", "k9"}
    assert scene.refusal(1, PlayCard(card("f8"))).arguments == {"suit": "trump"}
    assert scene.view(1).follow == "trump"


def test_rule_21_does_nothing_in_the_first_trick() -> None:
    """Before the second trick there is no trump from rule 21."""
    assert winner_of((21,), "f6 t15 f9 k15") == 2
    assert Scene((21,), seats=4).view(None).trumps == ()


def test_rule_21_makes_the_suit_of_the_second_lead_trump_at_once() -> None:
    """The first card of the second trick is a trump already, and trump is to be followed."""
    scene = Scene((5, 21), "f9", "f6 f2 k2", "c6 k3", "k4").trick(2).play("f9")
    assert scene.last(TrumpSet).suit.value == "fan"
    assert scene.view(1).follow == "trump"
    assert scene.may_play(1) == {"f6", "f2"}
    assert scene.may_play(2) == set()
    assert scene.play("f2").may_play(2) == {"c6"}


def test_rule_21_shows_the_printed_suit_of_a_trump_too() -> None:
    """The second trick is led with a trump: the suit printed on it becomes trump besides."""
    assert winner_of((5, 21), "k6 k15 f6 k2", number=2) == 0


def test_rule_21_stays_for_the_rest_of_the_round() -> None:
    """What the second trick made trump is trump in later tricks, and no more in the next round."""
    scene = Scene((21,), "f9 c15", "f2 f3", "k3 k7", "k4 k8").trick(2).play("f9 f2 k3 k4")
    assert scene.trick(3).play("c15 f3 k7 k8").winner == 1
    assert Scene((21,), seats=4).finish().view(None).trumps == ()


def test_rule_21_counts_as_number_21_for_strength() -> None:
    """A card of rule 20 is above one of rule 21; one of both is above all."""
    scene = Scene((20, 5, 21), "f9 f3", "f15 f2", "t2 c2", "c3 c4").trick(2).play("f9 f15 t2 c3")
    assert scene.winner == 2
    assert winner_of((5, 20, 21), "f9 f6 t6 f15", number=2) == 2


def test_rule_21_with_rule_40_still_has_a_second_trick() -> None:
    """The round is shorter by three tricks, never so short that no second trick is led."""
    assert len(Scene((21, 24, 40), seats=5).finish().all_of(TrumpSet)) == 1
