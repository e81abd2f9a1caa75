"""What enters matches into the transparency log: their openings, their ends, and each correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import structlog

from ....domain.match import MatchId
from ....domain.match.events import MatchOpened
from ...archiving.finalizer import REST_MS, StoredMatch
from ...errors import CorruptHistory
from ...matches.codec import Codec
from .checks import leaves_of, opening_of
from .log import TransparencyLog
from .port import Leaf

log = structlog.get_logger(__name__)


class LogWriter:
    """Enters matches into the log, those of one call together; any number of times, each leaf once.

    What delayed spectators may not know yet has to wait. A match that cannot be read does not stop the others.
    """

    def __init__(self, transparency_log: TransparencyLog, codec: Codec, now_ms: Callable[[], int]) -> None:
        self._log = transparency_log
        self._codec = codec
        self._now_ms = now_ms

    async def add_openings(self, opened: Sequence[StoredMatch]) -> Mapping[MatchId, int]:
        """Enter the openings of matches; return those to be entered later, and when."""
        return await self._add([(each, self._opening(each)) for each in opened])

    async def add_ends(self, finished: Sequence[StoredMatch]) -> Mapping[MatchId, int]:
        """Enter the ends of matches and their corrections; return those with more to enter, and when."""
        return await self._add([(each, self._ends(each)) for each in finished])

    def _opening(self, opened: StoredMatch) -> Sequence[Leaf] | None:
        """Return the leaf of an opening, None if the match cannot be read."""
        try:
            event = self._codec.decode(opened.log.entries[0])[1]
        except CorruptHistory as error:
            log.error("transparency log: adding an opening failed", match=opened.match, reason=str(error))
            return None
        assert isinstance(event, MatchOpened), "the first entry of a match is its opening"
        return (opening_of(opened.match, event),)

    def _ends(self, finished: StoredMatch) -> Sequence[Leaf] | None:
        """Return the leaves of a finished match, None if it cannot be read."""
        try:
            return tuple(leaves_of(finished.match, finished.log.entries, self._codec))
        except CorruptHistory as error:
            log.error("transparency log: adding a match failed", match=finished.match, reason=str(error))
            return None

    async def _add(self, matches: Sequence[tuple[StoredMatch, Sequence[Leaf] | None]]) -> Mapping[MatchId, int]:
        now_ms = self._now_ms()
        due = list[Leaf]()
        again: dict[MatchId, int] = {}
        for each, leaves in matches:
            if leaves is None:
                again[each.match] = now_ms + REST_MS
                continue
            public_ms = [each.late.public_ms(leaf.time_ms) for leaf in leaves]
            due += [leaf for leaf, at_ms in zip(leaves, public_ms, strict=True) if at_ms <= now_ms]
            if waiting := [at_ms for at_ms in public_ms if at_ms > now_ms]:
                again[each.match] = min(waiting)
        if due:
            await self._log.add(due)
        return again
