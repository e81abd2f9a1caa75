"""Bots at the table: each answers from its seat's view alone.

With people at the table a bot that searches thinks as soon as it is asked. Its answer is kept beside the match, on the server
and nowhere else, until it is due (`pacing` says when), and the process that thinks goes on with another match meanwhile.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping, Sequence
from enum import Enum

import msgspec

from ...domain.game import Budget, Command, DecisionId, Rng, RuleViolation, Seat
from ...domain.match import MatchId
from ...domain.match.commands import BotPlay
from ...domain.match.refusals import DecisionNotOpen, MatchRefused
from ...domain.match.state import Match
from ..errors import CorruptHistory
from ..matches.command_handler import CommandHandler, IssuedCommand, fingerprint_of
from ..matches.pacing import DEEP, LAST_STEP_SECONDS, level_of, paused_ms, search_seconds, searching
from ..matches.repository import Loaded, MatchRepository
from ..ports.agenda import Agenda, AgendaKind
from ..ports.thoughts import ThoughtStore
from ..settings import Settings

KEPT_MS = 60_000
"""How long an answer is kept after it was due; later it is thought of again."""


class RemainingWork(Enum):
    """What the bots of a match still have to do: nothing now, something fast, something slow, or what no person waits for."""

    NOTHING = "nothing"
    MORE = "more"
    DEEP = "deep"
    ALONE = "alone"


class Clocked:
    """A time budget in seconds, from now."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    def allows(self, steps: int) -> bool:
        """Return whether there is time left."""
        return time.perf_counter() < self._end


class Thought(msgspec.Struct, frozen=True, array_like=True):
    """What bots will answer to a decision, each answer as the log encodes it, and not before when (Unix milliseconds)."""

    decision: DecisionId
    due_ms: int
    answers: tuple[bytes, ...]


def choose(match: Match, seat: Seat, rng: Rng, budget: Budget) -> Command:
    """Return what the bot of a seat answers; it is given the seat's view and legal commands and nothing else."""
    name = match.chairs[seat].bot
    assert name is not None, "only a bot's seat is answered for"
    bot = match.game.bots()[name]
    return bot.choose(match.game.view(match.table, seat), match.game.legal(match.table, seat), rng, budget)


async def searched(match: Match, seats: Sequence[Seat], seconds: float) -> Mapping[Seat, Command]:
    """Return what bots that search answer. They share the seconds, and work beside the event loop.

    Their generator is seeded by the system: anything derived from the match could be guessed, and with it the bot's cards.
    """
    found: dict[Seat, Command] = {}
    for seat in seats:
        found[seat] = await asyncio.to_thread(choose, match, seat, random.SystemRandom(), Clocked(seconds / len(seats)))
    return found


class Bots:
    """Lets the bots of a match answer its open decision. Whatever it does is safe to repeat, and to do in several processes."""

    def __init__(
        self,
        handler: CommandHandler,
        matches: MatchRepository,
        thoughts: ThoughtStore,
        agenda: Agenda,
        settings: Settings,
        now_ms: Callable[[], int],
    ) -> None:
        self._handler = handler
        self._matches = matches
        self._thoughts = thoughts
        self._agenda = agenda
        self._settings = settings
        self._now_ms = now_ms

    async def answer_at_once(self, match: MatchId, loaded: Loaded) -> None:
        """Let all bots that are asked think and answer; no person waits for them."""
        seats = searching(loaded.match)
        await self._give(match, loaded, await searched(loaded.match, seats, search_seconds(loaded.match, seats)))

    async def answer_in_time(self, match: MatchId, loaded: Loaded, *, deep: bool, seconds: float) -> RemainingWork | None:
        """Let bots think as soon as they are asked, and all answer together when it is time; None once they have.

        Without *deep*, slow bots do not think; *seconds* bounds the thinking about one decision.
        """
        due_ms, answers = paused_ms(loaded.match, self._settings), dict[Seat, Command]()
        if seats := searching(loaded.match):
            due_ms, answers = await self._kept(match, loaded.match, due_ms)
            if missing := [seat for seat in seats if seat not in answers]:
                if not deep and any(level_of(loaded.match, seat) in DEEP for seat in missing):
                    return RemainingWork.DEEP
                seconds = min(seconds, search_seconds(loaded.match, missing))
                due_ms = await self._think(match, loaded.match, missing, answers, seconds, due_ms)
        if due_ms > self._now_ms():
            await self._agenda.move(AgendaKind.WORK, match, due_ms)
            return RemainingWork.NOTHING
        await self._give(match, loaded, answers)
        return None

    async def _kept(self, match: MatchId, state: Match, due_ms: int) -> tuple[int, dict[Seat, Command]]:
        """Return when the kept answers to the open decision are due (*due_ms* if there are none), and those still legal."""
        blob = await self._thoughts.kept(match)
        try:
            thought = msgspec.msgpack.decode(blob, type=Thought) if blob is not None else None
            if thought is None or thought.decision != state.open_decision():
                return due_ms, {}
            plays = [self._matches.codec.command_of(answer) for answer in thought.answers]
        except (msgspec.MsgspecError, CorruptHistory):  # another release kept it in another shape
            return due_ms, {}
        legal = {
            play.seat: play.command
            for play in plays
            if isinstance(play, BotPlay) and state.game.why_not(state.table, play.seat, play.command) is None
        }
        return thought.due_ms, legal

    async def _think(
        self, match: MatchId, state: Match, seats: Sequence[Seat], answers: dict[Seat, Command], seconds: float, due_ms: int
    ) -> int:
        """Let bots think, add their *answers*, keep all, and return when they are due.

        That is settled before they think, and the agenda knows it then, so nothing reveals how long they thought.
        """
        decision, pad_ms = state.open_decision(), round(1000 * (seconds + LAST_STEP_SECONDS))
        assert decision is not None, "a bot that is asked has a decision"
        due_ms = max(due_ms, self._now_ms() + pad_ms)
        await self._agenda.move(AgendaKind.WORK, match, due_ms)
        thought = await searched(state, seats, seconds)
        kept_ms, kept = await self._kept(match, state, due_ms)
        if all(seat in kept for seat in seats):  # another worker was first, and what happened since does not move its time
            answers.update(kept)
            return kept_ms
        answers.update(thought)
        while due_ms <= (now := self._now_ms()):  # far too slow: whole pads hide by how much
            due_ms += pad_ms
        plays = (self._matches.codec.command(BotPlay(seat, decision, command)) for seat, command in answers.items())
        blob = msgspec.msgpack.encode(Thought(decision, due_ms, tuple(plays)))
        if (await self._matches.current(match)).match.open_decision() == decision:
            await self._thoughts.keep(match, blob, due_ms - now + KEPT_MS)
        return due_ms

    async def _give(self, match: MatchId, loaded: Loaded, answers: Mapping[Seat, Command]) -> None:
        """Let all bots that are asked answer, those that do not search with what they choose now.

        Nothing happens to those for whom it was answered, or whose player came back, meanwhile.
        """
        state, decision = loaded.match, loaded.match.open_decision()
        assert decision is not None, "a bot that is asked has a decision"
        for seat in state.bots_asked():
            command = answers[seat] if seat in answers else choose(state, seat, random.SystemRandom(), Clocked(0.0))
            issued = IssuedCommand(
                match=match,
                actor=f"bot:{state.chairs[seat].bot}:{seat}",
                key=f"bot-{decision}-{seat}",
                fingerprint=fingerprint_of("bot", decision, seat),
                command=BotPlay(seat, decision, command),
            )
            try:
                await self._handler.carry_out(issued)
            except (DecisionNotOpen, MatchRefused):
                continue
            except RuleViolation:
                if (await self._matches.current(match)).version == loaded.version:
                    raise
                return  # what another did meanwhile forbids it: think again
