"""What follows from a move: bids are shown, tricks taken, and the match scored after the last one."""

from __future__ import annotations

from typing import cast

from tafelrunde.domain.chance import Chance
from tafelrunde.domain.game import Seat

from .cards import DECK
from .move_codec import BID, Move
from .moves import legal, winning
from .table import DuelTable

EXACT_BID = 3
"""Points for a bid that was met exactly."""


def set_up(table: DuelTable, chance: Chance) -> None:
    """Draw who leads, and deal."""
    size, fixed = table.options.cards, table.options.first_seat
    first = Seat(fixed if fixed is not None else chance.below("first", table.seats))
    deck = chance.shuffle("deal", DECK)
    table.f_dealt(first, [deck[seat * size : (seat + 1) * size] for seat in range(table.seats)])


def apply(table: DuelTable, seat: int, move: Move, _: Chance) -> None:
    """Carry out a legal move and all that follows from it."""
    if move < BID:
        table.f_card_played(Seat(seat), move)
        if not table.trick():
            _settle(table)
        return
    table.f_bid_made(Seat(seat), move - BID)
    if None not in table.bids:
        table.f_bids_shown(tuple(cast("list[int]", table.bids)))


def _settle(table: DuelTable) -> None:
    """Give the full trick to its winner, and score after the last one."""
    trick = table.plays[-table.seats :]
    number = len(table.plays) // table.seats
    winner = trick[winning([card for _, card in trick])][0]
    table.f_trick_taken(winner, table.options.prizes[number - 1] if table.options.prizes else 1)
    if not any(table.hands):
        table.f_scored(tuple(map(points, table.points, table.taken, cast("list[int]", table.bids))))


def points(prizes: int, taken: int, bid: int) -> int:
    """Return what a seat scores: its prizes, and more if its bid was met."""
    return prizes + EXACT_BID * (taken == bid)


def default(table: DuelTable, seat: int) -> Move:
    """Return what is done for a seat whose time is up: its first legal move."""
    return legal(table, seat)[0]
