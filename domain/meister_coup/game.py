"""The game that the registry knows: Meister Coup as the contract of domain/game.py wants it."""

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
from .cards import CARDS, COLOUR_OF, COLOURS, MOST_DIAMONDS, VALUE_OF, VALUES
from .events import (
    EVENTS,
    MeisterEvent,
    Reason,
)
from .fold import fold
from .messages import AgreeToMember, MeisterCommand, MeisterOptions, PickCard, PlayCard, ProposeMember, TakeCards
from .outlook import Outlook
from .refusals import MeisterRefusal
from .table import MeisterTable, Stage, diamonds_of
from .texts import MESSAGES
from .view import STAGES, MeisterView, view
from .worlds import determinize

OFFERED: Mapping[str, tuple[int, ...]] = {"standard": (3, 4, 5), "team": (4, 6)}
"""Numbers of seats of each mode."""


BOTS: Mapping[str, Bot[MeisterView, MeisterCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "search-small": SearchBot(Outlook, 3),
    "search-large": SearchBot(Outlook, 80),
}


KERNEL = Kernel(rules.set_up, moves.waiting, moves.moves, rules.apply, moves.command_of, moves.move_of)


class MeisterCoup(Game[MeisterOptions, MeisterTable, MeisterCommand, MeisterEvent, MeisterView]):
    """The rules of Meister Coup."""

    id = GameId("meister-coup")
    rules_version = 1
    min_seats = 3
    max_seats = 6
    options_type = MeisterOptions
    command_types = (PlayCard, PickCard, TakeCards, ProposeMember, AgreeToMember)
    event_types = EVENTS
    view_type = MeisterView
    refusals = MeisterRefusal
    messages = MESSAGES

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

    def start(self, table: MeisterTable, chance: Chance) -> list[MeisterEvent]:
        return self.record(table, lambda work: rules.set_up(work, chance))

    def play(self, table: MeisterTable, seat: Seat, command: MeisterCommand, chance: Chance) -> None:
        rules.apply(table, seat, moves.move_of(command), chance)

    def fold(self, table: MeisterTable, event: MeisterEvent) -> None:
        fold(table, event)

    def pending(self, table: MeisterTable) -> Ask | None:
        if table.stage in (Stage.SETUP, Stage.OVER):
            return None
        seats = tuple(map(Seat, table.asked))
        prompt = f"meister-coup.prompt.{STAGES[table.stage]}"
        return Ask(DecisionId(table.decision), seats, seats, prompt, _said(table), Pace.TURN)

    def legal(self, table: MeisterTable, seat: Seat) -> list[MeisterCommand]:
        return moves.legal(table, seat)

    def why_not(self, table: MeisterTable, seat: Seat, command: MeisterCommand) -> Refusal | None:
        return moves.why_not(table, seat, command)

    def menu(self, table: MeisterTable, seat: Seat) -> list[Choice]:
        return moves.menu(table, seat)

    def default(self, table: MeisterTable, seat: Seat) -> MeisterCommand:
        return moves.default(table, seat)

    def view(self, table: MeisterTable, seat: Seat | None) -> MeisterView:
        return view(table, seat)

    def dealt(self, table: MeisterTable, event: MeisterEvent) -> tuple[Hand, ...]:
        return hands.dealt(table, event)

    def shown(self, event: MeisterEvent) -> tuple[Shown, ...]:
        return hands.shown(event)

    def faces(self) -> tuple[Face, ...]:
        return tuple(Face(card, (COLOURS[COLOUR_OF[card]].value,), str(VALUE_OF[card])) for card in range(CARDS))

    def standing(self, table: MeisterTable) -> Standing | None:
        if table.stage != Stage.OVER:
            return None
        return Standing(tuple(_placing(table, seat) for seat in range(table.seats)))

    def rematch(self, options: MeisterOptions, standing: Standing) -> MeisterOptions:
        return options

    def determinize(self, view: MeisterView, rng: Rng) -> MeisterTable:
        return determinize(view, rng)

    def bots(self) -> Mapping[str, Bot[MeisterView, MeisterCommand]]:
        return BOTS


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
    if table.stage == Stage.VOTE:
        return {"round": table.round}
    return {"round": table.round, "trick": table.number, "seat": table.asked[0]}
