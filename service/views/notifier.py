"""The notifier: wakes those who wait for a match, by what this process has written and by what it hears of the others.

It subscribes to the lines of the shard logs where the store allows it, and polls the logs as a fallback: often where the store
does not, otherwise for what was written before it subscribed. While nothing but its own writing has been heard of a
match, the newest state of that match is known here, and those who wait need not ask the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from ...domain.match import MatchId
from ..errors import StoreUnavailable
from ..ports.events import EventStore, Pointer, Shard, Version, Written, order_of
from ..runtime.consumer import stop_if_cancelled
from ..runtime.outage import Outage

BLOCK_MS = 1_000
RETRY_SECONDS = 0.25
REST_SECONDS = 0.005
"""The pause between two readings, so that a busy store is read a few times and not for each command."""
LISTENING_REST_SECONDS = 0.25
"""The same while each line is heard of anyway."""
LISTEN_AGAIN_SECONDS = 5.0
"""The pause between two tries to listen: a server that does not allow it is not asked all the time."""
IDLE_SECONDS = 4.0
"""The same while nothing waits here; the first waiter ends it."""
NOWHERE: tuple[int, int] = (0, 0)

Callback = Callable[[], None]


class _Watch:
    """A match that something here waits for.

    `place`: that of the newest line heard of. `version`: up to which this process has the match if that is all there is; None if
    the store has to be asked.
    """

    __slots__ = ("calls", "holders", "place", "version")

    def __init__(self) -> None:
        self.holders = 0
        self.calls: dict[Callback, None] = {}
        self.place = NOWHERE
        self.version: Version | None = None

    def wake(self) -> None:
        for call in list(self.calls):
            call()

    def invalidate(self) -> None:
        self.place = NOWHERE
        self.version = None


class FreshnessProbe:
    """One question to the store about a watched match; what it finds is the newest unless more is heard of meanwhile."""

    def __init__(self, watch: _Watch | None) -> None:
        self._watch = watch
        self._before = (watch.place, watch.version) if watch is not None else None

    def confirm(self, version: Version) -> None:
        """Note up to which version the match was."""
        if self._watch is not None and self._before == (self._watch.place, self._watch.version):
            self._watch.version = version


class Notifier:
    """Wakes waiters. No wake-up is lost if they enter `move_event`, clear, read, then wait."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._outage = Outage("feeds: store")
        self._watches: dict[MatchId, _Watch] = {}
        self._wanted = asyncio.Event()
        self._listening: asyncio.Future[None] | None = None
        self._listen_at = float("-inf")
        self.draining = False

    def on_move(self, match_id: MatchId, call: Callback) -> Callback:
        """Have *call* called whenever a match moves, and return a function that ends it. It must not raise."""
        watch = self._hold(match_id)
        watch.calls[call] = None

        def end() -> None:
            del watch.calls[call]
            self._release(match_id, watch)

        return end

    @contextmanager
    def watch(self, match_id: MatchId) -> Generator[None]:
        """Keep in mind what is heard of a match, for a caller who waits for it again and again."""
        watch = self._hold(match_id)
        try:
            yield
        finally:
            self._release(match_id, watch)

    @contextmanager
    def move_event(self, match_id: MatchId) -> Generator[asyncio.Event]:
        """Yield an event for this caller that is set whenever the match moves."""
        event = asyncio.Event()
        end = self.on_move(match_id, event.set)
        try:
            yield event
        finally:
            end()

    def _hold(self, match_id: MatchId) -> _Watch:
        watch = self._watches.get(match_id)
        if watch is None:
            watch = self._watches[match_id] = _Watch()
            self._wanted.set()
        watch.holders += 1
        return watch

    def _release(self, match_id: MatchId, watch: _Watch) -> None:
        watch.holders -= 1
        if not watch.holders:
            del self._watches[match_id]

    def newest(self, match_id: MatchId) -> Version | None:
        """Return up to which version a watched match is known to be; None if the store has to be asked."""
        watch = self._watches.get(match_id)
        return watch.version if watch is not None else None

    def probe(self, match_id: MatchId) -> FreshnessProbe:
        """Begin to ask the store for a match."""
        return FreshnessProbe(self._watches.get(match_id))

    async def run(self) -> None:
        """Hear of what moves until cancelled; after a gap in the connection wake all waiters."""
        positions = await self._positions()
        try:
            while True:
                await self._listen()
                try:
                    pointers = await self._store.follow(positions, BLOCK_MS)
                except StoreUnavailable as error:
                    self._outage.note(error)
                    await asyncio.sleep(RETRY_SECONDS)
                    self.wake_all()
                    continue
                self._outage.over()
                for pointer in pointers:
                    positions[pointer.shard] = pointer.position
                    self.on_line(pointer)
                stop_if_cancelled()
                await self._rest()
        finally:
            if self._listening is not None:
                self._listening.cancel()

    async def _listen(self) -> None:
        """Listen again if that has ended, now and then; what was not heard of meanwhile is read next."""
        now = asyncio.get_running_loop().time()
        if self._is_listening or now < self._listen_at:
            return
        self._listen_at = now + LISTEN_AGAIN_SECONDS
        with suppress(StoreUnavailable):
            self._listening = await self._store.listen(self.on_line)

    @property
    def _is_listening(self) -> bool:
        return self._listening is not None and not self._listening.done()

    async def _rest(self) -> None:
        """Let lines come together. Positions stay where they are, so what a waiter must hear of is read after it."""
        if not self._watches:
            self._wanted.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(IDLE_SECONDS):
                    await self._wanted.wait()
        else:
            await asyncio.sleep(LISTENING_REST_SECONDS if self._is_listening else REST_SECONDS)

    async def _positions(self) -> dict[Shard, str]:
        while True:
            try:
                return dict(await self._store.ends())
            except StoreUnavailable as error:
                self._outage.note(error)
                await asyncio.sleep(RETRY_SECONDS)

    def on_written(self, match_id: MatchId, written: Written) -> None:
        """Wake those who wait for a match that this process has written to, and has in memory as it is now."""
        watch = self._watches.get(match_id)
        if watch is None:
            return
        place = order_of(written.position)
        if place >= watch.place:
            is_newer = place > watch.place
            watch.place = place
            watch.version = written.last
            if is_newer:
                watch.wake()

    def on_line(self, pointer: Pointer) -> None:
        """Wake those who wait for a match, unless this line was heard of before."""
        watch = self._watches.get(pointer.match)
        if watch is None:
            return
        place = order_of(pointer.position)
        if place > watch.place:
            watch.place = place
            watch.version = None
            watch.wake()

    def wake(self, match_id: MatchId) -> None:
        """Have those who wait for this match ask the store."""
        watch = self._watches.get(match_id)
        if watch is not None:
            watch.invalidate()
            watch.wake()

    def wake_all(self) -> None:
        """Have all waiters ask the store."""
        for match_id in list(self._watches):
            self.wake(match_id)

    def drain(self) -> None:
        """Wake all waiters permanently: later callers do not wait."""
        self.draining = True
        self.wake_all()
