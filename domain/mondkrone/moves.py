"""Moves: what a seat may do. A move is a pair of ints, a verb and its argument: a search needs no commands."""

from __future__ import annotations

from typing import Final, TypeAlias

from . import stages
from .cards import SUIT_BITS, SUITS_OF, cards_in
from .conditions import PLACES, Results, best_of, hauls, leads, results
from .table import NOBODY, MondkroneTable

PLAY: Final = 0
DISCARD: Final = 1
BOTH: Final = 2
DROP_OUT: Final = 3
LAY_ASIDE: Final = 4

Move: TypeAlias = tuple[int, int]
"""A verb and its argument: a card, for BOTH two cards as `pair`, for LAY_ASIDE a set of cards."""


def pair(played: int, put: int) -> int:
    """Return two cards, for the palette and for the pile, as one int."""
    return played * PLACES + put


def rivals(table: MondkroneTable, seat: int) -> Results:
    """Return the best result of the others who are in the round, in each condition."""
    out = table.out
    return best_of([palette for other, palette in enumerate(table.palettes) if other != seat and not out[other]])


def waiting(table: MondkroneTable) -> int:
    """Return the seat that is asked, NOBODY if none is."""
    stage = table.stage
    return NOBODY if stage is stages.OVER or stage is stages.SETUP else table.turn


def legal(table: MondkroneTable, seat: int) -> list[Move]:
    """Return all moves of a seat; none if it is not asked."""
    stage = table.stage
    if table.turn != seat or stage is stages.OVER or stage is stages.SETUP:
        return []
    if stage is stages.SCORING:
        return [(LAY_ASIDE, cards) for cards in choices(table, seat)]
    found = _actions(table.hands[seat], table.palettes[seat], table.pile[-1], rivals(table, seat))
    found.append((DROP_OUT, 0))
    return found


def _actions(hand: list[int], palette: int, top: int, best: Results) -> list[Move]:
    """Return the plays, the discards, and the plays with a discard, that end as they must."""
    asked = SUIT_BITS[top]
    found: list[Move] = []
    pairs: list[Move] = []
    for card in hand:
        then = leads(results(palette | 1 << card), best)
        if then & asked:
            found.append((PLAY, card))
        if then:
            missed = ~then
            both = card * PLACES
            pairs += [(BOTH, both + put) for put in hand if not SUIT_BITS[put] & missed and put != card]
    now = leads(results(palette), best)
    if now:
        found += [(DISCARD, card) for card in hand if not SUIT_BITS[card] & ~now]
    return found + pairs


def choices(table: MondkroneTable, seat: int) -> list[int]:
    """Return the sets of cards that the winner of a round may lay aside."""
    all_cards = table.options.scoring == "all_cards"
    return hauls(table.palettes[seat], SUITS_OF[table.pile[-1]], all_cards=all_cards)


def thinkable(table: MondkroneTable, seat: int) -> list[Move]:
    """Return what an asked seat could think of, with its own hand or palette."""
    allowed = legal(table, seat)
    if table.stage is stages.SCORING and allowed:
        singles = [] if table.options.scoring == "all_cards" else [1 << card for card in cards_in(table.palettes[seat])]
        return [(LAY_ASIDE, cards) for cards in singles] or allowed
    if not allowed:
        return []
    hand = table.hands[seat]
    pairs = [(BOTH, pair(played, put)) for played in hand for put in hand if played != put]
    return [*((PLAY, card) for card in hand), *((DISCARD, card) for card in hand), *pairs, (DROP_OUT, 0)]
