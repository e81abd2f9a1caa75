"""Cards that are passed on, set aside or laid open: rules 22 to 25 and 38."""

from __future__ import annotations

import pytest

from tafelrunde.domain.stich_meister.events import CardsOpened, CardsReceived, CardsSetAside, GatheringBegun
from tafelrunde.domain.stich_meister.messages import OpenCards, PassCards, SetCardAside
from tests.games.stich_meister.kit import PLAIN, Scene, card, cards, names

HANDS = ("f1 f2 f3 f4 f5", "c1 c2 c3 c4 c5", "k1 k2 k3 k4 k5", "t1 t2 t3 t4 t5")


def passing(said: str) -> PassCards:
    """A command to pass these."""
    return PassCards(cards(said))


def scene_of(*rules: int) -> Scene:
    """Four seats with five cards of their own suit each."""
    return Scene(rules, *HANDS)


def pass_on(scene: Scene, *said: str) -> Scene:
    """Let all seats pass."""
    return scene.all_do(*map(passing, said))


FIRST = ("f1 f2 f3", "c1 c2 c3", "k1 k2 k3", "t1 t2 t3")


def test_rule_22_passes_three_cards_to_the_right() -> None:
    """Right of seat 0 sits seat 3: it gets seat 0's cards, and seat 0 those of seat 1."""
    scene = pass_on(scene_of(22), *FIRST)
    assert scene.hand(3) == {"f1", "f2", "f3", "t4", "t5"}
    assert scene.hand(0) == {"c1", "c2", "c3", "f4", "f5"}
    assert (scene.stage, scene.asked) == ("lead", (0,))


def test_rule_23_passes_three_cards_to_the_left() -> None:
    """Left of seat 0 sits seat 1."""
    scene = pass_on(scene_of(23), *FIRST)
    assert scene.hand(1) == {"f1", "f2", "f3", "c4", "c5"}
    assert scene.hand(0) == {"t1", "t2", "t3", "f4", "f5"}


def test_rule_22_with_23_passes_right_picks_up_and_passes_left() -> None:
    """The second pass is chosen from the hand after the first: cards may come straight back."""
    scene = pass_on(scene_of(23, 22), *FIRST)
    assert scene.stage == "pass-left"
    pass_on(scene, "c1 c2 c3", "k1 k2 k3", "t1 t2 t3", "f1 f2 f3")
    assert [scene.hand(seat) for seat in range(4)] == [set(hand.split()) for hand in HANDS]


@pytest.mark.parametrize("rule", [22, 23])
def test_pass_is_secret_and_simultaneous(rule: int) -> None:
    """All seats are asked at once; no one sees who has chosen or what, and a seat sees its own choice."""
    scene = scene_of(rule)
    assert scene.asked == (0, 1, 2, 3)
    before = [scene.view(seat) for seat in (0, 1, 3, None)]
    scene.do(2, passing("k1 k2 k3"))
    assert [scene.view(seat) for seat in (0, 1, 3, None)] == before
    assert scene.view(2).answer == cards("k1 k2 k3")
    assert scene.refused(2, passing("k1 k2 k3")) == "already-answered"


def test_pass_needs_three_different_cards_of_the_hand() -> None:
    """Two cards, a card twice, and a card not held are refused with what is wrong; the order said does not matter."""
    scene = scene_of(22)
    assert scene.refusal(0, passing("f1 f2")).arguments == {"wanted": 3, "given": 2}
    assert scene.refusal(0, passing("f1 f2 f2")).code == "card-twice"
    assert scene.refusal(0, passing("f1 f2 c1")).arguments == {"suit": "coin", "value": 1}
    assert scene.refused(0, SetCardAside(card("f1"))) == "not-now"
    assert passing("f3 f1 f2") == passing("f1 f2 f3")


def test_passed_cards_are_shown_to_giver_and_receiver_alone() -> None:
    """Seat 3 sees what it received; the giver knows where its cards are; others know neither."""
    scene = pass_on(scene_of(22), *FIRST)
    assert scene.last(CardsReceived).received[3] == cards("f1 f2 f3")
    known = {each.card: each for each in scene.view(0).known}
    assert names(known) == {"f1", "f2", "f3"}
    assert scene.view(None).known == ()


# Rule 24


def test_rule_24_takes_the_card_set_aside_out_of_the_hand() -> None:
    """It is not a hand card, no one else knows it, and its owner does."""
    scene = scene_of(24).all_do(*(SetCardAside(card(said)) for said in ("f5", "c5", "k5", "t5")))
    assert scene.last(CardsSetAside).cards == cards("f5 c5 k5 t5")
    assert scene.hand(0) == {"f1", "f2", "f3", "f4"}
    assert (scene.view(0).aside, scene.view(None).aside) == (card("f5"), None)
    assert [each.aside for each in scene.view(None).seats] == [True] * 4


def test_rule_24_comes_after_22_and_23_and_before_25() -> None:
    """Preparations go in number order: right, left, aside, open, then the first lead."""
    scene = pass_on(scene_of(25, 24, 23, 22), *FIRST)
    pass_on(scene, "c1 c2 c3", "k1 k2 k3", "t1 t2 t3", "f1 f2 f3")
    scene.all_do(*(SetCardAside(card(said)) for said in ("f5", "c5", "k5", "t5")))
    assert scene.refusal(0, OpenCards(cards("f1 f2 f5"))).code == "card-not-held"
    scene.all_do(*map(OpenCards, map(cards, FIRST)))
    names_of = [begun.gathering.value for begun in scene.all_of(GatheringBegun)]
    assert names_of == ["pass-right", "pass-left", "set-aside", "open-cards"]
    assert scene.stage == "lead"


# Rule 25


def test_rule_25_lays_three_cards_open_at_once() -> None:
    """Nothing is shown before all have chosen; then everyone sees all of them, and they stay hand cards."""
    scene = scene_of(25).do(0, OpenCards(cards(FIRST[0])))
    assert [each.open_cards for each in scene.view(1).seats] == [()] * 4
    for seat in (1, 2, 3):
        scene.do(seat, OpenCards(cards(FIRST[seat])))
    assert scene.last(CardsOpened).cards == tuple(map(cards, FIRST))
    assert [names(each.open_cards) for each in scene.view(None).seats] == [set(said.split()) for said in FIRST]
    assert [each.hand_size for each in scene.view(None).seats] == [5] * 4


def test_rule_25_leaves_open_cards_playable() -> None:
    """An open card is played as any other, and lies open no more."""
    scene = scene_of(25).all_do(*map(OpenCards, map(cards, FIRST)))
    assert scene.may_play(0) == set(HANDS[0].split())
    assert names(scene.play("f1").view(None).seats[0].open_cards) == {"f2", "f3"}


def after_three_tricks(*rules: int) -> Scene:
    """Four seats with eight cards, three tricks from the pass of rule 38."""
    hands = [" ".join(f"{suit}{value}" for value in range(1, 9)) for suit in "fckt"]
    return Scene(rules, *hands)


def play_three(scene: Scene, first: str = "f6 c6 k6 t6") -> Scene:
    """Play three tricks that seat 0 leads and wins."""
    return scene.play(first).play("f7 c7 k7 t7").play("f8 c8 k8 t8")


# Rule 38


def test_rule_38_passes_three_cards_to_the_left_after_the_third_trick() -> None:
    """Not earlier, and only once; then the winner of the third trick leads."""
    scene = play_three(after_three_tricks(38))
    assert (scene.stage, scene.asked) == ("pass-after", (0, 1, 2, 3))
    pass_on(scene, *FIRST)
    assert scene.hand(1) == {"f1", "f2", "f3", "c4", "c5"}
    assert (scene.stage, scene.asked) == ("lead", (0,))
    assert [begun.gathering.value for begun in scene.all_of(GatheringBegun)] == ["pass-after"]


def test_rule_38_is_secret_as_the_other_passes_are() -> None:
    """No one sees who has chosen."""
    scene = play_three(after_three_tricks(38))
    before = scene.view(0)
    assert scene.do(1, passing("c1 c2 c3")).view(0) == before


def test_rule_38_with_25_hides_open_cards_that_are_passed() -> None:
    """They become hidden cards of the receiver, though everyone knows where they are."""
    scene = after_three_tricks(25, 38).all_do(*map(OpenCards, map(cards, FIRST)))
    pass_on(play_three(scene), *FIRST)
    assert [each.open_cards for each in scene.view(None).seats] == [()] * 4
    assert names(scene.last(CardsReceived).opened[1]) == {"f1", "f2", "f3"}
    assert {(each.card, each.hands) for each in scene.view(None).known} >= {(card("f1"), (1,)), (card("t3"), (0,))}


def test_rule_38_with_24_does_not_pass_the_card_set_aside() -> None:
    """It is no hand card."""
    scene = after_three_tricks(24, 38).all_do(*(SetCardAside(card(said)) for said in ("f1", "c1", "k1", "t1")))
    scene = play_three(scene)
    assert scene.refused(0, passing("f1 f2 f3")) == "card-not-held"


def test_rule_38_with_fewer_than_three_hand_cards_passes_nothing() -> None:
    """Then the next trick begins."""
    scene = Scene((38,), "f1 f6 f7 f8", "c1 c6 c7 c8", "k1 k6 k7 k8", "t1 t6 t7 t8")
    assert play_three(scene).stage == "lead"


def test_no_pass_happens_without_its_rule() -> None:
    """Without rules 22 to 25 the first lead follows the deal, without 38 the fourth the third trick."""
    scene = after_three_tricks(*PLAIN)
    assert scene.stage == "lead"
    assert play_three(scene).stage == "lead"
