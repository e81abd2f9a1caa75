"""What one viewer gets to see of a table, in bytes; and spyholes that show too much, to test the tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar
from zlib import crc32

from ...domain.game import AnyGame, Command, Event, Seat, Table
from ...domain.secrecy import redact
from .dice import Dice
from .stored import stored

Element = TypeVar("Element")


class Spyhole:
    """All ways in which a viewer learns of a table."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def sees(self, table: Table, viewer: Seat | None, thinkable: Iterable[Command] = ()) -> bytes:
        """Return the view, the public part of the open decision, and all answers to what the viewer may do."""
        ask = self.game.pending(table)
        public = (ask.decision, ask.seats, ask.prompt, dict(ask.arguments), ask.pace.value) if ask is not None else None
        view = self.game.view(table, viewer)
        return stored((view, public, self.answers(table, viewer, thinkable), self.game.standing(table)))

    def answers(self, table: Table, viewer: Seat | None, thinkable: Iterable[Command]) -> object:
        """Return what the viewer may do, and what it may not do for which reason."""
        if viewer is None:
            return ()
        refusals = [self.game.why_not(table, viewer, command) for command in thinkable]
        return self.game.legal(table, viewer), self.game.menu(table, viewer), refusals

    def hears(self, events: Iterable[Event], viewer: Seat | None) -> bytes:
        """Return the events as the viewer sees them."""
        return stored([seen for event in events if (seen := self.tells(event, viewer)) is not None])

    def tells(self, event: Event, viewer: Seat | None) -> Event | None:
        """Return one event as the viewer sees it."""
        return redact(event, viewer)


class LeakingView(Spyhole):
    """Shows with the view a number that depends on the whole table."""

    def sees(self, table: Table, viewer: Seat | None, thinkable: Iterable[Command] = ()) -> bytes:
        """Return what is seen, and a checksum of everything."""
        return super().sees(table, viewer, thinkable) + crc32(stored(table.digest_form())).to_bytes(4)


class LeakingAnswers(Spyhole):
    """Answers one question differently when another seat has another legal command."""

    def answers(self, table: Table, viewer: Seat | None, thinkable: Iterable[Command]) -> object:
        """Return the answers, and the commands that the others have."""
        others = (seat for seat in range(7) if seat != viewer)
        return super().answers(table, viewer, thinkable), [self.game.legal(table, Seat(seat)) for seat in others]


class LeakingFeed(Spyhole):
    """Shows every event unredacted."""

    def tells(self, event: Event, viewer: Seat | None) -> Event | None:
        """Return the event as it is."""
        return event


class SilentFeed(Spyhole):
    """Shows nothing, though the view changes."""

    def tells(self, event: Event, viewer: Seat | None) -> Event | None:
        """Return nothing."""
        return None


class SwappedDice(Dice):
    """Dice that exchange two places of every shuffled deck, so that mostly something hidden changes and the rest does not."""

    def __init__(self, seed: object, swap: object) -> None:
        super().__init__(seed)
        self._swap = Dice(("swap", swap))
        self.swapped = False

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in the random order of the seed, but for two of them."""
        deck = super().shuffle(label, items)
        if len(deck) > 1:
            one, other = self._swap.below(label, len(deck)), self._swap.below(label, len(deck))
            deck[one], deck[other] = deck[other], deck[one]
            self.swapped = True
        return deck
