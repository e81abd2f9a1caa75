"""The game that the registry finds: Duel as the contract of domain/game.py wants it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from tafelrunde.domain.bots import RandomBot
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
    Rulebook,
    Seat,
    Standing,
)
from tafelrunde.domain.search import SearchBot

from . import disclosure, move_codec, moves, refusals, rules
from .bot import STEADY, HonestBot, SteadyBot
from .cards import DECK, SUITS, rank, suit
from .determinization import determinize
from .events import EVENT_TYPES, DuelEvent
from .fold import fold
from .messages import Bid, DuelCommand, DuelOptions, PlayCard
from .move_codec import Move
from .refusals import DuelRefusal
from .rollout import Rollout
from .table import DuelTable
from .texts import MESSAGES
from .view import DuelView, view

BOTS: Mapping[str, Bot[DuelView, DuelCommand]] = {
    "steady": SteadyBot(),
    "random": RandomBot(),
    "honest": HonestBot(),
    "search-small": SearchBot(Rollout, 3),
    "search-large": SearchBot(Rollout, 12),
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
    characters = MappingProxyType({"steady": STEADY})

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
