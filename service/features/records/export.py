"""Records of the matches of this service: written from the log, and verified here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ....domain.game import AnyGame, Event, GameId
from ....domain.match import MatchId
from ....domain.search import Steps
from ...errors import NotFound
from ...matches.codec import Codec, Envelope
from ...matches.repository import Loaded, MatchRepository
from ...runtime.threads import patiently, rest, resting
from .record import Recorder, encode_lines
from .verdict import Verdict
from .verifier import Verifier


class MatchRecords:
    """Exports and verifies finished matches. It checks no rights: ask `MatchQueries.load_finished` for what a viewer may know."""

    def __init__(self, repository: MatchRepository, games: Mapping[GameId, AnyGame]) -> None:
        self._repository = repository
        self._codec = _RestingCodec(games)
        self._verifier = Verifier(games, self._codec, budget=_Resting)

    def lines(self, match_id: MatchId, loaded: Loaded) -> Iterator[bytes]:
        """Yield the record of a finished match, line by line."""
        return resting(encode_lines(Recorder(self._codec).lines(match_id, loaded)))

    async def export(self, match_id: MatchId) -> list[bytes]:
        """Return the record of a stored match, line by line; raise NotFound unless there is one that is over."""
        loaded = await self._repository.load_latest(match_id)
        if not loaded.match.status.finished:
            raise NotFound("finished match")
        return list(self.lines(match_id, loaded))

    def answers_of_bots(self, loaded: Loaded) -> int:
        """Return how many answers bots gave in a match. Cost: less than a microsecond for each entry."""
        envelopes = map(self._repository.codec.envelope, loaded.entries[: loaded.version])
        return sum(bool(each.command) and each.actor.startswith("bot:") for each in envelopes)

    async def verify(self, match_id: MatchId, loaded: Loaded, every_bot: int = 0) -> Verdict:
        """Replay and verify a finished match, in a thread: of *every_bot* answers of bots, one is computed again."""
        return await patiently(partial(self._verifier.verdict_of, self.lines(match_id, loaded), every_bot))


class _RestingCodec(Codec):
    """A codec that leaves the interpreter to others now and then: head and end of a record decode all of a log in one go."""

    def decode(self, entry: bytes) -> tuple[Envelope, Event]:
        """Return an entry's envelope and event; raise CorruptHistory."""
        rest()
        return super().decode(entry)


class _Resting(Steps):
    """A bot's steps, which leave the interpreter to others now and then."""

    def allows(self, steps: int) -> bool:
        """Return whether there are steps left."""
        rest()
        return super().allows(steps)
