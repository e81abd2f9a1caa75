"""Records of the matches of this service: written from the log, and verified here."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from ...domain.game import AnyGame, Event, GameId
from ...domain.match import MatchId
from ...domain.search import Steps
from ..errors import NotFound
from ..matches.codec import Codec, Envelope
from ..matches.repository import Loaded, MatchRepository
from ..runtime.threads import patiently, rest, resting
from .record import Recorder, encoded
from .verdict import Verdict
from .verifier import Verifier
from .wheels import wheels_in


class MatchRecords:
    """Exports and verifies finished matches. It checks no rights: ask `MatchQueries.finished` for what a viewer may know."""

    def __init__(self, repository: MatchRepository, games: Mapping[GameId, AnyGame], rules: str | None = None) -> None:
        """Raises StartupRefused for a folder of *rules* with wheels that cannot be used."""
        self._repository = repository
        wheels = wheels_in(Path(rules)) if rules is not None else ()
        self._codec = _RestingCodec(games)
        self._verifier = Verifier(games, self._codec, wheels=wheels, budget=_Resting)
        self._waiting = ThreadPoolExecutor(1, "wheels") if wheels else None

    def lines(self, match: MatchId, loaded: Loaded) -> Iterator[bytes]:
        """Yield the record of a finished match, line by line."""
        return resting(encoded(Recorder(self._codec).lines(match, loaded)))

    async def export(self, match: MatchId) -> list[bytes]:
        """Return the record of a stored match, line by line; raise NotFound unless there is one that is over."""
        loaded = await self._repository.current(match)
        if not loaded.match.status.finished:
            raise NotFound("finished match")
        return list(self.lines(match, loaded))

    def close(self) -> None:
        """End the processes of wheels; no verdict waits for them any longer."""
        if self._waiting is not None:
            self._waiting.shutdown(wait=False, cancel_futures=True)
        self._verifier.close()

    def answers_of_bots(self, loaded: Loaded) -> int:
        """Return how many answers bots gave in a match. Cost: less than a microsecond for each entry."""
        envelopes = map(self._repository.codec.envelope, loaded.entries[: loaded.version])
        return sum(bool(each.command) and each.actor.startswith("bot:") for each in envelopes)

    async def verify(self, match: MatchId, loaded: Loaded, every_bot: int = 0) -> Verdict:
        """Replay and verify a finished match, in a thread: of *every_bot* answers of bots, one is computed again.

        Wheels are waited for in a thread of their own: other heavy work of the process goes on meanwhile.
        """
        if self._waiting is None:
            return (await patiently(partial(self._verifier.own, self.lines(match, loaded), every_bot)))[0]
        lines = await patiently(lambda: list(self.lines(match, loaded)))
        verdict, _ = await patiently(partial(self._verifier.own, lines, every_bot))
        asking = partial(self._verifier.asked, lines, verdict, every_bot)
        return await asyncio.get_running_loop().run_in_executor(self._waiting, asking)


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
