"""The game that the registry finds: Duel as the contract of domain/game.py wants it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tafelrunde.domain.game import (
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
from tafelrunde.domain.parts import assemble

from . import disclosure, fold, move_codec, moves, refusals, rules, view
from .bots import BOTS, CHARACTERS, determinization
from .cards import DECK, SUITS, rank, suit
from .events import EVENT_TYPES, DuelEvent
from .guide.texts import MESSAGES
from .messages import Bid, DuelCommand, DuelOptions, PlayCard
from .move_codec import Move
from .refusals import DuelRefusal
from .table import DuelTable
from .view import DuelView

RULEBOOK = assemble(rules, moves, move_codec, refusals, fold, view, disclosure, determinization)


class DuelGame(Game[DuelOptions, DuelTable, Move, DuelCommand, DuelEvent, DuelView]):
    """The rules of Duel."""

    id = GameId("duel")
    rules_version = 1
    min_seats = 2
    max_seats = 4
    rulebook = RULEBOOK
    options_type = DuelOptions
    command_types = (Bid, PlayCard)
    event_types = EVENT_TYPES
    view_type = DuelView
    refusals = DuelRefusal
    messages = MESSAGES
    characters = CHARACTERS

    def check(self, options: DuelOptions, seats: int) -> None:
        if options.prizes and len(options.prizes) != options.cards:
            raise InvalidOptions("prizes", "one prize for each card")
        if options.first_seat is not None and options.first_seat >= seats:
            raise InvalidOptions("first_seat", "no such seat")

    def create(self, options: DuelOptions, seats: int) -> DuelTable:
        return DuelTable(options, seats)

    def pending(self, table: DuelTable) -> Ask | None:
        seats = moves.asked(table)
        if not seats:
            return None
        decision = DecisionId(table.decision)
        if table.shown:
            trick = len(table.plays) // table.seats + 1
            return Ask(decision, seats, seats, table.stage.prompt, {"seat": table.turn, "trick": trick}, Pace.TURN)
        missing = tuple(seat for seat in seats if table.bids[seat] is None)
        return Ask(decision, seats, missing, table.stage.prompt, {"cards": table.options.cards}, Pace.REACTION)

    def answered(self, table: DuelTable, seat: Seat) -> DuelCommand | None:
        bid = None if table.shown else table.bids[seat]
        return None if bid is None else Bid(bid)

    def faces(self) -> tuple[Face, ...]:
        return tuple(Face(card, (SUITS[suit(card)],), str(rank(card))) for card in DECK)

    def standing(self, table: DuelTable) -> Standing | None:
        if (scores := table.scores) is None:
            return None
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        return Standing(tuple(Placing(Seat(seat), rank, scores[seat]) for seat, rank in enumerate(ranks)))

    def rematch(self, options: DuelOptions, standing: Standing) -> DuelOptions:
        return msgspec.structs.replace(options, first_seat=standing.winners[0])

    def bots(self) -> Mapping[str, Bot[DuelView, DuelCommand]]:
        return BOTS
