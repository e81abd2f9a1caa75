"""A scene of MatchMaster for tests: hands, dealer and bids as written."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tafelrunde.domain.game import Refusal, RuleViolation, Seat
from tafelrunde.domain.matchmaster import GAME
from tafelrunde.domain.matchmaster.cards import SUITS, VALUES, Suit
from tafelrunde.domain.matchmaster.events import MatchMasterEvent
from tafelrunde.domain.matchmaster.messages import MatchMasterCommand, MatchMasterOptions, PlaceBid, PlayCard
from tafelrunde.domain.matchmaster.table import MatchMasterTable
from tests.support.dice import Dice

LETTERS = {"T": Suit.DARK_ORANGE, "o": Suit.LIGHT_ORANGE, "b": Suit.DARK_BLUE, "l": Suit.LIGHT_BLUE}


def card(text: str) -> int:
    """Return a card as the tests write it: T for trump, o, b, l for the other suits, then the value."""
    return SUITS.index(LETTERS[text[0]]) * VALUES + int(text[1:]) - 1


def cards(text: str) -> list[int]:
    """Return some cards."""
    return [card(each) for each in text.split()]


class Scene:
    """A round with the given hands; seat 0 leads, and all have bid 0 by default."""

    def __init__(self, *hands: str, bids: Sequence[int] | None = None, dealer: int | None = None) -> None:
        seats = len(hands)
        self.table: MatchMasterTable = GAME.create(MatchMasterOptions(), seats)
        held = [cards(hand) for hand in hands]
        number = 8 - len(held[0])
        self.table.f_dealt(number, seats - 1 if dealer is None else dealer, held)
        if bids is not None or dealer is None:
            for seat, tricks in enumerate(bids or [0] * seats):
                self.do(seat, PlaceBid(tricks))
        self.events: list[MatchMasterEvent] = []

    def do(self, seat: int, command: MatchMasterCommand) -> list[MatchMasterEvent]:
        """Give a command, and fold what it causes."""
        events = GAME.decide(self.table, Seat(seat), command, Dice("scene"))
        for event in events:
            GAME.fold(self.table, event)
        return events

    def play(self, *texts: str) -> list[MatchMasterEvent]:
        """Play cards in turn."""
        self.events = [event for text in texts for event in self.do(self.table.turn, PlayCard(card(text)))]
        return self.events

    def playable(self) -> set[int]:
        """Return the cards that the seat whose turn it is may play."""
        return {each.card for each in GAME.legal(self.table, Seat(self.table.turn)) if isinstance(each, PlayCard)}

    def refusal(self, seat: int, command: MatchMasterCommand) -> Refusal:
        """Return why a command is refused."""
        with pytest.raises(RuleViolation) as found:
            GAME.decide(self.table, Seat(seat), command, Dice("refused"))
        return found.value.refusal
