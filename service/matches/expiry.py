"""When a match ends as no longer needed: an open one in which nothing happens, practice that is not played, a deal after its day.

The moment stands on the agenda as the match's deadline, set by the step that wrote its newest event. So a match that was
opened before there was one is found by looking through all of them, once a day.
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Sequence

from ...domain.match import MatchId, Status
from ...domain.match.state import Match
from ..errors import StoreUnavailable
from ..failures import Failures
from ..ports.events import SHARDS, Shard
from ..ports.stores import Stores
from ..settings import Settings
from .codec import Codec
from .repository import Loaded

DAY_SECONDS = 86_400
ASK_AGAIN_SECONDS = 3_600
EXPIRY = "end of an unused match"
PAUSE_SECONDS = 0.25
"""Pause between two shards: nothing waits for it, and a starting process has other work to do."""
HEADS_AT_ONCE = 500
LEASE = "look for idle matches"


def expires(match: Match) -> bool:
    """Return whether a match ends automatically when it is no longer needed: before the start, and in practice."""
    return match.status is Status.OPEN or (match.status is Status.RUNNING and match.passes)


def expires_ms(match: Match, used_ms: int, settings: Settings) -> int | None:
    """Return when a match ends that was used last at *used_ms*; None if it does not end by itself."""
    if not expires(match):
        return None
    if match.daily is not None:
        return match.daily.ends_ms
    return used_ms + 1000 * (
        settings.limits.open_match_seconds if match.status is Status.OPEN else settings.limits.practice_match_seconds
    )


def used_ms(loaded: Loaded, codec: Codec) -> int:
    """Return when a match was used last: by any command before the start, by a player after it."""
    for entry in reversed(loaded.entries[: loaded.version]):
        envelope = codec.envelope(entry)
        if loaded.match.status is Status.OPEN or envelope.actor.startswith("player:"):
            return envelope.time_ms
    return loaded.match.facts.at_ms


class Expiry:
    """Searches all matches once a day, in one process (by a lease), and passes those that may have expired to *tend*."""

    def __init__(self, stores: Stores, tend: Callable[[MatchId], Awaitable[None]], failures: Failures) -> None:
        self._stores = stores
        self._failures = failures
        self._tend = tend
        self._owner = uuid.uuid4().hex
        self._shard = 0

    async def step(self) -> float:
        """Search one shard; return after how many seconds to search the next. Raises StoreUnavailable."""
        if self._shard == 0 and not await self._stores.leases.take(LEASE, self._owner, 1000 * (DAY_SECONDS - ASK_AGAIN_SECONDS)):
            return ASK_AGAIN_SECONDS
        for match_id in await self._not_begun(Shard(self._shard)):
            await self._look_at(match_id)
        self._shard = (self._shard + 1) % SHARDS
        return PAUSE_SECONDS if self._shard else DAY_SECONDS

    async def _look_at(self, match_id: MatchId) -> None:
        """Process one match. A failure does not stop the others."""
        try:
            await self._tend(match_id)
        except StoreUnavailable:
            raise
        except Exception as error:
            await self._failures.note(EXPIRY, match_id, error, 1000 * DAY_SECONDS)
        else:
            await self._failures.clear(EXPIRY, match_id)

    async def _not_begun(self, shard: Shard) -> Sequence[MatchId]:
        matches = await self._stores.events.matches(shard)
        found: list[MatchId] = []
        for start in range(0, len(matches), HEADS_AT_ONCE):
            some = matches[start : start + HEADS_AT_ONCE]
            heads = await self._stores.archives.heads(some)
            found += [
                match_id for match_id, head in zip(some, heads, strict=True) if head is not None and head.status is Status.OPEN
            ]
        return found
