"""Archives of finished matches in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...domain.match import MatchId
from ..ports.agenda import AgendaKind
from ..ports.archives import Contents
from ..ports.blobs import key_of
from ..ports.events import NO_EVENTS, Head, Shard, shard_of
from .agenda import MemoryAgenda
from .clock import unix_ms
from .events import History, MemoryEvents


class MemoryArchives:
    """The archives, beside the logs that they replace."""

    def __init__(self, events: MemoryEvents, agenda: MemoryAgenda) -> None:
        self._histories = events.histories
        self._agenda = agenda
        self._place: str | None = None
        self._leftovers: dict[Shard, dict[str, int]] = defaultdict(dict)

    async def heads(self, matches: Sequence[MatchId]) -> Sequence[Head | None]:
        return [self._histories[match_id].head if match_id in self._histories else None for match_id in matches]

    async def contents(self, match_id: MatchId) -> Contents | None:
        history = self._histories.get(match_id)
        return await history.contents() if history is not None else None

    async def stage(self, match_id: MatchId, head: Head, blob: bytes) -> bool:
        history = self._at(match_id, head)
        if history is None or (history.archived == head.version and not history.outside):
            return False
        history.staged = blob
        return True

    async def read_staged(self, match_id: MatchId) -> bytes | None:
        history = self._histories.get(match_id)
        return history.staged if history is not None else None

    async def settle(self, match_id: MatchId, head: Head, blob: bytes) -> bool:
        history = self._at(match_id, head)
        if history is None:
            return False
        if history.archived != head.version or (history.outside and blob):
            if history.staged != blob:
                return False
            self._exchange(history, head, "")
            history.archive = blob
        self._agenda.put(AgendaKind.CARE, match_id, None)
        return True

    async def announce(self, match_id: MatchId, head: Head, name: str) -> bool:
        if self._at(match_id, head) is None:
            return False
        self._leftovers[shard_of(match_id)][key_of(match_id, name)] = unix_ms()
        return True

    async def settle_outside(self, match_id: MatchId, head: Head, name: str) -> bool:
        history = self._at(match_id, head)
        if history is None:
            return False
        if history.archived != head.version or history.outside != name:
            if not self._leftovers[shard_of(match_id)].get(key_of(match_id, name)):
                return False
            del self._leftovers[shard_of(match_id)][key_of(match_id, name)]
            self._exchange(history, head, name)
        self._agenda.put(AgendaKind.CARE, match_id, None)
        return True

    def _exchange(self, history: History, head: Head, outside: str) -> None:
        """Note where the archive is from now on, and free all that it replaces."""
        self._leave(history)
        history.archive = None
        history.staged = None
        history.outside = outside
        history.archived = head.version
        history.rest = []
        history.used = {}
        history.reference = None

    def _leave(self, history: History) -> None:
        """Note that a blob outside is of no use any more."""
        if history.outside:
            self._leftovers[shard_of(history.match)][key_of(history.match, history.outside)] = unix_ms()

    async def leftovers(self, shard: Shard, age_ms: int, limit: int) -> Sequence[str]:
        since = self._leftovers[shard]
        old = sorted((key for key, at_ms in since.items() if at_ms <= unix_ms() - age_ms), key=since.__getitem__)[:limit]
        since.update(dict.fromkeys(old, 0))
        return old

    async def forget_leftovers(self, shard: Shard, gone: Sequence[str]) -> None:
        for key in gone:
            self._leftovers[shard].pop(key, None)

    async def place(self) -> str | None:
        return self._place

    async def note_place(self, place: str) -> None:
        self._place = place

    async def archive(self, match_id: MatchId) -> bytes | None:
        history = self._histories.get(match_id)
        return await history.blob() if history is not None else None

    async def unpack(self, match_id: MatchId, contents: Contents, care_ms: int) -> bool:
        history = self._at(match_id, contents.head)
        if history is None or history.archived != contents.head.archived:
            return False
        self._leave(history)
        history.rest = list(contents.entries)
        history.used = {used.digest: used for used in contents.used}
        history.archive = None
        history.staged = None
        history.reference = None
        history.archived = NO_EVENTS
        history.outside = ""
        self._agenda.put(AgendaKind.CARE, match_id, care_ms)
        return True

    def _at(self, match_id: MatchId, head: Head) -> History | None:
        """Return the history of a match, if it still ends where the caller has read."""
        history = self._histories.get(match_id)
        if history is None or (history.version, history.chain) != (head.version, head.chain):
            return None
        return history
