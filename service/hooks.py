"""What features add to the work of the core: one value for each feature, and the lists that the core keeps of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from typing import TypeAlias

import msgspec

from ..domain.game import GameId, Seat
from ..domain.match import MatchId, PlayerId
from ..domain.match.state import Match
from .archiving.finalizer import Follow
from .matches.process_manager import BotPlayer
from .players.bars import Bar, Bars
from .ports.players import Avatar, PlayerRecord
from .runtime.consumer import Duty
from .strength.scores import LeaderboardEntry

OfPlayer: TypeAlias = Callable[[PlayerId], Awaitable[None]]
Task: TypeAlias = tuple[str, Callable[[], Coroutine[None, None, None]]]
"""The name of a task, and what it runs."""


class Attached(msgspec.Struct, frozen=True, kw_only=True):
    """What a feature brings: its `attach` returns it, and the core registers it before the next feature is attached.

    - services: what callers get by `Core.get`, by the class that they ask for; a service may be of a subclass.
    - duties: make recurring work; called in each process that does the duties of the deployment.
    - background_tasks: run in each process that serves feeds, until cancelled.
    - drain: wake waiting callers, and let later ones not wait, when the process is about to stop.
    - erase: delete what the feature knows of a player; may be called again for the same one.
    - withdraw: take a player out of all that it waits for or has entered, but not out of matches; may be called again.
    - export: return what the feature holds of a player, for the player, as plain data for JSON.
    - start: check something before a process takes up its work; raise StartupRefused, naming what is wrong.
    - rebuild: delete what was made from the matches' logs, and make it again, when an operator asks for it.
    - alarms: count bot thoughts that were cut off for taking too long.

    About players:

    - bars: raise Barred for what a player may not do for a time.
    - may_not_meet: True if the service seats two players, in either order, at no table together.
    - has_muted: True if the first of two players does not want to hear the second.
    - companions: return whom a player meets although they share no table yet.
    - ratings: return where a player stands in the games in which it is rated. One feature has it.
    - avatar: return the avatar of a player. One feature has it.
    - token_used: called when a player's token is looked up, every two seconds at most; never raises.
    - before_revoking: called with a player and the id of its token before that is revoked.

    About matches:

    - bots: answers for the bots of matches. One feature has it.
    - away: return the seats whose players are not waited for when the others agree to end a match without a result.
    - deadline_extension: return until when a decision of a match whose time is up still waits; None: no longer.
    - match_ending: called before the end of a match is stored; may be called again.
    - match_over: called when a match has ended; not called again if the process or the store fails then.
    - before_archiving: called once in a process before matches are handed to the two below; as long as it raises, none is.
    - follow_openings, follow_ends: process matches that were opened, and those that ended or were corrected.
    """

    services: Mapping[type, object] = {}
    duties: Sequence[Callable[[], Duty]] = ()
    background_tasks: Sequence[Task] = ()
    drain: Sequence[Callable[[], None]] = ()
    erase: Sequence[OfPlayer] = ()
    withdraw: Sequence[OfPlayer] = ()
    export: Callable[[PlayerId], Awaitable[object]] | None = None
    start: Sequence[Callable[[], Awaitable[None]]] = ()
    rebuild: Sequence[Callable[[], Awaitable[object]]] = ()
    alarms: Sequence[Callable[[], Awaitable[int]]] = ()
    bars: Sequence[Bar] = ()
    may_not_meet: Sequence[Callable[[PlayerId, PlayerId], Awaitable[bool]]] = ()
    has_muted: Sequence[Callable[[PlayerId, PlayerId], Awaitable[bool]]] = ()
    companions: Sequence[Callable[[PlayerId], Awaitable[Collection[PlayerId]]]] = ()
    ratings: Callable[[PlayerId], Awaitable[Mapping[GameId, LeaderboardEntry]]] | None = None
    avatar: Callable[[PlayerRecord], Avatar] | None = None
    token_used: Sequence[Callable[[], Awaitable[None]]] = ()
    before_revoking: Sequence[Callable[[PlayerId, str], Awaitable[None]]] = ()
    bots: BotPlayer | None = None
    away: Sequence[Callable[[Match], Awaitable[Collection[Seat]]]] = ()
    deadline_extension: Sequence[Callable[[Match], Awaitable[int | None]]] = ()
    match_ending: Sequence[Callable[[MatchId, Match], Awaitable[None]]] = ()
    match_over: Sequence[Callable[[MatchId], Awaitable[None]]] = ()
    before_archiving: Sequence[Callable[[], Awaitable[None]]] = ()
    follow_openings: Sequence[Follow] = ()
    follow_ends: Sequence[Follow] = ()


class Hooks:
    """What all features have brought, each list in the order in which they are attached; services of the core read them live.

    `connected` is added by processes that serve: it returns the players with a stream, a long poll or a socket open there.
    """

    def __init__(self) -> None:
        self.duties: list[Callable[[], Duty]] = []
        self.background_tasks: list[Task] = []
        self.drain: list[Callable[[], None]] = []
        self.erase: list[OfPlayer] = []
        self.withdraw: list[OfPlayer] = []
        self.export: list[tuple[str, Callable[[PlayerId], Awaitable[object]]]] = []
        self.start: list[Callable[[], Awaitable[None]]] = []
        self.rebuild: list[Callable[[], Awaitable[object]]] = []
        self.alarms: list[Callable[[], Awaitable[int]]] = []
        self.bars = Bars()
        self.may_not_meet: list[Callable[[PlayerId, PlayerId], Awaitable[bool]]] = []
        self.has_muted: list[Callable[[PlayerId, PlayerId], Awaitable[bool]]] = []
        self.companions: list[Callable[[PlayerId], Awaitable[Collection[PlayerId]]]] = []
        self.away: list[Callable[[Match], Awaitable[Collection[Seat]]]] = []
        self.deadline_extension: list[Callable[[Match], Awaitable[int | None]]] = []
        self.connected: list[Callable[[], Collection[PlayerId]]] = []

    def add(self, feature: str, attached: Attached) -> None:
        """Add what a feature has brought, except for what services of the core register themselves."""
        self.duties += attached.duties
        self.background_tasks += attached.background_tasks
        self.drain += attached.drain
        self.erase += attached.erase
        self.withdraw += attached.withdraw
        self.start += attached.start
        self.rebuild += attached.rebuild
        self.alarms += attached.alarms
        self.may_not_meet += attached.may_not_meet
        self.has_muted += attached.has_muted
        self.companions += attached.companions
        self.away += attached.away
        self.deadline_extension += attached.deadline_extension
        for bar in attached.bars:
            self.bars.add(bar)
        if attached.export is not None:
            self.export.append((feature, attached.export))
