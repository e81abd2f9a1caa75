"""The process manager: what the application does by itself in a match: bot turns, timeouts, agreed rematches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import Protocol

from msgspec import UNSET

from ...domain.match import MatchId, Status
from ...domain.match.commands import OpenRematch, TimeOut
from ...domain.match.presence import is_paced, waits
from ...domain.match.state import Match
from .. import tracing
from ..ports.agenda import Agenda, AgendaKind
from .command_handler import CommandHandler, correlation, fingerprint_of, issued_by_service
from .own_keys import Act
from .repository import Loaded, MatchRepository
from .setup import rematch


class RemainingWork(Enum):
    """What the bots of a match still have to do: nothing now, something fast, something slow, or what no person waits for."""

    NOTHING = "nothing"
    MORE = "more"
    DEEP = "deep"
    ALONE = "alone"


class BotPlayer(Protocol):
    """Answers for the bots of a match. Every step is safe to repeat, and to run in several processes."""

    async def answer_at_once(self, match_id: MatchId, loaded: Loaded) -> None:
        """Answer, for one bot or all that are asked, what no person waits for."""
        ...

    async def answer_in_time(self, match_id: MatchId, loaded: Loaded, *, deep: bool) -> RemainingWork | None:
        """Answer for all bots when it is time; None once that is done. Without *deep*, what takes long is left to others."""
        ...


class ProcessManager:
    """Works in one process on any match; every step is safe to repeat, and to run in several processes at once."""

    def __init__(
        self,
        handler: CommandHandler,
        matches: MatchRepository,
        agenda: Agenda,
        now_ms: Callable[[], int],
        rematch_of: Callable[[MatchId], MatchId],
        put_off: Sequence[Callable[[Match], Awaitable[int | None]]] = (),
    ) -> None:
        self._handler = handler
        self._matches = matches
        self._agenda = agenda
        self._bots: BotPlayer | None = None
        self._now_ms = now_ms
        self._rematch_of = rematch_of
        self._put_off_by = put_off

    def play_with(self, bots: BotPlayer) -> None:
        """Let *bots* answer from now on. Until then no bot does, and the clock plays a game's default for each."""
        self._bots = bots

    @property
    def has_bots(self) -> bool:
        """Whether bots answer."""
        return self._bots is not None

    async def play_bots(
        self, match_id: MatchId, until_ms: int | None = None, *, deep: bool = True, alone: bool = True
    ) -> RemainingWork:
        """Let the bots answer what is due now and think about what comes, and open an agreed rematch.

        Stops after an answer once *until_ms* has passed. Without *deep*, slow bots do not think; without *alone*, a match
        in which no person plays is left out. A table that waits for its players is left alone.
        """
        while True:
            loaded = await self._matches.load_latest(match_id)
            self._trace(loaded)
            if loaded.match.status is Status.OVER:
                await self.open_rematch(match_id)
                return RemainingWork.NOTHING
            if not loaded.match.bots_asked():
                return RemainingWork.NOTHING
            if (left := await self._answer(match_id, loaded, deep=deep, alone=alone)) is not None:
                return left
            if until_ms is not None and self._now_ms() >= until_ms:
                return RemainingWork.MORE

    async def _answer(self, match_id: MatchId, loaded: Loaded, *, deep: bool, alone: bool) -> RemainingWork | None:
        if waits(loaded.match, self._now_ms()):
            await self._put_off(match_id, loaded)
            return RemainingWork.NOTHING
        if self._bots is None:
            await self._leave_to_the_clock(match_id, loaded)
            return RemainingWork.NOTHING
        if not alone and not loaded.match.people_present():
            return RemainingWork.ALONE
        if is_paced(loaded.match):
            return await self._bots.answer_in_time(match_id, loaded, deep=deep)
        await self._bots.answer_at_once(match_id, loaded)
        return None

    async def _leave_to_the_clock(self, match_id: MatchId, loaded: Loaded) -> None:
        """Let work that no bot does rest until the decision's deadline, when it is done by defaults."""
        assert loaded.match.asked is not None, "bots are asked by a decision"
        await self._agenda.postpone(AgendaKind.WORK, match_id, loaded.match.asked.deadline_ms)

    async def _put_off(self, match_id: MatchId, loaded: Loaded) -> None:
        """Let the work of a table that waits be due when that ends, whatever a worker that was thinking had planned."""
        until_ms = loaded.match.waits_until_ms
        assert until_ms is not None, "a table that waits does so until then"
        await self._agenda.postpone(AgendaKind.WORK, match_id, until_ms)
        if not waits((await self._matches.load_latest(match_id)).match, self._now_ms()):  # a player came back just now
            await self._agenda.move(AgendaKind.WORK, match_id, self._now_ms())

    async def time_out(self, match_id: MatchId) -> None:
        """Play the defaults of a decision whose deadline has passed, or end a match no longer needed; otherwise nothing."""
        loaded = await self._matches.load_latest(match_id)
        self._trace(loaded)
        asked = loaded.match.asked
        end_ms = self._handler.ends_ms(loaded)
        if end_ms is not None and end_ms <= self._now_ms():
            await self._handler.end_unused(match_id, loaded)
            return
        if asked is None or not loaded.match.time_is_up(self._now_ms()):
            if end_ms is not None:  # the setting was a shorter one when the deadline was written
                await self._agenda.postpone(AgendaKind.DEADLINE, match_id, end_ms)
                await self._keep_deadline(match_id)
            return
        until_ms = max([found for put_off in self._put_off_by if (found := await put_off(loaded.match)) is not None], default=0)
        if until_ms > self._now_ms():
            await self._agenda.postpone(AgendaKind.DEADLINE, match_id, until_ms)
            return
        late = TimeOut(asked.decision, idle=self._handler.is_idle(loaded) or UNSET)
        await self._handler.carry_out(issued_by_service(match_id, Act.TIME_OUT.key(asked.decision), late))

    async def _keep_deadline(self, match_id: MatchId) -> None:
        """Put a decision that was opened while its match was postponed back to its deadline: else its clock would not strike."""
        loaded = await self._matches.load_latest(match_id)
        asked = loaded.match.asked
        end_ms = self._handler.ends_ms(loaded)
        if asked is not None and not loaded.match.clock_went_back(self._now_ms(), loaded.match.length_ms()):
            until_ms = asked.deadline_ms if end_ms is None else min(asked.deadline_ms, end_ms)
            await self._agenda.move(AgendaKind.DEADLINE, match_id, until_ms)

    def _trace(self, loaded: Loaded) -> None:
        """Link what is done now to the command that it follows, and what it causes to itself."""
        if tracing.is_on():
            tracing.follow(self._matches.codec.decode(loaded.entries[loaded.version - 1])[0].correlation_id)
            correlation.set(tracing.correlation_id())

    async def open_rematch(self, match_id: MatchId) -> None:
        """Open the rematch that all players of a match agreed to, if they did and it is not open yet."""
        loaded = await self._matches.load_latest(match_id)
        if not loaded.match.rematch_agreed():
            return
        successor = self._rematch_of(match_id)
        opening = rematch(successor, match_id, loaded)
        fingerprint = fingerprint_of("rematch", match_id)
        await self._handler.open(issued_by_service(successor, Act.OPEN_REMATCH.key(), opening, fingerprint))
        await self._handler.carry_out(issued_by_service(match_id, Act.NOTE_REMATCH.key(), OpenRematch(successor)))
