"""Records of the matches of this service: written from the log, and verified here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ...domain.game import AnyGame, GameId
from ...domain.match import MatchId
from ..errors import NotFound
from ..matches.repository import Loaded, MatchRepository
from ..runtime.threads import beside, resting
from .record import Recorder, encoded
from .verdict import Verdict
from .verify import verify


class MatchRecords:
    """Exports and verifies finished matches. It checks no rights: ask `MatchQueries.finished` for what a viewer may know."""

    def __init__(self, repository: MatchRepository, games: Mapping[GameId, AnyGame]) -> None:
        self._repository = repository
        self._games = games

    def lines(self, match: MatchId, loaded: Loaded) -> Iterator[bytes]:
        """Yield the record of a finished match, line by line."""
        return resting(encoded(Recorder(self._repository.codec).lines(match, loaded)))

    async def export(self, match: MatchId) -> list[bytes]:
        """Return the record of a stored match, line by line; raise NotFound unless there is one that is over."""
        loaded = await self._repository.current(match)
        if not loaded.match.status.finished:
            raise NotFound("finished match")
        return list(self.lines(match, loaded))

    async def verify(self, match: MatchId, loaded: Loaded) -> Verdict:
        """Replay and verify a finished match, in a thread, and return the verdict."""
        return await beside(partial(verify, self.lines(match, loaded), self._games, self._repository.codec))
