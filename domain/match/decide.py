"""What a command to a match causes."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from msgspec import UNSET

from ..game import Ask, Command, DecisionId, Event, InvalidOptions, RuleViolation, Seat
from . import corrections, presence, seating
from .chance import Dealer, NotedChance
from .commands import (
    Abort,
    AdjudicateMatch,
    AgreeRematch,
    BotPlay,
    Branch,
    ClearSeat,
    Expire,
    LeaveSeat,
    MatchCommand,
    OpenMatch,
    OpenRematch,
    PassHost,
    Play,
    ReleaseSeat,
    ReserveSeat,
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
    CardsCommitted,
    DealOfDay,
    DecisionOpened,
    Drawn,
    ExpiryReason,
    HintsAllowed,
    HintTaken,
    LessonBegun,
    MatchAborted,
    MatchEnded,
    MatchExpired,
    MatchStarted,
    MissesForgotten,
    RematchAgreed,
    RematchOpened,
    ReturnNoted,
    SeatForfeited,
    SeatHandedBack,
    SeatPlayed,
    StandInReason,
    TimedOut,
    is_match_event,
)
from .opening import branch_off, history_of, key_draws, open_match, read_options
from .refusals import DecisionNotOpen, MatchRefusal, MatchRefused, require
from .state import Match
from .terms import MatchId, PlayerId, Status


class Decided(NamedTuple):
    """What a command causes: the facts in order, the match after them, and the total time allowed for its open decision."""

    events: list[Event]
    match: Match
    length_ms: int | None


def decide(match: Match, command: MatchCommand, chance: Dealer, now_ms: int) -> Decided:
    """Return what *command* causes, without changing *match*.

    Raises MatchRefused or the game's RuleViolation if it is not allowed now, DecisionNotOpen if it answers a decision that is
    not open to its seat, InvalidOptions on opening. A time-out of a closed decision causes nothing.
    """
    recorder = _Recorder(match, chance, now_ms)
    recorder.carry_out(command)
    recorder.note_presence(match)
    return Decided(recorder.events, recorder.match, recorder.length_ms())


class _Recorder:
    """Carries a command out on a copy of the match and keeps the facts."""

    def __init__(self, match: Match, chance: Dealer, now_ms: int) -> None:
        self.match = match.copy()
        self.chance = NotedChance(chance)
        self.now_ms = now_ms
        self.events: list[Event] = []
        self.ask: Ask | None = None

    def length_ms(self) -> int | None:
        """Return the total time allowed for the open decision; the table is not asked for it twice."""
        if self.ask is None or self.match.status is not Status.RUNNING:
            return self.match.length_ms()
        return self.match.length_of(self.ask.pace)

    def emit(self, *events: Event) -> None:
        """Fold facts and keep them."""
        for event in events:
            self.match.fold(event)
            self.keep(event)

    def keep(self, event: Event) -> None:
        """Append an applied event, preceded by its draws, and commit to the cards that it has dealt."""
        labels = self.chance.take_labels()
        if labels and self.match.keyed is not None:
            self.emit(Drawn(labels))
        self.events.append(event)
        if self.match.commits and not is_match_event(event):
            hands = self.match.game.dealt(self.match.table, event)
            if hands:
                deal = self.match.deals + 1
                size = sum(len(hand.cards) for hand in hands)
                self.emit(CardsCommitted(deal, size, self.chance.commit(deal, hands)))

    def carry_out(self, command: MatchCommand) -> None:
        match command:
            case OpenMatch():
                self.open(command)
            case TakeSeat():
                self.take_seat(command)
            case LeaveSeat(player):
                self.leave(player)
            case ReserveSeat() | ReleaseSeat() | SeatBot() | ClearSeat() | PassHost():
                self.emit(*seating.arrange(self.match, command))
            case StartMatch(player):
                seating.require_host(self.match, player)
                self.start()
            case Play(player, decision, play):
                self.play(player, decision, play)
            case BotPlay(seat, decision, play):
                self.answer(seat, decision, play)
            case TakeHint(player):
                self.take_hint(player)
            case TimeOut(decision, idle):
                self.time_out(decision, idle=idle is True)
            case Abort(player, away):
                self.abort(player, () if away is UNSET else away)
            case Expire(reason):
                self.expire(reason)
            case AgreeRematch(player):
                self.agree_rematch(player)
            case OpenRematch(successor):
                self.open_rematch(successor)
            case VoidMatch(reason):
                self.emit(corrections.void(self.match, reason, self.now_ms))
            case AdjudicateMatch(placings, reason):
                self.emit(corrections.adjudicate(self.match, placings, reason, self.now_ms))

    def note_presence(self, before: Match) -> None:
        """Let the table wait if the last player has just gone, and go on if one is back."""
        if (change := presence.change(before, self.match, self.now_ms)) is not None:
            self.emit(change)

    # Before the start

    def open(self, command: OpenMatch) -> None:
        require(self.match.opened is None, MatchRefusal.ALREADY_OPENED)
        game = self.match.games.get(command.settings.game)
        if game is None:
            raise InvalidOptions("game", "no such game")
        options = read_options(game, command.settings.options, command.settings.seats)
        self.emit(open_match(command, game, options, self.now_ms), *key_draws(command))
        if command.branch is not UNSET:
            self.emit(branch_off(command.branch))
        if command.lesson is not UNSET:
            self.emit(LessonBegun(command.lesson))
        if command.daily is not UNSET:
            self.emit(DealOfDay(command.daily.day, command.daily.ends_ms, command.daily.commitment))
        if command.settings.hints:
            self.emit(HintsAllowed())
        for place in command.seating:
            if place.bot is not None:
                self.emit(seating.given_to_bot(self.match, command.host, place.seat, place.bot))
            elif place.player is not None and place.reserved is True:
                self.emit(seating.reserve(self.match, place.seat, place.player))
            elif place.player is not None:
                self.take_seat(TakeSeat(player=place.player, seat=place.seat, nonce=place.nonce, guest=place.guest))
        if command.branch is not UNSET:
            self.take_up(command.branch)
        elif command.start:
            self.start()

    def take_seat(self, command: TakeSeat) -> None:
        if self.match.status is Status.RUNNING and self.comes_back(command.player, command.seat):
            return
        expected = self.match.reserved_for(command.player) is not None
        self.emit(*seating.take_seat(self.match, command))
        if expected and not any(chair.empty for chair in self.match.chairs):
            self.start()

    def comes_back(self, player: PlayerId, wanted: Seat | None) -> bool:
        """Hand a running match's seat back to its player, and return whether it was the player's."""
        seat = self.match.seat_of(player)
        if seat is None or wanted not in {None, seat}:
            return False
        self.come_back(seat)
        return True

    def start(self) -> None:
        require(self.match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
        self.begin()
        for event in self.match.game.start(self.match.table, self.chance):
            self.emit(event)
        self.settle()

    def begin(self) -> None:
        require(not any(chair.empty for chair in self.match.chairs), MatchRefusal.SEATS_EMPTY)
        self.emit(MatchStarted())

    def take_up(self, branch: Branch) -> None:
        """Start where another match was: what happened to its table until then happens again."""
        self.begin()
        for event in history_of(branch, self.match.game):
            self.emit(event)
        ask = self.match.pending()
        require(ask is not None and ask.decision == branch.decision, MatchRefusal.DECISION_UNKNOWN)
        self.settle()

    # While running

    def play(self, player: PlayerId, decision: DecisionId, command: Command) -> None:
        seat = seating.require_seated(self.match, player)
        require(self.match.status is not Status.OPEN, MatchRefusal.NOT_RUNNING)
        self.require_asked(seat, decision)
        stands = command == self.match.game.answered(self.match.table, seat)
        if not stands:
            self.refuse_illegal(seat, command)
        self.return_to(seat)
        self.withdraw(seat)
        self.note_play(seat)
        if not stands:
            self.move(seat, command)
            self.settle()

    def take_hint(self, player: PlayerId) -> None:
        seat = seating.require_seated(self.match, player)
        require(self.match.status is Status.RUNNING, MatchRefusal.NOT_RUNNING)
        require(self.match.settings.hints, MatchRefusal.NO_HINTS)
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

    def return_to(self, seat: Seat) -> None:
        """Let an answering player come back; where several are asked, once all have answered, so as not to show who has."""
        chair = self.match.chairs[seat]
        if chair.bot is None or self.asked_alone(seat) or self.match.edition == 1 or presence.waits_for(self.match, seat):
            self.come_back(seat)
        elif chair.returns is not True:
            self.emit(ReturnNoted(seat, returns=True))

    def asked_alone(self, seat: Seat) -> bool:
        return self.match.asked is not None and self.match.asked.seats == (seat,)

    def withdraw(self, seat: Seat) -> None:
        """Let an agreement to abort lapse; not where several are asked, as it would tell who of them has answered."""
        if self.asked_alone(seat) and self.match.chairs[seat].agrees_to_abort:
            self.emit(AbortWithdrawn(seat))

    def note_play(self, seat: Seat) -> None:
        """Note a player's first answer where it counts: who has played does not end a rated match alone for nothing."""
        chair = self.match.chairs[seat]
        counts = self.match.settings.rated and chair.guest is not True
        if counts and chair.played is not True and self.match.edition > 1:
            self.emit(SeatPlayed(seat))

    def answer(self, seat: Seat, decision: DecisionId, command: Command) -> None:
        seating.require_seat(self.match, seat)
        require(self.match.chairs[seat].played_by_bot, MatchRefusal.NOT_SEATED)
        if presence.waits(self.match, self.now_ms):  # it was asked to before the last player left
            raise DecisionNotOpen(decision, None)
        self.require_asked(seat, decision)
        self.refuse_illegal(seat, command)
        self.move(seat, command)
        self.settle()

    def require_asked(self, seat: Seat, decision: DecisionId) -> None:
        if decision != self.match.open_decision() or not self.match.game.asks(self.match.table, seat):
            raise DecisionNotOpen(decision, self.open_to(seat))

    def open_to(self, seat: Seat) -> DecisionId | None:
        current = self.match.open_decision()
        return current if current is not None and self.match.game.asks(self.match.table, seat) else None

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
            self.hand_back()
            self.emit(MatchEnded(standing.placings, self.secret()))
            return
        self.ask = ask = self.match.game.pending(self.match.table)
        assert ask is not None, "a table that is not over asks somebody"
        if ask.decision != self.match.open_decision():
            self.hand_back()
            deadline_ms = self.now_ms + self.match.settings.clock.milliseconds(ask.pace)
            self.emit(DecisionOpened(ask.decision, ask.seats, ask.prompt, dict(ask.arguments), deadline_ms))

    def hand_back(self) -> None:
        """Hand seats back to the players who returned while the decision was open."""
        for seat, chair in enumerate(self.match.chairs):
            if chair.returns is True:
                self.emit(SeatHandedBack(Seat(seat)))

    def secret(self) -> str:
        """The secret that the end reveals: none in the deal of a day, which others may still be playing."""
        return (self.match.facts.secret or "") if self.match.daily is None else ""

    def time_out(self, decision: DecisionId, *, idle: bool) -> None:
        late: set[Seat] = set()
        if presence.waits(self.match, self.now_ms):  # its time was up, but the last player left before that was noticed
            return
        while self.match.open_decision() == decision and (ask := self.match.pending()) and ask.decision == decision:
            if not ask.open:
                break
            self.miss(ask.open[0], decision)
            late.add(ask.open[0])
        if late:
            self.emit(*presence.stand_ins(self.match, late, idle=idle))
            self.settle()

    def miss(self, seat: Seat, decision: DecisionId) -> None:
        self.emit(TimedOut(seat, decision))
        self.move(seat, self.match.game.default(self.match.table, seat))

    # Leaving, ending, again

    def leave(self, player: PlayerId) -> None:
        if self.match.status is Status.OPEN:
            self.emit(*seating.leave(self.match, player))
            return
        seat = seating.require_seated(self.match, player)
        require(self.match.status is Status.RUNNING, MatchRefusal.FINISHED)
        if self.match.chairs[seat].present:
            self.emit(presence.stand_in(self.match, seat, StandInReason.LEFT))
        elif self.match.chairs[seat].returns is True:
            self.emit(ReturnNoted(seat, returns=False))

    def abort(self, player: PlayerId, away: Collection[Seat]) -> None:
        if self.match.status is Status.OPEN:
            seating.require_host(self.match, player)
            self.emit(MatchAborted(AbortReason.HOST, self.secret()))
            return
        seat = seating.require_seated(self.match, player)  # first: a host without one may not know yet that the match is over
        require(self.match.status is Status.RUNNING, MatchRefusal.FINISHED)
        if not self.match.chairs[seat].agrees_to_abort:
            self.emit(AbortAgreed(seat))
        asked = [chair for place, chair in enumerate(self.match.chairs) if place not in away or chair.player == player]
        if all(chair.agrees_to_abort for chair in asked if presence.has_say(self.match, chair)):
            if self.match.chairs[seat].played is True and self.match.ends_alone(seat, away):
                self.emit(SeatForfeited(seat))
            self.emit(MatchAborted(AbortReason.AGREEMENT, self.secret()))

    def expire(self, reason: ExpiryReason) -> None:
        if (self.match.passes and self.match.status is Status.RUNNING) or self.match.status is Status.OPEN:
            self.emit(MatchExpired(reason))
            self.emit(MatchAborted(AbortReason.HOST, self.secret()))

    def agree_rematch(self, player: PlayerId) -> None:
        seat = seating.require_seated(self.match, player)
        require(self.match.status is Status.OVER, MatchRefusal.NOT_OVER)
        if self.match.rematch is None and not self.match.chairs[seat].agrees_to_rematch:
            self.emit(RematchAgreed(seat))

    def open_rematch(self, successor: MatchId) -> None:
        if self.match.rematch_agreed():
            self.emit(RematchOpened(successor))
