"""What follows from a move: bids are shown, tricks taken, rounds scored, the next one dealt."""

from __future__ import annotations

from typing import Final

from ..game import Chance
from .cards import CARDS, ROUNDS, TRUMP, suit_of, value_of
from .move_codec import BID, Move
from .moves import playable, winning
from .table import NO_BID, MatchMasterTable

GOOD: Final = 8
ACE: Final = 13
"""A bid by default counts on trumps from GOOD on, and on every ACE."""
MET: Final = 10
"""What meeting the bid is worth besides the tricks (rulebook, "Die Punkte werden wie folgt vergeben")."""


def set_up(table: MatchMasterTable, chance: Chance) -> None:
    """Choose the first dealer and deal the first round."""
    fixed = table.options.first_dealer
    deal(table, 1, chance.below("first-dealer", table.seats) if fixed == "random" else fixed, chance)


def deal(table: MatchMasterTable, number: int, dealer: int, chance: Chance) -> None:
    """Deal a round: all cards are shuffled, each seat gets its hand, left of the dealer first; the rest is put aside."""
    deck = chance.shuffle(f"deal-{number}", range(CARDS))
    size = ROUNDS[number - 1]
    hands: list[list[int]] = [[] for _ in range(table.seats)]
    for place in range(table.seats):
        hands[(dealer + 1 + place) % table.seats] = deck[place * size : (place + 1) * size]
    table.f_dealt(number, dealer, hands)


def apply(table: MatchMasterTable, seat: int, move: Move, chance: Chance) -> None:
    """Carry out a legal move with all that follows from it."""
    if move < BID:
        table.f_card_played(seat, move)
        if len(table.trick) == table.seats:
            _settle(table, chance)
        return
    table.f_bid_placed(seat, move - BID)
    if NO_BID not in table.bids:
        table.f_bids_shown(table.bids)


def _settle(table: MatchMasterTable, chance: Chance) -> None:
    """Give the full trick to its winner; score the round after its last one, and deal the next."""
    table.f_trick_won((table.leader + winning(table.trick)) % table.seats)
    if table.hands[0]:  # all hands are of one size now
        return
    table.f_round_scored([points(bid, taken) for bid, taken in zip(table.bids, table.taken, strict=True)])
    if not table.over:
        deal(table, table.round + 1, (table.dealer + 1) % table.seats, chance)


def points(bid: int, taken: int) -> int:
    """Return what a seat scores: ten and its tricks for a bid that was met, else minus the difference."""
    return MET + taken if bid == taken else -abs(bid - taken)


def default(table: MatchMasterTable, seat: int) -> Move:
    """Return what is done for a seat whose time is up: it bids by its good cards, and plays its lowest one."""
    if table.shown:
        return min(playable(table.hands[seat], table.trick), key=lambda card: (value_of(card), card))
    return BID + sum(map(_likely, table.hands[seat]))


def _likely(card: int) -> bool:
    """Return whether a bid by default counts on a card: good trumps, and the highest card of each other suit."""
    return value_of(card) >= (GOOD if suit_of(card) == TRUMP else ACE)
