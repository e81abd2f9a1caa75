"""The game that the registry finds: Coup as the contract of domain/game.py wants it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

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
from .events import EVENT_TYPES, CoupEvent
from .guide.lesson import LESSON
from .guide.texts import MESSAGES
from .messages import (
    ROLES,
    Block,
    Challenge,
    ClaimAssassination,
    ClaimExamine,
    ClaimExchange,
    ClaimSteal,
    ClaimTax,
    CoupCommand,
    CoupOptions,
    DraftCard,
    KeepCards,
    LaunchCoup,
    LeaveCard,
    LetPass,
    LoseInfluence,
    ReplaceCard,
    ShowCard,
    ShowExamined,
    TakeForeignAid,
    TakeIncome,
)
from .moves import Move
from .refusals import CoupRefusal
from .table import NOBODY, CoupTable
from .view import CoupView, asked_alone

RULEBOOK = assemble(rules, moves, move_codec, refusals, fold, view, disclosure, determinization)


class Coup(Game[CoupOptions, CoupTable, Move, CoupCommand, CoupEvent, CoupView]):
    """The rules of Coup."""

    id = GameId("coup")
    rules_version = 2
    min_seats = 2
    max_seats = 6
    rulebook = RULEBOOK
    options_type = CoupOptions
    command_types = (
        TakeIncome,
        TakeForeignAid,
        LaunchCoup,
        ClaimTax,
        ClaimAssassination,
        ClaimSteal,
        ClaimExchange,
        ClaimExamine,
        Challenge,
        Block,
        LetPass,
        ShowCard,
        LoseInfluence,
        KeepCards,
        ShowExamined,
        LeaveCard,
        ReplaceCard,
        DraftCard,
    )
    event_types = EVENT_TYPES
    view_type = CoupView
    refusals = CoupRefusal
    messages = MESSAGES
    lesson = LESSON
    pictured = ("duke", None, "captain")
    characters = CHARACTERS

    def check(self, options: CoupOptions, seats: int) -> None:
        if options.duel_draft and seats != 2:
            raise InvalidOptions("duel_draft", "only with two seats")
        if options.first_seat != "random" and options.first_seat >= seats:
            raise InvalidOptions("first_seat", "there is no such seat")

    def create(self, options: CoupOptions, seats: int) -> CoupTable:
        return CoupTable(options, seats)

    def of_version(self, rules_version: int) -> Coup:
        return FIRST if rules_version == FIRST.rules_version else self

    def pending(self, table: CoupTable) -> Ask | None:
        if not table.stage.prompt:
            return None
        seats = self._asked(table)
        open_ = tuple(seat for seat in seats if _is_open(table, seat))
        pace = Pace.REACTION if table.stage in stages.REACTIONS else Pace.TURN
        return Ask(DecisionId(table.decision), seats, open_, table.stage.prompt, _said(table), pace)

    def _asked(self, table: CoupTable) -> tuple[Seat, ...]:
        if table.stage is stages.DRAFT:
            return Seat(0), Seat(1)
        alone = asked_alone(table)
        return tuple(map(Seat, table.window)) if alone is None else (alone,)

    def faces(self) -> tuple[Face, ...]:
        return tuple(Face(role.value, (role.value,)) for role in ROLES)

    def plays_on(self, table: CoupTable, seat: Seat) -> bool:
        return not table.out[seat]

    def standing(self, table: CoupTable) -> Standing | None:
        if table.stage is not stages.OVER:
            return None
        return Standing(tuple(Placing(Seat(seat), 1 if seat in table.winners else 2) for seat in range(table.seats)))

    def rematch(self, options: CoupOptions, standing: Standing) -> CoupOptions:

        return msgspec.structs.replace(options, first_seat=int(standing.winners[0]))

    def bots(self) -> Mapping[str, Bot[CoupView, CoupCommand]]:
        return BOTS

    def exploiters(self) -> Mapping[str, Bot[CoupView, CoupCommand]]:
        return EXPLOITERS


class FirstCoup(Coup):
    """Version 1 of the rules: a seat with equal cards only was not asked which of them it means, and everyone knew why."""

    rules_version = 1

    def create(self, options: CoupOptions, seats: int) -> CoupTable:
        return CoupTable(options, seats, pairs_known=True)


FIRST = FirstCoup()


def _is_open(table: CoupTable, seat: Seat) -> bool:
    """Return whether an asked seat has not answered yet."""
    if table.stage is stages.DRAFT:
        return table.drafted[seat] == NOBODY
    return table.stage not in stages.REACTIONS or seat not in table.passed


def _said(table: CoupTable) -> dict[str, str | int]:
    """Return the arguments of the open prompt, all of them public."""
    if table.stage is stages.DRAFT:
        return {}
    said: dict[str, str | int] = {"actor": table.turn}
    if table.action is not None:
        said["action"] = table.action.value
    claimant, role = table.open_claim()
    places = {"target": table.target, "blocker": table.blocker, "challenger": table.challenger, "claimant": claimant}
    said |= {name: seat for name, seat in places.items() if seat != NOBODY}
    if role != NOBODY:
        said["role"] = ROLES[role].value
    if table.stage is stages.LOSE:
        said["loser"] = table.loser
    return said
