"""The handler: a command is decided on the newest known state, written as one step, and retried if another was first."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar

import msgspec
from msgspec import UNSET

from ...domain.game import DomainError
from ...domain.match import MatchId, PlayerId, Status
from ...domain.match.commands import Expire, MatchCommand, OpenMatch
from ...domain.match.decide import Decided, decide
from ...domain.match.events import ExpiryReason
from ...domain.match.state import Match
from ...domain.match.terms import DRAWS
from .. import tracing
from ..dealing.dealer import dealer_for
from ..errors import ClockMoved, StoreUnavailable, VersionConflict
from ..ports.events import Batch, EventStore, Version, Written, chain_over
from ..ports.references import refer
from ..settings import Settings
from .bot_answers import BOT_CHANCE, bot_code
from .codec import COMPLETE, Envelope, digest_of, is_digested
from .expiry import expires, expires_ms, used_ms
from .own_keys import Act, OwnKey, players_key
from .pacing import deadline_ms, work_ms
from .repository import Advance, Loaded, MatchRepository
from .spectator_delay import delay_of

ATTEMPTS = 100
correlation: ContextVar[str] = ContextVar("correlation", default="")
"""Ties the events of one request together; set where requests are accepted."""


Admit = Callable[[Match], Awaitable[None]]
"""Called with the match as it would be after a command; it may raise, and then nothing is written."""


class IssuedCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command to execute: who gives it (`player:...`, `bot:...`, `clock`), its idempotency key and its fingerprint."""

    match: MatchId
    actor: str
    key: str
    fingerprint: bytes
    command: MatchCommand


def fingerprint_of(*parts: object) -> bytes:
    """Return the sha256 of what makes a request the same request."""
    return hashlib.sha256(msgspec.msgpack.encode(parts, order="deterministic")).digest()


def issued_by(player: PlayerId, match_id: MatchId, command: MatchCommand, key: str) -> IssuedCommand:
    """Return a player's command with the player's own idempotency key."""
    return IssuedCommand(
        match=match_id,
        actor=f"player:{player}",
        key=players_key(player, key),
        fingerprint=fingerprint_of(command),
        command=command,
    )


def issued_by_service(match_id: MatchId, key: OwnKey, command: MatchCommand, fingerprint: bytes = b"") -> IssuedCommand:
    """Return a command of the service's own; without *fingerprint* its key says all that makes it the same command."""
    return IssuedCommand(match=match_id, actor="clock", key=key, fingerprint=fingerprint or fingerprint_of(key), command=command)


def expiry(match_id: MatchId, reason: ExpiryReason) -> IssuedCommand:
    """Return the command that ends a match that is no longer needed."""
    return issued_by_service(match_id, Act.EXPIRE.key(), Expire(reason))


class CommandHandler:
    """Executes commands. `on_written` is called with what was written, `on_bot_work` if bots have to answer at once.

    With *by_the_clock* `now_ms` is the store's clock, and a decision made at another time than the store's is made again.
    """

    def __init__(
        self,
        store: EventStore,
        matches: MatchRepository,
        settings: Settings,
        now_ms: Callable[[], int],
        on_bot_work: Callable[[MatchId], None] | None,
        *,
        by_the_clock: bool = False,
        on_written: Callable[[MatchId, Written], None] | None = None,
    ) -> None:
        self._store = store
        self._matches = matches
        self._settings = settings
        self._now_ms = now_ms
        self._on_bot_work = on_bot_work
        self._by_the_clock = by_the_clock
        self._on_written = on_written
        self._note_left: list[Callable[[MatchId, Match], Awaitable[None]]] = []
        self._note_ending: list[Callable[[MatchId, Match], Awaitable[None]]] = []
        self._note_over: list[Callable[[MatchId], Awaitable[None]]] = []

    def on_left(self, note: Callable[[MatchId, Match], Awaitable[None]]) -> None:
        """Have *note* called with a match that its last player leaves, as it will be, before that is written; maybe again."""
        self._note_left.append(note)

    def on_ending(self, note: Callable[[MatchId, Match], Awaitable[None]]) -> None:
        """Register a callback that runs before the end of a match is stored. It may run more than once."""
        self._note_ending.append(note)

    def on_over(self, note: Callable[[MatchId], Awaitable[None]]) -> None:
        """Have *note* called with each match that has just ended. What it does is lost if this process or the store fails now."""
        self._note_over.append(note)

    async def open(
        self, issued: IssuedCommand, admit: Admit | None = None, origin: tuple[MatchId, Loaded] | None = None
    ) -> Written:
        """Execute the command that opens a match; *admit* as in `carry_out`, *origin*: what a branch refers to."""
        blank = self._matches.blank()
        issued = self._drawing(issued)
        for _ in range(ATTEMPTS):
            now = self._now_ms()
            decided = self._decide(issued, blank, now)
            if admit is not None and (written := await self._admit(issued, decided, admit)) is not None:
                return written
            with suppress(ClockMoved):
                return await self._write(issued, blank, decided, now, origin)
        raise StoreUnavailable("the clock of the store keeps being set")

    def _drawing(self, issued: IssuedCommand) -> IssuedCommand:
        """Return an opening by the newest version of draws, unless it says by which."""
        if not isinstance(issued.command, OpenMatch) or issued.command.draws is not UNSET:
            return issued
        game = self._matches.game(issued.command.settings.game)
        code = bot_code(game) if game is not None else UNSET  # it will be refused
        command = msgspec.structs.replace(issued.command, draws=DRAWS, bot_chance=BOT_CHANCE, bot_code=code)
        return msgspec.structs.replace(issued, command=command)

    async def carry_out(self, issued: IssuedCommand, admit: Admit | None = None) -> Written:
        """Execute a command, or return what an earlier try with its key wrote.

        Before anything new is written, *admit* is called with the match as it would be then, and may raise. Raises NotFound,
        KeyReused, and the domain's refusals, which are always about the newest state.
        """
        with tracing.span("command", {"tafelrunde.command": type(issued.command).__name__, "tafelrunde.match": issued.match}):
            loaded = self._matches.peek(issued.match) or await self._matches.load_latest(issued.match)
            for _ in range(ATTEMPTS):
                now = self._now_ms()
                refusal = decided = None
                try:
                    decided = self._decide(issued, loaded, now)
                except DomainError as error:
                    refusal = error
                if decided is None or not decided.events:  # nothing is written, not even the key
                    newest = await self._matches.load_latest(issued.match)
                    if newest.version != loaded.version:  # no append would detect that this was decided on an old state
                        loaded = newest
                        continue
                    if (written := await self._find_earlier(issued)) is not None:
                        return written
                    if refusal is not None:
                        raise refusal
                    return Written(Version(loaded.version + 1), loaded.version, replayed=False)
                if admit is not None and (written := await self._admit(issued, decided, admit)) is not None:
                    return written
                try:
                    return await self._write(issued, loaded, decided, now)
                except (VersionConflict, ClockMoved):
                    loaded = await self._matches.load_latest(issued.match)
            raise VersionConflict(loaded.version, loaded.version + 1)

    async def _admit(self, issued: IssuedCommand, decided: Decided, admit: Admit) -> Written | None:
        """Return what an earlier try wrote, which needs no admission; otherwise request one."""
        written = await self._find_earlier(issued)
        if written is None:
            await admit(decided.match)
        return written

    def check(self, issued: IssuedCommand, loaded: Loaded) -> None:
        """Raise what executing the command on the given match would refuse; write nothing."""
        self._decide(issued, loaded, self._now_ms())

    def _decide(self, issued: IssuedCommand, loaded: Loaded, now: int) -> Decided:
        chance = dealer_for(issued.match, loaded.match, issued.command, loaded.version)
        return decide(loaded.match, issued.command, chance, now)

    async def _find_earlier(self, issued: IssuedCommand) -> Written | None:
        return await self._store.find_written(issued.match, issued.key, issued.fingerprint)

    async def _write(
        self, issued: IssuedCommand, loaded: Loaded, decided: Decided, now: int, origin: tuple[MatchId, Loaded] | None = None
    ) -> Written:
        for note_left in self._note_left if _last_player_left(loaded.match, decided.match) else ():
            await note_left(issued.match, decided.match)
        ends = decided.match.status.finished and not loaded.match.status.finished
        for note_ending in self._note_ending if ends else ():
            await note_ending(issued.match, decided.match)
        entries = self._envelopes(issued, loaded, decided, now)
        chain = chain_over(loaded.chain, entries)
        due_ms = work_ms(decided.match, self._settings, now)
        at_once = due_ms is not None and due_ms <= now and self._on_bot_work is not None
        batch = Batch(
            match=issued.match,
            expected=loaded.version,
            chain=loaded.chain,
            next_chain=chain,
            entries=entries,
            key=issued.key,
            fingerprint=issued.fingerprint,
            status=decided.match.status,
            time_ms=now,
            deadline_ms=self._deadline_ms(issued, loaded, decided, now),
            work_ms=now + self._settings.lease_ms if at_once else due_ms,
            care_ms=now + delay_of(decided.match.settings) if decided.match.status.finished else None,
            reference=refer(origin[0], origin[1].entries[: origin[1].version], entries) if origin is not None else None,
            by_the_clock=self._by_the_clock,
        )
        with tracing.span("append"):
            written = await self._store.append(batch)
        if not written.replayed:
            self._matches.advance(issued.match, loaded, Advance(decided.match, chain, entries, decided.events, now))
            if self._on_written is not None:
                self._on_written(issued.match, written)
            if at_once and self._on_bot_work is not None:
                self._on_bot_work(issued.match)
            for note_over in self._note_over if decided.match.status.finished else ():
                with suppress(StoreUnavailable):
                    await note_over(issued.match)
        return written

    def _deadline_ms(self, issued: IssuedCommand, before: Loaded, decided: Decided, now: int) -> int | None:
        """Return when something happens by itself: the time for a decision is up, or the match is no longer needed."""
        after = decided.match
        by_itself = not issued.actor.startswith("player:") and before.version > 0 and after.status is not Status.OPEN
        used = used_ms(before, self._matches.codec) if by_itself and expires(after) else now
        ends = (deadline_ms(after, decided.length_ms, now), expires_ms(after, used, self._settings))
        return min((each for each in ends if each is not None), default=None)

    def ends_ms(self, loaded: Loaded) -> int | None:
        """Return when a match ends because it is no longer needed; None if it does not end by itself."""
        if not expires(loaded.match):
            return None
        return expires_ms(loaded.match, used_ms(loaded, self._matches.codec), self._settings)

    def is_idle(self, loaded: Loaded) -> bool:
        """Return whether bots are to play a running match to its end, because no player has answered in it for long."""
        return self._now_ms() - used_ms(loaded, self._matches.codec) >= 1000 * self._settings.limits.idle_match_seconds

    async def end_unused(self, match_id: MatchId, loaded: Loaded) -> None:
        """End a match that is no longer needed, unless it has continued meanwhile."""
        reason = ExpiryReason.UNUSED if loaded.match.daily is None else ExpiryReason.DAY_OVER
        issued = expiry(match_id, reason)
        now = self._now_ms()
        with suppress(VersionConflict, ClockMoved):
            await self._write(issued, loaded, self._decide(issued, loaded, now), now)

    def _envelopes(self, issued: IssuedCommand, before: Loaded, decided: Decided, now: int) -> tuple[bytes, ...]:
        codec = self._matches.codec
        said = correlation.get()
        last = len(decided.events) - 1
        digested = is_digested(before.match, decided.match, before.version, before.version + len(decided.events))
        digest = digest_of(decided.match) if digested else COMPLETE
        command = codec.command(issued.command)
        return tuple(
            [
                codec.encode(
                    Envelope(
                        now,
                        issued.actor,
                        issued.key,
                        said,
                        codec.raw(event),
                        command if index == 0 else b"",
                        digest if index == last else b"",
                    )
                )
                for index, event in enumerate(decided.events)
            ]
        )


def _last_player_left(before: Match, after: Match) -> bool:
    """Return whether the last player of a running match is gone, for now or for good."""
    if after.status is not Status.RUNNING or before.chairs == after.chairs:
        return False
    return before.people_present() and not after.people_present()
