"""The rules of MatchMaster, one test for each."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import InvalidOptions, Seat
from tafelrunde.domain.matchmaster import GAME
from tafelrunde.domain.matchmaster.cards import CARDS, ROUNDS, SUITS, VALUES, Suit
from tafelrunde.domain.matchmaster.events import (
    MatchMasterBidsShown,
    MatchMasterDealt,
    MatchMasterRoundScored,
    MatchMasterTrickWon,
)
from tafelrunde.domain.matchmaster.messages import MatchMasterOptions, PlaceBid, PlayCard
from tafelrunde.domain.matchmaster.rules import points
from tafelrunde.domain.secrecy import redact
from tests.games.matchmaster.kit import Scene, card, cards
from tests.support.dice import Dice

# Cards and deal


def test_deck_has_thirteen_values_in_four_suits_and_dark_orange_is_trump() -> None:
    """52 cards, 1 to 13 in each suit; a low dark orange card beats a high one of any other suit."""
    assert (CARDS, VALUES, SUITS[0]) == (52, 13, Suit.DARK_ORANGE)
    scene = Scene("o13", "T1")
    assert MatchMasterTrickWon(Seat(1)) in scene.play("o13", "T1")


def test_thirteen_rounds_go_down_to_one_card_and_up_again() -> None:
    """Seven cards in the first round, one in the seventh, seven in the last."""
    assert ROUNDS == (7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize("seats", range(2, 8))
def test_deal_gives_each_seat_the_same_number_of_different_cards(seats: int) -> None:
    """Seven cards each in the first round, also with seven seats; the rest is not dealt."""
    [dealt] = GAME.start(GAME.create(MatchMasterOptions(), seats), Dice("deal"))
    assert isinstance(dealt, MatchMasterDealt)
    hands = [hand for hand in dealt.hands if hand is not None]
    assert [len(hand) for hand in hands] == [7] * seats
    assert len({each for hand in hands for each in hand}) == 7 * seats


def test_cards_are_shuffled_again_for_every_round() -> None:
    """After the last trick of a round all 52 cards may be dealt again, one fewer to each seat."""
    scene = Scene("T1 T2", "o1 o2")
    scene.play("T1", "o1", "T2")
    dealt = scene.play("o2")[-1]
    assert isinstance(dealt, MatchMasterDealt)
    assert (dealt.round, dealt.size) == (7, 1)


def test_first_dealer_is_the_chosen_one() -> None:
    """The option names the seat that deals first; left of it leads."""
    table = GAME.create(MatchMasterOptions(first_dealer=2), 4)
    [dealt] = GAME.start(table, Dice(0))
    assert isinstance(dealt, MatchMasterDealt)
    assert dealt.dealer == 2
    GAME.fold(table, dealt)
    assert table.leader == 3


def test_first_dealer_is_drawn_when_none_is_chosen() -> None:
    """Each seat can be drawn."""
    drawn = {GAME.start(GAME.create(MatchMasterOptions(), 3), Dice(number))[0] for number in range(30)}
    assert {event.dealer for event in drawn if isinstance(event, MatchMasterDealt)} == {0, 1, 2}


def test_dealer_changes_clockwise() -> None:
    """Left of the dealer deals the next round."""
    scene = Scene("T1", "o1", "b1")
    assert scene.table.dealer == 2
    scene.play("T1", "o1", "b1")
    assert scene.table.dealer == 0


# Bids


def test_bids_are_shown_when_the_last_one_is_in() -> None:
    """All at once, in seat order; before that no one sees any, nor who has bid."""
    scene = Scene("T1 T2", "o1 o2", dealer=1)
    [placed] = scene.do(1, PlaceBid(2))
    assert redact(placed, Seat(1)) == placed
    assert redact(placed, Seat(0)) is None
    assert redact(placed, None) is None
    assert GAME.view(scene.table, Seat(0)).seats[1].bid is None
    assert scene.do(0, PlaceBid(0))[-1] == MatchMasterBidsShown((0, 2))
    assert GAME.view(scene.table, None).seats[1].bid == 2


def test_bid_may_be_changed_until_the_last_one_is_in() -> None:
    """The seat is still offered all other numbers; after the last bid no more."""
    scene = Scene("T1 T2", "o1 o2", dealer=1)
    scene.do(1, PlaceBid(2))
    assert GAME.legal(scene.table, Seat(1)) == [PlaceBid(0), PlaceBid(1)]
    scene.do(1, PlaceBid(1))
    assert scene.refusal(1, PlaceBid(1)).code == "bid-unchanged"
    assert scene.do(0, PlaceBid(0))[-1] == MatchMasterBidsShown((0, 1))
    assert scene.refusal(0, PlaceBid(1)).code == "not-now"


def test_bids_go_from_none_to_the_number_of_cards() -> None:
    """More tricks than cards cannot be bid."""
    scene = Scene("T1 T2", "o1 o2", dealer=1)
    assert GAME.legal(scene.table, Seat(0)) == [PlaceBid(0), PlaceBid(1), PlaceBid(2)]
    refusal = scene.refusal(0, PlaceBid(3))
    assert (refusal.code, refusal.arguments) == ("bid-out-of-range", {"most": 2})


def test_bids_may_have_any_sum() -> None:
    """The last bid is as free as the first, whatever the others add up to."""
    scene = Scene("T1 T2", "o1 o2", dealer=1)
    scene.do(0, PlaceBid(2))
    assert len(GAME.legal(scene.table, Seat(1))) == 3


def test_bid_by_default_counts_good_trumps_and_other_thirteens() -> None:
    """Trumps from 8 upward and 13s of the other suits."""
    scene = Scene("T7 T8 T13 o13 b12", "o1 o2 o3 o4 o5", dealer=1)
    assert GAME.default(scene.table, Seat(0)) == PlaceBid(3)


# Tricks


def test_left_of_the_dealer_leads() -> None:
    """The first trick of a round begins with the dealer's neighbour."""
    scene = Scene("T1", "o1", "b1", dealer=0, bids=[0, 0, 0])
    assert scene.table.turn == 1
    assert scene.refusal(0, PlayCard(card("T1"))).code == "not-asked"


def test_winner_of_a_trick_leads_the_next_one() -> None:
    """The winner of the trick leads to the next."""
    scene = Scene("o1 o2", "b1 b2", "o9 o8")
    scene.play("o1", "b1", "o9")
    assert scene.table.turn == 2


def test_any_card_may_be_led() -> None:
    """Trump at any time."""
    assert Scene("T1 o2 b3", "o4 o5 o6").playable() == set(cards("T1 o2 b3"))


def test_plain_suit_must_be_followed_but_not_beaten() -> None:
    """Any card of the led suit is allowed, high or low, and nothing else."""
    scene = Scene("o5 b1 b2", "o2 o9 T1")
    scene.play("o5")
    assert scene.playable() == set(cards("o2 o9"))
    refusal = scene.refusal(1, PlayCard(card("T1")))
    assert (refusal.code, refusal.arguments) == ("must-follow", {"suit": "light_orange"})


def test_trump_led_must_be_beaten_if_possible() -> None:
    """A trump above the highest in the trick."""
    scene = Scene("T5 b1", "T2 T9", "T3 b3")
    scene.play("T5")
    assert scene.playable() == {card("T9")}
    refusal = scene.refusal(1, PlayCard(card("T2")))
    assert (refusal.code, refusal.arguments) == ("must-beat", {"suit": "dark_orange", "value": 5})


def test_trump_led_must_be_followed_with_any_trump_if_it_cannot_be_beaten() -> None:
    """The duty to follow stands."""
    scene = Scene("T5 b1", "T9 b4", "T3 b3")
    scene.play("T5", "T9")
    assert scene.playable() == {card("T3")}
    refusal = scene.refusal(2, PlayCard(card("b3")))
    assert (refusal.code, refusal.arguments) == ("must-follow", {"suit": "dark_orange"})


def test_highest_trump_in_the_trick_is_the_one_to_beat_not_the_last_one_played() -> None:
    """A lower trump played after a higher one changes nothing."""
    scene = Scene("T5 b1", "T9 b4", "T3 b3", "T8 T10")
    scene.play("T5", "T9", "T3")
    assert scene.playable() == {card("T10")}


def test_seat_that_cannot_follow_must_trump() -> None:
    """Any trump, as none is in the trick."""
    scene = Scene("o5 b1", "T2 b2")
    scene.play("o5")
    assert scene.playable() == {card("T2")}
    assert scene.refusal(1, PlayCard(card("b2"))).code == "must-trump"


def test_trump_in_the_trick_must_be_overtrumped_if_possible() -> None:
    """Who cannot follow beats the highest trump in the trick."""
    scene = Scene("o5 b1", "T6 b2", "T2 T7")
    scene.play("o5", "T6")
    assert scene.playable() == {card("T7")}
    refusal = scene.refusal(2, PlayCard(card("T2")))
    assert (refusal.code, refusal.arguments) == ("must-beat", {"suit": "dark_orange", "value": 6})


def test_seat_that_cannot_overtrump_must_trump_all_the_same() -> None:
    """Undertrumping is a duty too."""
    scene = Scene("o5 b1", "T6 b2", "T2 b7")
    scene.play("o5", "T6")
    assert scene.playable() == {card("T2")}
    assert scene.refusal(2, PlayCard(card("b7"))).code == "must-trump"


def test_seat_without_led_suit_and_trump_plays_any_card() -> None:
    """Nothing binds it."""
    scene = Scene("o5 b1", "b2 l9")
    scene.play("o5")
    assert scene.playable() == set(cards("b2 l9"))


def test_card_that_is_not_held_is_refused() -> None:
    """Only one's own cards can be played."""
    scene = Scene("o5", "b2")
    refusal = scene.refusal(0, PlayCard(card("T1")))
    assert (refusal.code, refusal.arguments) == ("card-not-held", {"card": 0})


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("o5 o9 o7", 1), ("o5 b13 l13", 0), ("o13 T1 o12", 1), ("T4 T9 T6", 1), ("b2 T1 T2", 2)],
)
def test_highest_trump_wins_else_highest_card_of_the_led_suit(trick: str, winner: int) -> None:
    """Other plain suits never win."""
    scene = Scene(*(f"{each}" for each in trick.split()))
    assert MatchMasterTrickWon(Seat(winner)) in scene.play(*trick.split())


def test_card_by_default_is_the_lowest_legal_one() -> None:
    """By value; a plain card before a trump of the same value would be as good, trump comes first."""
    scene = Scene("o9 b3 l5", "o1 o2 o3")
    assert GAME.default(scene.table, Seat(0)) == PlayCard(card("b3"))


# Scores


@pytest.mark.parametrize(("bid", "taken", "score"), [(3, 3, 13), (4, 3, -1), (0, 0, 10), (0, 2, -2), (7, 0, -7), (7, 7, 17)])
def test_bid_met_scores_ten_and_the_tricks_and_missed_the_difference(bid: int, taken: int, score: int) -> None:
    """The four examples of the rulebook, and the ends."""
    assert points(bid, taken) == score


def test_round_is_scored_after_its_last_trick() -> None:
    """Points of the round, and the totals."""
    scene = Scene("T1 T2", "o1 o2", bids=[2, 1])
    scene.play("T1", "o1", "T2")
    assert MatchMasterRoundScored(6, (12, -1), (12, -1)) in scene.play("o2")


def test_highest_total_wins_and_ties_share_the_win() -> None:
    """After thirteen rounds; equal totals have equal ranks."""
    table = GAME.create(MatchMasterOptions(), 3)
    table.round = 13
    for _ in range(13):
        table.f_round_scored([1, 3, 3])
    standing = GAME.standing(table)
    assert standing is not None
    assert [(each.rank, each.score) for each in standing.placings] == [(3, 13), (1, 39), (1, 39)]
    assert standing.winners == (1, 2)


# Options


@pytest.mark.parametrize(("dealer", "seats"), [(2, 2), (-1, 3), (6, 5)])
def test_first_dealer_must_be_a_seat_of_the_table(dealer: int, seats: int) -> None:
    """A seat that is not there is refused with the option's name."""
    with pytest.raises(InvalidOptions) as refusal:
        GAME.check(MatchMasterOptions(first_dealer=dealer), seats)
    assert refusal.value.field == "first_dealer"
