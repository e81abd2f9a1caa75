"""Conditions, legal turns and choices of scoring, compared with trying every subset of cards."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tafelrunde.domain.game import Seat
from tafelrunde.domain.mondkrone import GAME
from tafelrunde.domain.mondkrone.cards import CARDS, INDEX, POINTS, SUITS, Card, mask_of
from tafelrunde.domain.mondkrone.conditions import PLACES, best_set, hauls, results, sets
from tafelrunde.domain.mondkrone.messages import DiscardToPile, LayAside, MondkroneCommand, PlayAndDiscard, PlayToPalette
from tafelrunde.domain.mondkrone.move_codec import command_of
from tafelrunde.domain.mondkrone.moves import Move, legal
from tafelrunde.domain.mondkrone.table import MondkroneTable
from tests.games.mondkrone import oracle
from tests.games.mondkrone.kit import Scene
from tests.support.cases import CASES, Case, reached
from tests.support.dice import Dice

MONDKRONE = [pytest.param(case, id=case.name) for case in CASES if case.game is GAME]
PALETTES = st.frozensets(st.sampled_from(CARDS), max_size=9)
TABLES = 25
LARGEST = 10


def bits(cards: oracle.Cards) -> int:
    """Return cards as a set of bits."""
    return mask_of(INDEX[card] for card in cards)


def cards_of(palette: int) -> oracle.Cards:
    """Return a set of bits as cards."""
    return frozenset(card for card in Card if palette >> INDEX[card] & 1)


def test_order_of_the_cards_is_that_of_their_ranks_and_suits() -> None:
    """Every card is stronger than the one before it."""
    assert sorted(CARDS, key=oracle.strength) == list(CARDS)
    assert [oracle.points(card) for card in CARDS] == list(POINTS)


@given(palette=PALETTES)
def test_results_are_those_of_the_definition(palette: oracle.Cards) -> None:
    """Count and deciding card of every condition."""
    for suit, found in zip(SUITS, results(bits(palette)), strict=True):
        expected = oracle.result(suit, palette)
        assert bool(found) == (expected is not None)
        if expected is not None:
            assert (found // PLACES, oracle.strength(CARDS[found % PLACES])) == expected


@given(palette=PALETTES)
def test_irredundant_sets_are_those_of_the_definition(palette: oracle.Cards) -> None:
    """All subsets that make the whole count and lose with every card, and no others."""
    for place, suit in enumerate(SUITS):
        expected = oracle.irredundant(suit, palette)
        assert set(map(cards_of, sets(bits(palette), place))) == expected
        best = cards_of(best_set(bits(palette), place))
        assert best in expected or not expected
        assert max(map(oracle.strength, best), default=None) == max(
            (oracle.strength(card) for chosen in expected for card in chosen), default=None
        )


@given(palette=PALETTES, top=st.sampled_from(CARDS), all_cards=st.booleans())
def test_choices_of_a_winner_are_those_of_the_definition(palette: oracle.Cards, top: Card, all_cards: bool) -> None:
    """One involved card, or one irredundant set for each condition."""
    conditions = [SUITS.index(suit) for suit in oracle.FACES[top].suits]
    found = hauls(bits(palette), conditions, all_cards=all_cards)
    assert len(found) == len(set(found))
    assert set(map(cards_of, found)) == oracle.choices(palette, top, all_cards=all_cards)


@given(one=PALETTES, other=PALETTES)
def test_results_of_two_seats_are_never_equal(one: oracle.Cards, other: oracle.Cards) -> None:
    """No two cards are equal, so some player leads wherever anything counts."""
    other = other - one
    for mine, yours in zip(results(bits(one)), results(bits(other)), strict=True):
        assert mine != yours or mine == 0


def turn(command: MondkroneCommand) -> tuple[Card | None, Card | None]:
    """Return a command of a turn as its cards for the palette and for the pile."""
    match command:
        case PlayToPalette(card):
            return card, None
        case DiscardToPile(card):
            return None, card
        case PlayAndDiscard(played, put):
            return played, put
        case _:
            return None, None


def expected(table: MondkroneTable, seat: int) -> set[object]:
    """Return what the definition lets the seat to move do."""
    palette = cards_of(table.palettes[seat])
    top = CARDS[table.pile[-1]]
    if GAME.view(table, None).stage == "scoring":
        return set(oracle.choices(palette, top, all_cards=table.options.scoring == "all_cards"))
    others = [cards_of(table.palettes[other]) for other in table.inside() if other != seat]
    return set(oracle.legal(cards_of(mask_of(table.hands[seat])), palette, others, top))


@pytest.mark.parametrize("case", MONDKRONE)
def test_legal_commands_are_those_of_the_definition(case: Case) -> None:
    """All along random matches, also of the honest bot."""
    checked = 0
    for table in (*reached(case, 40, TABLES), *reached(case, 41, TABLES)):
        assert isinstance(table, MondkroneTable)
        ask = GAME.pending(table)
        if ask is not None and max(map(int.bit_count, table.palettes)) <= LARGEST:
            found = GAME.legal(table, ask.open[0])
            said = [frozenset(each.cards) if isinstance(each, LayAside) else turn(each) for each in found]
            assert set(said) == expected(table, ask.open[0])
            assert len(said) == len(set(said))
            checked += 1
    assert checked >= TABLES


# Counted sequences of turns


def scene(seats: int, deck: str, top: str, seed: int) -> Scene:
    """Return a round with three hand cards for each seat and palettes of two cards, from a fixed deal."""
    cards = [card.value for card in Card if card is not Card(top) and card.value not in deck.split()]
    random.Random(seed).shuffle(cards)
    palettes = [" ".join(cards[2 * seat : 2 * seat + 2]) for seat in range(seats)]
    start = 2 * seats
    hands = [" ".join(cards[start + 3 * seat : start + 3 * seat + 3]) for seat in range(seats)]
    return Scene(*palettes, hands=hands, top=top, deck=deck)


def sequences(table: MondkroneTable, turns: int) -> int:
    """Return the number of sequences of that many turns in this round."""
    if not turns:
        return 1
    seat = Seat(table.turn)
    if table.round > 1 or not GAME.legal(table, seat) or len(table.inside()) < 2:
        return 0
    return sum(sequences(after(table, seat, move), turns - 1) for move in legal(table, seat))


def after(table: MondkroneTable, seat: Seat, move: Move) -> MondkroneTable:
    """Return the table after a move."""
    twin = table.copy()
    GAME.play(twin, seat, command_of(move), Dice("count"))
    return twin


@pytest.mark.parametrize(
    ("seats", "top", "seed", "counts"),
    [
        (2, "ace-of-moons", 1, (7, 9, 9, 27)),
        (2, "mill", 2, (7, 26, 90, 100)),
        (3, "ace-of-suns", 3, (8, 27, 54, 169)),
        (4, "savage", 4, (7, 22, 61, 110)),
    ],
)
def test_sequences_of_turns_are_as_many_as_the_definition_says(seats: int, top: str, seed: int, counts: tuple[int, ...]) -> None:
    """From fixed hands: the number of sequences of one, two, three and four turns, counted in two ways."""
    table = scene(seats, "sea pact", top, seed).table
    begun = oracle.Round(
        {seat: cards_of(mask_of(table.hands[seat])) for seat in range(seats)},
        {seat: cards_of(table.palettes[seat]) for seat in range(seats)},
        Card(top),
        tuple(CARDS[card] for card in table.deck),
        0,
    )
    found = tuple(sequences(table, turns) for turns in range(1, 5))
    assert found == tuple(begun.sequences(turns) for turns in range(1, 5))
    assert found == counts
