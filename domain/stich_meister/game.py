"""The game that the registry finds: Stich-Meister as the contract of domain/game.py wants it."""

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
from .cards import CARDS, SAMURAI, SUITS, suit_of, value_of
from .events import EVENT_TYPES, StichEvent
from .guide.lesson import LESSON
from .guide.texts import MESSAGES
from .messages import ChooseRule, OpenCards, PassCards, PlayCard, SetCardAside, StichCommand, StichOptions, TakeCardOut
from .move_codec import Move
from .refusals import StichRefusal
from .rule_cards import NUMBERS
from .table import StichTable
from .view import StichView

RULEBOOK = assemble(rules, moves, move_codec, refusals, fold, view, disclosure, determinization)


class StichMeister(Game[StichOptions, StichTable, Move, StichCommand, StichEvent, StichView]):
    """The rules of Stich-Meister."""

    id = GameId("stich-meister")
    rules_version = 1
    min_seats = 3
    max_seats = 5
    rulebook = RULEBOOK
    options_type = StichOptions
    command_types = (ChooseRule, PassCards, SetCardAside, OpenCards, PlayCard, TakeCardOut)
    event_types = EVENT_TYPES
    view_type = StichView
    refusals = StichRefusal
    messages = MESSAGES
    lesson = LESSON
    characters = CHARACTERS
    pictured = (44, 45, 9)

    def check(self, options: StichOptions, seats: int) -> None:
        if options.first_dealer != "random" and not 0 <= options.first_dealer < seats:
            raise InvalidOptions("first_dealer", "there is no such seat")
        if options.rules is None:
            return
        if len(set(options.rules)) != len(options.rules) or len(options.rules) != 4:
            raise InvalidOptions("rules", "four different rule cards")
        if not all(1 <= rule <= NUMBERS for rule in options.rules):
            raise InvalidOptions("rules", "there is no such rule card")

    def create(self, options: StichOptions, seats: int) -> StichTable:
        return StichTable(options, seats)

    def pending(self, table: StichTable) -> Ask | None:
        if not table.stage.prompt:
            return None
        seats = tuple(map(Seat, table.asked))
        open_ = tuple(seat for seat in seats if not moves.has_answered(table, seat))
        prompt = table.stage.prompt
        return Ask(DecisionId(table.decision), seats, open_, prompt, _said(table), Pace.TURN)

    def faces(self) -> tuple[Face, ...]:
        return tuple(
            Face(card, (SUITS[suit_of(card)].value,), str(value_of(card)), ("samurai",) if value_of(card) in SAMURAI else ())
            for card in range(CARDS)
        )

    def standing(self, table: StichTable) -> Standing | None:
        if table.stage is not stages.OVER:
            return None
        ranks = [1 + sum(other > score for other in table.scores) for score in table.scores]
        return Standing(tuple(Placing(Seat(seat), rank, table.scores[seat]) for seat, rank in enumerate(ranks)))

    def rematch(self, options: StichOptions, standing: Standing) -> StichOptions:
        return options

    def bots(self) -> Mapping[str, Bot[StichView, StichCommand]]:
        return BOTS

    def exploiters(self) -> Mapping[str, Bot[StichView, StichCommand]]:
        return EXPLOITERS


def _said(table: StichTable) -> dict[str, str | int]:
    """Return the arguments of the open prompt, all of them public."""
    said: dict[str, str | int] = {"round": table.round}
    if table.stage in (stages.LEAD, stages.PLAY, stages.PLAY_HIDDEN, stages.TAKE_OUT):
        said["trick"] = table.number
    if len(table.asked) == 1:
        said["seat"] = table.asked[0]
    return said
