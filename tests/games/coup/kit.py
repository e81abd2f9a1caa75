"""A scene of Coup for tests: hands and court deck as written, coins as written, commands by seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec
import pytest

from tafelrunde.domain.coup import GAME
from tafelrunde.domain.coup.events import CoupEvent
from tafelrunde.domain.coup.messages import CoupCommand, CoupOptions, LetPass, Role
from tafelrunde.domain.coup.moves import COPIES, deck_roles
from tafelrunde.domain.coup.table import INDEX, CoupTable
from tafelrunde.domain.game import DecisionId, RuleViolation, Seat

Element = TypeVar("Element")

AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE, INQUISITOR = Role


class Script:
    """Chance as written: the deal, and the court deck after each shuffle (in the order given, then as it lies)."""

    def __init__(self, deal: Sequence[int], first: int, shuffles: Sequence[Sequence[Role]] = ()) -> None:
        self.deal = list(deal)
        self.first = first
        self.shuffles = [[INDEX[role] for role in order] for order in shuffles]
        self.shuffled = 0

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the written order, or the items as they are; written cards come first."""
        if label == "deal":
            return self.deal  # type: ignore[return-value]  # the deck of Coup has ints
        self.shuffled += 1
        rest = list(items)
        wanted = self.shuffles.pop(0) if self.shuffles else []
        for card in wanted:
            rest.remove(card)  # type: ignore[arg-type]  # the deck of Coup has ints
        return [*wanted, *rest]  # type: ignore[list-item]  # the deck of Coup has ints

    def below(self, label: str, bound: int) -> int:
        """Return the written first seat."""
        return self.first


class Scene:
    """One table in the middle of being played."""

    def __init__(
        self,
        *hands: tuple[Role, ...],
        coins: Sequence[int] | None = None,
        court: Sequence[Role] = (),
        shuffles: Sequence[Sequence[Role]] = (),
        **options: object,
    ) -> None:
        options.setdefault("first_seat", 0)
        chosen = msgspec.structs.replace(CoupOptions(), **options)
        self.table: CoupTable = GAME.create(chosen, len(hands))
        self.chance = Script(self._deck(hands, court), 0, shuffles)
        self.facts: list[CoupEvent] = []
        self._fold(GAME.start(self.table, self.chance))
        if coins is not None:
            self.table.coins = list(coins)

    def _deck(self, hands: Sequence[tuple[Role, ...]], court: Sequence[Role]) -> list[int]:
        placed = [INDEX[role] for hand in hands for role in hand] + [INDEX[role] for role in court]
        rest = [role for role in deck_roles(self.table) for _ in range(COPIES)]
        for card in placed:
            rest.remove(card)
        return placed + rest

    def _fold(self, facts: Sequence[CoupEvent]) -> None:
        for fact in facts:
            GAME.fold(self.table, fact)
        self.facts = list(facts)

    def do(self, seat: int, command: CoupCommand) -> Scene:
        """Let a seat give a command, which must be legal."""
        self._fold(GAME.decide(self.table, Seat(seat), command, self.chance))
        return self

    def let_pass(self, *seats: int) -> Scene:
        """Let these seats pass, one after the other."""
        for seat in seats:
            self.do(seat, LetPass())
        return self

    def refused(self, seat: int, command: CoupCommand) -> str:
        """Return the code with which a command is refused."""
        with pytest.raises(RuleViolation) as caught:
            GAME.decide(self.table, Seat(seat), command, self.chance)
        return caught.value.refusal.code

    @property
    def stage(self) -> str:
        """What the table waits for."""
        return self.table.stage.key

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that still have to answer."""
        ask = GAME.pending(self.table)
        return ask.open if ask is not None else ()

    @property
    def decision(self) -> DecisionId:
        """The number of the open decision."""
        return DecisionId(self.table.decision)

    def hand(self, seat: int) -> set[Role]:
        """The kinds of face-down cards of a seat."""
        return set(GAME.view(self.table, Seat(seat)).hand)

    def influence(self) -> list[int]:
        """How many face-down cards each seat has."""
        return [len(hand) for hand in self.table.hands]

    def face_up(self, seat: int) -> tuple[Role, ...]:
        """The open cards of a seat."""
        return GAME.view(self.table, None).seats[seat].face_up

    @property
    def coins(self) -> list[int]:
        """The coins of all seats."""
        return self.table.coins

    def winners(self) -> tuple[int, ...] | None:
        """Who has won, None while the game goes on."""
        standing = GAME.standing(self.table)
        return None if standing is None else standing.winners
