"""The game that the registry knows: Stich-Meister as the contract of domain/game.py wants it."""

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
from .cards import CARDS, SUITS, suit_of, value_of
from .codes import command_of, move_of
from .events import (
    EVENTS,
    StichEvent,
)
from .fold import fold
from .messages import ChooseRule, OpenCards, PassCards, PlayCard, SetCardAside, StichCommand, StichOptions, TakeCardOut
from .outlook import Outlook
from .refusals import StichRefusal
from .rule_cards import NUMBERS
from .table import Stage, StichTable
from .texts import MESSAGES
from .view import STAGES, StichView, view
from .worlds import determinize

BOTS: Mapping[str, Bot[StichView, StichCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "search-small": SearchBot(Outlook, 4),
    "search-large": SearchBot(Outlook, 40),
}


KERNEL = Kernel(rules.set_up, moves.waiting, moves.moves, rules.apply, command_of, move_of)


class StichMeister(Game[StichOptions, StichTable, StichCommand, StichEvent, StichView]):
    """The rules of Stich-Meister."""

    id = GameId("stich-meister")
    rules_version = 1
    min_seats = 3
    max_seats = 5
    options_type = StichOptions
    command_types = (ChooseRule, PassCards, SetCardAside, OpenCards, PlayCard, TakeCardOut)
    event_types = EVENTS
    view_type = StichView
    refusals = StichRefusal
    messages = MESSAGES

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

    def start(self, table: StichTable, chance: Chance) -> list[StichEvent]:
        return self.record(table, lambda work: rules.set_up(work, chance))

    def play(self, table: StichTable, seat: Seat, command: StichCommand, chance: Chance) -> None:
        rules.apply(table, seat, move_of(command), chance)

    def fold(self, table: StichTable, event: StichEvent) -> None:
        fold(table, event)

    def pending(self, table: StichTable) -> Ask | None:
        if table.stage in (Stage.SETUP, Stage.OVER):
            return None
        seats = tuple(map(Seat, table.asked))
        open_ = tuple(seat for seat in seats if not moves.has_answered(table, seat))
        prompt = f"stich-meister.prompt.{STAGES[table.stage]}"
        return Ask(DecisionId(table.decision), seats, open_, prompt, _said(table), Pace.TURN)

    def legal(self, table: StichTable, seat: Seat) -> list[StichCommand]:
        return moves.legal(table, seat)

    def why_not(self, table: StichTable, seat: Seat, command: StichCommand) -> Refusal | None:
        return moves.why_not(table, seat, command)

    def menu(self, table: StichTable, seat: Seat) -> list[Choice]:
        return moves.menu(table, seat)

    def default(self, table: StichTable, seat: Seat) -> StichCommand:
        return moves.legal(table, seat)[0]

    def view(self, table: StichTable, seat: Seat | None) -> StichView:
        return view(table, seat)

    def dealt(self, table: StichTable, event: StichEvent) -> tuple[Hand, ...]:
        return hands.dealt(table, event)

    def shown(self, event: StichEvent) -> tuple[Shown, ...]:
        return hands.shown(event)

    def faces(self) -> tuple[Face, ...]:
        return tuple(Face(card, (SUITS[suit_of(card)].value,), str(value_of(card))) for card in range(CARDS))

    def standing(self, table: StichTable) -> Standing | None:
        if table.stage != Stage.OVER:
            return None
        ranks = [1 + sum(other > score for other in table.scores) for score in table.scores]
        return Standing(tuple(Placing(Seat(seat), rank, table.scores[seat]) for seat, rank in enumerate(ranks)))

    def rematch(self, options: StichOptions, standing: Standing) -> StichOptions:
        return options

    def determinize(self, view: StichView, rng: Rng) -> StichTable:
        return determinize(view, rng)

    def bots(self) -> Mapping[str, Bot[StichView, StichCommand]]:
        return BOTS


def _said(table: StichTable) -> dict[str, str | int]:
    """Return the arguments of the open prompt, all of them public."""
    said: dict[str, str | int] = {"round": table.round}
    if table.stage in (Stage.LEAD, Stage.PLAY, Stage.PLAY_HIDDEN, Stage.TAKE_OUT):
        said["trick"] = table.number
    if len(table.asked) == 1:
        said["seat"] = table.asked[0]
    return said
