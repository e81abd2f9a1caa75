"""What a command to a match causes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec import UNSET

from ..game import Chance, Command, DecisionId, Event, Hand, InvalidOptions, Placing, RuleViolation, Seat
from .commands import (
    Abort,
    AdjudicateMatch,
    AgreeRematch,
    BotPlay,
    Branch,
    ClearSeat,
    LeaveSeat,
    MatchCommand,
    OpenMatch,
    OpenRematch,
    Play,
    SeatBot,
    StartMatch,
    TakeHint,
    TakeSeat,
    TimeOut,
    VoidMatch,
)
from .events import (
    AbortAgreed,
    AbortReason,
    AbortWithdrawn,
    BotSeated,
    CardsCommitted,
    DecisionOpened,
    HintsAllowed,
    HintTaken,
    MatchAborted,
    MatchAdjudicated,
    MatchEnded,
    MatchEvent,
    MatchStarted,
    MatchVoided,
    MissesForgotten,
    RematchAgreed,
    RematchOpened,
    SeatHandedBack,
    SeatLeft,
    SeatTaken,
    StandInReason,
    StandInSeated,
    TimedOut,
)
from .opening import branched, history_of, opened, read_options
from .refusals import DecisionNotOpen, MatchRefusal, MatchRefused
from .state import Match
from .terms import BotName, MatchId, PlayerId, Status


class Dealer(Chance, Protocol):
    """The chance of a match, which also binds itself to the cards that it hands out."""

    def commit(self, deal: int, hands: Sequence[Hand]) -> str:
        """Return what is published about the hands of deal number *deal*; it tells nothing of them."""
        ...


class Decided(NamedTuple):
    """What a command causes: the facts in order, and the match after them."""

    events: list[Event]
    match: Match


def decide(match: Match, command: MatchCommand, chance: Dealer, now_ms: int) -> Decided:
    """Return what *command* causes, without changing *match*.

    Raises MatchRefused or the game's RuleViolation if it is not allowed now, DecisionNotOpen if it answers a decision that is
    not open to its seat, InvalidOptions on opening. A time-out of a closed decision causes nothing.
    """
    recorder = _Recorder(match, chance, now_ms)
    recorder.carry_out(command)
    return Decided(recorder.events, recorder.match)


def _require(truth: bool, code: MatchRefusal) -> None:
    if not truth:
        raise MatchRefused(code)


class _Recorder:
    """Carries a command out on a copy of the match and keeps the facts."""

    def __init__(self, match: Match, chance: Dealer, now_ms: int) -> None:
        self.match = match.copy()
        self.chance = chance
        self.now_ms = now_ms
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Fold a fact and keep it."""
        self.match.fold(event)
        self.keep(event)

    def keep(self, event: Event) -> None:
        """Keep a folded fact, and commit to the cards that it has handed out."""
        self.events.append(event)
        if self.match.commits and not isinstance(event, MatchEvent):
            hands = self.match.game.dealt(self.match.table, event)
            if hands:
                deal = self.match.deals + 1
                size = sum(len(hand.cards) for hand in hands)
                self.emit(CardsCommitted(deal, size, self.chance.commit(deal, hands)))

    def carry_out(self, command: MatchCommand) -> None:
        match command:
            case OpenMatch():
                self.open(command)
            case TakeSeat(player=player, seat=seat, nonce=nonce):
                self.take_seat(player, seat, nonce)
            case LeaveSeat(player):
                self.leave(player)
            case SeatBot(player, seat, bot):
                self.seat_bot(player, seat, bot)
            case ClearSeat(player, seat):
                self.clear_seat(player, seat)
            case StartMatch(player):
                self.require_host(player)
                self.start()
            case Play(player, decision, play):
                self.play(player, decision, play)
            case BotPlay(seat, decision, play):
                self.answer(seat, decision, play)
            case TakeHint(player):
                self.take_hint(player)
            case TimeOut(decision):
                self.time_out(decision)
            case Abort(player):
                self.abort(player)
            case AgreeRematch(player):
                self.agree_rematch(player)
            case OpenRematch(successor):
                self.open_rematch(successor)
            case VoidMatch(reason):
                self.void(reason)
            case AdjudicateMatch(placings, reason):
                self.adjudicate(placings, reason)

    # Before the start

    def open(self, command: OpenMatch) -> None:
        _require(self.match.opened is None, MatchRefusal.ALREADY_OPENED)
        game = self.match.games.get(command.game)
        if game is None:
            raise InvalidOptions("game", "no such game")
        options = read_options(game, command.options, command.seats)
        self.emit(opened(command, game, options, self.now_ms))
        if command.branch is not UNSET:
            self.emit(branched(command.branch))
        if command.hints is True:
            self.emit(HintsAllowed())
        for place in command.seating:
            if place.bot is not None:
                self.seat_bot(command.host, place.seat, place.bot)
            elif place.player is not None:
                self.take_seat(place.player, place.seat, place.nonce)
        if command.branch is not UNSET:
            self.take_up(command.branch)
        elif command.start:
            self.start()

    def take_seat(self, player: PlayerId, seat: Seat | None, nonce: str) -> None:
        if self.match.status is Status.RUNNING and self.comes_back(player, seat):
            return
        _require(self.match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
        _require(self.match.seat_of(player) is None, MatchRefusal.ALREADY_SEATED)
        if seat is None:
            seat = self.first_empty()
        _require(self.chair_exists(seat), MatchRefusal.SEAT_UNKNOWN)
        _require(self.match.chairs[seat].empty, MatchRefusal.SEAT_TAKEN)
        self.emit(SeatTaken(seat, player, nonce))

    def comes_back(self, player: PlayerId, wanted: Seat | None) -> bool:
        """Hand a running match's seat back to its player, and return whether it was the player's."""
        seat = self.match.seat_of(player)
        if seat is None or wanted not in {None, seat}:
            return False
        self.come_back(seat)
        return True

    def first_empty(self) -> Seat:
        for seat, chair in enumerate(self.match.chairs):
            if chair.empty:
                return Seat(seat)
        raise MatchRefused(MatchRefusal.MATCH_FULL)

    def chair_exists(self, seat: Seat) -> bool:
        return 0 <= seat < len(self.match.chairs)

    def seat_bot(self, player: PlayerId, seat: Seat, bot: BotName) -> None:
        self.require_host(player)
        _require(self.match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
        _require(self.chair_exists(seat), MatchRefusal.SEAT_UNKNOWN)
        _require(self.match.chairs[seat].empty, MatchRefusal.SEAT_TAKEN)
        _require(bot in self.match.game.bots(), MatchRefusal.BOT_UNKNOWN)
        self.emit(BotSeated(seat, bot))

    def clear_seat(self, player: PlayerId, seat: Seat) -> None:
        self.require_host(player)
        _require(self.match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
        _require(self.chair_exists(seat), MatchRefusal.SEAT_UNKNOWN)
        _require(not self.match.chairs[seat].empty, MatchRefusal.SEAT_EMPTY)
        self.emit(SeatLeft(seat))

    def require_host(self, player: PlayerId) -> None:
        _require(player == self.match.facts.host, MatchRefusal.NOT_HOST)

    def start(self) -> None:
        _require(self.match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
        self.begin()
        for event in self.match.game.start(self.match.table, self.chance):
            self.emit(event)
        self.settle()

    def begin(self) -> None:
        _require(not any(chair.empty for chair in self.match.chairs), MatchRefusal.SEATS_EMPTY)
        self.emit(MatchStarted())

    def take_up(self, branch: Branch) -> None:
        """Start where another match was: what happened to its table until then is told again."""
        self.begin()
        for event in history_of(branch, self.match.game):
            self.emit(event)
        ask = self.match.pending()
        _require(ask is not None and ask.decision == branch.decision, MatchRefusal.DECISION_UNKNOWN)
        self.settle()

    # While running

    def play(self, player: PlayerId, decision: DecisionId, command: Command) -> None:
        seat = self.seated(player)
        _require(self.match.status is not Status.OPEN, MatchRefusal.NOT_RUNNING)
        self.require_asked(seat, decision)
        self.refuse_illegal(seat, command)
        self.come_back(seat)
        self.withdraw(seat)
        self.move(seat, command)
        self.settle()

    def take_hint(self, player: PlayerId) -> None:
        seat = self.seated(player)
        _require(self.match.status is Status.RUNNING, MatchRefusal.NOT_RUNNING)
        _require(self.match.hints, MatchRefusal.NO_HINTS)
        decision = self.open_to(seat)
        if decision is None:
            raise MatchRefused(MatchRefusal.NOT_ASKED)
        if self.match.hinted.get(seat) != decision:
            self.emit(HintTaken(seat, decision))

    def come_back(self, seat: Seat) -> None:
        chair = self.match.chairs[seat]
        if chair.bot is not None:
            self.emit(SeatHandedBack(seat))
        elif chair.missed:
            self.emit(MissesForgotten(seat))

    def withdraw(self, seat: Seat) -> None:
        """Let an agreement to abort lapse; not where several are asked, as it would tell who of them has answered."""
        alone = self.match.asked is not None and self.match.asked.seats == (seat,)
        if alone and self.match.chairs[seat].agrees_to_abort:
            self.emit(AbortWithdrawn(seat))

    def answer(self, seat: Seat, decision: DecisionId, command: Command) -> None:
        _require(self.chair_exists(seat), MatchRefusal.SEAT_UNKNOWN)
        _require(self.match.chairs[seat].bot is not None, MatchRefusal.NOT_SEATED)
        self.require_asked(seat, decision)
        self.refuse_illegal(seat, command)
        self.move(seat, command)
        self.settle()

    def require_asked(self, seat: Seat, decision: DecisionId) -> None:
        if decision != self.match.open_decision() or not self.match.game.legal(self.match.table, seat):
            raise DecisionNotOpen(decision, self.open_to(seat))

    def open_to(self, seat: Seat) -> DecisionId | None:
        current = self.match.open_decision()
        return current if current is not None and self.match.game.legal(self.match.table, seat) else None

    def refuse_illegal(self, seat: Seat, command: Command) -> None:
        if not isinstance(command, self.match.game.command_types):
            raise MatchRefused(MatchRefusal.OTHER_GAME)
        if (refusal := self.match.game.why_not(self.match.table, seat, command)) is not None:
            raise RuleViolation(refusal)

    def move(self, seat: Seat, command: Command) -> None:
        """Carry out a legal move on the copied table, which folds its facts as it goes."""
        table = self.match.table
        table.emit = self.keep
        self.match.game.play(table, seat, command, self.chance)
        table.emit = None

    def settle(self) -> None:
        """Note what the table asks now, or that it is over."""
        standing = self.match.game.standing(self.match.table)
        if standing is not None:
            self.emit(MatchEnded(standing.placings, self.secret()))
            return
        ask = self.match.game.pending(self.match.table)
        assert ask is not None, "a table that is not over asks somebody"
        if ask.decision != self.match.open_decision():
            deadline_ms = self.now_ms + self.match.facts.clock.milliseconds(ask.pace)
            self.emit(DecisionOpened(ask.decision, ask.seats, ask.prompt, dict(ask.arguments), deadline_ms))

    def secret(self) -> str:
        return self.match.facts.secret or ""

    def time_out(self, decision: DecisionId) -> None:
        late: set[Seat] = set()
        while self.match.open_decision() == decision and (ask := self.match.pending()) and ask.decision == decision:
            if not ask.open:
                break
            self.miss(ask.open[0], decision)
            late.add(ask.open[0])
        if late:
            self.stand_in(late)
            self.settle()

    def miss(self, seat: Seat, decision: DecisionId) -> None:
        self.emit(TimedOut(seat, decision))
        self.move(seat, self.match.game.default(self.match.table, seat))

    def stand_in(self, late: set[Seat]) -> None:
        limit = self.match.facts.clock.stand_in_after
        for seat in sorted(late):
            chair = self.match.chairs[seat]
            if limit and chair.present and chair.missed >= limit:
                self.emit(StandInSeated(seat, self.stand_in_bot(), StandInReason.TIMEOUTS))

    def stand_in_bot(self) -> BotName:
        """The first bot that the game lists is the one it trusts with absent players' seats."""
        return BotName(next(iter(self.match.game.bots())))

    # Leaving, ending, again

    def leave(self, player: PlayerId) -> None:
        seat = self.seated(player)
        if self.match.status is Status.OPEN:
            self.emit(SeatLeft(seat))
            return
        _require(self.match.status is Status.RUNNING, MatchRefusal.FINISHED)
        if self.match.chairs[seat].present:
            self.emit(StandInSeated(seat, self.stand_in_bot(), StandInReason.LEFT))

    def seated(self, player: PlayerId) -> Seat:
        seat = self.match.seat_of(player)
        if seat is None:
            raise MatchRefused(MatchRefusal.NOT_SEATED)
        return seat

    def abort(self, player: PlayerId) -> None:
        if self.match.status is Status.OPEN:
            self.require_host(player)
            self.emit(MatchAborted(AbortReason.HOST, self.secret()))
            return
        _require(self.match.status is Status.RUNNING, MatchRefusal.FINISHED)
        seat = self.seated(player)
        if not self.match.chairs[seat].agrees_to_abort:
            self.emit(AbortAgreed(seat))
        if all(chair.agrees_to_abort for chair in self.match.chairs if chair.present):
            self.emit(MatchAborted(AbortReason.AGREEMENT, self.secret()))

    def agree_rematch(self, player: PlayerId) -> None:
        seat = self.seated(player)
        _require(self.match.status is Status.OVER, MatchRefusal.NOT_OVER)
        if self.match.rematch is None and not self.match.chairs[seat].agrees_to_rematch:
            self.emit(RematchAgreed(seat))

    def open_rematch(self, successor: MatchId) -> None:
        if self.match.rematch_agreed():
            self.emit(RematchOpened(successor))

    # Corrections

    def void(self, reason: str) -> None:
        _require(self.match.status.finished, MatchRefusal.NOT_OVER)
        _require(self.match.placings is not None, MatchRefusal.NO_RESULT)
        self.emit(MatchVoided(reason, self.now_ms))

    def adjudicate(self, placings: Sequence[Placing], reason: str) -> None:
        _require(self.match.status.finished, MatchRefusal.NOT_OVER)
        _require(self.match.started, MatchRefusal.NEVER_STARTED)
        in_order = tuple(sorted(placings, key=lambda placing: placing.seat))
        _require([placing.seat for placing in in_order] == list(range(len(self.match.chairs))), MatchRefusal.PLACINGS_WRONG)
        _require(min(placing.rank for placing in in_order) == 1, MatchRefusal.PLACINGS_WRONG)
        self.emit(MatchAdjudicated(in_order, reason, self.now_ms))
