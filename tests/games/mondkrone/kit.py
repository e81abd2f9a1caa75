"""A scene of Mondkrone for tests: palettes, hands, pile and draw deck as written; cards by their ids, with spaces between."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from tafelrunde.domain.game import Refusal, RuleViolation, Seat
from tafelrunde.domain.mondkrone import GAME
from tafelrunde.domain.mondkrone.cards import INDEX, Card, mask_of
from tafelrunde.domain.mondkrone.conditions import results, sets
from tafelrunde.domain.mondkrone.events import MondkroneEvent
from tafelrunde.domain.mondkrone.messages import (
    DiscardToPile,
    DropOut,
    LayAside,
    MondkroneCommand,
    MondkroneOptions,
    PlayAndDiscard,
    PlayToPalette,
)
from tafelrunde.domain.mondkrone.table import MondkroneTable
from tests.support.dice import Dice

CONDITIONS = ("moons", "suns", "waves", "leaves", "wyrms", "knots")


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text."""
    return tuple(map(Card, text.split()))


def ints(text: str) -> list[int]:
    """Return the cards of a text as the table has them."""
    return [INDEX[card] for card in cards(text)]


def mask(text: str) -> int:
    """Return the cards of a text as a set of bits."""
    return mask_of(ints(text))


def shows(palette: str, condition: str) -> tuple[int, str]:
    """Return the count of a palette in a condition, and the highest card that makes it."""
    count, strongest = divmod(results(mask(palette))[CONDITIONS.index(condition)], 64)
    return count, list(Card)[strongest].value if count else ""


def ways(palette: str, condition: str) -> set[frozenset[Card]]:
    """Return the sets of cards that make the count of a palette."""
    found = sets(mask(palette), CONDITIONS.index(condition))
    return {frozenset(card for card in Card if chosen >> INDEX[card] & 1) for chosen in found}


def play(card: str) -> PlayToPalette:
    """Return action 1."""
    return PlayToPalette(Card(card))


def put(card: str) -> DiscardToPile:
    """Return action 2."""
    return DiscardToPile(Card(card))


def both(palette_card: str, pile_card: str) -> PlayAndDiscard:
    """Return action 3."""
    return PlayAndDiscard(Card(palette_card), Card(pile_card))


def aside(text: str) -> LayAside:
    """Return the choice of a winner."""
    return LayAside(cards(text))


OUT = DropOut()


class Scene:
    """One round in which seat 0 is to move by default. Seats beyond the given hands have none."""

    def __init__(
        self,
        *palettes: str,
        hands: Sequence[str] = (),
        top: str = "ace-of-moons",
        deck: str = "",
        scored: Sequence[str] = (),
        turn: int = 0,
        **options: object,
    ) -> None:
        seats = len(palettes)
        chosen = msgspec.structs.replace(MondkroneOptions(), **options)
        self.table: MondkroneTable = GAME.create(chosen, seats)
        held = [ints(text) for text in (*hands, *[""] * (seats - len(hands)))]
        self.table.f_round_dealt(INDEX[Card(top)], [0] * seats, held, ints(deck))
        self.table.palettes = [mask(text) for text in palettes]
        for seat, text in enumerate(scored):
            self.table.scored[seat] = mask(text)
        self.table.f_turn_begun(turn)
        self.events: list[MondkroneEvent] = []

    def do(self, seat: int, command: MondkroneCommand) -> Scene:
        """Let a seat give a command, which must be legal."""
        self.events = GAME.decide(self.table, Seat(seat), command, Dice("scene"))
        for event in self.events:
            GAME.fold(self.table, event)
        return self

    def refusal(self, seat: int, command: MondkroneCommand) -> Refusal:
        """Return why a command is refused."""
        with pytest.raises(RuleViolation) as found:
            GAME.decide(self.table, Seat(seat), command, Dice("scene"))
        return found.value.refusal

    def refused(self, seat: int, command: MondkroneCommand) -> str:
        """Return the code with which a command is refused."""
        return self.refusal(seat, command).code

    def allows(self, command: MondkroneCommand) -> bool:
        """Return whether the seat to move may do this."""
        seat = Seat(self.table.turn)
        return command in GAME.legal(self.table, seat) and GAME.why_not(self.table, seat, command) is None

    def legal(self) -> list[MondkroneCommand]:
        """Return what the seat that is asked may do."""
        return GAME.legal(self.table, Seat(self.table.turn))

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that are asked."""
        ask = GAME.pending(self.table)
        return ask.seats if ask is not None else ()

    def leader(self, condition: int = 0) -> int | None:
        """Return who leads in a condition of the top card."""
        return GAME.view(self.table, None).conditions[condition].leader

    def palette(self, seat: int) -> set[Card]:
        """Return the palette of a seat."""
        return set(GAME.view(self.table, None).seats[seat].palette)

    def scores(self) -> list[int]:
        """Return all players' points."""
        return [each.score for each in GAME.view(self.table, None).seats]

    def winners(self) -> tuple[int, ...] | None:
        """Return who has won the match, None while it goes on."""
        standing = GAME.standing(self.table)
        return None if standing is None else standing.winners


def kinds(events: Sequence[MondkroneEvent]) -> list[str]:
    """Return the names of events."""
    return [type(event).__name__ for event in events]
