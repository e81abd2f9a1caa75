"""Why a command of Duel is not allowed now. Everything here is known to the seat that asks."""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from tafelrunde.domain.game import Choice, Refusal

from .cards import SUITS, suit
from .messages import Bid, DuelCommand, PlayCard
from .moves import asked, playable
from .table import DuelTable


class DuelRefusal(Enum):
    """All reasons, each with a text under `duel.refusal.<code>`."""

    NOT_ASKED = "not-asked"
    NOT_NOW = "not-now"
    NO_SUCH_BID = "no-such-bid"
    BID_UNCHANGED = "bid-unchanged"
    CARD_NOT_HELD = "card-not-held"
    MUST_FOLLOW_SUIT = "must-follow-suit"


def menu(table: DuelTable, seat: int) -> list[Choice]:
    """Return all bids, or all cards of the hand, with the reasons against them."""
    if seat not in asked(table):
        return []
    bids = [Bid(tricks) for tricks in range(table.options.cards + 1)]
    thinkable = [PlayCard(card) for card in table.hands[seat]] if table.shown else bids
    return [Choice(command, why_not(table, seat, command)) for command in thinkable]


def why_not(table: DuelTable, seat: int, command: DuelCommand) -> Refusal | None:
    """Return why a command is refused, None if it is legal."""
    if seat not in asked(table):
        return _refused(DuelRefusal.NOT_ASKED)
    match command:
        case Bid(tricks):
            return _against_bid(table, seat, tricks)
        case PlayCard(card):
            return _against_card(table, seat, card)
        case _:
            assert_never(command)


def _refused(code: DuelRefusal, **arguments: int | str) -> Refusal:
    return Refusal(code.value, arguments)


def _against_bid(table: DuelTable, seat: int, tricks: int) -> Refusal | None:
    if table.shown:
        return _refused(DuelRefusal.NOT_NOW)
    if not 0 <= tricks <= table.options.cards:
        return _refused(DuelRefusal.NO_SUCH_BID, cards=table.options.cards)
    return _refused(DuelRefusal.BID_UNCHANGED, tricks=tricks) if tricks == table.bids[seat] else None


def _against_card(table: DuelTable, seat: int, card: int) -> Refusal | None:
    if not table.shown:
        return _refused(DuelRefusal.NOT_NOW)
    hand = table.hands[seat]
    trick = table.trick()
    if card not in hand:
        return _refused(DuelRefusal.CARD_NOT_HELD)
    return None if card in playable(hand, trick) else _refused(DuelRefusal.MUST_FOLLOW_SUIT, suit=SUITS[suit(trick[0])])
