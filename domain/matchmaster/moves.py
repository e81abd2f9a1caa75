"""Which moves are legal: bids, and the duties to follow, to trump and to overtrump (rulebook, "Die Stiche")."""

from __future__ import annotations

from collections.abc import Sequence

from ..game import Choice, Refusal, Seat
from .cards import SUITS, TRUMP, VALUES, suit_of, value_of
from .messages import MatchMasterCommand, PlaceBid, PlayCard
from .refusals import MatchMasterRefusal
from .table import MatchMasterTable

BIDS = tuple(map(PlaceBid, range(8)))
PLAYS = tuple(map(PlayCard, range(len(SUITS) * VALUES)))


def playable(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
    """Return the cards of a hand that may be played to a trick, in the hand's order. Hands are sorted, so trumps come first.

    Cards of the led suit if it is not trump; otherwise trumps above the highest one in the trick, or, if there is none, any
    trump; without a card of the led suit and without trump any card.
    """
    if not trick:
        return hand
    led = suit_of(trick[0])
    if led != TRUMP and (following := [card for card in hand if card // VALUES == led]):
        return following
    trumps = [card for card in hand if card < VALUES]
    if not trumps:
        return hand
    highest = max((card for card in trick if card < VALUES), default=-1)
    return [card for card in trumps if card > highest] or trumps


def winning(trick: Sequence[int]) -> int:
    """Return the place of the card that wins a trick: the highest trump, else the highest card of the led suit."""
    trumps = [card for card in trick if card < VALUES]
    return trick.index(max(trumps or (card for card in trick if card // VALUES == trick[0] // VALUES)))


def asked(table: MatchMasterTable) -> tuple[int, ...]:
    """Return the seats that everybody knows to be asked."""
    if not table.round or table.over:
        return ()
    return (table.turn,) if table.shown else tuple(range(table.seats))


def legal(table: MatchMasterTable, seat: int) -> list[MatchMasterCommand]:
    """Return all moves of a seat, cards in hand order."""
    if seat not in asked(table):
        return []
    if table.shown:
        return [PLAYS[card] for card in playable(table.hands[seat], table.trick)]
    return [bid for bid in BIDS[: table.size + 1] if bid.tricks != table.bids[seat]]


def menu(table: MatchMasterTable, seat: Seat) -> list[Choice]:
    """Return all bids, or all cards of the hand, with the reasons against them."""
    if seat not in asked(table):
        return []
    thinkable = [PLAYS[card] for card in table.hands[seat]] if table.shown else BIDS[: table.size + 1]
    return [Choice(command, why_not(table, seat, command)) for command in thinkable]


def why_not(table: MatchMasterTable, seat: int, command: MatchMasterCommand) -> Refusal | None:
    """Return why a move is refused, None if it is legal."""
    if seat not in asked(table):
        return _refused(MatchMasterRefusal.NOT_ASKED)
    match command:
        case PlaceBid(tricks) if not table.shown:
            return _against_bid(table, seat, tricks)
        case PlayCard(card) if table.shown:
            return _against_card(table, seat, card)
        case _:
            return _refused(MatchMasterRefusal.NOT_NOW)


def _refused(code: MatchMasterRefusal, **arguments: int | str) -> Refusal:
    return Refusal(code.value, arguments)


def _against_bid(table: MatchMasterTable, seat: int, tricks: int) -> Refusal | None:
    if not 0 <= tricks <= table.size:
        return _refused(MatchMasterRefusal.BID_OUT_OF_RANGE, most=table.size)
    return _refused(MatchMasterRefusal.BID_UNCHANGED, tricks=tricks) if tricks == table.bids[seat] else None


def _against_card(table: MatchMasterTable, seat: int, card: int) -> Refusal | None:
    hand, trick = table.hands[seat], table.trick
    if card not in hand:
        return _refused(MatchMasterRefusal.CARD_NOT_HELD, card=card)
    if card in (allowed := playable(hand, trick)):
        return None
    if (led := suit_of(trick[0])) != TRUMP and suit_of(allowed[0]) == led:
        return _refused(MatchMasterRefusal.MUST_FOLLOW, suit=SUITS[led].value)
    highest = max((each for each in trick if suit_of(each) == TRUMP), default=-1)
    if allowed[0] > highest >= 0:
        return _refused(MatchMasterRefusal.MUST_BEAT, suit=SUITS[TRUMP].value, value=value_of(highest))
    if led == TRUMP:
        return _refused(MatchMasterRefusal.MUST_FOLLOW, suit=SUITS[TRUMP].value)
    return _refused(MatchMasterRefusal.MUST_TRUMP, suit=SUITS[TRUMP].value)
