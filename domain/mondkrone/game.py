"""The game that the registry finds: Mondkrone as the contract of domain/game.py wants it."""

from __future__ import annotations

from collections.abc import Mapping

from ..bots import RandomBot
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
    Rulebook,
    Seat,
    Standing,
)
from ..search import SearchBot
from . import disclosure, move_codec, moves, refusals, rules, stages
from .bot import HonestBot
from .cards import CARDS, FACES
from .determinization import determinize
from .events import (
    EVENT_TYPES,
    MondkroneEvent,
)
from .fold import fold
from .lesson import LESSON
from .messages import DiscardToPile, DropOut, LayAside, MondkroneCommand, MondkroneOptions, PlayAndDiscard, PlayToPalette
from .moves import Move
from .reasons import reason
from .refusals import MondkroneRefusal
from .rollout import Rollout
from .table import MondkroneTable
from .texts import MESSAGES
from .view import MondkroneView, view

BOTS: Mapping[str, Bot[MondkroneView, MondkroneCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "search-small": SearchBot(Rollout, 8),
    "search-large": SearchBot(Rollout, 50, longest_ms=300, reason=reason),
}

RULEBOOK = Rulebook(
    set_up=rules.set_up,
    waiting=moves.waiting,
    legal=moves.legal,
    apply=rules.apply,
    default=rules.default,
    command_of=move_codec.command_of,
    move_of=move_codec.move_of,
    why_not=refusals.why_not,
    menu=refusals.menu,
    fold=fold,
    view=view,
    dealt=disclosure.dealt,
    shown=disclosure.shown,
    determinize=determinize,
)


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
