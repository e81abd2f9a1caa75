"""Archives of finished matches in memory."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain.match import MatchId
from ..ports.agenda import AgendaKind
from ..ports.archives import Contents
from ..ports.events import NO_EVENTS, Head
from .agenda import MemoryAgenda
from .events import History, MemoryEvents


class MemoryArchives:
    """The archives, beside the logs that they replace."""

    def __init__(self, events: MemoryEvents, agenda: MemoryAgenda) -> None:
        self._histories = events.histories
        self._agenda = agenda

    async def heads(self, matches: Sequence[MatchId]) -> Sequence[Head | None]:
        """Return the heads of several matches."""
        return [self._histories[match].head if match in self._histories else None for match in matches]

    async def contents(self, match: MatchId) -> Contents | None:
        """Return everything stored of a match, from its archive and its log; None if there is no such match."""
        history = self._histories.get(match)
        return history.contents() if history is not None else None

    async def stage(self, match: MatchId, head: Head, blob: bytes) -> bool:
        """Put a blob beside the match's log."""
        history = self._at(match, head)
        if history is None or history.archived == head.version:
            return False
        history.staged = blob
        return True

    async def staged(self, match: MatchId) -> bytes | None:
        """Return the blob beside the log."""
        history = self._histories.get(match)
        return history.staged if history is not None else None

    async def settle(self, match: MatchId, head: Head, blob: bytes) -> bool:
        """Make the staged blob, if it is byte for byte *blob*, the match's archive; free log and keys and end the care."""
        history = self._at(match, head)
        if history is None:
            return False
        if history.archived != head.version:
            if history.staged != blob:
                return False
            history.archive, history.staged, history.archived = blob, None, head.version
            history.rest, history.used, history.reference = [], {}, None
        self._agenda.put(AgendaKind.CARE, match, None)
        return True

    async def archive(self, match: MatchId) -> bytes | None:
        """Return the archive of a match."""
        history = self._histories.get(match)
        return history.archive if history is not None else None

    async def unpack(self, match: MatchId, contents: Contents, care_ms: int) -> bool:
        """Put everything back into log and keys, drop the archive, and set the care: in one step."""
        history = self._at(match, contents.head)
        if history is None or history.archived != contents.head.archived:
            return False
        history.rest, history.used = list(contents.entries), {used.digest: used for used in contents.used}
        history.archive, history.staged, history.reference, history.archived = None, None, None, NO_EVENTS
        self._agenda.put(AgendaKind.CARE, match, care_ms)
        return True

    def _at(self, match: MatchId, head: Head) -> History | None:
        """Return the history of a match, if it still ends where the caller has read."""
        history = self._histories.get(match)
        if history is None or (history.version, history.chain) != (head.version, head.chain):
            return None
        return history
