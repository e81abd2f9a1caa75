"""The steward: what the house does by itself in a match. It lets bots answer, lets time run out, and opens agreed rematches."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from ..domain.match import MatchId, Status
from ..domain.match.commands import OpenRematch, TimeOut
from . import bots
from .handler import Handler, Order, fingerprint_of
from .matches import Matches
from .opening import rematch
from .players import Players
from .store import Agenda, AgendaKind


class Left(Enum):
    """What is left to do for the bots of a match: nothing now, something, or what takes long thought, maybe awaited by people."""

    NOTHING = "nothing"
    MORE = "more"
    DEEP = "deep"
    AWAITED = "awaited"


class Steward:
    """Works in one process on any match; whatever it does is safe to repeat, and to do in several processes at once."""

    def __init__(
        self,
        handler: Handler,
        matches: Matches,
        players: Players,
        agenda: Agenda,
        now_ms: Callable[[], int],
        rematch_of: Callable[[MatchId], MatchId],
    ) -> None:
        self._handler = handler
        self._matches = matches
        self._players = players
        self._agenda = agenda
        self._now_ms = now_ms
        self._rematch_of = rematch_of

    async def play_bots(self, match: MatchId, until_ms: int | None = None, *, deep: bool = True) -> Left:
        """Let the bots answer whatever they are asked now, and open an agreed rematch.

        Stops between two decisions once *until_ms* has passed. Without *deep*, bots that think for long are left out.
        """
        while True:
            loaded = await self._matches.current(match)
            due_ms = self._handler.bots_due(loaded.match, now := self._now_ms())
            if due_ms is None or due_ms > now:
                return Left.NOTHING
            if until_ms is not None and now >= until_ms:
                return Left.MORE
            if loaded.match.status is Status.OVER:
                await self.open_rematch(match)
                return Left.NOTHING
            asked = loaded.match.bots_asked()
            seats = [seat for seat in asked if deep or not bots.deep(loaded.match, seat)]
            await bots.answer(self._handler, match, loaded, seats)
            if len(seats) < len(asked):
                return Left.AWAITED if loaded.match.people_present() else Left.DEEP

    async def time_out(self, match: MatchId) -> None:
        """Play the defaults of a decision whose deadline has passed, or end a match that nobody needs; otherwise nothing."""
        loaded = await self._matches.current(match)
        asked, end_ms = loaded.match.asked, self._handler.ends_ms(loaded)
        if end_ms is not None and end_ms <= self._now_ms():
            await self._handler.end_unused(match, loaded)
            return
        if asked is None or asked.deadline_ms > self._now_ms():
            if end_ms is not None:  # the setting was a shorter one when the deadline was written
                await self._agenda.postpone(AgendaKind.DEADLINE, match, end_ms)
            return
        await self._handler.carry_out(_of_the_clock(match, f"timeout-{asked.decision}", TimeOut(asked.decision)))

    async def open_rematch(self, match: MatchId) -> None:
        """Open the rematch that all players of a match agreed to, if they did and it is not open yet."""
        loaded = await self._matches.current(match)
        if not loaded.match.rematch_agreed():
            return
        successor = self._rematch_of(match)
        people = await self._players.people([chair.player for chair in loaded.match.chairs if chair.player is not None])
        guests = {player for player, record in people.items() if record.guest}
        opening = Order(
            match=successor,
            actor="clock",
            key="rematch",
            fingerprint=fingerprint_of("rematch", match),
            command=rematch(successor, match, loaded, guests),
        )
        await self._handler.open(opening)
        await self._handler.carry_out(_of_the_clock(match, "rematch", OpenRematch(successor)))


def _of_the_clock(match: MatchId, key: str, command: TimeOut | OpenRematch) -> Order:
    return Order(match=match, actor="clock", key=key, fingerprint=fingerprint_of(key), command=command)
