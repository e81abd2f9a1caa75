"""Which moves are legal: bids, and the duties to follow, to trump and to overtrump (rulebook, "Während des Spiels gilt")."""

from __future__ import annotations

from .cards import ROUNDS, TRUMP, VALUES
from .messages import MatchMasterCommand
from .move_codec import BID, BIDS, Move
from .table import NO_BID, NOBODY, MatchMasterTable


def playable(hand: list[int], trick: list[int]) -> list[int]:
    """Return the cards of a hand that may be played to a trick, in the hand's order. Hands are sorted, so trumps come first.

    Cards of the led suit if it is not trump; otherwise trumps above the highest one in the trick, or, if there is none, any
    trump; without a card of the led suit and without trump any card.
    """
    if not trick or len(hand) < 2:
        return hand
    led = trick[0] // VALUES
    if led != TRUMP:
        following = [card for card in hand if card // VALUES == led]
        if following:
            return following
    if hand[0] >= VALUES:
        return hand
    highest = -1
    for card in trick:
        if highest < card < VALUES:
            highest = card
    above = [card for card in hand if highest < card < VALUES]
    return above or [card for card in hand if card < VALUES]


def winning(trick: list[int]) -> int:
    """Return the place of the card that wins a trick: the highest trump, else the highest card of the led suit."""
    best = trick[0]
    lowest = trick[0] // VALUES * VALUES
    for card in trick:
        if card < VALUES <= lowest:
            best = card
            lowest = 0
        elif best < card < lowest + VALUES:
            best = card
    return trick.index(best)


def asked(table: MatchMasterTable) -> tuple[int, ...]:
    """Return the seats that are known to be asked."""
    if not table.round or table.over:
        return ()
    return (table.turn,) if table.shown else tuple(range(table.seats))


def waiting(table: MatchMasterTable) -> int:
    """Return the first seat that has not answered, NOBODY if none is asked."""
    if table.shown:
        return NOBODY if len(table.rounds) == len(ROUNDS) else table.turn
    return table.bids.index(NO_BID) if table.round else NOBODY


def legal(table: MatchMasterTable, seat: int) -> list[Move]:
    """Return all moves of a seat, cards in hand order; none if it is not asked."""
    if table.shown:
        return playable(table.hands[seat], table.trick) if seat == table.turn else []
    if not table.round:
        return []
    return [BID + tricks for tricks in range(table.size + 1) if tricks != table.bids[seat]]


def answered(table: MatchMasterTable, seat: int) -> MatchMasterCommand | None:
    """Return the bid of a seat that it may still change, None if there is none."""
    open_ = table.round > 0 and not table.shown and table.bids[seat] != NO_BID
    return BIDS[table.bids[seat]] if open_ else None
