"""Which moves are legal: bids, and the duties to follow, to trump and to overtrump (rulebook, "Während des Spiels gilt")."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ..game import Choice, Refusal, Seat
from .cards import CARDS, MOST, ROUNDS, SUITS, TRUMP, VALUES, suit_of, value_of
from .messages import MatchMasterCommand, PlaceBid, PlayCard
from .refusals import MatchMasterRefusal
from .table import NO_BID, NOBODY, MatchMasterTable

BID = CARDS
Move: TypeAlias = int
"""A card to play, or BID and the tricks that are bid."""

BIDS = tuple(map(PlaceBid, range(MOST + 1)))
PLAYS = tuple(map(PlayCard, range(CARDS)))
COMMANDS: tuple[MatchMasterCommand, ...] = (*PLAYS, *BIDS)
"""The command of each move."""


def move_of(command: MatchMasterCommand) -> Move:
    """Return the move that a command stands for."""
    match command:
        case PlayCard(card):
            return card
        case PlaceBid(tricks):
            return BID + tricks
        case _:
            raise AssertionError("a command of MatchMaster is one of these")


def playable(hand: Sequence[int], trick: Sequence[int]) -> Sequence[int]:
    """Return the cards of a hand that may be played to a trick, in the hand's order. Hands are sorted, so trumps come first.

    Cards of the led suit if it is not trump; otherwise trumps above the highest one in the trick, or, if there is none, any
    trump; without a card of the led suit and without trump any card.
    """
    if not trick or len(hand) < 2:
        return hand
    led = trick[0] // VALUES
    if led != TRUMP and (following := [card for card in hand if card // VALUES == led]):
        return following
    if hand[0] >= VALUES:
        return hand
    highest = -1
    for card in trick:
        if highest < card < VALUES:
            highest = card
    return [card for card in hand if highest < card < VALUES] or [card for card in hand if card < VALUES]


def winning(trick: Sequence[int]) -> int:
    """Return the place of the card that wins a trick: the highest trump, else the highest card of the led suit."""
    best, lowest = trick[0], trick[0] // VALUES * VALUES
    for card in trick:
        if card < VALUES <= lowest:
            best, lowest = card, 0
        elif best < card < lowest + VALUES:
            best = card
    return trick.index(best)


def asked(table: MatchMasterTable) -> tuple[int, ...]:
    """Return the seats that everybody knows to be asked."""
    if not table.round or table.over:
        return ()
    return (table.turn,) if table.shown else tuple(range(table.seats))


def waiting(table: MatchMasterTable) -> int:
    """Return the first seat that has not answered, NOBODY if none is asked."""
    if table.shown:
        return NOBODY if len(table.rounds) == len(ROUNDS) else table.turn
    return table.bids.index(NO_BID) if table.round else NOBODY


def moves(table: MatchMasterTable, seat: int) -> Sequence[Move]:
    """Return all moves of an asked seat, cards in hand order."""
    if table.shown:
        return playable(table.hands[seat], table.trick)
    return [BID + tricks for tricks in range(table.size + 1) if tricks != table.bids[seat]]


def legal(table: MatchMasterTable, seat: int) -> list[MatchMasterCommand]:
    """Return all moves of a seat as commands."""
    return [COMMANDS[move] for move in moves(table, seat)] if seat in asked(table) else []


def answered(table: MatchMasterTable, seat: int) -> MatchMasterCommand | None:
    """Return the bid of a seat that it may still change, None if there is none."""
    open_ = table.round > 0 and not table.shown and table.bids[seat] != NO_BID
    return BIDS[table.bids[seat]] if open_ else None


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
