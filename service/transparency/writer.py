"""What enters matches into the transparency log: their openings, their ends, and each correction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import structlog

from ...domain.match import MatchId
from ...domain.match.events import MatchOpened
from ..archiving.finalizer import REST_MS, StoredMatch
from ..errors import CorruptHistory
from ..matches.codec import Codec
from ..ports.transparency import Leaf
from .checks import leaves_of, opening_of
from .log import TransparencyLog

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
        return await self._add(opened, self._opening, "transparency log: adding an opening failed")

    async def add_ends(self, finished: Sequence[StoredMatch]) -> Mapping[MatchId, int]:
        """Enter the ends of matches and their corrections; return those with more to enter, and when."""
        return await self._add(finished, self._ends, "transparency log: adding a match failed")

    async def _add(
        self, matches: Sequence[StoredMatch], leaves_of_match: Callable[[StoredMatch], Iterable[Leaf]], failed: str
    ) -> Mapping[MatchId, int]:
        now_ms, ripe = self._now_ms(), list[Leaf]()
        again: dict[MatchId, int] = {}
        for each in matches:
            try:
                leaves = list(leaves_of_match(each))
            except CorruptHistory as error:
                log.error(failed, match=each.match, reason=str(error))
                again[each.match] = now_ms + REST_MS
                continue
            public_ms = [each.late.public_ms(leaf.time_ms) for leaf in leaves]
            ripe += [leaf for leaf, at_ms in zip(leaves, public_ms, strict=True) if at_ms <= now_ms]
            if waiting := [at_ms for at_ms in public_ms if at_ms > now_ms]:
                again[each.match] = min(waiting)
        if ripe:
            await self._log.add(ripe)
        return again

    def _opening(self, opened: StoredMatch) -> Iterable[Leaf]:
        event = self._codec.decode(opened.log.entries[0])[1]
        assert isinstance(event, MatchOpened), "the first entry of a match is its opening"
        return (opening_of(opened.match, event),)

    def _ends(self, finished: StoredMatch) -> Iterable[Leaf]:
        return leaves_of(finished.match, finished.log.entries, self._codec)
