"""The game that the registry knows: Coup as the contract of domain/game.py wants it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec

from ..bots import RandomBot
from ..game import (
    Ask,
    Bot,
    Chance,
    Character,
    Choice,
    DecisionId,
    Face,
    Game,
    GameId,
    Hand,
    InvalidOptions,
    Level,
    Message,
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
from .bot import BLUFFER, SUSPICIOUS, HonestBot
from .codes import command_of, move_of
from .events import (
    EVENTS,
    CoupEvent,
)
from .fold import fold
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
    Role,
    ShowCard,
    ShowExamined,
    TakeForeignAid,
    TakeIncome,
)
from .outlook import WARY, Outlook
from .refusals import CoupRefusal, why_not
from .table import NOBODY, WINDOWS, CoupTable, Stage
from .texts import MESSAGES
from .view import STAGES, CoupView, asked_alone, view
from .worlds import determinize

FEW_PER_SEAT, MANY = 4, 640
"""A search that sees few worlds needs more of them where more rivals may block or doubt; one that sees many shares them out,
since every further seat makes a play-out longer."""

BOTS: Mapping[str, Bot[CoupView, CoupCommand]] = {
    "honest": HonestBot(),
    "random": RandomBot(),
    "search-small": SearchBot(Outlook, lambda view: FEW_PER_SEAT * len(view.seats)),
    "search-large": SearchBot(partial(Outlook, doubt=WARY), lambda view: MANY // len(view.seats)),
    "bluffer": HonestBot(BLUFFER),
    "suspicious": HonestBot(SUSPICIOUS),
}
CHARACTERS: Mapping[str, Character] = {
    "bluffer": Character(
        Level.RULES,
        Message(de="Aufschneider", en="Braggart"),
        Message(de="behauptet gern Rollen, die er nicht hat", en="likes to claim roles that it does not hold"),
    ),
    "suspicious": Character(
        Level.RULES,
        Message(de="Zweifler", en="Doubter"),
        Message(de="lügt selbst kaum und glaubt wenig", en="hardly ever lies and believes little"),
    ),
}


KERNEL = Kernel(rules.set_up, moves.waiting, moves.legal, rules.apply, command_of, move_of)


class Coup(Game[CoupOptions, CoupTable, CoupCommand, CoupEvent, CoupView]):
    """The rules of Coup."""

    id = GameId("coup")
    rules_version = 2
    min_seats = 2
    max_seats = 6
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
    event_types = EVENTS
    view_type = CoupView
    refusals = CoupRefusal
    messages = MESSAGES
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

    def start(self, table: CoupTable, chance: Chance) -> list[CoupEvent]:
        return self.record(table, lambda work: rules.set_up(work, chance))

    def play(self, table: CoupTable, seat: Seat, command: CoupCommand, chance: Chance) -> None:
        rules.apply(table, seat, move_of(command), chance)

    def fold(self, table: CoupTable, event: CoupEvent) -> None:
        fold(table, event)

    def pending(self, table: CoupTable) -> Ask | None:
        if table.stage in (Stage.SETUP, Stage.OVER):
            return None
        prompt = STAGES[table.stage]
        seats = self._asked(table)
        open_ = tuple(seat for seat in seats if _is_open(table, seat))
        pace = Pace.REACTION if table.stage in (Stage.CHALLENGE, Stage.BLOCK, Stage.BLOCK_CHALLENGE) else Pace.TURN
        return Ask(DecisionId(table.decision), seats, open_, f"coup.prompt.{prompt}", _said(table), pace)

    def _asked(self, table: CoupTable) -> tuple[Seat, ...]:
        if table.stage == Stage.DRAFT:
            return Seat(0), Seat(1)
        alone = asked_alone(table)
        return tuple(map(Seat, table.window)) if alone is None else (alone,)

    def legal(self, table: CoupTable, seat: Seat) -> list[CoupCommand]:
        return [command_of(move) for move in moves.legal(table, seat)]

    def why_not(self, table: CoupTable, seat: Seat, command: CoupCommand) -> Refusal | None:
        return why_not(table, seat, move_of(command))

    def menu(self, table: CoupTable, seat: Seat) -> list[Choice]:
        allowed: Sequence[moves.Move] = moves.legal(table, seat)
        if table.stage == Stage.ACTION and allowed:
            allowed = _thinkable(table, seat)
        return [Choice(command_of(move), why_not(table, seat, move)) for move in allowed]

    def default(self, table: CoupTable, seat: Seat) -> CoupCommand:
        allowed = moves.legal(table, seat)
        if table.stage == Stage.PROVE:
            role = table.role if table.blocker == NOBODY else table.block_role
            return command_of((moves.SHOW, role) if (moves.SHOW, role) in allowed else allowed[0])
        if table.stage == Stage.EXCHANGE:
            return command_of((moves.KEEP, moves.packed(table.hands[seat])))
        if (moves.PASS, 0) in allowed:
            return LetPass()
        if table.stage == Stage.ACTION and allowed[0][0] == moves.COUP:
            return LaunchCoup(rules.next_living(table, seat))
        return command_of(allowed[0])

    def view(self, table: CoupTable, seat: Seat | None) -> CoupView:
        return view(table, seat)

    def dealt(self, table: CoupTable, event: CoupEvent) -> tuple[Hand, ...]:
        return hands.dealt(table, event)

    def shown(self, event: CoupEvent) -> tuple[Shown, ...]:
        return hands.shown(event)

    def faces(self) -> tuple[Face, ...]:
        return tuple(Face(role.value, (role.value,)) for role in ROLES)

    def standing(self, table: CoupTable) -> Standing | None:
        if table.stage != Stage.OVER:
            return None
        return Standing(tuple(Placing(Seat(seat), 1 if seat in table.winners else 2) for seat in range(table.seats)))

    def rematch(self, options: CoupOptions, standing: Standing) -> CoupOptions:

        return msgspec.structs.replace(options, first_seat=int(standing.winners[0]))

    def determinize(self, view: CoupView, rng: Rng) -> CoupTable:
        return determinize(view, rng)

    def bots(self) -> Mapping[str, Bot[CoupView, CoupCommand]]:
        return BOTS


class FirstCoup(Coup):
    """Version 1 of the rules: a seat with equal cards only was not asked which of them it means, and everybody knew why."""

    rules_version = 1

    def create(self, options: CoupOptions, seats: int) -> CoupTable:
        return CoupTable(options, seats, pairs_told=True)


FIRST = FirstCoup()


def _is_open(table: CoupTable, seat: Seat) -> bool:
    """Return whether an asked seat has not answered yet."""
    if table.stage == Stage.DRAFT:
        return table.drafted[seat] == NOBODY
    return table.stage not in WINDOWS.values() or seat not in table.passed


def _said(table: CoupTable) -> dict[str, str | int]:
    """Return the arguments of the open prompt, all of them public."""
    if table.stage == Stage.DRAFT:
        return {}
    said: dict[str, str | int] = {"actor": table.turn}
    if table.action is not None:
        said["action"] = table.action.value
    role = table.role if table.blocker == NOBODY else table.block_role
    claimant = table.turn if table.blocker == NOBODY else table.blocker
    places = {"target": table.target, "blocker": table.blocker, "challenger": table.challenger, "claimant": claimant}
    said |= {name: seat for name, seat in places.items() if seat != NOBODY}
    if role != NOBODY:
        said["role"] = ROLES[role].value
    if table.stage == Stage.LOSE:
        said["loser"] = table.loser
    return said


def _thinkable(table: CoupTable, seat: Seat) -> list[moves.Move]:
    targets = [other for other in range(table.seats) if other != seat]
    verbs = [
        moves.INCOME,
        moves.FOREIGN_AID,
        moves.COUP,
        moves.TAX,
        moves.ASSASSINATE,
        moves.STEAL,
        moves.EXCHANGE,
        moves.EXAMINE,
    ]
    if ROLES[table.fifth] is not Role.INQUISITOR:
        verbs.pop()
    return [(verb, target) for verb in verbs for target in (targets if verb in moves.TARGETED else (0,))]
