"""Bots at the table: each answers from its seat's view alone.

With people at the table a bot that searches thinks as soon as it is asked. Its answer is kept beside the match, on the server
and nowhere else, until it is due (`pacing` says when), and the process that thinks continues with another match meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import msgspec
import structlog

from ....domain.game import DecisionId, RuleViolation, Seat
from ....domain.match import MatchId
from ....domain.match.commands import BotPlay
from ....domain.match.refusals import DecisionNotOpen, MatchRefused
from ....domain.match.state import Match
from ....domain.search import Steps
from ...errors import CorruptHistory, StoreUnavailable
from ...matches.bot_answers import by_steps, chance_of, choose, play_of
from ...matches.command_handler import CommandHandler, IssuedCommand, fingerprint_of
from ...matches.own_keys import Act
from ...matches.pacing import DEEP, level_of, near_ms, pad_ms, paused_ms, searching
from ...matches.process_manager import RemainingWork
from ...matches.repository import Loaded, MatchRepository
from ...ports.agenda import Agenda, AgendaKind
from ...settings import Settings
from .port import ThoughtStore

KEPT_MS = 60_000
"""How long an answer is kept after it was due; later the bot thinks again."""
ALARM_SECONDS = 5.0
"""After this time something is wrong: it is many times the longest thought. A thought is cut off then, unless its answer has to
be computed again by others."""

log = structlog.get_logger(__name__)


class Alarm:
    """A budget of as many steps as a level wants, so that it plays the same on a busy machine; a clock only sounds an alarm.

    `rang` says whether it did. Then the thought ends with what it has found, unless its answer is to be computed again
    elsewhere (`cuts` is false): then its steps alone end it.
    """

    def __init__(self, seconds: float = ALARM_SECONDS, *, cuts: bool = True, clock: Callable[[], float] | None = None) -> None:
        self._clock = clock or time.perf_counter
        self._end = self._clock() + seconds
        self._cuts = cuts
        self.rang = False

    def allows(self, steps: int) -> bool:
        """Return whether the alarm is silent, or does not end the thought."""
        self.rang = self.rang or self._clock() >= self._end
        return not (self.rang and self._cuts)


class Thought(msgspec.Struct, frozen=True, array_like=True):
    """The bots' answers to a decision, each as the log encodes it, and the earliest time to give them (Unix milliseconds)."""

    decision: DecisionId
    due_ms: int
    answers: tuple[bytes, ...]


async def search(match: Match, seats: Sequence[Seat], alarm: Alarm) -> Mapping[Seat, BotPlay]:
    """Return what bots that search answer. They think one after the other, beside the event loop."""
    found: dict[Seat, BotPlay] = {}
    decision = match.open_decision()
    assert decision is not None, "a bot that is asked has a decision"
    for seat in seats:
        chosen = await asyncio.to_thread(choose, match, seat, chance_of(match, seat, decision), alarm)
        found[seat] = play_of(match, seat, decision, chosen)
    return found


class Bots:
    """Lets the bots of a match answer its open decision. Every step is safe to repeat, and to run in several processes."""

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

    async def answer_at_once(self, match_id: MatchId, loaded: Loaded) -> None:
        """Let bots that no person waits for answer: the next one that has to think, or else all that are asked."""
        if seats := searching(loaded.match)[:1]:
            await self._give(match_id, loaded, await self._search(match_id, loaded.match, seats), seats)
        else:
            await self._give(match_id, loaded, {}, loaded.match.bots_asked())

    async def answer_in_time(self, match_id: MatchId, loaded: Loaded, *, deep: bool) -> RemainingWork | None:
        """Let bots think as soon as they are asked, and all answer together when it is time; None once they have.

        Without *deep*, slow bots do not think.
        """
        due_ms = near_ms(paused_ms(loaded.match, self._settings), self._settings, self._now_ms())
        answers = dict[Seat, BotPlay]()
        if seats := searching(loaded.match):
            due_ms, answers = await self._read_kept(match_id, loaded.match, due_ms)
            if missing := [seat for seat in seats if seat not in answers]:
                if not deep and any(level_of(loaded.match, seat) in DEEP for seat in missing):
                    return RemainingWork.DEEP
                due_ms = await self._think(match_id, loaded.match, missing, answers, due_ms)
        if near_ms(due_ms, self._settings, self._now_ms()) > self._now_ms():
            await self._agenda.move(AgendaKind.WORK, match_id, due_ms)
            return RemainingWork.NOTHING
        await self._give(match_id, loaded, answers, loaded.match.bots_asked())
        return None

    async def _search(self, match_id: MatchId, state: Match, seats: Sequence[Seat]) -> Mapping[Seat, BotPlay]:
        """Return the answers of searching bots; if the alarm rang, log and count it."""
        alarm = Alarm(cuts=not by_steps(state))
        found = await search(state, seats, alarm)
        if alarm.rang:
            log.warning("bots thought for too long", match=match_id, game=state.game.id, seconds=ALARM_SECONDS)
            with suppress(StoreUnavailable):
                await self._thoughts.note_alarm()
        return found

    async def _read_kept(self, match_id: MatchId, state: Match, due_ms: int) -> tuple[int, dict[Seat, BotPlay]]:
        """Return when the kept answers to the open decision are due (*due_ms* if there are none), and those still legal."""
        blob = await self._thoughts.read(match_id)
        try:
            thought = msgspec.msgpack.decode(blob, type=Thought) if blob is not None else None
            if thought is None or thought.decision != state.open_decision():
                return due_ms, {}
            plays = [self._matches.codec.command_of(answer) for answer in thought.answers]
        except (msgspec.MsgspecError, CorruptHistory):  # another release stored it in another format
            return due_ms, {}
        legal = {
            play.seat: play
            for play in plays
            if isinstance(play, BotPlay) and state.game.why_not(state.table, play.seat, play.command) is None
        }
        return thought.due_ms, legal

    async def _think(
        self, match_id: MatchId, state: Match, seats: Sequence[Seat], answers: dict[Seat, BotPlay], due_ms: int
    ) -> int:
        """Let bots think, add their *answers*, keep all, and return when they are due.

        That is settled before they think, and the agenda knows it then, so nothing reveals how long they thought.
        """
        decision = state.open_decision()
        pad = pad_ms(state)
        assert decision is not None, "a bot that is asked has a decision"
        due_ms = max(due_ms, self._now_ms() + pad)
        await self._agenda.move(AgendaKind.WORK, match_id, due_ms)
        thought = await self._search(match_id, state, seats)
        kept_ms, kept = await self._read_kept(match_id, state, due_ms)
        if all(seat in kept for seat in seats):  # another worker was first, and what happened since does not change its time
            answers.update(kept)
            return kept_ms
        answers.update(thought)
        while due_ms <= (now := self._now_ms()):  # far too slow: whole pads hide by how much
            due_ms += pad
        plays = map(self._matches.codec.command, answers.values())
        blob = msgspec.msgpack.encode(Thought(decision, due_ms, tuple(plays)))
        if (await self._matches.load_latest(match_id)).match.open_decision() == decision:
            await self._thoughts.keep(match_id, blob, due_ms - now + KEPT_MS)
        return due_ms

    async def _give(self, match_id: MatchId, loaded: Loaded, answers: Mapping[Seat, BotPlay], seats: Sequence[Seat]) -> None:
        """Let bots that are asked answer, those that do not search with what they choose now.

        Nothing happens to those for whom it was answered, or whose player came back, meanwhile.
        """
        state = loaded.match
        decision = loaded.match.open_decision()
        assert decision is not None, "a bot that is asked has a decision"
        for seat in seats:
            play = answers.get(seat)
            if play is None:
                play = play_of(state, seat, decision, choose(state, seat, chance_of(state, seat, decision), Steps(0)))
            issued = IssuedCommand(
                match=match_id,
                actor=f"bot:{state.chairs[seat].bot}:{seat}",
                key=Act.ANSWER_FOR_BOT.key(decision, seat),
                fingerprint=fingerprint_of("bot", decision, seat),
                command=play,
            )
            try:
                await self._handler.carry_out(issued)
            except (DecisionNotOpen, MatchRefused):
                continue
            except RuleViolation:
                if (await self._matches.load_latest(match_id)).version == loaded.version:
                    raise
                return  # a concurrent command of another player forbids it: think again
