"""The game that the registry knows: MatchMaster as the contract of domain/game.py wants it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

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
from . import moves, rules
from .bot import HonestBot
from .cards import CARDS, SUITS, TRUMP, name_of, suit_of, value_of
from .events import (
    EVENTS,
    MatchMasterCardPlayed,
    MatchMasterDealt,
    MatchMasterEvent,
)
from .fold import fold
from .messages import MatchMasterCommand, MatchMasterOptions, PlaceBid, PlayCard
from .outlook import Outlook
from .refusals import MatchMasterRefusal
from .table import NO_BID, MatchMasterTable
from .texts import MESSAGES
from .view import MatchMasterView, stage_of, view
from .worlds import determinize

GOOD = 8
ACE = 13


BOTS: Mapping[str, Bot[MatchMasterView, MatchMasterCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "search-small": SearchBot(Outlook, 3),
    "search-large": SearchBot(Outlook, 12),
    "inference": SearchBot(partial(Outlook, weighing=True), 300),
}


KERNEL = Kernel(rules.set_up, moves.waiting, moves.moves, rules.apply, moves.COMMANDS.__getitem__, moves.move_of)


class MatchMaster(Game[MatchMasterOptions, MatchMasterTable, MatchMasterCommand, MatchMasterEvent, MatchMasterView]):
    """The rules of MatchMaster."""

    id = GameId("matchmaster")
    rules_version = 1
    min_seats = 2
    max_seats = 7
    options_type = MatchMasterOptions
    command_types = (PlaceBid, PlayCard)
    event_types = EVENTS
    view_type = MatchMasterView
    refusals = MatchMasterRefusal
    messages = MESSAGES

    def check(self, options: MatchMasterOptions, seats: int) -> None:
        if options.first_dealer != "random" and not 0 <= options.first_dealer < seats:
            raise InvalidOptions("first_dealer", "there is no such seat")

    def create(self, options: MatchMasterOptions, seats: int) -> MatchMasterTable:
        return MatchMasterTable(options, seats)

    def start(self, table: MatchMasterTable, chance: Chance) -> list[MatchMasterEvent]:
        return self.record(table, lambda work: rules.set_up(work, chance))

    def play(self, table: MatchMasterTable, seat: Seat, command: MatchMasterCommand, chance: Chance) -> None:
        rules.apply(table, seat, moves.move_of(command), chance)

    def fold(self, table: MatchMasterTable, event: MatchMasterEvent) -> None:
        fold(table, event)

    def pending(self, table: MatchMasterTable) -> Ask | None:
        seats = tuple(map(Seat, moves.asked(table)))
        if not seats:
            return None
        said: dict[str, str | int] = {"round": table.round, "size": table.size}
        if table.shown:
            said = {"seat": table.turn, "trick": len(table.tricks) + 1}
        open_ = seats if table.shown else tuple(seat for seat in seats if table.bids[seat] == NO_BID)
        return Ask(DecisionId(table.decision), seats, open_, f"matchmaster.prompt.{stage_of(table)}", said, Pace.TURN)

    def legal(self, table: MatchMasterTable, seat: Seat) -> list[MatchMasterCommand]:
        return moves.legal(table, seat)

    def why_not(self, table: MatchMasterTable, seat: Seat, command: MatchMasterCommand) -> Refusal | None:
        return moves.why_not(table, seat, command)

    def answered(self, table: MatchMasterTable, seat: Seat) -> MatchMasterCommand | None:
        return moves.answered(table, seat)

    def menu(self, table: MatchMasterTable, seat: Seat) -> list[Choice]:
        return moves.menu(table, seat)

    def default(self, table: MatchMasterTable, seat: Seat) -> MatchMasterCommand:
        if table.shown:
            return PlayCard(min(moves.playable(table.hands[seat], table.trick), key=lambda card: (value_of(card), card)))
        return PlaceBid(sum(map(_likely, table.hands[seat])))

    def view(self, table: MatchMasterTable, seat: Seat | None) -> MatchMasterView:
        return view(table, seat)

    def prompt_arguments(self, view: MatchMasterView) -> Mapping[str, str | int]:
        return {"cards": len(view.trick)}

    def dealt(self, table: MatchMasterTable, event: MatchMasterEvent) -> tuple[Hand, ...]:
        if not isinstance(event, MatchMasterDealt):
            return ()
        return tuple(Hand(Seat(seat), tuple(map(name_of, hand))) for seat, hand in enumerate(table.hands))

    def shown(self, event: MatchMasterEvent) -> tuple[Shown, ...]:
        return (Shown(event.seat, name_of(event.card)),) if isinstance(event, MatchMasterCardPlayed) else ()

    def faces(self) -> tuple[Face, ...]:
        return tuple(Face(card, (SUITS[suit_of(card)].value,), str(value_of(card))) for card in range(CARDS))

    def standing(self, table: MatchMasterTable) -> Standing | None:
        if not table.over:
            return None
        ranks = [1 + sum(other > score for other in table.scores) for score in table.scores]
        return Standing(tuple(Placing(Seat(seat), rank, table.scores[seat]) for seat, rank in enumerate(ranks)))

    def rematch(self, options: MatchMasterOptions, standing: Standing) -> MatchMasterOptions:
        return options

    def determinize(self, view: MatchMasterView, rng: Rng) -> MatchMasterTable:
        return determinize(view, rng)

    def bots(self) -> Mapping[str, Bot[MatchMasterView, MatchMasterCommand]]:
        return BOTS


def _likely(card: int) -> bool:
    """Return whether a bid by default counts on a card: good trumps, and the highest card of each other suit."""
    return value_of(card) >= (GOOD if suit_of(card) == TRUMP else ACE)
