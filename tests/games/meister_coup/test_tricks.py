"""Tricks of Meister Coup: dealing, playing, who wins, who takes what."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest

from tafelrunde.domain.game import Refusal, Seat
from tafelrunde.domain.meister_coup import GAME
from tafelrunde.domain.meister_coup.cards import CARDS, COLOUR_OF, VALUE_OF, Colour, counted
from tafelrunde.domain.meister_coup.events import ChoiceGiven, MeisterDealt, TrickCleared
from tafelrunde.domain.meister_coup.messages import MeisterOptions, PickCard, PlayCard, TakeCards
from tafelrunde.domain.meister_coup.ranking import beaten_by, ranking, sums
from tafelrunde.domain.secrecy import redact
from tests.games.meister_coup.kit import Scene, card, cards, kinds, written
from tests.support.dice import Dice

DAVID, STEPHANIE, ALEX, FIONA = range(4)
SIZES = [(3, "standard"), (4, "standard"), (5, "standard"), (4, "team"), (6, "team")]


def trick(*played: str, leader: int = 0) -> Scene:
    """Return a scene in which the seats have played one card each."""
    hands = [played[(seat - leader) % len(played)] for seat in range(len(played))]
    return Scene(*(f"{hand} y1" for hand in hands), leader=leader).play(" ".join(played))


@pytest.mark.parametrize(("seats", "mode"), SIZES)
def test_deal_gives_everyone_eight_different_cards_when_a_round_begins(seats: int, mode: str) -> None:
    """All 48 cards are shuffled, eight go to each seat, one at a time; the rest stays out of the round."""
    options = msgspec.structs.replace(MeisterOptions(), mode=mode)
    (dealt,) = GAME.start(GAME.create(options, seats), Dice("deal"))
    assert isinstance(dealt, MeisterDealt)
    dice = Dice("deal")
    assert dealt.leader == dice.below("first-leader", seats)
    deck = dice.shuffle("cards", range(CARDS))
    assert dealt.hands == tuple(tuple(sorted(deck[seat : 8 * seats : seats])) for seat in range(seats))


def test_first_leader_is_the_chosen_seat_when_the_option_names_one() -> None:
    """The seat named by the option leads the first trick."""
    table = GAME.create(MeisterOptions(first_leader=2), 4)
    (dealt,) = GAME.start(table, Dice("deal"))
    assert isinstance(dealt, MeisterDealt)
    GAME.fold(table, dealt)
    assert (dealt.leader, table.asked) == (2, (2,))


def test_colours_of_all_hands_are_in_every_view_when_cards_are_held() -> None:
    """Card backs show the colours of a hand; they are public at all times, and shrink with each card played."""
    scene = Scene("v1 v2 b3", "g4 g5 y6", "y7 b8 v9")
    for viewer in (Seat(0), Seat(1), Seat(2), None):
        colours = [each.hand for each in GAME.view(scene.table, viewer).seats]
        assert colours == [(2, 1, 0, 0), (0, 0, 2, 1), (1, 1, 0, 1)]
    scene.play("v2 g5")
    assert [each.hand for each in GAME.view(scene.table, None).seats] == [(1, 1, 0, 0), (0, 0, 1, 1), (1, 1, 0, 1)]


def test_colours_of_all_hands_are_in_every_feed_when_they_are_dealt() -> None:
    """Everyone sees the colours dealt to each seat, but only its own values."""
    (dealt,) = GAME.start(GAME.create(MeisterOptions(), 3), Dice("colours"))
    assert isinstance(dealt, MeisterDealt)
    for viewer in (Seat(1), None):
        told = redact(dealt, viewer)
        assert isinstance(told, MeisterDealt)
        assert told.colours == tuple(counted(hand or ()) for hand in dealt.hands)
        assert told.hands == tuple(hand if seat == viewer else None for seat, hand in enumerate(dealt.hands))


@pytest.mark.parametrize("mode", ["standard", "team"])
def test_values_of_hands_are_shown_to_no_one_else_when_they_are_held(mode: str) -> None:
    """A view has its own seat's hand only; team mates do not see each other's values either."""
    scene = Scene("v1 v2", "g4 g5", "y6 y7", "b8 b9", mode=mode)
    other = Scene("v1 v2", "g6 g7", "y8 y9", "b1 b2", mode=mode)
    assert GAME.view(scene.table, Seat(0)) == GAME.view(other.table, Seat(0))
    assert GAME.view(scene.table, None).hand == ()


def test_any_hand_card_may_be_played_when_another_colour_was_led() -> None:
    """There is no duty to follow."""
    scene = Scene("v1 b2", "v3 g4 y5", "b6 b7").play("v1")
    assert {each.card for each in GAME.legal(scene.table, Seat(1)) if isinstance(each, PlayCard)} == set(cards("v3 g4 y5"))
    assert [choice.refusal for choice in GAME.menu(scene.table, Seat(1))] == [None] * 3


def test_seats_play_clockwise_when_the_leader_has_played() -> None:
    """Each seat plays one card, clockwise from the leader."""
    scene = Scene("v1 v2", "b1 b2", "g1 g2", "y1 y2", leader=2)
    order = [scene.asked, *(scene.play(text).asked for text in ("g1", "y1", "v1"))]
    assert order == [(2,), (3,), (0,), (1,)]


def test_card_that_is_not_held_is_refused() -> None:
    """A card is played from the player's own hand, in turn; the refusal names it."""
    scene = Scene("v1 v2", "b1 b2", "g1 g2")
    assert scene.refused(0, PlayCard(card("b1"))) == Refusal("card-not-held", {"colour": "blue", "value": 1})
    assert scene.refused(0, PlayCard(99)) == Refusal("card-unknown", {"card": 99})
    assert scene.refused(1, PlayCard(card("b1"))) == Refusal("not-asked")
    assert scene.refused(0, PickCard(card("v1"))) == Refusal("not-now")


# Who wins


def test_example_1_one_colour_when_all_cards_are_violet() -> None:
    """Rulebook example 1: the 12 wins and is picked, the 11 is second and gets the 6 and the 10."""
    scene = trick("v10", "v11", "v12", "v6")
    assert scene.ranked() == (ALEX, STEPHANIE, DAVID, FIONA)
    scene.pick("v12")
    assert [scene.taken(seat) for seat in range(4)] == ["", "v6 v10", "v12", ""]


def test_example_2_majority_of_two_cards_when_they_beat_a_higher_single_one() -> None:
    """Rulebook example 2: violet has 16 against 11 and 4; David picks the 4, Fiona gets the 6 and the 10."""
    scene = trick("v10", "b11", "g4", "v6")
    assert scene.ranked()[:2] == (DAVID, FIONA)
    scene.pick("g4")
    assert [scene.taken(seat) for seat in range(4)] == ["g4", "", "", "v6 v10"]


def test_example_3_second_colour_gives_the_runner_up_when_the_first_was_played_once() -> None:
    """Rulebook example 3: blue has 11; violet and green are level at 10, and the violet 10 is the higher card."""
    scene = trick("v10", "b11", "g4", "g6")
    assert scene.ranked() == (STEPHANIE, DAVID, FIONA, ALEX)
    scene.pick("b11")
    assert scene.taken(DAVID) == "g4 g6"


def test_example_3_had_she_played_7_the_higher_card_still_wins_when_colours_are_level() -> None:
    """Rulebook example 3, first line of the variant: blue 11 against green 4 + 7: the 11 still chooses first."""
    assert trick("v10", "b11", "g4", "g7").ranked()[0] == STEPHANIE


def test_example_3_had_she_played_7_she_is_the_runner_up_when_green_is_the_second_colour() -> None:
    """Rulebook example 3, second line of the variant: green has 11 now, so the 7 takes the two lowest cards."""
    scene = trick("v10", "b11", "g4", "g7")
    assert scene.ranked()[1] == FIONA
    scene.pick("v10")
    assert scene.taken(FIONA) == "g4 g7"


def test_example_4_earlier_card_wins_when_colours_and_highest_cards_are_level() -> None:
    """Rulebook example 4: violet and green are level at 16 with a 10 each; David's was earlier, Alex follows with the 6."""
    scene = trick("v10", "g10", "v6", "g6")
    assert scene.ranked() == (DAVID, ALEX, STEPHANIE, FIONA)


def test_earlier_means_the_highest_cards_when_a_low_card_of_the_other_colour_came_first() -> None:
    """Level colours with level highest cards: the order of these highest cards decides, not who led."""
    assert trick("g6", "v10", "g10", "v6").ranked() == (1, 3, 2, 0)


def test_earlier_counts_from_the_leader_when_that_is_not_seat_0() -> None:
    """Earlier is the order of play."""
    assert trick("v5", "g5", "b5", leader=2).ranked() == (2, 0, 1)


def test_third_colour_follows_when_the_first_two_are_done() -> None:
    """Colours come one after the other: the order is complete."""
    assert trick("v9", "b10", "g12", "v8", "b1").ranked() == (0, 3, 2, 1, 4)


def test_diamonds_do_not_help_to_win_when_values_decide() -> None:
    """The number of diamonds has nothing to do with who wins."""
    for diamonds in ("rising", "falling", (3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)):
        assert Scene("v1 y1", "v2 y2", "b2 y3", diamonds=diamonds).play("v1 v2 b2").ranked() == (1, 0, 2)


def beats(played: tuple[int, ...], one: int, other: int) -> bool:
    """Return whether a place of a trick comes before another, straight from the sentences of the rules."""
    totals, highest = [0] * 4, [-1] * 4
    for place, each in enumerate(played):
        totals[COLOUR_OF[each]] += VALUE_OF[each]
        best = highest[COLOUR_OF[each]]
        if best < 0 or VALUE_OF[each] > VALUE_OF[played[best]]:
            highest[COLOUR_OF[each]] = place
    mine, its = COLOUR_OF[played[one]], COLOUR_OF[played[other]]
    if mine == its:
        return VALUE_OF[played[one]] > VALUE_OF[played[other]]
    if totals[mine] != totals[its]:
        return totals[mine] > totals[its]
    tops = VALUE_OF[played[highest[mine]]], VALUE_OF[played[highest[its]]]
    return tops[0] > tops[1] if tops[0] != tops[1] else highest[mine] < highest[its]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_order_of_a_trick_is_that_of_the_definition_when_cards_are_random(seats: int) -> None:
    """Every card that comes before another in the order beats it by the sentences of the rules, in 2,000 random tricks."""
    rng = random.Random(seats)
    level = 0
    for _ in range(2_000):
        played = tuple(rng.sample([each for each in range(CARDS) if VALUE_OF[each] <= 6], seats))
        found = ranking(list(played))
        assert sorted(found) == list(range(seats))
        assert all(beats(played, one, other) for one, other in itertools.combinations(found, 2))
        totals = [total for total in sums(played) if total]
        level += len(set(totals)) < len(totals)
    assert level > 100, "too few ties were tried"


# Who takes what


def test_winner_may_pick_any_card_when_the_trick_is_complete() -> None:
    """The winner picks any one of the cards played, its own or another."""
    scene = trick("v10", "b11", "g4", "v6")
    assert scene.asked == (DAVID,)
    assert {each.card for each in GAME.legal(scene.table, Seat(DAVID)) if isinstance(each, PickCard)} == set(
        cards("v10 b11 g4 v6")
    )
    assert scene.refused(DAVID, PickCard(card("v11"))) == Refusal("not-in-trick", {"colour": "violet", "value": 11})


def test_runner_up_takes_the_rest_when_there_are_three_seats() -> None:
    """With three seats the runner-up gets the two remaining cards, at once."""
    scene = trick("v10", "b11", "b3")
    events = scene.pick("v10")
    assert scene.taken(2) == "b3 b11"
    assert kinds(events) == ["CardPicked", "CardsTaken", "TrickCleared"]


def test_two_lowest_go_to_the_runner_up_at_once_when_nothing_is_level() -> None:
    """No choice, no question: the two lowest cards of what is left."""
    scene = trick("v10", "b11", "g4", "v6", "y2")
    events = scene.pick("y2")
    assert scene.taken(3) == "v6 g4"
    assert kinds(events) == ["CardPicked", "CardsTaken", "TrickCleared"]


def test_two_equal_lowest_go_to_the_runner_up_at_once_when_both_are_taken() -> None:
    """Equal values that are both among the two lowest leave no choice."""
    scene = trick("v10", "v9", "g4", "b4")
    scene.pick("v10")
    assert scene.taken(1) == "b4 g4"
    assert scene.stage == "lead"


def test_runner_up_chooses_one_when_the_second_lowest_value_is_there_twice() -> None:
    """One card is lower than all; of the equal ones above it the runner-up chooses one."""
    scene = trick("v10", "v9", "g4", "b4", "y2")
    events = scene.pick("v10")
    assert kinds(events) == ["CardPicked", "ChoiceGiven"]
    choice = events[-1]
    assert isinstance(choice, ChoiceGiven)
    assert (choice.seat, written(choice.fixed), written(choice.equal)) == (1, "y2", "b4 g4")
    assert scene.asked == (1,)
    assert GAME.legal(scene.table, Seat(1)) == [TakeCards(cards("y2 b4")), TakeCards(cards("y2 g4"))]
    scene.take("g4 y2")
    assert scene.taken(1) == "g4 y2"


def test_runner_up_chooses_two_when_the_lowest_value_is_there_three_times() -> None:
    """Three equal lowest cards: any two of them."""
    scene = trick("v10", "v9", "g4", "b4", "y4")
    scene.pick("v10")
    found = [written(each.cards) for each in GAME.legal(scene.table, Seat(1)) if isinstance(each, TakeCards)]
    assert found == ["b4 g4", "b4 y4", "g4 y4"]


def test_pick_decides_whether_there_is_a_choice_when_it_takes_an_equal_card() -> None:
    """Only what is left counts: the winner can take the choice away."""
    scene = trick("v10", "v9", "g4", "b4", "y2")
    scene.pick("g4")
    assert scene.taken(1) == "b4 y2"


@pytest.mark.parametrize(
    ("wanted", "refusal"),
    [
        ("y2 v9", Refusal("must-take-lower", {"colour": "blue", "value": 4})),
        ("g4 b4", Refusal("must-take-lower", {"colour": "yellow", "value": 2})),
        ("y2 v10", Refusal("card-picked", {"colour": "violet", "value": 10})),
        ("y2 y3", Refusal("not-in-trick", {"colour": "yellow", "value": 3})),
        ("y2 y2", Refusal("card-twice", {"colour": "yellow", "value": 2})),
        ("y2", Refusal("wrong-number", {"wanted": 2, "given": 1})),
        ("y2 g4 b4", Refusal("wrong-number", {"wanted": 2, "given": 3})),
    ],
)
def test_higher_cards_are_refused_when_lower_ones_are_left(wanted: str, refusal: Refusal) -> None:
    """The runner-up takes two of the lowest cards left; each other wish is refused with its reason."""
    scene = trick("v10", "v9", "g4", "b4", "y2")
    scene.pick("v10")
    assert scene.refused(1, TakeCards(cards(wanted))) == refusal


def test_menu_explains_every_pair_when_the_runner_up_chooses() -> None:
    """Each two of the cards left are in the menu, with the reason if they may not be taken."""
    scene = trick("v10", "v9", "g4", "b4", "y2")
    scene.pick("v10")
    menu = {
        written(each.command.cards): each.refusal
        for each in GAME.menu(scene.table, Seat(1))
        if isinstance(each.command, TakeCards)
    }
    assert len(menu) == 6
    assert [text for text, refusal in menu.items() if refusal is None] == ["b4 y2", "g4 y2"]


def test_rest_is_out_of_the_round_when_the_trick_is_done() -> None:
    """Cards that no one took are out for the rest of the round."""
    scene = trick("v10", "v9", "g4", "b5", "y2")
    cleared = scene.pick("v10")[-1]
    assert isinstance(cleared, TrickCleared)
    assert written(cleared.out) == "v9 b5"
    assert sum(len(each.cards) for each in GAME.view(scene.table, None).seats) == 3


def test_runner_up_leads_when_the_next_trick_begins() -> None:
    """Who got two cards begins the next trick."""
    scene = trick("v10", "b11", "g4", "v6")
    scene.pick("g4")
    assert (scene.stage, scene.asked, scene.table.number) == ("lead", (FIONA,), 2)


def test_view_shows_sums_order_and_takings_when_a_trick_is_done() -> None:
    """The running and the last trick are shown with the colours' totals, the order of the seats, and who took what."""
    scene = trick("v10", "b11", "g4", "v6")
    running = GAME.view(scene.table, None).trick
    assert (running.sums, running.colour, running.picked) == ((16, 11, 4, 0), Colour.VIOLET, None)
    scene.pick("g4")
    last = GAME.view(scene.table, None).last_trick
    assert last is not None
    assert (last.number, last.sums, last.colour, last.ranking) == (1, (16, 11, 4, 0), Colour.VIOLET, (0, 3, 1, 2))
    assert (last.picked, written(last.taken), written(last.out)) == (card("g4"), "v6 v10", "b11")
    assert [(play.seat, play.card) for play in last.plays] == list(enumerate(cards("v10 b11 g4 v6")))


def test_view_counts_what_a_seat_has_taken_when_it_takes_cards() -> None:
    """Per seat the taken cards are shown, with their number per colour and their points."""
    scene = trick("v10", "b11", "g4", "v6")
    scene.pick("g4")
    seats = GAME.view(scene.table, None).seats
    assert [(each.collected, each.points) for each in seats] == [
        ((0, 0, 1, 0), 1),
        ((0,) * 4, 0),
        ((0,) * 4, 0),
        ((2, 0, 0, 0), 4),
    ]


def test_search_ranks_the_last_card_of_a_trick_as_the_rules_do() -> None:
    """`beaten_by` is the place in `ranking`, for a whole hand at once."""
    dice = random.Random(1)
    for _ in range(2_000):
        seats = dice.randrange(3, 7)
        trick = dice.sample(range(CARDS), seats - 1)
        hand = [each for each in range(CARDS) if each not in trick]
        assert beaten_by(trick, hand) == [ranking([*trick, last]).index(seats - 1) for last in hand]
