"""Why a move of MatchMaster is not allowed now. Everything here is known to the seat that asks."""

from __future__ import annotations

from enum import Enum

from ..game import Choice, Refusal
from .cards import SUITS, TRUMP, suit_of, value_of
from .messages import MatchMasterCommand, PlaceBid, PlayCard
from .move_codec import BIDS, PLAYS
from .moves import asked, playable
from .table import MatchMasterTable


class MatchMasterRefusal(Enum):
    """All reasons, each with a text under `matchmaster.refusal.<code>`."""

    NOT_ASKED = "not-asked"
    NOT_NOW = "not-now"
    BID_OUT_OF_RANGE = "bid-out-of-range"
    BID_UNCHANGED = "bid-unchanged"
    CARD_NOT_HELD = "card-not-held"
    MUST_FOLLOW = "must-follow"
    MUST_TRUMP = "must-trump"
    MUST_BEAT = "must-beat"


def menu(table: MatchMasterTable, seat: int) -> list[Choice]:
    """Return all bids, or all cards of the hand, with the reasons against them."""
    if seat not in asked(table):
        return []
    thinkable = [PLAYS[card] for card in table.hands[seat]] if table.shown else BIDS[: table.size + 1]
    return [Choice(command, why_not(table, seat, command)) for command in thinkable]


def why_not(table: MatchMasterTable, seat: int, command: MatchMasterCommand) -> Refusal | None:
    """Return why a move is refused, None if it is legal."""
    if seat not in asked(table):
        return _refuse(MatchMasterRefusal.NOT_ASKED)
    match command:
        case PlaceBid(tricks) if not table.shown:
            return _against_bid(table, seat, tricks)
        case PlayCard(card) if table.shown:
            return _against_card(table, seat, card)
        case _:
            return _refuse(MatchMasterRefusal.NOT_NOW)


def _refuse(code: MatchMasterRefusal, **arguments: int | str) -> Refusal:
    return Refusal(code.value, arguments)


def _against_bid(table: MatchMasterTable, seat: int, tricks: int) -> Refusal | None:
    if not 0 <= tricks <= table.size:
        return _refuse(MatchMasterRefusal.BID_OUT_OF_RANGE, most=table.size)
    return _refuse(MatchMasterRefusal.BID_UNCHANGED, tricks=tricks) if tricks == table.bids[seat] else None


def _against_card(table: MatchMasterTable, seat: int, card: int) -> Refusal | None:
    hand = table.hands[seat]
    trick = table.trick
    if card not in hand:
        return _refuse(MatchMasterRefusal.CARD_NOT_HELD, card=card)
    if card in (allowed := playable(hand, trick)):
        return None
    if (led := suit_of(trick[0])) != TRUMP and suit_of(allowed[0]) == led:
        return _refuse(MatchMasterRefusal.MUST_FOLLOW, suit=SUITS[led].value)
    highest = max((each for each in trick if suit_of(each) == TRUMP), default=-1)
    if allowed[0] > highest >= 0:
        return _refuse(MatchMasterRefusal.MUST_BEAT, suit=SUITS[TRUMP].value, value=value_of(highest))
    if led == TRUMP:
        return _refuse(MatchMasterRefusal.MUST_FOLLOW, suit=SUITS[TRUMP].value)
    return _refuse(MatchMasterRefusal.MUST_TRUMP, suit=SUITS[TRUMP].value)
