"""The game that the registry finds: MatchMaster as the contract of domain/game.py wants it."""

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
from . import disclosure, fold, move_codec, moves, refusals, rules, view
from .bots import BOTS, CHARACTERS, determinization
from .bots.exploiters import EXPLOITERS
from .cards import CARDS, SUITS, suit_of, value_of
from .events import EVENT_TYPES, MatchMasterEvent
from .guide.lesson import LESSON
from .guide.texts import MESSAGES
from .messages import MatchMasterCommand, MatchMasterOptions, PlaceBid, PlayCard
from .move_codec import Move
from .refusals import MatchMasterRefusal
from .table import NO_BID, MatchMasterTable
from .view import MatchMasterView, stage_of

RULEBOOK = assemble(rules, moves, move_codec, refusals, fold, view, disclosure, determinization)


class MatchMaster(Game[MatchMasterOptions, MatchMasterTable, Move, MatchMasterCommand, MatchMasterEvent, MatchMasterView]):
    """The rules of MatchMaster."""

    id = GameId("matchmaster")
    rules_version = 1
    min_seats = 2
    max_seats = 7
    rulebook = RULEBOOK
    options_type = MatchMasterOptions
    command_types = (PlaceBid, PlayCard)
    event_types = EVENT_TYPES
    view_type = MatchMasterView
    refusals = MatchMasterRefusal
    messages = MESSAGES
    lesson = LESSON
    characters = CHARACTERS
    pictured = (42, 12, 34)

    def check(self, options: MatchMasterOptions, seats: int) -> None:
        if options.first_dealer != "random" and not 0 <= options.first_dealer < seats:
            raise InvalidOptions("first_dealer", "there is no such seat")

    def create(self, options: MatchMasterOptions, seats: int) -> MatchMasterTable:
        return MatchMasterTable(options, seats)

    def pending(self, table: MatchMasterTable) -> Ask | None:
        seats = tuple(map(Seat, moves.asked(table)))
        if not seats:
            return None
        said: dict[str, str | int] = {"round": table.round, "size": table.size}
        if table.shown:
            said = {"seat": table.turn, "trick": len(table.tricks) + 1}
        open_ = seats if table.shown else tuple(seat for seat in seats if table.bids[seat] == NO_BID)
        return Ask(DecisionId(table.decision), seats, open_, stage_of(table).prompt, said, Pace.TURN)

    def answered(self, table: MatchMasterTable, seat: Seat) -> MatchMasterCommand | None:
        return moves.answered(table, seat)

    def prompt_arguments(self, view: MatchMasterView) -> Mapping[str, str | int]:
        return {"cards": len(view.trick)}

    def faces(self) -> tuple[Face, ...]:
        return tuple(Face(card, (SUITS[suit_of(card)].value,), str(value_of(card))) for card in range(CARDS))

    def standing(self, table: MatchMasterTable) -> Standing | None:
        if not table.over:
            return None
        ranks = [1 + sum(other > score for other in table.scores) for score in table.scores]
        return Standing(tuple(Placing(Seat(seat), rank, table.scores[seat]) for seat, rank in enumerate(ranks)))

    def rematch(self, options: MatchMasterOptions, standing: Standing) -> MatchMasterOptions:
        return options

    def bots(self) -> Mapping[str, Bot[MatchMasterView, MatchMasterCommand]]:
        return BOTS

    def exploiters(self) -> Mapping[str, Bot[MatchMasterView, MatchMasterCommand]]:
        return EXPLOITERS
