"""What features add to the work of the core: they add while they attach, and the core reads it from then on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine

from ..domain.game import Seat
from ..domain.match import PlayerId
from ..domain.match.state import Match
from .players.bars import Bars
from .runtime.consumer import Duty


class Hooks:
    """Lists of functions, each called in the order in which features are attached.

    - duties: make recurring work; called in each process that does the duties of the deployment.
    - alarms: count what `Core.alarms` adds up.
    - forget: delete what a feature knows of a player; may be called again for the same one.
    - apart: say whether two players are to be kept apart, in either order: the service puts them at no table together.
    - company: say whom a player meets although they share no table yet.
    - bars: raise Barred for what a player may not do for a time.
    - unheard: say whether the first of two players does not want to hear what the second says.
    - withdraw: take a player out of all that it waits for or has entered, but not out of matches; may be called again.
    - export: return what a feature holds of a player, for the player, as plain data for JSON; with the feature's name.
    - away: say which seats' players are not waited for when the others agree to end a match without a result.
    - put_off: say until when a decision of a match whose time is up waits all the same; None: it does not.
    - start: check something before a process takes up its work; raise StartupRefused, naming what is wrong.
    - rebuild: delete what a feature has made from the matches' logs, and make it again, when an operator asks for it.
    - beside: run in each process that serves feeds, until cancelled (`Core.run`); with the name of the task.
    - drain: wake those who wait for a feature, and let later ones not wait, when the process is about to stop.
    - connected: say which players have a stream, a long poll or a socket open in this process, when someone asks.
    - close: close what a feature keeps open; what is used later is opened again.
    """

    def __init__(self) -> None:
        self.bars = Bars()
        self.duties: list[Callable[[], Duty]] = []
        self.alarms: list[Callable[[], Awaitable[int]]] = []
        self.forget: list[Callable[[PlayerId], Awaitable[None]]] = []
        self.withdraw: list[Callable[[PlayerId], Awaitable[None]]] = []
        self.export: list[tuple[str, Callable[[PlayerId], Awaitable[object]]]] = []
        self.apart: list[Callable[[PlayerId, PlayerId], Awaitable[bool]]] = []
        self.company: list[Callable[[PlayerId], Awaitable[Collection[PlayerId]]]] = []
        self.unheard: list[Callable[[PlayerId, PlayerId], Awaitable[bool]]] = []
        self.away: list[Callable[[Match], Awaitable[Collection[Seat]]]] = []
        self.put_off: list[Callable[[Match], Awaitable[int | None]]] = []
        self.start: list[Callable[[], Awaitable[None]]] = []
        self.rebuild: list[Callable[[], Awaitable[object]]] = []
        self.beside: list[tuple[str, Callable[[], Coroutine[None, None, None]]]] = []
        self.drain: list[Callable[[], None]] = []
        self.connected: list[Callable[[], Collection[PlayerId]]] = []
        self.close: list[Callable[[], Awaitable[None]]] = []
