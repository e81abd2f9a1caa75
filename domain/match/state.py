"""What is true of a match, and how each fact changes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import assert_never

import msgspec
from msgspec import UNSET, UnsetType

from ..fields import copier
from ..game import AnyGame, Ask, DecisionId, Event, GameId, Options, Pace, Placing, Seat, Standing, Table
from ..state import State
from .chair import Chair
from .events import (
    AbortAgreed,
    AbortWithdrawn,
    BotSeated,
    CardsCommitted,
    DealOfDay,
    DecisionOpened,
    Drawn,
    DrawsKeyed,
    HintsAllowed,
    HintTaken,
    HostPassed,
    LessonBegun,
    MatchAborted,
    MatchAdjudicated,
    MatchBranched,
    MatchEnded,
    MatchEvent,
    MatchExpired,
    MatchOpened,
    MatchStarted,
    MatchVoided,
    MissesForgotten,
    RematchAgreed,
    RematchOpened,
    ReturnNoted,
    SeatCleared,
    SeatForfeited,
    SeatHandedBack,
    SeatLeft,
    SeatPlayed,
    SeatReserved,
    SeatTaken,
    StandInSeated,
    TableGoesOn,
    TableWaits,
    TimedOut,
    is_match_event,
)
from .settings import MatchSettings
from .terms import CLOCK_STEP_MS, BotName, Dealing, MatchId, PlayerId, Status


class Match(State):
    """One match: settings, chairs, table. Changed by `fold` only; to share one, give away a `copy`.

    `opened` is None before the first event, and `opening` is its form in digests; `asked` is the open decision with its
    deadline; `deals` counts commitments to cards; `branched` says which match this one takes up, if any; `lesson` is the
    edition of the lesson that it is, if it is one; `hinted` for which decision each seat had its last hint. `host` is who may
    start it; `barred` are the players whom a host removed; `filled` is how often each player has filled a seat, itself or with a
    bot; `forfeited` is the seat that ended a rated match alone; `keyed` says how chance is drawn (None: by the
    first version), and `drawn` how many draws were for each label; `daily` says of which day it is the deal, if of any;
    `waits_until_ms` is until when its bots wait for a player to come back (None: they do not wait).
    """

    games: Mapping[GameId, AnyGame]
    game: AnyGame
    opened: MatchOpened | None
    opening: Mapping[str, object] | None
    settings: MatchSettings
    host: PlayerId
    status: Status
    started: bool
    chairs: list[Chair]
    table: Table
    asked: DecisionOpened | None
    ended: Standing | None
    secret: str | None
    rematch: MatchId | None
    deals: int
    correction: MatchVoided | MatchAdjudicated | None
    branched: MatchBranched | None
    lesson: int | None
    hinted: dict[Seat, DecisionId]
    barred: frozenset[PlayerId]
    filled: dict[PlayerId, int]
    forfeited: Seat | None
    keyed: DrawsKeyed | None
    drawn: dict[str, int]
    daily: DealOfDay | None
    waits_until_ms: int | None

    def __init__(self, games: Mapping[GameId, AnyGame]) -> None:
        self.games = games
        self.opened = self.opening = None
        self.status = Status.OPEN
        self.started = False
        self.chairs = []
        self.asked = None
        self.ended = None
        self.secret = None
        self.rematch = None
        self.deals = 0
        self.correction = None
        self.branched = None
        self.lesson = None
        self.hinted = {}
        self.barred = frozenset()
        self.filled = {}
        self.forfeited = None
        self.keyed = None
        self.drawn = {}
        self.daily = None
        self.waits_until_ms = None

    def copy(self) -> Match:
        """Return an independent match; before it is opened there is no game, setting, host or table to copy."""
        return _copied(self) if self.opened is not None else Match(self.games)

    def digest_form(self) -> Mapping[str, object]:
        """Return what the digests in logs are made of. Stored: never rename; what older matches have not got is left out."""
        whole: dict[str, object] = {
            "opened": self.opening,
            "status": self.status.value,
            "started": self.started,
            "chairs": msgspec.to_builtins(self.chairs),
            "asked": msgspec.to_builtins(self.asked),
            "ended": msgspec.to_builtins(self.ended),
            "secret": self.secret,
            "rematch": self.rematch,
            "table": self.table.digest_form() if self.opened is not None else None,
        }
        if self.commits:
            whole["deals"] = self.deals
        if self.correction is not None:
            whole["correction"] = msgspec.to_builtins(self.correction)
        if self.branched is not None:
            whole["branched"] = msgspec.to_builtins(self.branched)
        if self.lesson is not None:
            whole["lesson"] = self.lesson
        if self.opened is not None and self.settings.hints:
            whole["hinted"] = sorted(self.hinted.items())
        if self.opened is not None and self.host != self.opened.host:
            whole["host"] = self.host
        if self.barred:
            whole["barred"] = sorted(self.barred)
        if self.forfeited is not None:
            whole["forfeited"] = self.forfeited
        if self.keyed is not None:
            whole["keyed"] = msgspec.to_builtins(self.keyed)
            whole["drawn"] = sorted(self.drawn.items())
        if self.daily is not None:
            whole["daily"] = msgspec.to_builtins(self.daily)
        if self.waits_until_ms is not None:
            whole["waits_until_ms"] = self.waits_until_ms
        return whole

    @property
    def practice(self) -> bool:
        """Whether it is for practice: a match taken up again, or a lesson. It ends by itself when it is not played."""
        return self.branched is not None or self.lesson is not None

    @property
    def passes(self) -> bool:
        """Whether it ends by itself while it runs: practice that is not played, and the deal of a day with that day."""
        return self.practice or self.daily is not None

    @property
    def commits(self) -> bool:
        """Whether each card that is handed out is committed to; older matches do not do so."""
        return self.opened is not None and self.opened.dealing is Dealing.CARDS

    @property
    def edition(self) -> int:
        """Which edition of the rules around the table the match follows; see `EDITION`."""
        return 1 if self.facts.edition is UNSET else self.facts.edition

    @property
    def facts(self) -> MatchOpened:
        """The opening facts of a match that is open."""
        assert self.opened is not None, "the first event of a match opens it"
        return self.opened

    @property
    def options(self) -> Options:
        """The game's options of a match that is open."""
        return msgspec.convert(self.settings.options, self.game.options_type)

    @property
    def placings(self) -> tuple[Placing, ...] | None:
        """The result that counts: that of the newest correction, or that of the table; None if there is none."""
        match self.correction:
            case MatchAdjudicated(placings):
                return placings
            case MatchVoided():
                return None
            case None:
                return self.ended.placings if self.ended is not None else None

    def seat_of(self, player: PlayerId) -> Seat | None:
        """Return where a player sits."""
        for seat, chair in enumerate(self.chairs):
            if chair.player == player:
                return Seat(seat)
        return None

    def reserved_for(self, player: PlayerId) -> Seat | None:
        """Return which empty seat is kept for a player."""
        for seat, chair in enumerate(self.chairs):
            if chair.reserved == player:
                return Seat(seat)
        return None

    def expects(self, player: PlayerId) -> bool:
        """Return whether a player sits here, or has a seat reserved."""
        return self.seat_of(player) is not None or self.reserved_for(player) is not None

    def pending(self) -> Ask | None:
        """Return what the table asks now, in a running match."""
        return self.game.pending(self.table) if self.status is Status.RUNNING else None

    def bots_asked(self) -> list[Seat]:
        """Return the seats that a bot has to answer for."""
        if all(chair.bot is None for chair in self.chairs):  # to ask the table costs more
            return []
        ask = self.pending()
        return [seat for seat in ask.open if self.chairs[seat].played_by_bot] if ask is not None else []

    def people_present(self) -> bool:
        """Return whether a person sits at any seat without a stand-in, even one that is out of the game."""
        return any(chair.present for chair in self.chairs)

    def has_people(self) -> bool:
        """Return whether any seat is a person's, present or not."""
        return any(chair.player is not None for chair in self.chairs)

    def players_after(self, seat: Seat | None) -> Sequence[PlayerId]:
        """Return the players of all seats, going round from the one after *seat* (None: from the first)."""
        start = 0 if seat is None else seat + 1
        return [chair.player for chair in (*self.chairs[start:], *self.chairs[:start]) if chair.player is not None]

    def expected_players(self) -> Sequence[PlayerId]:
        """Return the players for whom seats are reserved, in the order of these seats."""
        return [chair.reserved for chair in self.chairs if chair.reserved is not UNSET]

    def ends_alone(self, seat: Seat, away: Collection[Seat] = ()) -> bool:
        """Return whether no other player is there (those *away* are not), or has agreed to end the match before leaving."""
        others = [(place, chair) for place, chair in enumerate(self.chairs) if place != seat and chair.player is not None]
        return not any(chair.agrees_to_abort or (chair.present and place not in away) for place, chair in others)

    def rematch_agreed(self) -> bool:
        """Return whether all players want a rematch that has not been opened yet."""
        people = [chair for chair in self.chairs if chair.player is not None]
        return self.rematch is None and bool(people) and all(chair.agrees_to_rematch for chair in people)

    def fold(self, event: Event) -> None:
        """Apply a fact in place. Never refuses and never checks."""
        if is_match_event(event):
            self._fold_match(event)
        else:
            self.game.fold(self.table, event)

    def _fold_match(self, event: MatchEvent) -> None:  # noqa: PLR0912, PLR0915 - one line for each fact
        match event:
            case MatchOpened():
                self._open(event)
            case HintsAllowed():
                self.settings = msgspec.structs.replace(self.settings, hints=True)
            case DrawsKeyed():
                self.keyed = event
            case Drawn(labels):
                for label in labels:
                    self.drawn[label] = self.drawn.get(label, 0) + 1
            case MatchBranched():
                self.branched = event
            case LessonBegun(edition):
                self.lesson = edition
            case DealOfDay():
                self.daily = event
            case SeatTaken(seat, player, nonce, guest):
                self.chairs[seat] = Chair(player=player, nonce=nonce, guest=guest)
                self._fill(player)
            case SeatReserved(seat, player):
                self.chairs[seat] = Chair(reserved=player)
            case BotSeated(seat, bot):
                self.chairs[seat] = Chair(bot=bot)
                self._fill(self.host)
            case SeatLeft(seat):
                self.chairs[seat] = Chair()
            case SeatCleared(seat):
                removed = self.chairs[seat].player
                self.barred |= {removed} if removed is not None else set()
                self.chairs[seat] = Chair()
            case HostPassed(player):
                self.host = player
            case MatchStarted():
                self.status = Status.RUNNING
                self.started = True
            case DecisionOpened():
                self.asked = event
                self.waits_until_ms = None
            case TableWaits(until_ms, deadline_ms):
                self._wait(until_ms, deadline_ms)
            case TableGoesOn(deadline_ms):
                self._wait(None, deadline_ms)
            case CardsCommitted(deal):
                self.deals = deal
            case TimedOut(seat):
                self._change(seat, missed=self.chairs[seat].missed + 1)
            case StandInSeated(seat, bot):
                self._change(seat, bot=bot)
            case MissesForgotten(seat):
                self._change(seat, missed=0)
            case HintTaken(seat, decision):
                self.hinted[seat] = decision
            case SeatHandedBack(seat):
                self._change(seat, bot=None, missed=0, agrees_to_abort=False, returns=UNSET)
            case ReturnNoted(seat, returns):
                self._change(seat, returns=returns or UNSET)
            case SeatPlayed(seat):
                self._change(seat, played=True)
            case AbortAgreed(seat) | AbortWithdrawn(seat):
                self._change(seat, agrees_to_abort=isinstance(event, AbortAgreed))
            case SeatForfeited(seat):
                self.forfeited = seat
            case MatchExpired():
                pass  # the abort that follows ends the match
            case MatchAborted():
                self.status = Status.ABORTED
                self.secret = event.secret
                self.asked = self.waits_until_ms = None
            case MatchEnded():
                self.status = Status.OVER
                self.secret = event.secret
                self.asked = self.waits_until_ms = None
                self.ended = Standing(event.placings)
            case RematchAgreed(seat):
                self._change(seat, agrees_to_rematch=True)
            case RematchOpened(match):
                self.rematch = match
            case MatchVoided() | MatchAdjudicated():
                self.correction = event
            case _:
                assert_never(event)

    def _change(self, seat: Seat, **fields: bool | int | BotName | UnsetType | None) -> None:
        self.chairs[seat] = msgspec.structs.replace(self.chairs[seat], **fields)

    def _wait(self, until_ms: int | None, deadline_ms: int) -> None:
        assert self.asked is not None, "only an open decision waits"
        self.waits_until_ms = until_ms
        self.asked = msgspec.structs.replace(self.asked, deadline_ms=deadline_ms)

    def _fill(self, player: PlayerId) -> None:
        self.filled[player] = self.filled.get(player, 0) + 1

    def _open(self, event: MatchOpened) -> None:
        self.opened = event
        self.settings = event.settings
        self.opening = msgspec.to_builtins(event)
        self.host = event.host
        self.game = self.games[event.game].of_version(event.rules_version)
        self.chairs = [Chair() for _ in range(event.seats)]
        self.table = self.game.create(self.options, event.seats)

    def length_ms(self) -> int | None:
        """Return the total time allowed for the open decision, with what the table waits before; None if none is open."""
        ask = self.pending()
        return self.length_of(ask.pace) if ask is not None and self.asked is not None else None

    def length_of(self, pace: Pace) -> int:
        """Return the total time allowed for a decision of this pace, with what the table waits before, if it does."""
        clock = self.settings.clock
        return clock.milliseconds(pace) + (clock.away_ms if self.waits_until_ms is not None else 0)

    def clock_went_back(self, now_ms: int, length_ms: int | None) -> bool:
        """Return whether the open decision, of this length, began in the future: the clock was set back since."""
        if self.asked is None or length_ms is None:
            return False
        return self.asked.deadline_ms - length_ms > now_ms + CLOCK_STEP_MS

    def time_is_up(self, now_ms: int) -> bool:
        """Return whether the default may be played for the open decision, if its time on the agenda has come.

        If the clock was set back since, the deadline means nothing any more, and the agenda alone knows how much time was left.
        """
        return self.asked is not None and (self.asked.deadline_ms <= now_ms or self.clock_went_back(now_ms, self.length_ms()))

    def open_decision(self) -> DecisionId | None:
        """Return the number of the open decision."""
        return self.asked.decision if self.asked is not None else None


_copied = copier(Match)
