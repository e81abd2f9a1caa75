"""A match: the deal, rule cards, rounds, the result, options, and what happens when time is up."""

from __future__ import annotations

import re

import msgspec
import pytest

from tafelrunde.domain.game import InvalidOptions, Placing, Seat, Standing
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.cards import deck_for
from tafelrunde.domain.stich_meister.events import ChoosersShown, RoundScored, RulesShown, StichDealt, TrickBegun
from tafelrunde.domain.stich_meister.guide.texts import MESSAGES
from tafelrunde.domain.stich_meister.messages import ChooseRule, PassCards, PlayCard, SetCardAside, StichOptions, TakeCardOut
from tafelrunde.domain.stich_meister.rule_cards import RULE_CARDS, Confidence, Kind
from tests.games.stich_meister.kit import Scene, card, cards, names
from tests.support.paths import ROOT

SHEETS = ROOT / "domain" / "stich_meister" / "guide"


def chosen(seats: int) -> Scene:
    """A scene in which rule cards are chosen; they were dealt in order: seat 0 has 1, 2, 3."""
    return Scene((), seats=seats)


# The deal


def test_deck_has_four_suits_of_fifteen() -> None:
    """Sixty cards for four and five seats."""
    assert len(names(deck_for(4))) == 60
    assert {said[0] for said in names(deck_for(5))} == set("fckt")


def test_three_seats_play_without_samurai() -> None:
    """Ones, tens and thirteens are taken out: 48 cards."""
    assert {int(said[1:]) for said in names(deck_for(3))} == set(range(1, 16)) - {1, 10, 13}


@pytest.mark.parametrize(("seats", "size"), [(3, 16), (4, 15), (5, 12)])
def test_all_cards_are_dealt_in_equal_hands(seats: int, size: int) -> None:
    """16, 15 and 12 cards each, none twice and none left."""
    hands = chosen(seats).table.hands
    assert [len(hand) for hand in hands] == [size] * seats
    assert sorted(each for hand in hands for each in hand) == deck_for(seats)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_each_seat_has_three_rule_cards(seats: int) -> None:
    """Rules about 1, 10 and 13 are in the rule deck with three seats too: sixty in all."""
    table = chosen(seats).table
    assert table.rule_hands == [(3 * seat + 1, 3 * seat + 2, 3 * seat + 3) for seat in range(seats)]
    assert sorted([*table.rule_deck, *(rule for hand in table.rule_hands for rule in hand)]) == list(range(1, 61))


def test_rule_cards_are_21_trump_19_basic_and_20_scoring_rules() -> None:
    """Numbers 1 to 21, 22 to 40, 41 to 60; each with its source and how sure it is."""
    kinds = [each.kind for each in RULE_CARDS]
    assert [each.number for each in RULE_CARDS] == list(range(1, 61))
    assert kinds == [Kind.TRUMP] * 21 + [Kind.BASIC] * 19 + [Kind.SCORING] * 20
    assert [each.number for each in RULE_CARDS if each.confidence is Confidence.CERTAIN] == [5, 15, 20]
    assert [each.number for each in RULE_CARDS if each.confidence is Confidence.LOW] == [40, 58, 59]


# Choosing rules


@pytest.mark.parametrize("seats", [3, 4])
def test_every_seat_chooses_one_of_its_rule_cards_in_secret(seats: int) -> None:
    """All are asked at once; a choice is shown to its seat alone, and stands."""
    scene = chosen(seats)
    assert (scene.stage, scene.asked) == ("choose-rule", tuple(range(seats)))
    before = [scene.view(viewer) for viewer in (0, 2, None)]
    scene.do(1, ChooseRule(5))
    assert [scene.view(viewer) for viewer in (0, 2, None)] == before
    assert scene.view(1).answer == (5,)
    assert scene.refused(1, ChooseRule(6)) == "already-answered"


def test_rule_card_not_held_is_refused() -> None:
    """Only the three own cards can be chosen, and only now."""
    scene = chosen(4)
    assert scene.refusal(0, ChooseRule(4)).arguments == {"rule": 4}
    assert scene.refused(0, PlayCard(0)) == "not-now"


def test_chosen_rules_are_shown_in_number_order() -> None:
    """The order does not reveal who chose which; the end of the match does."""
    scene = chosen(4).do(3, ChooseRule(10)).do(1, ChooseRule(4)).do(0, ChooseRule(3)).do(2, ChooseRule(9))
    assert scene.last(RulesShown).rules == (3, 4, 9, 10)
    assert scene.view(0).chosen == 3
    assert scene.view(None).chosen is None
    scene.finish()
    assert scene.view(0).rounds[0].chosen == (3, None, None, None)
    while scene.table.asked:
        scene.finish()
    assert scene.last(ChoosersShown).chosen[0] == (3, 4, 9, 10)
    assert scene.view(None).rounds[0].chosen == (3, 4, 9, 10)


def test_three_seats_add_the_top_card_of_the_rule_deck() -> None:
    """Nine cards are in hands, so the tenth is the fourth rule."""
    scene = chosen(3).all_do(ChooseRule(1), ChooseRule(4), ChooseRule(7))
    assert scene.last(RulesShown).rules == (1, 4, 7, 10)
    assert scene.table.rule_deck[0] == 11


def test_fifth_seat_left_of_the_dealer_chooses_no_rule() -> None:
    """Seat 4 deals, so seat 0 is not asked; in the next round it is seat 1."""
    scene = chosen(5)
    assert scene.asked == (1, 2, 3, 4)
    assert scene.refused(0, ChooseRule(1)) == "not-asked"
    for seat, rule in ((1, 4), (2, 7), (3, 10), (4, 13)):
        scene.do(seat, ChooseRule(rule))
    assert scene.finish().asked == (0, 2, 3, 4)


def test_unchosen_rule_cards_are_kept_and_hands_refilled_to_three() -> None:
    """The chosen ones are out; one new card each comes from the deck."""
    scene = chosen(4).all_do(ChooseRule(1), ChooseRule(4), ChooseRule(7), ChooseRule(10)).finish()
    assert scene.table.rule_hands == [(2, 3, 13), (5, 6, 14), (8, 9, 15), (11, 12, 16)]
    assert not set(scene.table.rule_deck) & {1, 4, 7, 10}


def test_seat_that_chose_no_rule_draws_none() -> None:
    """With five seats the idle seat still holds three."""
    scene = chosen(5)
    for seat, rule in ((1, 4), (2, 7), (3, 10), (4, 13)):
        scene.do(seat, ChooseRule(rule))
    assert scene.finish().table.rule_hands[:2] == [(1, 2, 3), (5, 6, 16)]


def test_four_rules_are_in_force_every_round() -> None:
    """With three, four and five seats."""
    for seats in (3, 4, 5):
        scene = chosen(seats)
        while scene.table.asked:
            scene.finish()
        assert [len(set(shown.rules)) for shown in scene.all_of(RulesShown)] == [4] * seats


# Rounds and the result


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_match_has_as_many_rounds_as_seats_and_each_seat_deals_once(seats: int) -> None:
    """The next dealer is the next seat clockwise, and the seat left of the dealer leads."""
    scene = Scene((52, 53, 54, 55), seats=seats, first_dealer=1)
    while scene.table.asked:
        scene.finish()
    dealers = [(1 + place) % seats for place in range(seats)]
    assert [dealt.dealer for dealt in scene.all_of(StichDealt)] == dealers
    firsts = [begun.leader for begun in scene.all_of(TrickBegun) if begun.number == 1]
    assert firsts == [(dealer + 1) % seats for dealer in dealers]


def test_highest_total_wins_and_ties_share() -> None:
    """The points of all rounds are added; equal totals have equal ranks."""
    scene = Scene((52, 53, 54, 55), seats=4)
    while scene.table.asked:
        scene.finish()
    totals = [sum(scored.scores[seat] for scored in scene.all_of(RoundScored)) for seat in range(4)]
    standing = GAME.standing(scene.table)
    assert standing is not None
    assert [placing.score for placing in standing.placings] == totals
    scene.table.scores = [3, 7, -2, 7]
    assert GAME.standing(scene.table) == Standing(
        (Placing(Seat(0), 3, 3), Placing(Seat(1), 1, 7), Placing(Seat(2), 4, -2), Placing(Seat(3), 1, 7))
    )


def test_first_dealer_random_comes_from_chance() -> None:
    """Without a choice the first dealer is drawn; the script says the last seat."""
    table = GAME.create(StichOptions(), 4)
    dealt = GAME.start(table, Scene((), seats=4).chance)[0]
    assert isinstance(dealt, StichDealt)
    assert dealt.dealer == 3


def test_rematch_has_the_same_options() -> None:
    """Every seat deals once in a match, so the options are as fair again."""
    options = StichOptions(first_dealer=2, rules=(1, 2, 3, 4))
    assert GAME.rematch(options, Standing((Placing(Seat(0), 1, 5),))) == options


# Options


@pytest.mark.parametrize(
    ("options", "seats", "field"),
    [
        (StichOptions(first_dealer=3), 3, "first_dealer"),
        (StichOptions(first_dealer=4), 4, "first_dealer"),
        (StichOptions(first_dealer=-1), 4, "first_dealer"),
        (StichOptions(rules=(1, 2, 3, 3)), 4, "rules"),
        (StichOptions(rules=(0, 1, 2, 3)), 4, "rules"),
        (StichOptions(rules=(1, 2, 3, 61)), 4, "rules"),
        (StichOptions(rules=(1, 2, 3)), 4, "rules"),
        (StichOptions(rules=(1, 2, 3, 4, 5)), 4, "rules"),
    ],
)
def test_options_that_are_not_offered_name_their_field(options: StichOptions, seats: int, field: str) -> None:
    """A dealer who does not sit there; rules that are not four different cards."""
    with pytest.raises(InvalidOptions) as caught:
        GAME.check(options, seats)
    assert caught.value.field == field


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_options_that_are_offered_pass(seats: int) -> None:
    """Every seat may deal first, and any four rules may be fixed."""
    GAME.check(StichOptions(), seats)
    GAME.check(StichOptions(first_dealer=seats - 1, rules=(60, 1, 33, 7)), seats)


@pytest.mark.parametrize("wrong", [{"rules": [1, 2, 3]}, {"rules": [1, 2, 3, 99]}, {"first_dealer": 5}, {"rounds": 3}])
def test_options_out_of_bounds_are_not_even_read(wrong: dict[str, object]) -> None:
    """The types have the bounds that do not depend on the seats."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, StichOptions)


def test_fixed_rules_are_in_force_in_every_round_without_choosing() -> None:
    """No rule cards are dealt, and no seat is asked for one."""
    scene = Scene((40, 12, 9, 55), seats=3)
    assert scene.table.rule_hands == [(), (), ()]
    while scene.table.asked:
        scene.finish()
    assert [shown.rules for shown in scene.all_of(RulesShown)] == [(9, 12, 40, 55)] * 3


# When time is up


def test_default_is_the_first_legal_answer() -> None:
    """The lowest rule card, the first cards of the hand, the first card that may be played, the first of the trick."""
    assert GAME.default(chosen(4).table, Seat(1)) == ChooseRule(4)
    assert GAME.default(Scene((22,), "t9 f2 c3 f1", "k1", "k2", "k3").table, Seat(0)) == PassCards(cards("f1 f2 c3"))
    assert GAME.default(Scene((24,), "t9 f2 c3 f1", "k1", "k2", "k3").table, Seat(0)) == SetCardAside(card("f1"))
    scene = Scene((34,), "c6", "t1 c9 c8", "k2", "k3").play("c6")
    assert GAME.default(scene.table, Seat(1)) == PlayCard(card("c8"))
    assert GAME.default(scene.play("c9 k2 k3").table, Seat(1)) == TakeCardOut(card("c6"))


# Rule sheets


@pytest.mark.parametrize(
    ("language", "sure"),
    [
        ("de", {"certain": "sicher", "high": "recht sicher", "medium": "unsicher", "low": "sehr unsicher"}),
        ("en", {"certain": "certain", "high": "rather certain", "medium": "uncertain", "low": "very uncertain"}),
    ],
)
def test_rule_sheet_has_every_rule_card_with_its_text_and_how_sure_it_is(language: str, sure: dict[str, str]) -> None:
    """The table of a rule sheet says what the messages say, and notes what is uncertain."""
    sheet = (SHEETS / f"rules.{language}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (.+?) \| .+? \| (.+?) \|$", sheet, re.MULTILINE)
    texts = [getattr(MESSAGES[f"stich-meister.rule.{each.number}"], language) for each in RULE_CARDS]
    wanted = [(str(each.number), text, sure[each.confidence.value]) for each, text in zip(RULE_CARDS, texts, strict=True)]
    assert rows == wanted
