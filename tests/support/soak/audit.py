"""Reads every match again after a run: its log, its rows, its leaf in the transparency log, and how late its clocks were."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from tafelrunde.domain.match import MatchId, Status
from tafelrunde.domain.match.events import DecisionOpened, TimedOut
from tafelrunde.service.application import Application
from tafelrunde.service.dealing import merkle
from tafelrunde.service.features.transparency.checks import hash_leaf
from tafelrunde.service.features.transparency.feature import STORE as TREE
from tafelrunde.service.features.transparency.port import LeafKind
from tafelrunde.service.matches.codec import Envelope
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.rows import Listing
from tafelrunde.service.ports.stores import Stores
from tafelrunde.service.settings import Settings
from tests.support.patience import PATIENCE_SECONDS

Fault = tuple[str, str]


class Audit:
    """What is wrong with matches: kinds of faults, and where. `late_ms` is how long after its deadline each clock struck."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self._application = Application(stores, Settings())
        self.late_ms: list[int] = []
        self.over = 0

    async def faults_of(self, match: MatchId) -> Sequence[Fault]:
        """Read the log of one match, chain and all."""
        loaded = await self._application.repository.load_latest(match)
        history = [self._application.repository.codec.decode(entry) for entry in loaded.entries]
        found = [("doubled", f"{match} {answer}") for answer, count in Counter(_answers(loaded, history)).items() if count > 1]
        late = list(_lateness(history))
        self.late_ms += late
        found += [("early", f"{match} by {-each} ms") for each in late if each < 0]
        if loaded.match.status is not Status.OVER:
            return [*found, ("stuck", f"{match} is {loaded.match.status.value}")]
        self.over += 1
        return found

    async def faults_of_the_lists(self, matches: Sequence[MatchId]) -> Sequence[Fault]:
        """Wait until the lobby says of all matches that they are over."""
        missing = set(matches)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                while missing := missing - await self._listed_as_over():  # noqa: ASYNC110 - the server sets no event
                    await asyncio.sleep(0.1)
        return [("stuck", f"the lists lack {len(missing)} matches")] if missing else []

    async def _listed_as_over(self) -> set[MatchId]:
        rows = await self._stores.rows.rows(Listing(limit=100_000))
        return {row.match for row in rows if row.status is Status.OVER}

    async def faults_of_the_log(self, matches: Sequence[MatchId]) -> Sequence[Fault]:
        """Wait until all matches are in the transparency log, their openings and ends each once, and check its root."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not all(len(each) > 1 for each in await TREE.of(self._stores).indexes(matches)):  # noqa: ASYNC110 - no event
                    await asyncio.sleep(0.1)
        except TimeoutError:
            return [("stuck", "matches that the log over all lacks")]
        checkpoint = await TREE.of(self._stores).checkpoint()
        leaves = await TREE.of(self._stores).leaves(0, checkpoint.size)
        counts = Counter((leaf.match, leaf.kind) for leaf in leaves)
        kinds = (LeafKind.OPENING, LeafKind.END)
        found = [("doubled", f"{match} in the log over all") for match in matches for kind in kinds if counts[match, kind] != 1]
        rooted = merkle.root([hash_leaf(leaf) for leaf in leaves]) == checkpoint.root
        return found if rooted else [*found, ("lost", "a leaf of the log over all")]


def _answers(loaded: Loaded, history: Sequence[tuple[Envelope, object]]) -> Iterator[tuple[int, int]]:
    """Yield decision and seat of every answer: of players, of bots, and of the clock."""
    for envelope, event in history:
        if isinstance(event, TimedOut):
            yield event.decision, event.seat
        command: dict[str, Any] = msgspec.msgpack.decode(envelope.command) if envelope.command else {"type": ""}
        if command["type"] == "match.play":
            yield command["decision"], loaded.match.seat_of(command["player"]) or 0
        if command["type"] == "match.bot-play":
            yield command["decision"], command["seat"]


def _lateness(history: Sequence[tuple[Envelope, object]]) -> Iterator[int]:
    """Yield how long after its deadline each clock struck, in ms."""
    deadline_ms = 0
    for envelope, event in history:
        if isinstance(event, DecisionOpened):
            deadline_ms = event.deadline_ms
        elif isinstance(event, TimedOut):
            yield envelope.time_ms - deadline_ms
