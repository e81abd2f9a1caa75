"""Rules of the end of a round, of scoring, and of the end of a match: one test for each rule, named after it."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import Placing, Seat, Standing
from tafelrunde.domain.mondkrone import GAME
from tafelrunde.domain.mondkrone.cards import POINTS, Card, mask_of
from tafelrunde.domain.mondkrone.events import CardsLaidAside, RoundDealt, RoundWon
from tafelrunde.domain.mondkrone.messages import MondkroneOptions
from tafelrunde.domain.mondkrone.rules import deal, hand_size, undealt
from tests.games.mondkrone.kit import OUT, Scene, aside, cards, ints, kinds, play
from tests.support.dice import Dice

LOW = "ace-of-knots ace-of-wyrms ace-of-leaves ace-of-waves ace-of-suns origin desert author savage painter journey"


def last(scene: Scene) -> CardsLaidAside:
    """Return what was laid aside by the last command."""
    return next(event for event in scene.events if isinstance(event, CardsLaidAside))


# The end of a round


def test_only_seat_left_wins_the_round_when_its_turn_would_begin() -> None:
    """Seat 1 drops out, so seat 0 has won."""
    scene = Scene("sea", "author", hands=["bard"], turn=1).do(1, OUT)
    assert [event.seat for event in scene.events if isinstance(event, RoundWon)] == [0]


def test_round_goes_on_while_two_seats_are_in_it() -> None:
    """One of three drops out."""
    assert kinds(Scene("sea", "author", "pact").do(0, OUT).events) == ["SeatDroppedOut", "TurnBegun"]


def test_only_seat_left_wins_with_an_empty_hand() -> None:
    """That it is alone comes before having to drop out."""
    scene = Scene("sea", "author", turn=1).do(1, OUT)
    assert (last(scene).seat, last(scene).cards) == (0, (Card.SEA,))


# Scoring one card


def test_one_involved_card_is_laid_aside_by_choice() -> None:
    """Five suits with the Market: each of the five cards is in some way to show them."""
    palette = "author calamity sea chance-meeting market"
    scene = Scene(palette, "soldier", top="ace-of-leaves", turn=1).do(1, OUT)
    assert (scene.asked, GAME.view(scene.table, None).stage) == ((0,), "scoring")
    assert scene.legal() == [aside(card) for card in ["author", "market", "chance-meeting", "calamity", "sea"]]
    scene.do(0, aside("market"))
    assert (last(scene).cards, last(scene).points, scene.scores()) == ((Card.MARKET,), 6, [6, 0])


def test_card_that_is_not_involved_is_refused() -> None:
    """The Huntress is superfluous for the suits; the menu says so."""
    scene = Scene("huntress author forest", "soldier", top="ace-of-leaves", turn=1).do(1, OUT)
    assert scene.refused(0, aside("huntress")) == "not-involved"
    menu = GAME.menu(scene.table, Seat(0))
    assert {choice.command: choice.refusal.code if choice.refusal else None for choice in menu} == {
        aside("author"): None,
        aside("forest"): None,
        aside("huntress"): "not-involved",
    }


def test_other_choices_of_one_card_are_refused() -> None:
    """Exactly one card, of the winner's own palette; and a winner has no other option."""
    scene = Scene("author forest", "soldier", hands=["bard"], top="ace-of-leaves", turn=1).do(1, OUT)
    assert scene.refused(0, aside("author forest")) == "wrong-number"
    assert scene.refused(0, aside("soldier")) == "not-in-palette"
    assert scene.refused(0, play("bard")) == scene.refused(0, OUT) == "not-now"
    assert scene.refused(1, aside("soldier")) == "not-asked"


def test_involved_in_any_of_the_conditions_is_enough() -> None:
    """Moons and leaves: the Huntress is the highest card, the others show the suits."""
    scene = Scene("huntress author forest", "soldier", top="forest", turn=1).do(1, OUT)
    assert scene.allows(aside("huntress"))
    assert scene.allows(aside("author"))


def test_any_way_may_score_not_only_the_best() -> None:
    """Two cards of moons and two of wyrms: the lower pair may be scored too."""
    scene = Scene("author forest battle cave", "soldier", top="ace-of-suns", turn=1).do(1, OUT)
    assert scene.legal() == [aside(card) for card in ["author", "battle", "forest", "cave"]]


def test_single_possibility_is_taken_at_once() -> None:
    """Moons: there is one highest card."""
    scene = Scene("sea author", "soldier", turn=1).do(1, OUT)
    assert kinds(scene.events) == ["SeatDroppedOut", "RoundWon", "CardsLaidAside", "RoundDealt", "TurnBegun"]
    assert last(scene).cards == (Card.SEA,)


def test_nothing_is_scored_when_no_card_is_involved() -> None:
    """Waves, and no even card."""
    scene = Scene("sea bard", "author", top="ace-of-waves", turn=1).do(1, OUT)
    assert (last(scene).cards, last(scene).points) == ((), 0)
    assert scene.scores() == [0, 0]


def test_cards_are_worth_their_number_aces_one_and_all_others_ten() -> None:
    """Pawns, courts and crowns are worth ten."""
    worth = [POINTS[card] for card in ints("ace-of-suns author pact harvest consul sea")]
    assert worth == [1, 2, 9, 10, 10, 10]


def test_default_of_scoring_is_the_highest_involved_card() -> None:
    """The Huntress is higher, but not involved."""
    scene = Scene("huntress author forest", "soldier", top="ace-of-leaves", turn=1).do(1, OUT)
    assert GAME.default(scene.table, Seat(0)) == aside("forest")


# Scoring all cards


def test_all_cards_of_one_set_for_each_condition_are_laid_aside_by_choice() -> None:
    """Knots have one set, types have two: two choices, each with all the small cards."""
    palette = "author mountain forest soldier"
    scene = Scene(palette, "sea", top="battle", turn=1, scoring="all_cards").do(1, OUT)
    assert set(map(str, scene.legal())) == {str(aside("author mountain forest")), str(aside("author mountain soldier"))}
    scene.do(0, aside("soldier author mountain"))
    assert (set(last(scene).cards), last(scene).points) == (set(cards("author mountain soldier")), 11)


def test_other_sets_are_refused() -> None:
    """Neither a part, nor more than is needed, nor another player's cards."""
    palette = "author mountain forest soldier"
    scene = Scene(palette, "sea", top="battle", turn=1, scoring="all_cards").do(1, OUT)
    assert scene.refused(0, aside("author mountain")) == "not-one-set-each"
    assert scene.refused(0, aside(palette)) == "not-one-set-each"
    assert scene.refused(0, aside("author mountain sea")) == "not-in-palette"


def test_single_set_is_taken_at_once() -> None:
    """All even cards."""
    scene = Scene("author battle sea", "soldier", top="ace-of-waves", turn=1, scoring="all_cards").do(1, OUT)
    assert (last(scene).cards, scene.scores()) == (cards("author battle"), [6, 0])


def test_condition_for_which_nothing_counts_scores_nothing() -> None:
    """Moons and waves without an even card: the highest card alone."""
    scene = Scene("sea bard", "author", top="journey", turn=1, scoring="all_cards").do(1, OUT)
    assert last(scene).cards == (Card.BARD,)


def test_default_of_all_cards_is_the_choice_worth_most() -> None:
    """The pair with the higher cards."""
    scene = Scene("author forest battle cave", "soldier", top="ace-of-suns", turn=1, scoring="all_cards").do(1, OUT)
    assert GAME.default(scene.table, Seat(0)) == aside("battle cave")


# The next round


def test_scored_cards_stay_out_and_all_others_are_shuffled_again() -> None:
    """The next deal has every card that is not scored, and the Ace of Moons begins the pile again."""
    scene = Scene("sea author", "soldier", hands=["bard"], scored=["pact", "end"], turn=1).do(1, OUT)
    deal = next(event for event in scene.events if isinstance(event, RoundDealt))
    dealt = [*deal.palette_cards, *(deal.deck or ()), *(card for hand in deal.hands for card in hand or ())]
    assert len(dealt) == len(set(dealt)) == 32
    assert not {Card.SEA, Card.PACT, Card.END, Card.ACE_OF_MOONS} & set(dealt)
    view = GAME.view(scene.table, None)
    assert (view.round, view.pile, [each.out for each in view.seats]) == (2, (Card.ACE_OF_MOONS,), [False, False])
    assert (view.seats[0].score, view.seats[0].scored) == (19, (Card.PACT, Card.SEA))


def test_view_has_the_rounds_that_are_over() -> None:
    """Who won, on what, and what was scored."""
    scene = Scene("sea author", "soldier", turn=1).do(1, OUT)
    (done,) = GAME.view(scene.table, None).rounds
    assert (done.winner, done.top, done.cards, done.points) == (0, Card.ACE_OF_MOONS, (Card.SEA,), 10)


@pytest.mark.parametrize(
    ("seats", "cards_left", "size"),
    [(2, 35, 7), (2, 16, 7), (2, 15, 6), (3, 24, 7), (3, 23, 6), (4, 28, 6), (4, 27, 5), (4, 8, 1)],
)
def test_hands_are_equally_smaller_when_the_deck_is_too_small(seats: int, cards_left: int, size: int) -> None:
    """Every seat gets an open card and as many hand cards as there are for all."""
    assert hand_size(seats, cards_left) == size


def test_smaller_hands_are_dealt() -> None:
    """Four seats with eleven scored cards: 24 are left, so five in each hand."""
    scene = Scene("", "", "", "", scored=[LOW])
    events = GAME.record(scene.table, lambda work: deal(work, Dice("small")))
    assert isinstance(events[0], RoundDealt)
    assert [len(hand or ()) for hand in events[0].hands] == [5] * 4
    assert (events[0].hand_size, events[0].deck_size) == (5, 0)


def out_of_cards(*shares: list[int]) -> Scene:
    """Return a table with four seats that have scored these, the weakest card of the deck being 0, and nothing to be dealt."""
    scene = Scene("", "", "", "")
    deck = undealt(scene.table)
    scene.table.scored = [mask_of(deck[place] for place in share) for share in shares]
    for event in GAME.record(scene.table, lambda work: deal(work, Dice("none"))):
        GAME.fold(scene.table, event)
    return scene


def test_match_ends_when_not_even_one_hand_card_each_can_be_dealt() -> None:
    """Seven cards are left for four seats; the most points win."""
    scene = out_of_cards([*range(7, 20)], [*range(20, 30)], [*range(30, 35)], [])
    assert scene.scores() == [56, 82, 50, 0]
    assert scene.winners() == (1,)


def test_ties_share_the_win_when_the_cards_run_out() -> None:
    """Two seats with equally many points are both first."""
    scene = out_of_cards([*range(26, 32)], [17, 20, 21, 22, 32, 33, 34], [14, 15, 16, 23, 24, 25], [*range(7, 14), 18, 19])
    assert scene.scores() == [57, 57, 39, 35]
    assert scene.winners() == (0, 1)


# The end of the match


@pytest.mark.parametrize(
    ("seats", "scored"), [(2, "huntress bard end pact"), (3, "huntress bard pact"), (4, "huntress pact author")]
)
def test_match_ends_when_a_seat_reaches_the_target(seats: int, scored: str) -> None:
    """40 points with two seats, 30 with three, 25 with four: one card short it goes on, with it the match is over."""
    palettes = ["sea", *["author"] * (seats - 1)]
    target = {2: 40, 3: 30, 4: 25}[seats]
    assert GAME.view(Scene(*palettes).table, None).target == target
    scene = Scene(*palettes, scored=[scored], turn=1)
    for seat in range(1, seats):
        assert scene.winners() is None
        scene.do(seat, OUT)
    assert scene.winners() == (0,)
    assert scene.asked == ()


def test_match_goes_on_one_point_below_the_target() -> None:
    """39 points with two seats."""
    scene = Scene("sea", "author", scored=["huntress bard pact"], turn=1).do(1, OUT)
    assert scene.scores() == [39, 0]
    assert scene.winners() is None


def test_standing_ranks_by_points() -> None:
    """The winner first; equal points share a rank."""
    scene = Scene("sea", "author", "author", scored=["huntress bard pact", "end", "calamity"], turn=1).do(1, OUT).do(2, OUT)
    assert GAME.standing(scene.table) == Standing((Placing(Seat(0), 1, 39), Placing(Seat(1), 2, 10), Placing(Seat(2), 2, 10)))


def test_rematch_has_the_same_options() -> None:
    """Who begins is always a matter of the cards."""
    options = MondkroneOptions(draw=False, scoring="all_cards")
    assert GAME.rematch(options, Standing((Placing(Seat(0), 1), Placing(Seat(1), 2)))) == options
