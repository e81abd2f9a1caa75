"""The game that the registry knows: Mondkrone as the contract of domain/game.py wants it."""

from __future__ import annotations

from collections.abc import Mapping

from ..bots import RandomBot
from ..game import (
    Ask,
    Bot,
    Chance,
    Choice,
    DecisionId,
    Face,
    Game,
    GameId,
    Hand,
    InvalidOptions,
    Pace,
    Placing,
    Refusal,
    Rng,
    Seat,
    Shown,
    Standing,
)
from ..kernel import Kernel
from ..search import SearchBot
from . import hands, moves, rules
from .bot import HonestBot
from .cards import CARDS, FACES
from .events import (
    EVENTS,
    MondkroneEvent,
)
from .fold import fold
from .messages import DiscardToPile, DropOut, LayAside, MondkroneCommand, MondkroneOptions, PlayAndDiscard, PlayToPalette
from .moves import command_of, move_of
from .outlook import Outlook
from .refusals import MondkroneRefusal, menu, why_not
from .table import MondkroneTable, Stage
from .texts import MESSAGES
from .view import STAGES, MondkroneView, view
from .worlds import determinize

BOTS: Mapping[str, Bot[MondkroneView, MondkroneCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "search-small": SearchBot(Outlook, 8),
    "search-large": SearchBot(Outlook, 50),
}


KERNEL = Kernel(rules.deal, moves.waiting, moves.legal, rules.apply, command_of, move_of)


class Mondkrone(Game[MondkroneOptions, MondkroneTable, MondkroneCommand, MondkroneEvent, MondkroneView]):
    """The rules of Mondkrone."""

    id = GameId("mondkrone")
    rules_version = 1
    min_seats = 2
    max_seats = 4
    options_type = MondkroneOptions
    command_types = (PlayToPalette, DiscardToPile, PlayAndDiscard, DropOut, LayAside)
    event_types = EVENTS
    view_type = MondkroneView
    refusals = MondkroneRefusal
    messages = MESSAGES

    def check(self, options: MondkroneOptions, seats: int) -> None:
        if not self.min_seats <= seats <= self.max_seats:
            raise InvalidOptions("seats", f"{self.min_seats} to {self.max_seats}")

    def create(self, options: MondkroneOptions, seats: int) -> MondkroneTable:
        return MondkroneTable(options, seats)

    def start(self, table: MondkroneTable, chance: Chance) -> list[MondkroneEvent]:
        return self.record(table, lambda work: rules.deal(work, chance))

    def play(self, table: MondkroneTable, seat: Seat, command: MondkroneCommand, chance: Chance) -> None:
        rules.apply(table, seat, move_of(command), chance)

    def fold(self, table: MondkroneTable, event: MondkroneEvent) -> None:
        fold(table, event)

    def pending(self, table: MondkroneTable) -> Ask | None:
        if table.stage not in (Stage.TURN, Stage.SCORING):
            return None
        asked = (Seat(table.turn),)
        said = {"actor": table.turn, "card": CARDS[table.pile[-1]].value}
        return Ask(DecisionId(table.decision), asked, asked, f"mondkrone.prompt.{STAGES[table.stage]}", said, Pace.TURN)

    def legal(self, table: MondkroneTable, seat: Seat) -> list[MondkroneCommand]:
        return [command_of(move) for move in moves.legal(table, seat)]

    def why_not(self, table: MondkroneTable, seat: Seat, command: MondkroneCommand) -> Refusal | None:
        return why_not(table, seat, move_of(command))

    def menu(self, table: MondkroneTable, seat: Seat) -> list[Choice]:
        return [Choice(command_of(move), refusal) for move, refusal in menu(table, seat)]

    def default(self, table: MondkroneTable, seat: Seat) -> MondkroneCommand:
        if table.stage == Stage.TURN:
            return DropOut()
        return command_of((moves.LAY_ASIDE, rules.best_haul(table, seat)))

    def view(self, table: MondkroneTable, seat: Seat | None) -> MondkroneView:
        return view(table, seat)

    def dealt(self, table: MondkroneTable, event: MondkroneEvent) -> tuple[Hand, ...]:
        return hands.dealt(table, event)

    def shown(self, event: MondkroneEvent) -> tuple[Shown, ...]:
        return hands.shown(event)

    def faces(self) -> tuple[Face, ...]:
        return tuple(
            Face(card.value, tuple(suit.value for suit in face.suits), face.rank.value, tuple(kind.value for kind in face.kinds))
            for card, face in FACES.items()
        )

    def standing(self, table: MondkroneTable) -> Standing | None:
        if table.stage != Stage.OVER:
            return None
        points = [table.points(seat) for seat in range(table.seats)]
        ranks = [1 + sum(other > own for other in points) for own in points]
        return Standing(tuple(Placing(Seat(seat), ranks[seat], points[seat]) for seat in range(table.seats)))

    def rematch(self, options: MondkroneOptions, standing: Standing) -> MondkroneOptions:
        return options

    def determinize(self, view: MondkroneView, rng: Rng) -> MondkroneTable:
        return determinize(view, rng)

    def bots(self) -> Mapping[str, Bot[MondkroneView, MondkroneCommand]]:
        return BOTS
