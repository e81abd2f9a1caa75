"""The game that the registry finds: Meister Coup as the contract of domain/game.py wants it."""

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
from .cards import CARDS, COLOUR_OF, COLOURS, MOST_DIAMONDS, VALUE_OF, VALUES
from .events import EVENT_TYPES, MeisterEvent, Reason
from .guide.lesson import LESSON
from .guide.texts import MESSAGES
from .messages import AgreeToMember, MeisterCommand, MeisterOptions, PickCard, PlayCard, ProposeMember, TakeCards
from .move_codec import Move
from .refusals import MeisterRefusal
from .table import MeisterTable, diamonds_of
from .view import MeisterView

OFFERED: Mapping[str, tuple[int, ...]] = {"standard": (3, 4, 5), "team": (4, 6)}
"""Numbers of seats of each mode."""


RULEBOOK = assemble(rules, moves, move_codec, refusals, fold, view, disclosure, determinization)


class MeisterCoup(Game[MeisterOptions, MeisterTable, Move, MeisterCommand, MeisterEvent, MeisterView]):
    """The rules of Meister Coup."""

    id = GameId("meister-coup")
    rules_version = 1
    min_seats = 3
    max_seats = 6
    rulebook = RULEBOOK
    options_type = MeisterOptions
    command_types = (PlayCard, PickCard, TakeCards, ProposeMember, AgreeToMember)
    event_types = EVENT_TYPES
    view_type = MeisterView
    refusals = MeisterRefusal
    messages = MESSAGES
    lesson = LESSON
    characters = CHARACTERS
    pictured = (10, 47, 30)

    def check(self, options: MeisterOptions, seats: int) -> None:
        if seats not in OFFERED[options.mode]:
            raise InvalidOptions("mode", f"{options.mode} mode has {' or '.join(map(str, OFFERED[options.mode]))} seats")
        diamonds = diamonds_of(options)
        if len(diamonds) != VALUES or not all(0 <= each <= MOST_DIAMONDS for each in diamonds):
            raise InvalidOptions("diamonds", "rising, falling, or twelve numbers from 0 to 3")
        if options.first_leader != "random" and not 0 <= options.first_leader < seats:
            raise InvalidOptions("first_leader", "there is no such seat")

    def create(self, options: MeisterOptions, seats: int) -> MeisterTable:
        return MeisterTable(options, seats)

    def pending(self, table: MeisterTable) -> Ask | None:
        if not table.stage.prompt:
            return None
        seats = tuple(map(Seat, table.asked))
        prompt = table.stage.prompt
        return Ask(DecisionId(table.decision), seats, seats, prompt, _said(table), Pace.TURN)

    def faces(self) -> tuple[Face, ...]:
        return tuple(Face(card, (COLOURS[COLOUR_OF[card]].value,), str(VALUE_OF[card])) for card in range(CARDS))

    def standing(self, table: MeisterTable) -> Standing | None:
        if table.stage is not stages.OVER:
            return None
        return Standing(tuple(_placing(table, seat) for seat in range(table.seats)))

    def rematch(self, options: MeisterOptions, standing: Standing) -> MeisterOptions:
        return options

    def bots(self) -> Mapping[str, Bot[MeisterView, MeisterCommand]]:
        return BOTS

    def exploiters(self) -> Mapping[str, Bot[MeisterView, MeisterCommand]]:
        return EXPLOITERS


def _placing(table: MeisterTable, seat: int) -> Placing:
    """Return where a seat ended, with its side. After three Meistercoups points are not counted: all others are second."""
    if table.reason is Reason.MEISTERCOUPS:
        return Placing(Seat(seat), 1 if seat in table.winners else 2)
    side = table.side_of(seat)
    own = rules.result(table, side)
    better = sum(rules.result(table, other) > own for other in range(table.sides))
    return Placing(Seat(seat), 1 + better, table.points[side])


def _said(table: MeisterTable) -> dict[str, str | int]:
    """Return the arguments of the open prompt, all of them public."""
    if table.stage is stages.VOTE:
        return {"round": table.round}
    return {"round": table.round, "trick": table.number, "seat": table.asked[0]}
