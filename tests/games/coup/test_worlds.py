"""What viewers of Coup know for certain of face-down cards: it is true, it is all in the view, and drawn worlds keep to it."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations, product

import pytest

from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.events import Action
from tafelrunde.domain.coup.messages import CoupOptions, LaunchCoup, Role
from tafelrunde.domain.coup.moves import deck_roles
from tafelrunde.domain.coup.table import INDEX, CoupTable
from tafelrunde.domain.coup.view import CoupKnownHand, CoupView
from tafelrunde.domain.game import Seat
from tests.games.coup.test_drawn_worlds import COUP, critical
from tests.support.cases import Case, played, reached
from tests.support.dice import Dice

DRAWS = 4_000
DUKE, CAPTAIN, CONTESSA, ASSASSIN = (INDEX[role] for role in (Role.DUKE, Role.CAPTAIN, Role.CONTESSA, Role.ASSASSIN))
FIFTH = INDEX[Role.INQUISITOR]


def dealt(*hands: tuple[int, int], rules_version: int = GAME.rules_version) -> CoupTable:
    """Return a table with these hands, in the first turn of seat 0."""
    table = GAME.of_version(rules_version).create(CoupOptions(fifth_role="inquisitor"), len(hands))
    deck = Counter(dict.fromkeys(deck_roles(table), 3))
    deck.subtract(card for hand in hands for card in hand)
    table.f_dealt(hands, [2] * len(hands), sorted(deck.elements()))
    table.f_turn_begun(0, asked=True)
    return table


def known(table: CoupTable, viewer: int | None, seat: int = 1) -> tuple[tuple[Role, ...], Role | None, bool | None] | None:
    """Return what a viewer knows of another hand."""
    view = GAME.view(table, None if viewer is None else Seat(viewer))
    found = [each for each in view.known if each.seat == seat]
    return (found[0].holds, found[0].lacks, found[0].alike) if found else None


def examine(table: CoupTable, card: int) -> None:
    """Let seat 0 see a card of seat 1."""
    table.f_action_declared(Action.EXAMINE, 1, FIFTH, 0)
    table.f_card_examined(0, 1, card)


def replace(table: CoupTable, card: int, drawn: int) -> None:
    """Let seat 1 put a card back and draw another."""
    court = [*table.court, card]
    court.remove(drawn)
    table.f_card_replaced(0, 1, card, drawn, court)


@pytest.mark.parametrize("hand", [(CONTESSA, CONTESSA), (CONTESSA, DUKE)])
def test_loss_or_proof_tells_nothing_of_the_other_card(hand: tuple[int, int]) -> None:
    """Whether it is equal to the lost or shown one stays hidden."""
    table = dealt((DUKE, CAPTAIN), hand)
    table.f_claim_proved(1, CONTESSA, ASSASSIN, [CONTESSA, *table.court[1:]])
    assert known(table, 0) is known(table, None) is None
    table.f_influence_lost(1, ASSASSIN)
    assert known(table, 0) is known(table, None) is None


@pytest.mark.parametrize("hand", [(DUKE, DUKE), (CONTESSA, DUKE)])
def test_examined_card_is_known_to_the_inquisitor_only(hand: tuple[int, int]) -> None:
    """Who saw it knows the card that was left, and neither it nor the others whether the other one is equal to it."""
    table = dealt((FIFTH, CAPTAIN), hand, (DUKE, ASSASSIN))
    examine(table, DUKE)
    table.f_card_left(0, 1)
    assert known(table, 0) == ((Role.DUKE,), None, None)
    assert known(table, 2) is known(table, None) is None


def test_two_examined_cards_are_known_to_differ() -> None:
    """Who has seen two different cards of a hand knows the whole hand."""
    table = dealt((FIFTH, CAPTAIN), (CONTESSA, DUKE))
    for card in (DUKE, CONTESSA):
        examine(table, card)
        table.f_card_left(0, 1)
    assert known(table, 0) == ((Role.CONTESSA, Role.DUKE), None, False)
    table.f_influence_lost(1, DUKE)
    assert known(table, 0) == ((Role.CONTESSA,), None, None)


@pytest.mark.parametrize("hand", [(DUKE, DUKE), (CONTESSA, DUKE)])
def test_examined_card_may_be_the_one_that_is_lost(hand: tuple[int, int]) -> None:
    """After the loss of a card as was examined the inquisitor knows nothing of what is left; after that of another it does."""
    table = dealt((FIFTH, CAPTAIN), hand)
    examine(table, DUKE)
    table.f_card_left(0, 1)
    other = table.copy()
    table.f_influence_lost(1, DUKE)
    assert known(table, 0) is None
    if CONTESSA in hand:
        other.f_influence_lost(1, CONTESSA)
        assert known(other, 0) == ((Role.DUKE,), None, None)


def test_examined_card_stays_known_while_another_is_shown() -> None:
    """A proof with another card does not move it; a proof with this card does."""
    table = dealt((FIFTH, CAPTAIN), (CONTESSA, DUKE))
    examine(table, DUKE)
    table.f_card_left(0, 1)
    table.f_claim_proved(1, CONTESSA, DUKE, table.court[1:])
    assert known(table, 0) == ((Role.DUKE,), None, None)
    table.f_claim_proved(1, DUKE, CONTESSA, table.court)
    assert known(table, 0) is None, "it was a pair, which nobody but seat 1 can know"


def test_replaced_card_is_gone() -> None:
    """No one knows anything of the hand any more, the inquisitor included: the card that stayed may be equal to it."""
    for hand in ((CONTESSA, DUKE), (DUKE, DUKE)):
        table = dealt((FIFTH, CAPTAIN), hand, (DUKE, ASSASSIN))
        examine(table, DUKE)
        replace(table, DUKE, CAPTAIN)
        assert known(table, 0) is known(table, 2) is None


# Version 1 of the rules: a seat without a choice was not asked, so that everyone learned of a pair.


def test_loss_about_the_other_card_in_version_1() -> None:
    """Who was not asked had a pair, and who was had none."""
    pair = dealt((DUKE, CAPTAIN), (CONTESSA, CONTESSA), rules_version=1)
    pair.f_influence_lost(1, CONTESSA)
    assert known(pair, 0) == known(pair, None) == ((Role.CONTESSA,), None, None)
    assert known(pair, 1) is None
    apart = dealt((DUKE, CAPTAIN), (CONTESSA, DUKE), rules_version=1)
    apart.f_influence_lost(1, CONTESSA)
    assert known(apart, 0) == ((), Role.CONTESSA, None)


def test_examination_about_the_other_card_in_version_1() -> None:
    """Everyone knew whether there was a choice; a replaced card of a pair showed the inquisitor the other one."""
    apart = dealt((FIFTH, CAPTAIN), (CONTESSA, DUKE), (DUKE, ASSASSIN), rules_version=1)
    examine(apart, DUKE)
    assert known(apart, 0) == ((Role.DUKE,), None, False)
    assert known(apart, 2) == known(apart, None) == ((), None, False)
    replace(apart, DUKE, CAPTAIN)
    assert known(apart, 0) == ((), Role.DUKE, None)
    pair = dealt((FIFTH, CAPTAIN), (DUKE, DUKE), (ASSASSIN, ASSASSIN), rules_version=1)
    examine(pair, DUKE)
    assert known(pair, 2) == ((), None, True)
    replace(pair, DUKE, CAPTAIN)
    assert known(pair, 0) == ((Role.DUKE,), None, None)
    assert known(pair, 2) is None


@pytest.mark.parametrize("first", [1, 2])
def test_match_goes_on_by_the_rules_that_it_began_with(first: int) -> None:
    """In version 1 a seat with equal cards only is not asked; in version 2 it is."""
    game = GAME.of_version(first)
    table = dealt((DUKE, CAPTAIN), (CONTESSA, CONTESSA), rules_version=first)
    table.coins[0] = 7
    assert game.rules_version == first
    for event in game.decide(table, Seat(0), LaunchCoup(1), Dice(1)):
        game.fold(table, event)
    ask = game.pending(table)
    assert ask is not None
    assert (ask.prompt, table.up[1]) == [("coup.prompt.action", [CONTESSA]), ("coup.prompt.lose", [])][first - 1]


def test_exchange_ends_what_others_know() -> None:
    """After an exchange any card may be in the hand."""
    table = dealt((DUKE, CAPTAIN), (CONTESSA, CONTESSA))
    table.f_influence_lost(1, CONTESSA)
    table.f_turn_begun(1, asked=True)
    table.f_cards_drawn(1, table.court[:1], asked=True)
    table.f_cards_returned(1, [CONTESSA], [*table.court, ASSASSIN])
    assert known(table, 0) is None


def test_exchange_of_equal_cards_tells_a_pair_in_version_1_only() -> None:
    """Who was not asked what to keep had equal cards only; which ones stayed hidden."""
    for version, told in ((1, ((), None, True)), (2, None)):
        table = dealt((FIFTH, CAPTAIN), (DUKE, DUKE), rules_version=version)
        table.f_turn_begun(1, asked=True)
        table.f_cards_drawn(1, [DUKE], asked=False)
        table.f_cards_returned(1, [DUKE, DUKE], [*table.court, DUKE])
        assert known(table, 0) == known(table, None) == told


def test_returned_cards_are_known_until_someone_else_draws() -> None:
    """Who returned a card knows that it lies in the court deck, in whatever place."""
    table = dealt((DUKE, CAPTAIN), (CONTESSA, ASSASSIN))
    table.f_cards_drawn(0, table.court[:1], asked=True)
    table.f_cards_returned(0, [CAPTAIN, *table.drawn], [*table.court, DUKE])
    assert GAME.view(table, Seat(0)).court_holds == (Role.DUKE,)
    assert GAME.view(table, Seat(1)).court_holds == GAME.view(table, None).court_holds == ()
    replace(table, CONTESSA, CAPTAIN)
    assert GAME.view(table, Seat(0)).court_holds == ()
    assert GAME.view(table, Seat(1)).court_holds == (Role.CONTESSA,)


def fits(hand: list[int], told: CoupKnownHand) -> bool:
    """Return whether a hand matches a description."""
    holds = Counter(INDEX[role] for role in told.holds)
    cards = Counter(hand)
    other = told.lacks is None or any(card != INDEX[told.lacks] for card in hand)
    return holds <= cards and other and (told.alike is None or told.alike == (len(cards) == 1))


def true_of(table: CoupTable, view: CoupView) -> bool:
    """Return whether what a view says about hidden cards is true."""
    court = Counter(INDEX[role] for role in view.court_holds) <= Counter(table.court)
    return court and all(fits(table.hands[told.seat], told) for told in view.known)


@pytest.mark.parametrize("case", COUP)
def test_what_is_known_is_true_and_drawn_worlds_look_the_same(case: Case) -> None:
    """Whatever a view says about hidden cards holds on the table and in every drawn world, and the view is the same there."""
    rng = random.Random(11)
    for seed in range(3):
        for table in reached(case, seed, 25):
            assert isinstance(table, CoupTable)
            for viewer in case.viewers():
                view = GAME.view(table, viewer)
                world = GAME.determinize(view, rng)
                assert true_of(table, view)
                assert true_of(world, view)
                assert GAME.view(world, viewer) == view


@pytest.mark.parametrize("case", COUP)
def test_folded_table_knows_the_same_as_the_played_one(case: Case) -> None:
    """Notes are made by facts only: folding a match from its events gives every viewer the same view."""
    for number, step in enumerate(played(case, seed=14)):
        if step.seat is None or step.command is None:
            continue
        table = step.before.copy()
        case.game.play(table, step.seat, step.command, Dice((14, number)))
        for viewer in case.viewers():
            assert case.game.view(table, viewer) == case.game.view(step.after, viewer)
            assert case.game.view(table.copy(), viewer) == case.game.view(table, viewer)


def test_false_knowledge_is_found() -> None:
    """The check sees a note that is not so."""
    table = dealt((DUKE, CAPTAIN), (CONTESSA, CONTESSA))
    examine(table, CONTESSA)
    table.hands[1] = [DUKE, DUKE]
    assert not true_of(table, GAME.view(table, Seat(0)))


def drafted(*, losing: bool) -> CoupTable:
    """Return a table after the duel draft; seat 1 may have lost a card."""
    table = GAME.create(CoupOptions(duel_draft=True, first_seat=0), 2)
    for event in GAME.start(table, Dice(3)):
        GAME.fold(table, event)
    table.f_card_drafted(0, DUKE)
    table.f_card_drafted(1, DUKE)
    table.f_dealt([[DUKE, CAPTAIN], [DUKE, CONTESSA]], [1, 1], [0, ASSASSIN, DUKE])
    table.f_turn_begun(0, asked=True)
    if losing:
        table.f_influence_lost(1, CONTESSA)
    return table


def draft_deals(table: CoupTable, *, losing: bool) -> dict[tuple[int, ...], float]:
    """Return the shares of seat 1's hands over all drafts and deals that seat 0 could have seen."""
    found: Counter[tuple[int, ...]] = Counter()
    for draft, third in product(deck_roles(table), permutations(deck_roles(table))):
        pair = sorted([draft, third[1]])
        if third[0] != CAPTAIN or (losing and CONTESSA not in pair):
            continue
        if losing:
            pair.remove(CONTESSA)
        found[tuple(pair)] += 1
    return {hand: count / found.total() for hand, count in found.items()}


@pytest.mark.parametrize("losing", [False, True])
def test_drafted_hands_are_drawn_as_often_as_drafts_and_deals_give_them(losing: bool) -> None:
    """The other seat has one card of its own set and one of the third; the rest of its set is out of the game."""
    table = drafted(losing=losing)
    rng = random.Random(12)
    view = GAME.view(table, Seat(0))
    expected = draft_deals(table, losing=losing)
    found = Counter(tuple(GAME.determinize(view, rng).hands[1]) for _ in range(DRAWS))
    assert set(found) <= set(expected)
    chi_square = sum((found[hand] - DRAWS * share) ** 2 / (DRAWS * share) for hand, share in expected.items())
    assert chi_square < critical(len(expected) - 1)


def proofs(table: CoupTable) -> dict[tuple[int, ...], float]:
    """Return the shares of seat 1's hands: any two unseen cards, as the duke that it showed went back before it drew."""
    unseen = Counter(dict.fromkeys(deck_roles(table), 3))
    unseen.subtract(table.hands[0])
    found = Counter(tuple(sorted(pair)) for pair in permutations(list(unseen.elements()), 2))
    return {hand: count / found.total() for hand, count in found.items()}


def test_hand_after_a_proof_is_drawn_as_often_as_its_deals() -> None:
    """The card that was not shown may be equal to the shown one, and the new card may be any."""
    table = dealt((FIFTH, CAPTAIN), (CONTESSA, DUKE))
    rng = random.Random(13)
    table.f_claim_proved(1, DUKE, ASSASSIN, table.court)
    view = GAME.view(table, Seat(0))
    expected = proofs(table)
    found = Counter(tuple(GAME.determinize(view, rng).hands[1]) for _ in range(DRAWS))
    assert set(found) <= set(expected)
    chi_square = sum((found[hand] - DRAWS * share) ** 2 / (DRAWS * share) for hand, share in expected.items())
    assert chi_square < critical(len(expected) - 1)
