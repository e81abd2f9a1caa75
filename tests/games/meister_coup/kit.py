"""A scene of Meister Coup for tests: hands and taken cards as written, commands by seat."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from tafelrunde.domain.game import Refusal, RuleViolation, Seat, Standing
from tafelrunde.domain.meister_coup import GAME
from tafelrunde.domain.meister_coup.cards import COLOUR_OF, COLOURS, VALUE_OF, Colour, card_of
from tafelrunde.domain.meister_coup.events import MeisterEvent
from tafelrunde.domain.meister_coup.messages import (
    AgreeToMember,
    MeisterCommand,
    MeisterOptions,
    PickCard,
    PlayCard,
    ProposeMember,
    TakeCards,
)
from tafelrunde.domain.meister_coup.table import Round
from tests.support.dice import Dice

LETTERS = {"v": Colour.VIOLET, "b": Colour.BLUE, "g": Colour.GREEN, "y": Colour.YELLOW}
NAMES = {colour: letter for letter, colour in LETTERS.items()}
LAST = 8


def card(text: str) -> int:
    """Return a card as the tests write it: v, b, g or y, then the value."""
    return card_of(LETTERS[text[0]], int(text[1:]))


def cards(text: str) -> tuple[int, ...]:
    """Return some cards."""
    return tuple(map(card, text.split()))


def written(found: Sequence[int]) -> str:
    """Return cards as the tests write them, in the order of the card numbers."""
    return " ".join(f"{NAMES[COLOURS[COLOUR_OF[each]]]}{VALUE_OF[each]}" for each in sorted(found))


class Scene:
    """A round with the given hands; seat 0 leads by default."""

    def __init__(self, *hands: str, leader: int = 0, number: int = 1, last: bool = False, **options: object) -> None:
        chosen = msgspec.structs.replace(MeisterOptions(), **options)
        self.table = GAME.create(chosen, len(hands))
        self.table.round = number - 1
        self.table.rounds = (Round((0,) * len(hands), (0,) * len(hands), ()),) * (number - 1)
        self.table.f_dealt(leader, self.table.diamonds, list(map(cards, hands)))
        if last:
            self.table.number = LAST
        self.events: list[MeisterEvent] = []

    def give(self, **taken: str) -> Scene:
        """Let seats have taken cards in this round: `s0="v1 b2"`."""
        for name, text in taken.items():
            seat = int(name[1:])
            self.table.gain(seat, cards(text))
            self.table.coups[seat] = min(self.table.counts[seat])
        return self

    def enter(self, side: int, points: int = 0, coups: int = 0) -> Scene:
        """Let a seat, or a team, have entered results of rounds before."""
        self.table.enter(side, points, coups)
        return self

    def do(self, seat: int, command: MeisterCommand) -> list[MeisterEvent]:
        """Give a command, and fold what it causes."""
        self.events = GAME.decide(self.table, Seat(seat), command, Dice("scene"))
        for event in self.events:
            GAME.fold(self.table, event)
        return self.events

    def play(self, text: str) -> Scene:
        """Let the seats play these cards in turn."""
        for each in cards(text):
            self.do(self.asked[0], PlayCard(each))
        return self

    def pick(self, text: str) -> list[MeisterEvent]:
        """Let the winner pick a card."""
        return self.do(self.asked[0], PickCard(card(text)))

    def take(self, text: str) -> list[MeisterEvent]:
        """Let the runner-up take cards."""
        return self.do(self.asked[0], TakeCards(cards(text)))

    def propose(self, seat: int, member: int) -> Scene:
        """Let a seat propose a member."""
        self.do(seat, ProposeMember(Seat(member)))
        return self

    def agree(self, *seats: int) -> Scene:
        """Let seats agree."""
        for seat in seats:
            self.do(seat, AgreeToMember())
        return self

    def refused(self, seat: int, command: MeisterCommand) -> Refusal:
        """Return why a command is refused."""
        with pytest.raises(RuleViolation) as found:
            GAME.decide(self.table, Seat(seat), command, Dice("refused"))
        return found.value.refusal

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that still have to answer."""
        ask = GAME.pending(self.table)
        return ask.open if ask is not None else ()

    @property
    def stage(self) -> str:
        """What the table waits for."""
        return self.table.stage.key

    def ranked(self) -> tuple[int, ...]:
        """The seats of the running trick, best first."""
        return GAME.view(self.table, None).trick.ranking

    def taken(self, seat: int) -> str:
        """What a seat has taken in this round."""
        return written(GAME.view(self.table, None).seats[seat].cards)

    def standing(self) -> Standing:
        """The result."""
        standing = GAME.standing(self.table)
        assert standing is not None
        return standing


def kinds(events: Sequence[MeisterEvent]) -> list[str]:
    """Return the names of some events."""
    return [type(event).__name__ for event in events]
