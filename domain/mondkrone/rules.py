"""What follows from a move: the consequences, all of them as facts of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..game import Chance
from . import stages
from .cards import FIRST_OF_PILE, SUITS_OF, deck_cards
from .conditions import PLACES
from .moves import BOTH, DISCARD, DROP_OUT, LAY_ASIDE, PLAY, Move, choices
from .table import MondkroneTable, worth

TARGETS: Final[Mapping[int, int]] = {2: 40, 3: 30, 4: 25}
"""The points that end a match, by the number of seats."""
FULL_HANDS: Final[Mapping[int, int]] = {2: 7, 3: 7, 4: 6}


def apply(table: MondkroneTable, seat: int, move: Move, chance: Chance) -> None:
    """Carry out a legal move and all that follows from it."""
    verb, argument = move
    if verb == PLAY:
        table.f_card_played(seat, argument)
    elif verb == DISCARD:
        put_on_pile(table, seat, argument)
    elif verb == BOTH:
        table.f_card_played(seat, argument // PLACES)
        put_on_pile(table, seat, argument % PLACES)
    elif verb == DROP_OUT:
        table.f_seat_dropped_out(seat)
    else:
        lay_aside(table, seat, argument, chance)
        return
    begin_turn(table, next_inside(table, seat), chance)


def put_on_pile(table: MondkroneTable, seat: int, card: int) -> None:
    """Put a card on the pile; in the draw variant the seat then draws one card less than it has suits."""
    table.f_card_discarded(seat, card)
    drawn = table.deck[: len(SUITS_OF[card]) - 1] if table.options.draw else []
    if drawn:
        table.f_cards_drawn(seat, drawn)


def next_inside(table: MondkroneTable, seat: int) -> int:
    """Return the next seat clockwise that is in the round."""
    out = table.out
    seats = table.seats
    following = (seat + 1) % seats
    while out[following]:
        following = (following + 1) % seats
    return following


def begin_turn(table: MondkroneTable, seat: int, chance: Chance) -> None:
    """Begin a turn; the only seat left has won the round instead, even with an empty hand."""
    if table.out.count(False) > 1:
        table.f_turn_begun(seat)
        return
    possible = choices(table, seat)
    asked = len(possible) > 1
    table.f_round_won(seat, asked)
    if not asked:
        lay_aside(table, seat, possible[0] if possible else 0, chance)


def lay_aside(table: MondkroneTable, seat: int, cards: int, chance: Chance) -> None:
    """Score these cards, and end the match or deal the next round."""
    table.f_cards_laid_aside(seat, cards, worth(cards))
    if table.points(seat) >= TARGETS[table.seats]:
        table.f_won([seat])
    else:
        deal(table, chance)


def set_up(table: MondkroneTable, chance: Chance) -> None:
    """Deal the first round."""
    deal(table, chance)


def deal(table: MondkroneTable, chance: Chance) -> None:
    """Deal all cards that are not scored; the seat with the weakest open card begins. Too few cards end the match."""
    cards = undealt(table)
    size = hand_size(table.seats, len(cards))
    if size < 1:
        table.f_won(leaders(table))
        return
    deck = chance.shuffle("deal", cards)
    held = table.seats * size
    palettes = deck[held : held + table.seats]
    rest = deck[held + table.seats :]
    table.f_round_dealt(FIRST_OF_PILE, palettes, [deck[start : start + size] for start in range(0, held, size)], rest)
    begin_turn(table, palettes.index(min(palettes)), chance)


def undealt(table: MondkroneTable) -> list[int]:
    """Return the cards of the deck that no one has scored."""
    scored = sum(table.scored)
    return [card for card in deck_cards(extended=table.options.deck == "extended") if not scored >> card & 1]


def hand_size(seats: int, cards: int) -> int:
    """Return how many cards each hand gets beside the open card; the same for all, and less than 1 if it is not possible."""
    return min(FULL_HANDS[seats], cards // seats - 1)


def leaders(table: MondkroneTable) -> list[int]:
    """Return who has the most points; ties share."""
    points = [table.points(seat) for seat in range(table.seats)]
    return [seat for seat in range(table.seats) if points[seat] == max(points)]


def best_haul(table: MondkroneTable, seat: int) -> int:
    """Return what is laid aside for a winner whose time is up: the most points, then the strongest card."""
    return max(choices(table, seat), key=lambda cards: (worth(cards), cards))


def default(table: MondkroneTable, seat: int) -> Move:
    """Return what is done for a seat whose time is up: it drops out, and lays aside what scores most."""
    return (DROP_OUT, 0) if table.stage is stages.TURN else (LAY_ASIDE, best_haul(table, seat))
