"""The game that the registry finds: Mondkrone as the contract of domain/game.py wants it."""

from __future__ import annotations

from collections.abc import Mapping

from ..game import (
    Ask,
    Bot,
    DecisionId,
    Face,
    Game,
    GameId,
    InvalidOptions,
    Pace,
    Placing,
    Seat,
    Standing,
)
from ..parts import assemble
from . import disclosure, fold, move_codec, moves, refusals, rules, stages, view
from .bots import BOTS, CHARACTERS, determinization
from .bots.exploiters import EXPLOITERS
from .cards import CARDS, FACES
from .events import EVENT_TYPES, MondkroneEvent
from .guide.lesson import LESSON
from .guide.texts import MESSAGES
from .messages import DiscardToPile, DropOut, LayAside, MondkroneCommand, MondkroneOptions, PlayAndDiscard, PlayToPalette
from .moves import Move
from .refusals import MondkroneRefusal
from .table import MondkroneTable
from .view import MondkroneView

RULEBOOK = assemble(rules, moves, move_codec, refusals, fold, view, disclosure, determinization)


class Mondkrone(Game[MondkroneOptions, MondkroneTable, Move, MondkroneCommand, MondkroneEvent, MondkroneView]):
    """The rules of Mondkrone."""

    id = GameId("mondkrone")
    rules_version = 1
    min_seats = 2
    max_seats = 4
    rulebook = RULEBOOK
    options_type = MondkroneOptions
    command_types = (PlayToPalette, DiscardToPile, PlayAndDiscard, DropOut, LayAside)
    event_types = EVENT_TYPES
    view_type = MondkroneView
    refusals = MondkroneRefusal
    messages = MESSAGES
    lesson = LESSON
    characters = CHARACTERS
    pictured = ("castle", "ace-of-moons", "sailor")

    def check(self, options: MondkroneOptions, seats: int) -> None:
        if not self.min_seats <= seats <= self.max_seats:
            raise InvalidOptions("seats", f"{self.min_seats} to {self.max_seats}")

    def create(self, options: MondkroneOptions, seats: int) -> MondkroneTable:
        return MondkroneTable(options, seats)

    def pending(self, table: MondkroneTable) -> Ask | None:
        if not table.stage.prompt:
            return None
        asked = (Seat(table.turn),)
        said = {"actor": table.turn, "card": CARDS[table.pile[-1]].value}
        return Ask(DecisionId(table.decision), asked, asked, table.stage.prompt, said, Pace.TURN)

    def faces(self) -> tuple[Face, ...]:
        return tuple(
            Face(card.value, tuple(suit.value for suit in face.suits), face.rank.value, tuple(kind.value for kind in face.kinds))
            for card, face in FACES.items()
        )

    def standing(self, table: MondkroneTable) -> Standing | None:
        if table.stage is not stages.OVER:
            return None
        points = [table.points(seat) for seat in range(table.seats)]
        ranks = [1 + sum(other > own for other in points) for own in points]
        return Standing(tuple(Placing(Seat(seat), ranks[seat], points[seat]) for seat in range(table.seats)))

    def rematch(self, options: MondkroneOptions, standing: Standing) -> MondkroneOptions:
        return options

    def bots(self) -> Mapping[str, Bot[MondkroneView, MondkroneCommand]]:
        return BOTS

    def exploiters(self) -> Mapping[str, Bot[MondkroneView, MondkroneCommand]]:
        return EXPLOITERS
