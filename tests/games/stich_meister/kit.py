"""A scene of Stich-Meister for tests: rules and hands as written, tricks of the past as facts, commands by seat.

Cards are said as f, c, k, t (fan, coin, koi, torii) and their value: "f6 k11".
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec
import pytest

from tafelrunde.domain.game import Refusal, RuleViolation, Seat
from tafelrunde.domain.stich_meister import GAME
from tafelrunde.domain.stich_meister.cards import SUITS
from tafelrunde.domain.stich_meister.events import (
    CardPlayed,
    RoundScored,
    StichDealt,
    StichEvent,
    TrickBegun,
    TrickTaken,
    TrickWon,
    TrumpSet,
)
from tafelrunde.domain.stich_meister.messages import PlayCard, StichCommand, StichOptions
from tafelrunde.domain.stich_meister.table import StichTable
from tafelrunde.domain.stich_meister.view import StichView

Element = TypeVar("Element")
Fact = TypeVar("Fact", bound=StichEvent)

PLAIN = (52, 53, 54, 55)
"""Rules that change nothing in tricks."""
QUIET_FOR_TRICKS = PLAIN[:3]
QUIET_FOR_SCORES = (27, 28, 36)
"""Rules that change nothing in what the other half of the tests looks at."""


def card(said: str) -> int:
    """Return the number of a card."""
    return "fckt".index(said[0]) * 15 + int(said[1:]) - 1


def cards(said: str) -> tuple[int, ...]:
    """Return the numbers of some cards."""
    return tuple(map(card, said.split()))


def names(numbers: Iterable[int]) -> set[str]:
    """Return how cards are said."""
    return {"fckt"[number // 15] + str(number % 15 + 1) for number in numbers}


def four(*rules: int) -> tuple[int, ...]:
    """Fill rules up to four with such as do not matter to the test."""
    quiet = QUIET_FOR_SCORES if any(rule >= 41 for rule in rules) else QUIET_FOR_TRICKS
    missing = 4 - len(rules)
    return (*rules, *[rule for rule in quiet if rule not in rules][:missing])


class Script:
    """Chance as written: decks in the order given, then as they lie; the first dealer is seat 0."""

    def __init__(self, **decks: Sequence[int]) -> None:
        self.decks = {name.replace("_", "-"): list(deck) for name, deck in decks.items()}

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the written cards first, then the rest."""
        first = self.decks.get(label, [])
        return [*first, *(item for item in items if item not in first)]  # type: ignore[list-item]  # its decks have ints

    def below(self, label: str, bound: int) -> int:
        """Return the last seat, so that seat 0 leads."""
        return bound - 1


class Scene:
    """One table in the middle of being played; seat 0 leads first."""

    def __init__(self, rules: Sequence[int], *hands: str, seats: int = 0, first_dealer: int | None = None) -> None:
        self.seats = seats or len(hands)
        dealer = self.seats - 1 if first_dealer is None else first_dealer
        options = StichOptions(first_dealer=dealer, rules=four(*rules) if rules else None)
        self.table: StichTable = GAME.create(options, self.seats)
        self.chance = Script()
        self.facts: list[StichEvent] = []
        events = GAME.start(self.table, self.chance)
        if hands:
            assert isinstance(events[0], StichDealt)
            events[0] = msgspec.structs.replace(events[0], hands=tuple(map(cards, hands)))
        self.fold(*events)

    def fold(self, *events: StichEvent) -> Scene:
        """Let something have happened."""
        for event in events:
            GAME.fold(self.table, event)
        self.facts += events
        return self

    def do(self, seat: int, command: StichCommand) -> Scene:
        """Let a seat give a command, which must be legal."""
        return self.fold(*GAME.decide(self.table, Seat(seat), command, self.chance))

    def all_do(self, *commands: StichCommand) -> Scene:
        """Let all seats answer, seat 0 first."""
        for seat, command in enumerate(commands):
            self.do(seat, command)
        return self

    def play(self, said: str) -> Scene:
        """Let the seats whose turn it is play these cards, one after the other."""
        for each in cards(said):
            self.do(self.asked[0], PlayCard(each))
        return self

    def past(self, number: int, holder: int, said: str) -> Scene:
        """Let a trick have been played, seat 0 first, and lie before a seat."""
        plays: list[StichEvent] = [CardPlayed(Seat(seat), each, None) for seat, each in enumerate(cards(said))]
        if number == 2 and 21 in self.table.rules:
            plays.insert(1, TrumpSet(SUITS[cards(said)[0] // 15]))
        taken = (TrickWon(number, Seat(holder), False), TrickTaken(number, Seat(holder)))
        return self.fold(TrickBegun(number, Seat(0), 1, True), *plays, *taken)

    def trick(self, number: int, leader: int = 0, step: int = 1) -> Scene:
        """Let a trick begin."""
        return self.fold(TrickBegun(number, Seat(leader), step, True))

    def finish(self) -> Scene:
        """Let all seats answer at random, legally, until the round is scored."""
        rng = random.Random(1)
        rounds = len(self.table.rounds)
        while len(self.table.rounds) == rounds:
            seat = rng.choice(self.asked)
            self.do(seat, rng.choice(GAME.legal(self.table, Seat(seat))))
        return self

    def refusal(self, seat: int, command: StichCommand) -> Refusal:
        """Return why a command is refused."""
        with pytest.raises(RuleViolation) as caught:
            GAME.decide(self.table, Seat(seat), command, self.chance)
        return caught.value.refusal

    def refused(self, seat: int, command: StichCommand) -> str:
        """Return the code with which a command is refused."""
        return self.refusal(seat, command).code

    def may_play(self, seat: int) -> set[str]:
        """Return the cards that a seat may play."""
        return names(command.card for command in GAME.legal(self.table, Seat(seat)) if isinstance(command, PlayCard))

    def all_of(self, kind: type[Fact]) -> list[Fact]:
        """Return all facts of a kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def last(self, kind: type[Fact]) -> Fact:
        """Return the last fact of a kind."""
        return self.all_of(kind)[-1]

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that still have to answer."""
        ask = GAME.pending(self.table)
        return ask.open if ask is not None else ()

    @property
    def stage(self) -> str:
        """What the table waits for."""
        return self.table.stage.key

    @property
    def winner(self) -> int:
        """Who won the last trick."""
        return self.last(TrickWon).seat

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of the last round."""
        return self.last(RoundScored).scores

    def hand(self, seat: int) -> set[str]:
        """What a seat holds."""
        return names(self.table.hands[seat])

    def view(self, seat: int | None) -> StichView:
        """What a seat, or a spectator, may know."""
        return GAME.view(self.table, None if seat is None else Seat(seat))


def winner_of(rules: Sequence[int], said: str, number: int = 1, leader: int = 0, step: int = 1) -> int:
    """Return who wins a trick, its cards in the order of play; each seat holds nothing but its card."""
    played = said.split()
    hands = [""] * len(played)
    for place, each in enumerate(played):
        hands[(leader + step * place) % len(played)] = each
    return Scene(rules, *hands).trick(number, leader, step).play(said).winner
