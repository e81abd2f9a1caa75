"""When a duty looks for due work, and in which shards.

What comes due is planned by commands, and each of them writes a line to the log of its shard. The projector waits for those lines
anyway, so it says when there are some, and as long as there are none the duties rest until what they know of is due.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress

from ..ports.events import SHARDS, Shard

REST_SECONDS = 1.0
"""The longest rest while other processes have shards, too: after it a duty looks at all of them, whosever they are."""
LONG_REST_SECONDS = 4.0
"""The longest rest of a process that has all shards: after it a duty looks at them, whatever it has missed."""
FOLLOWED_SECONDS = 4.0
"""For how long the logs count as followed after they were read: longer than a reader waits for a line."""


class Activity:
    """Whether something moves in the shards that this process follows."""

    def __init__(self) -> None:
        self.moves = 0
        self._followed = self._moved = float("-inf")
        self._moving = asyncio.Event()

    def note(self, *, moved: bool) -> None:
        """Note that the logs were followed up to now, and whether something has moved."""
        self._followed = asyncio.get_running_loop().time()
        if moved:
            self.wake()

    def wake(self) -> None:
        """Let all who rest look again."""
        self.moves += 1
        self._moved = asyncio.get_running_loop().time()
        moving = self._moving
        self._moving = asyncio.Event()
        moving.set()

    @property
    def quiet(self) -> bool:
        """Whether nothing has moved lately. While the logs are not followed it is false, and all look as often as under load."""
        now = asyncio.get_running_loop().time()
        return now - self._followed <= FOLLOWED_SECONDS and now - self._moved > REST_SECONDS

    async def rest(self, moves: int, seconds: float) -> None:
        """Wait for that long, or until there are more moves than that."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.moves == moves:
                    await self._moving.wait()


class PollPacer:
    """Paces a duty that looks for due work: often while something moves, otherwise when its next work is due."""

    def __init__(self, activity: Activity, held: Callable[[], Collection[Shard]], look_seconds: float) -> None:
        self._activity = activity
        self._held = held
        self._look_seconds = look_seconds
        self._saw_all = float("-inf")

    async def poll(self, step: Callable[[Collection[Shard] | None], Awaitable[float]]) -> float:
        """Let *step* look in some shards (None: in all) and say when its next work is due; return when to look again.

        All times are in seconds. The shards are those that this process holds, and now and then all: so no clock waits for the
        lease of a process that has died.
        """
        moves = self._activity.moves
        shards = self._shards()
        left = await step(shards)
        if left <= self._look_seconds or not self._activity.quiet:
            return min(left, self._look_seconds)
        await self._activity.rest(moves, min(left, LONG_REST_SECONDS if len(self._held()) == SHARDS else REST_SECONDS))
        return 0.0

    def _shards(self) -> Collection[Shard] | None:
        now = asyncio.get_running_loop().time()
        held = self._held()
        if len(held) == SHARDS or (held and now - self._saw_all < REST_SECONDS):
            return held
        self._saw_all = now
        return None
