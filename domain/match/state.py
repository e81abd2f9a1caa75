"""What is true of a match, and how each fact changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import msgspec

from ..game import AnyGame, Ask, DecisionId, Event, GameId, Options, Placing, Plain, Seat, Standing, Table
from .events import (
    AbortAgreed,
    AbortWithdrawn,
    BotSeated,
    CardsCommitted,
    DecisionOpened,
    HintsAllowed,
    HintTaken,
    MatchAborted,
    MatchAdjudicated,
    MatchBranched,
    MatchEnded,
    MatchEvent,
    MatchOpened,
    MatchStarted,
    MatchVoided,
    MissesForgotten,
    RematchAgreed,
    RematchOpened,
    SeatHandedBack,
    SeatLeft,
    SeatTaken,
    StandInSeated,
    TimedOut,
)
from .terms import BotName, Dealing, MatchId, PlayerId, Status


class Chair(msgspec.Struct, frozen=True):
    """What stands at one seat: nobody, a player (perhaps with a bot standing in), or a bot."""

    player: PlayerId | None = None
    bot: BotName | None = None
    nonce: str = ""
    missed: int = 0
    agrees_to_abort: bool = False
    agrees_to_rematch: bool = False

    @property
    def empty(self) -> bool:
        """Whether nobody sits here."""
        return self.player is None and self.bot is None

    @property
    def present(self) -> bool:
        """Whether a player sits here and plays, without a stand-in."""
        return self.player is not None and self.bot is None


class Match:
    """One match: settings, chairs, table. Changed by `fold` only; whoever shares one works on a `copy`.

    `opened` is None before the first event; `asked` is the open decision with its deadline; `deals` counts commitments to cards;
    `branched` says which match this one takes up, if any; `hints` whether players may ask for hints, `hinted` for
    which decision each seat had its last one.
    """

    __slots__ = (
        "asked",
        "branched",
        "chairs",
        "correction",
        "deals",
        "ended",
        "game",
        "games",
        "hinted",
        "hints",
        "opened",
        "rematch",
        "secret",
        "started",
        "status",
        "table",
    )

    def __init__(self, games: Mapping[GameId, AnyGame]) -> None:
        self.games = games
        self.game: AnyGame
        self.opened: MatchOpened | None = None
        self.status = Status.OPEN
        self.started = False
        self.chairs: list[Chair] = []
        self.table: Table
        self.asked: DecisionOpened | None = None
        self.ended: Standing | None = None
        self.secret: str | None = None
        self.rematch: MatchId | None = None
        self.deals = 0
        self.correction: MatchVoided | MatchAdjudicated | None = None
        self.branched: MatchBranched | None = None
        self.hints = False
        self.hinted: dict[Seat, DecisionId] = {}

    def copy(self) -> Match:
        """Return an independent match."""
        twin = Match(self.games)
        twin.opened, twin.status, twin.asked, twin.started = self.opened, self.status, self.asked, self.started
        twin.ended, twin.secret, twin.rematch, twin.correction = self.ended, self.secret, self.rematch, self.correction
        twin.chairs, twin.deals, twin.branched = list(self.chairs), self.deals, self.branched
        twin.hints, twin.hinted = self.hints, self.hinted.copy()
        if self.opened is not None:
            twin.game, twin.table = self.game, self.table.copy()
        return twin

    def freeze(self) -> Plain:
        """Return the whole state as plain data, equal for equal states."""
        whole: dict[str, Plain] = {
            "opened": cast(Plain, msgspec.to_builtins(self.opened)),
            "status": self.status.value,
            "started": self.started,
            "chairs": cast(Plain, msgspec.to_builtins(self.chairs)),
            "asked": cast(Plain, msgspec.to_builtins(self.asked)),
            "ended": cast(Plain, msgspec.to_builtins(self.ended)),
            "secret": self.secret,
            "rematch": self.rematch,
            "table": self.table.freeze() if self.opened is not None else None,
        }
        if self.commits:
            whole["deals"] = self.deals
        if self.correction is not None:
            whole["correction"] = cast(Plain, msgspec.to_builtins(self.correction))
        if self.branched is not None:
            whole["branched"] = cast(Plain, msgspec.to_builtins(self.branched))
        if self.hints:
            whole["hinted"] = sorted(self.hinted.items())
        return whole

    @property
    def commits(self) -> bool:
        """Whether each card that is handed out is committed to; older matches do not do so."""
        return self.opened is not None and self.opened.dealing is Dealing.CARDS

    @property
    def rated(self) -> bool:
        """Whether the result counts for ratings; it does unless the opening says otherwise."""
        return self.facts.rated is not False

    @property
    def facts(self) -> MatchOpened:
        """The opening facts of a match that is open."""
        assert self.opened is not None, "the first event of a match opens it"
        return self.opened

    @property
    def options(self) -> Options:
        """The game's options of a match that is open."""
        return msgspec.convert(self.facts.options, self.game.options_type)

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
        return next((Seat(seat) for seat, chair in enumerate(self.chairs) if chair.player == player), None)

    def pending(self) -> Ask | None:
        """Return what the table asks now, in a running match."""
        return self.game.pending(self.table) if self.status is Status.RUNNING else None

    def bots_asked(self) -> list[Seat]:
        """Return the seats that a bot has to answer for."""
        ask = self.pending()
        return [seat for seat in ask.open if self.chairs[seat].bot is not None] if ask is not None else []

    def people_present(self) -> bool:
        """Return whether any seat is played by a person."""
        return any(chair.present for chair in self.chairs)

    def rematch_agreed(self) -> bool:
        """Return whether all players want a rematch that has not been opened yet."""
        people = [chair for chair in self.chairs if chair.player is not None]
        return self.rematch is None and bool(people) and all(chair.agrees_to_rematch for chair in people)

    def fold(self, event: Event) -> None:
        """Apply a fact in place. Never refuses and never checks."""
        if isinstance(event, MatchEvent):
            self._fold_match(event)
        else:
            self.game.fold(self.table, event)

    def _fold_match(self, event: MatchEvent) -> None:  # noqa: PLR0915 - one line for each fact
        match event:
            case MatchOpened():
                self._open(event)
            case HintsAllowed():
                self.hints = True
            case MatchBranched():
                self.branched = event
            case SeatTaken(seat, player, nonce):
                self.chairs[seat] = Chair(player=player, nonce=nonce)
            case BotSeated(seat, bot):
                self.chairs[seat] = Chair(bot=bot)
            case SeatLeft(seat):
                self.chairs[seat] = Chair()
            case MatchStarted():
                self.status, self.started = Status.RUNNING, True
            case DecisionOpened():
                self.asked = event
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
                self._change(seat, bot=None, missed=0, agrees_to_abort=False)
            case AbortAgreed(seat) | AbortWithdrawn(seat):
                self._change(seat, agrees_to_abort=isinstance(event, AbortAgreed))
            case MatchAborted():
                self.status, self.asked, self.secret = Status.ABORTED, None, event.secret
            case MatchEnded():
                self.status, self.asked, self.secret = Status.OVER, None, event.secret
                self.ended = Standing(event.placings)
            case RematchAgreed(seat):
                self._change(seat, agrees_to_rematch=True)
            case RematchOpened(match):
                self.rematch = match
            case MatchVoided() | MatchAdjudicated():
                self.correction = event
            case _:
                raise AssertionError(f"a match event without a fold: {event}")

    def _change(self, seat: Seat, **fields: bool | int | BotName | None) -> None:
        self.chairs[seat] = msgspec.structs.replace(self.chairs[seat], **fields)

    def _open(self, event: MatchOpened) -> None:
        self.opened = event
        self.game = self.games[event.game]
        self.chairs = [Chair() for _ in range(event.seats)]
        self.table = self.game.create(self.options, event.seats)

    def open_decision(self) -> DecisionId | None:
        """Return the number of the open decision."""
        return self.asked.decision if self.asked is not None else None
