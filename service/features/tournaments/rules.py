"""A tournament, purely: the facts folded into a state, and which facts a wish leads to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import assert_never

import msgspec

from ....domain.match import BotName, PlayerId
from .events import (
    AnyFact,
    BotAdded,
    Cancelled,
    CancelReason,
    Ended,
    Joined,
    Left,
    Opened,
    ResultTaken,
    RoundDrawn,
    Settled,
    Started,
    TablesOpened,
    Withdrawn,
)
from .pairing import most_rounds, rounds_needed

FEWEST, MOST = 4, 64
"""How many entrants a tournament has."""
MOST_JOINS = 5
"""How often a player may join one tournament: this bounds its facts before the start."""


class TournamentStage(Enum):
    """Where a tournament is in its life."""

    OPEN = "open"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"

    @property
    def finished(self) -> bool:
        """Whether nothing is played any more."""
        return self in {TournamentStage.OVER, TournamentStage.CANCELLED}


class Refusal(Enum):
    """Why a wish is refused."""

    CLOSED = "tournament-closed"
    FULL = "tournament-full"
    TOO_FEW = "tournament-too-few"
    NOT_ORGANISER = "not-organiser"
    JOINED_TOO_OFTEN = "joined-too-often"


class TournamentRefused(Exception):
    """The rules of tournaments do not allow this now."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """A player with its nonce, or a bot."""

    player: PlayerId | None = None
    bot: BotName | None = None
    nonce: str = ""
    withdrawn: bool = False


class Pairing(msgspec.Struct, frozen=True):
    """A table of a round: its entrants by seat, and their ranks (None: it is not over; empty: it ended without a result).

    `opened`: its match is there.
    """

    entrants: tuple[int, ...]
    ranks: tuple[int, ...] | None = None
    opened: bool = False


class Round(msgspec.Struct, frozen=True):
    """A round: its tables, and those who rest."""

    tables: tuple[Pairing, ...]
    byes: tuple[int, ...]

    @property
    def over(self) -> bool:
        """Whether all of its tables are."""
        return all(table.ranks is not None for table in self.tables)


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as its facts tell it. From the start on an entrant's number is its index.

    `changed_ms` is when its newest fact happened, `settled` that it was called off and no match of it runs any more. `paid`: how
    many matches it could have had at most, at any time before its start: those are paid for.
    """

    opened: Opened
    stage: TournamentStage = TournamentStage.OPEN
    entrants: tuple[Entrant, ...] = ()
    joins: Mapping[PlayerId, int] = {}
    planned: int = 0
    rounds: tuple[Round, ...] = ()
    started_ms: int | None = None
    ended_ms: int | None = None
    cancelled: CancelReason | None = None
    settled: bool = False
    changed_ms: int = 0
    paid: int = 0

    @property
    def draws_no_more(self) -> bool:
        """Whether who meets whom may be known: it has begun, or never will."""
        return self.started_ms is not None or self.stage.finished

    @property
    def deals_no_more(self) -> bool:
        """Whether all of its cards may be known: no match of it runs, and none will begin."""
        return self.stage is TournamentStage.OVER or self.settled

    @property
    def seats(self) -> int:
        """How many seats each table has."""
        return self.opened.settings.seats

    def number_of(self, player: PlayerId) -> int | None:
        """Return the number of a player; None if it does not take part."""
        return next((number for number, each in enumerate(self.entrants) if each.player == player), None)

    def active(self) -> list[int]:
        """Return the numbers of those who play on."""
        return [number for number, each in enumerate(self.entrants) if not each.withdrawn]

    def goes_on(self) -> bool:
        """Return whether another round is played: one is left, and enough play on for a table, a player among them."""
        active = self.active()
        people = any(self.entrants[number].player is not None for number in active)
        return len(self.rounds) < self.planned and len(active) >= self.seats and people

    def concerns(self, player: PlayerId) -> bool:
        """Return whether a player has opened it, or takes part."""
        return self.opened.organiser == player or self.number_of(player) is not None

    def is_for_bots(self, pairing: Pairing) -> bool:
        """Return whether only bots meet at a table."""
        return all(self.entrants[number].bot is not None for number in pairing.entrants)

    def bots(self) -> frozenset[int]:
        """Return the numbers of the bots."""
        return frozenset(number for number, each in enumerate(self.entrants) if each.bot is not None)


def folded(facts: Iterable[AnyFact], state: Tournament | None = None) -> Tournament | None:
    """Return the state after facts; None if there are none. Never refuses and never checks."""
    for fact in facts:
        if isinstance(fact, Opened):
            state = Tournament(opened=fact, changed_ms=fact.at_ms)
        elif state is not None:
            state = msgspec.structs.replace(_after(state, fact), changed_ms=fact.at_ms)
        if state is not None and state.stage is TournamentStage.OPEN:
            state = msgspec.structs.replace(state, paid=max(state.paid, most_matches(state)))
    return state


def _after(state: Tournament, fact: AnyFact) -> Tournament:  # noqa: PLR0911 - one line for each fact
    change = msgspec.structs.replace
    match fact:
        case Opened():
            return Tournament(opened=fact)
        case Joined():
            joins = {**state.joins, fact.player: state.joins.get(fact.player, 0) + 1}
            return change(state, joins=joins, entrants=(*state.entrants, Entrant(player=fact.player, nonce=fact.nonce)))
        case Left():
            return change(state, entrants=tuple(each for each in state.entrants if each.player != fact.player))
        case BotAdded():
            return change(state, entrants=(*state.entrants, Entrant(bot=fact.bot)))
        case Started():
            return change(state, stage=TournamentStage.RUNNING, planned=fact.rounds, started_ms=fact.at_ms)
        case RoundDrawn():
            drawn = Round(tuple(map(Pairing, fact.tables)), fact.byes)
            return change(state, rounds=(*state.rounds, drawn))
        case TablesOpened():
            return change(state, rounds=(*state.rounds[:-1], _with_matches(state.rounds[-1], fact)))
        case ResultTaken():
            return change(state, rounds=(*state.rounds[:-1], _with_result(state.rounds[-1], fact)))
        case Withdrawn():
            return change(
                state,
                entrants=tuple(change(each, withdrawn=True) if each.player == fact.player else each for each in state.entrants),
            )
        case Ended():
            return change(state, stage=TournamentStage.OVER, ended_ms=fact.at_ms)
        case Cancelled():
            none_runs = not state.rounds or state.rounds[-1].over
            return change(state, stage=TournamentStage.CANCELLED, ended_ms=fact.at_ms, cancelled=fact.reason, settled=none_runs)
        case Settled():
            return change(state, settled=True)
        case _:
            assert_never(fact)


def _with_matches(newest: Round, fact: TablesOpened) -> Round:
    tables = [Pairing(each.entrants, each.ranks, each.opened or table in fact.tables) for table, each in enumerate(newest.tables)]
    return Round(tuple(tables), newest.byes)


def _with_result(newest: Round, fact: ResultTaken) -> Round:
    tables = list(newest.tables)
    before = tables[fact.table]
    tables[fact.table] = Pairing(before.entrants, fact.ranks, before.opened or bool(fact.ranks))
    return Round(tuple(tables), newest.byes)


def join(state: Tournament, player: PlayerId, nonce: str, now_ms: int) -> Sequence[AnyFact]:
    """Return the facts of a player joining, none if it has done so; raise TournamentRefused."""
    if state.number_of(player) is not None:
        return ()
    _require(state.stage is TournamentStage.OPEN, Refusal.CLOSED)
    _require(len(state.entrants) < state.opened.places, Refusal.FULL)
    _require(state.joins.get(player, 0) < MOST_JOINS, Refusal.JOINED_TOO_OFTEN)
    return (Joined(at_ms=now_ms, player=player, nonce=nonce),)


def leave(state: Tournament, player: PlayerId, now_ms: int) -> Sequence[AnyFact]:
    """Return the facts of a player leaving: before the start it is gone, after it plays no further rounds."""
    number = state.number_of(player)
    if number is None or state.stage.finished or state.entrants[number].withdrawn:
        return ()
    left = Left if state.stage is TournamentStage.OPEN else Withdrawn
    return (left(at_ms=now_ms, player=player),)


def start(state: Tournament, now_ms: int) -> Sequence[AnyFact]:
    """Return the facts of the start: bots that even the tables out, if the organiser wants any; none if it has started.

    Raise TournamentRefused if it is over, or too few have joined.
    """
    if state.stage is TournamentStage.RUNNING:
        return ()
    _require(state.stage is TournamentStage.OPEN, Refusal.CLOSED)
    _require(_can_start(state), Refusal.TOO_FEW)
    fill = state.opened.fill
    missing = _count_at_start(state) - len(state.entrants)
    bots = [BotAdded(at_ms=now_ms, bot=fill)] * missing if fill is not None else []
    return (*bots, Started(at_ms=now_ms, rounds=_rounds_at_start(state)))


def most_matches(state: Tournament) -> int:
    """Return for how many matches is paid at most if a tournament starts as it is: those of bots alone cost nothing."""
    if not _can_start(state):
        return 0
    people = sum(each.player is not None for each in state.entrants)
    return _rounds_at_start(state) * min(people, _count_at_start(state) // state.seats)


def _can_start(state: Tournament) -> bool:
    people = any(each.player is not None for each in state.entrants)
    return people and _count_at_start(state) >= max(FEWEST, state.seats)


def _count_at_start(state: Tournament) -> int:
    """Return how many entrants there are once bots have evened the tables out."""
    count = len(state.entrants)
    if state.opened.fill is None:
        return count
    whole = -(-max(count, FEWEST) // state.seats) * state.seats
    return max(count, min(whole, state.opened.places))


def _rounds_at_start(state: Tournament) -> int:
    kind = state.opened.kind
    count = _count_at_start(state)
    planned = state.opened.rounds or rounds_needed(kind, count, state.seats)
    return min(planned, most_rounds(kind, count, state.seats))


def cancel(state: Tournament, now_ms: int, reason: CancelReason) -> Sequence[AnyFact]:
    """Return the fact that a tournament is called off; none if it has been; raise TournamentRefused if it is over."""
    if state.stage is TournamentStage.CANCELLED:
        return ()
    _require(state.stage is not TournamentStage.OVER, Refusal.CLOSED)
    return (Cancelled(at_ms=now_ms, reason=reason),)


def require_organiser(state: Tournament, player: PlayerId) -> None:
    """Raise TournamentRefused unless *player* has opened the tournament."""
    _require(state.opened.organiser == player, Refusal.NOT_ORGANISER)


def _require(holds: bool, refusal: Refusal) -> None:
    if not holds:
        raise TournamentRefused(refusal)
