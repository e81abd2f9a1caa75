"""Rules of set-up, turns and drawing: one test for each rule, named after it."""

from __future__ import annotations

import pytest

from tafelrunde.domain.game import InvalidOptions, Refusal, Seat
from tafelrunde.domain.mondkrone import GAME
from tafelrunde.domain.mondkrone.cards import INDEX, Card
from tafelrunde.domain.mondkrone.events import CardDiscarded, CardPlayed, CardsDrawn, RoundDealt
from tafelrunde.domain.mondkrone.messages import DiscardToPile, DropOut, MondkroneOptions, PlayAndDiscard, PlayToPalette
from tafelrunde.domain.mondkrone.table import MondkroneTable
from tafelrunde.domain.secrecy import redact
from tests.games.mondkrone.kit import OUT, Scene, aside, both, cards, ints, kinds, play, put
from tests.support.dice import Dice


def started(seats: int, seed: object = 1, options: MondkroneOptions | None = None) -> tuple[MondkroneTable, RoundDealt]:
    """Return a table after the deal, and the deal."""
    table = GAME.create(options or MondkroneOptions(), seats)
    events = GAME.start(table, Dice(seed))
    for event in events:
        GAME.fold(table, event)
    deal = events[0]
    assert isinstance(deal, RoundDealt)
    return table, deal


# Set-up


def test_ace_of_moons_begins_the_pile() -> None:
    """It is taken out of the deck, so no one is dealt it."""
    table, deal = started(2)
    assert deal.pile_card is Card.ACE_OF_MOONS
    assert GAME.view(table, None).pile == (Card.ACE_OF_MOONS,)
    held = [card for hand in deal.hands for card in hand or ()]
    assert Card.ACE_OF_MOONS not in [*held, *deal.palette_cards, *(deal.deck or ())]


@pytest.mark.parametrize(("seats", "hand", "deck"), [(2, 7, 19), (3, 7, 11), (4, 6, 7)])
def test_hands_have_seven_cards_or_six_with_four_seats(seats: int, hand: int, deck: int) -> None:
    """And one open card each; the rest is the draw deck."""
    table, deal = started(seats)
    assert [len(cards or ()) for cards in deal.hands] == [hand] * seats
    assert (deal.hand_size, deal.deck_size, len(deal.palette_cards)) == (hand, deck, seats)
    view = GAME.view(table, None)
    assert [(each.hand_size, len(each.palette)) for each in view.seats] == [(hand, 1)] * seats
    assert view.deck_size == deck


@pytest.mark.parametrize("seed", range(5))
def test_lowest_open_card_begins(seed: int) -> None:
    """The seat whose first palette card is lowest has the first turn."""
    table, deal = started(4, seed)
    lowest = min(deal.palette_cards, key=INDEX.__getitem__)
    assert GAME.view(table, None).turn == deal.palette_cards.index(lowest)


@pytest.mark.parametrize("seats", [1, 5])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    """Two to four."""
    with pytest.raises(InvalidOptions) as found:
        GAME.check(MondkroneOptions(), seats)
    assert found.value.field == "seats"


def test_pawns_and_courts_are_dealt_with_the_extended_deck_only() -> None:
    """44 cards instead of 36."""
    _, deal = started(2, options=MondkroneOptions(deck="extended"))
    assert deal.deck_size == 27


# Turns


def test_turns_go_clockwise_past_seats_that_are_out() -> None:
    """The next seat has the next turn; a seat that is out is skipped."""
    scene = Scene("author", "sea", "pact", hands=["calamity", "bard", "huntress"])
    assert scene.do(0, OUT).asked == (1,)
    assert scene.do(1, play("bard")).asked == (2,)
    assert scene.do(2, play("huntress")).asked == (1,)


def test_only_the_seat_to_move_may_act() -> None:
    """The others are not asked."""
    scene = Scene("sea", "author", hands=["bard", "huntress"])
    assert scene.refused(1, play("huntress")) == "not-asked"
    assert scene.refused(1, OUT) == "not-asked"


def test_nothing_is_laid_aside_during_a_round() -> None:
    """Scoring is for the winner of a round."""
    assert Scene("sea", "author").refused(0, aside("sea")) == "not-now"


# Action 1


def test_play_must_lead_in_a_condition_at_the_end_of_the_turn() -> None:
    """Moons: the Sea beats the Pact, the Merchant does not."""
    scene = Scene("author", "pact", hands=["sea merchant"])
    assert scene.allows(play("sea"))
    assert scene.refusal(0, play("merchant")) == Refusal("would-not-lead", {"condition": "moons", "leader": 1})


def test_play_may_lead_in_any_one_of_several_conditions() -> None:
    """Waves and leaves on the pile: leading in waves is enough."""
    scene = Scene("author battle", "journey soldier discovery", hands=["diplomat"], top="mill")
    assert scene.do(0, play("diplomat")).asked == (1,)


def test_play_that_would_lead_in_none_says_who_leads() -> None:
    """Waves and leaves: seat 1 leads in both whatever seat 0 plays."""
    scene = Scene("ace-of-suns", "lunatic market diplomat castle", hands=["bard"], top="mill")
    assert scene.refusal(0, play("bard")) == Refusal("would-lead-in-none", {"condition": "waves", "leader": 1})


def test_play_need_not_improve_while_the_seat_leads_already() -> None:
    """An ace adds nothing to the highest card."""
    assert Scene("sea", "author", hands=["ace-of-knots"]).allows(play("ace-of-knots"))


def test_play_for_a_condition_for_which_nothing_counts_is_refused() -> None:
    """Waves, and no one has an even card: no one leads."""
    scene = Scene("sea", "bard", hands=["pact"], top="ace-of-waves")
    assert scene.refusal(0, play("pact")) == Refusal("nothing-counts", {"condition": "waves"})


def test_played_card_goes_from_the_hand_to_the_palette() -> None:
    """And the pile stays."""
    scene = Scene("author", "pact", hands=["sea bard"]).do(0, play("sea"))
    assert scene.palette(0) == set(cards("author sea"))
    assert GAME.view(scene.table, Seat(0)).hand == (Card.BARD,)
    assert GAME.view(scene.table, None).top is Card.ACE_OF_MOONS


# Action 2


def test_discard_must_lead_in_all_conditions_of_the_new_card() -> None:
    """Moons and suns: leading in moons alone is not enough for the Pact; for the Huntress it is."""
    scene = Scene("sea", "author forest", hands=["pact huntress"])
    assert scene.refusal(0, put("pact")) == Refusal("would-not-lead", {"condition": "suns", "leader": 1})
    assert scene.allows(put("huntress"))


def test_discard_need_not_lead_in_what_the_pile_asked_before() -> None:
    """Not leading in moons, a seat changes to knots."""
    assert Scene("author", "sea", hands=["windfall"]).do(0, put("windfall")).leader() == 0


def test_discarded_card_does_not_count_in_the_palette() -> None:
    """The Lunatic on the pile is no even card before its seat."""
    scene = Scene("bard", "sea", hands=["lunatic ace-of-waves"])
    assert scene.refused(0, put("lunatic")) == "nothing-counts"
    assert scene.refused(0, put("ace-of-waves")) == "nothing-counts"


def test_discard_sets_the_conditions() -> None:
    """The top card of the pile is the last one put there; the cards under it stay known."""
    scene = Scene("sea pact", "author", hands=["diplomat"]).do(0, put("diplomat"))
    view = GAME.view(scene.table, None)
    assert view.pile == (Card.ACE_OF_MOONS, Card.DIPLOMAT)
    assert [each.suit.value for each in view.conditions] == ["moons", "suns"]


# Action 3


def test_play_and_discard_must_lead_in_all_conditions_with_the_played_card() -> None:
    """The Lunatic in the palette makes the Ace of Waves possible, which it was not before."""
    scene = Scene("author", "mill sea", hands=["lunatic ace-of-waves battle"])
    assert scene.refused(0, put("ace-of-waves")) == "would-not-lead"
    assert scene.allows(both("lunatic", "ace-of-waves"))
    assert scene.refusal(0, both("ace-of-waves", "lunatic")) == Refusal("would-not-lead", {"condition": "moons", "leader": 1})
    scene.do(0, both("lunatic", "ace-of-waves"))
    assert kinds(scene.events[:2]) == ["CardPlayed", "CardDiscarded"]
    assert scene.leader() == 0


def test_play_and_discard_takes_two_different_cards() -> None:
    """One card cannot be in both places."""
    assert Scene("sea", "author", hands=["bard"]).refused(0, both("bard", "bard")) == "same-card-twice"


def test_card_that_is_not_held_is_refused() -> None:
    """Only one's own hand cards."""
    scene = Scene("sea", "author", hands=["bard", "huntress"])
    assert scene.refusal(0, play("huntress")) == Refusal("card-not-held", {"card": "huntress"})
    assert scene.refused(0, both("bard", "huntress")) == scene.refused(0, put("sea")) == "card-not-held"


# Action 4


def test_dropping_out_is_always_possible() -> None:
    """Also for a seat that could do something else."""
    scene = Scene("sea", "author", "pact", hands=["bard"])
    assert scene.allows(play("bard"))
    assert scene.allows(OUT)


def test_palette_of_a_seat_that_dropped_out_counts_no_more_and_its_hand_is_not_used() -> None:
    """It is face down: seat 2 now leads in moons, and the hand stays as it is."""
    scene = Scene("sea", "author", "pact", hands=["bard", "soldier"]).do(0, OUT)
    assert scene.leader() == 2
    view = GAME.view(scene.table, None)
    assert (view.seats[0].out, view.seats[0].hand_size) == (True, 1)


def test_palette_that_is_face_down_and_covered_cards_are_still_known() -> None:
    """Everyone has seen them, so they are no secret."""
    scene = Scene("sea", "author", "pact", hands=["bard huntress"]).do(0, put("huntress")).do(1, OUT)
    for viewer in (None, Seat(0), Seat(2)):
        view = GAME.view(scene.table, viewer)
        assert view.seats[1].palette == (Card.AUTHOR,)
        assert view.pile == (Card.ACE_OF_MOONS, Card.HUNTRESS)


def test_empty_hand_leaves_only_dropping_out() -> None:
    """Even for a seat that leads."""
    assert Scene("sea", "author", "pact").legal() == [OUT]


def test_action_that_would_not_end_well_is_refused_and_changes_nothing() -> None:
    """It is no loss: the seat is asked as before."""
    scene = Scene("author", "pact", hands=["merchant sea"])
    assert scene.refused(0, play("merchant")) == "would-not-lead"
    assert scene.asked == (0,)
    assert scene.do(0, play("sea")).asked == (1,)


# Drawing


@pytest.mark.parametrize(("card", "drawn"), [("huntress", 0), ("diplomat", 1), ("watchman", 2)])
def test_card_put_on_the_pile_draws_one_less_than_its_suits(card: str, drawn: int) -> None:
    """An ace or crown none, a card with two suits one, a pawn or court two."""
    palette = "pact mountain author ace-of-wyrms cave darkness"
    scene = Scene(palette, "ace-of-leaves", hands=[card], deck="bard end soldier").do(0, put(card))
    assert GAME.view(scene.table, Seat(0)).hand == tuple(sorted(cards("bard end")[:drawn], key=INDEX.__getitem__))
    assert GAME.view(scene.table, None).deck_size == 3 - drawn


def test_play_and_discard_draws_too() -> None:
    """For the card on the pile."""
    scene = Scene("pact", "author", hands=["diplomat mountain"], deck="sea").do(0, both("diplomat", "mountain"))
    assert kinds(scene.events) == ["CardPlayed", "CardDiscarded", "CardsDrawn", "TurnBegun"]


def test_play_to_the_palette_never_draws() -> None:
    """Action 1 changes no rules."""
    scene = Scene("author", "soldier", hands=["pact"], deck="sea").do(0, play("pact"))
    assert kinds(scene.events) == ["CardPlayed", "TurnBegun"]


def test_nothing_is_drawn_without_the_option() -> None:
    """`draw` is on by default and can be turned off."""
    scene = Scene("pact mountain", "author", hands=["diplomat"], deck="sea", draw=False).do(0, put("diplomat"))
    assert kinds(scene.events) == ["CardDiscarded", "TurnBegun"]
    assert MondkroneOptions().draw


def test_empty_draw_deck_gives_nothing() -> None:
    """As far as there are cards."""
    palette = "pact mountain author ace-of-wyrms cave darkness"
    assert "CardsDrawn" not in kinds(Scene("pact mountain", "author", hands=["diplomat"]).do(0, put("diplomat")).events)
    scene = Scene(palette, "ace-of-leaves", hands=["watchman"], deck="bard").do(0, put("watchman"))
    assert [event.count for event in scene.events if isinstance(event, CardsDrawn)] == [1]


def test_drawn_cards_are_shown_to_their_seat_only() -> None:
    """The others see how many."""
    scene = Scene("pact mountain", "author", hands=["diplomat"], deck="sea").do(0, put("diplomat"))
    event = next(event for event in scene.events if isinstance(event, CardsDrawn))
    assert redact(event, Seat(0)) == CardsDrawn(Seat(0), 1, cards("sea"))
    assert redact(event, Seat(1)) == redact(event, None) == CardsDrawn(Seat(0), 1, None)


def test_hands_and_draw_deck_are_hidden_when_they_are_dealt() -> None:
    """Everyone sees the open cards, the size of hands and deck, and their own hand."""
    _, deal = started(3)
    told = redact(deal, Seat(1))
    assert isinstance(told, RoundDealt)
    assert told.hands == (None, deal.hands[1], None)
    assert told.deck is None
    assert told.palette_cards == deal.palette_cards


# What is offered, and what is done when time is up


def test_menu_has_every_action_with_every_own_card() -> None:
    """Two hand cards: two plays, two discards, two pairs, and dropping out, each with its reason if refused."""
    scene = Scene("author", "pact", hands=["merchant sea"])
    menu = GAME.menu(scene.table, Seat(0))
    kinds = [PlayToPalette, PlayToPalette, DiscardToPile, DiscardToPile, PlayAndDiscard, PlayAndDiscard, DropOut]
    assert [type(choice.command) for choice in menu] == kinds
    assert {choice.refusal.code for choice in menu if choice.refusal} == {"would-not-lead"}
    assert [choice.command for choice in menu if choice.refusal is None] == scene.legal()


def test_default_of_a_turn_is_to_drop_out() -> None:
    """Also for a seat that could do something else."""
    scene = Scene("sea", "author", hands=["bard"])
    assert GAME.default(scene.table, Seat(0)) == OUT


def test_view_says_who_leads_in_each_condition_and_with_which_cards() -> None:
    """Leaves and wyrms: the count, and the cards that make it."""
    scene = Scene("author calamity sea chance-meeting", "battle discovery", top="savage")
    leaves, wyrms = GAME.view(scene.table, None).conditions
    assert (leaves.leader, leaves.count, set(leaves.cards)) == (0, 5, set(cards("author calamity sea chance-meeting")))
    assert (wyrms.leader, wyrms.count, set(wyrms.cards)) == (0, 2, set(cards("calamity chance-meeting")))


def test_played_and_discarded_cards_are_shown_out_of_the_hand() -> None:
    """A match can prove that they were dealt."""
    events = [CardPlayed(Seat(0), Card.SEA), CardDiscarded(Seat(1), Card.END)]
    shown = [(each.seat, each.card) for event in events for each in GAME.shown(event)]
    assert shown == [(0, "sea"), (1, "end")]


def test_hand_that_drew_is_dealt_again() -> None:
    """Deals and draws show the match which hands there are."""
    scene = Scene("pact mountain", "author", hands=["diplomat soldier"], deck="sea").do(0, put("diplomat"))
    event = next(event for event in scene.events if isinstance(event, CardsDrawn))
    assert [(hand.seat, hand.cards) for hand in GAME.dealt(scene.table, event)] == [(0, ("soldier", "sea"))]
    assert ints("soldier sea") == scene.table.hands[0]
