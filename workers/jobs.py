"""The jobs of the queues. Each reads from the match what there is to do, so a job that comes late or twice changes nothing.

A worker process has one event loop and one house for all its jobs, in its `shop`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

import structlog
import uvloop
from redis.exceptions import RedisError

from ..domain.game import AnyGame, GameId
from ..domain.match import MatchId
from ..domain.registry import GAMES
from ..service.errors import NotFound, StoreUnavailable, VersionConflict
from ..service.house import House
from ..service.queue import Jobs, QueueName
from ..service.settings import Settings
from ..service.steward import Left
from ..service.store import AgendaKind
from .deployment import connect

DEEP_LEASE_MS = 5_000
"""A match that waits for long thought is offered again only after so long: its job waits in a queue of its own."""
SLICE_MS, DEEP_SLICE_MS = 500, 50
"""For so long the bots of one match play in one job, and those that think for long; then others, and clocks, get their turn."""
LIMIT_SECONDS = 20.0
REST_MS = 10_000
"""After an error of ours a match is left alone for so long."""

log = structlog.get_logger(__name__)


class Shop:
    """The loop, the house and the queues of a worker process."""

    def __init__(self, settings: Settings, jobs: Jobs, games: Mapping[GameId, AnyGame] = GAMES) -> None:
        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self._jobs = jobs
        self._fresh: set[MatchId] = set()
        self._deep: set[MatchId] = set()
        self._awaited: set[MatchId] = set()
        try:
            self._stores = self._runner.run(connect(settings))
        except BaseException:
            self._runner.close()
            raise
        self.house = House(self._stores.stores, settings, games=games, on_bot_work=self._fresh.add)

    def time_out(self, match: MatchId) -> None:
        """Play the defaults of a decision whose time is up."""
        self._do(match, AgendaKind.DEADLINE, self.house.time_out)
        self._pass_on()

    def play_bots(self, match: MatchId, *, deep: bool = False) -> None:
        """Let the bots of a match answer, for a while; what is left then goes to the end of a queue.

        Bots that think for long are left to *deep* jobs, which have a queue of their own.
        """
        self._do(match, AgendaKind.WORK, self._play_deep if deep else self._play)
        self._pass_on()

    async def _play(self, match: MatchId) -> None:
        left = await self.house.play_bots(match, self.house.now_ms() + SLICE_MS, deep=False)
        self._fresh.discard(match)
        if left is Left.MORE:
            self._fresh.add(match)
        elif left is not Left.NOTHING:
            (self._awaited if left is Left.AWAITED else self._deep).add(match)
            await self._stores.stores.agenda.postpone(AgendaKind.WORK, match, self.house.now_ms() + DEEP_LEASE_MS)

    async def _play_deep(self, match: MatchId) -> None:
        left = await self.house.play_bots(match, self.house.now_ms() + DEEP_SLICE_MS)
        self._fresh.discard(match)
        if left is Left.MORE:
            self._deep.add(match)

    def _do(self, match: MatchId, kind: AgendaKind, work: Callable[[MatchId], Awaitable[None]]) -> None:
        """Do the work. What fails because of the server is offered again; what fails because of us, after a rest."""
        self._fresh.clear()
        self._deep.clear()
        self._awaited.clear()
        try:
            self._runner.run(_limited(work(match)))
        except (StoreUnavailable, VersionConflict, NotFound) as error:
            log.warning("a job waits for the agenda", match=match, kind=kind.value, error=type(error).__name__)
        except Exception as error:
            log.exception("a job failed", match=match, kind=kind.value, error=type(error).__name__)
            self._runner.run(self._rest(match, kind))

    async def _rest(self, match: MatchId, kind: AgendaKind) -> None:
        try:
            await self._stores.stores.agenda.postpone(kind, match, self.house.now_ms() + REST_MS)
        except StoreUnavailable:
            return

    def _pass_on(self) -> None:
        """Ask for the bots that are to move now."""
        try:
            self._jobs.put(QueueName.BOTS_FAST, sorted(self._fresh))
            self._jobs.put(QueueName.BOTS_DEEP, sorted(self._deep))
            self._jobs.put(QueueName.BOTS_DEEP, sorted(self._awaited), first=True)
        except (RedisError, OSError) as error:
            log.warning("bots wait for the agenda", error=type(error).__name__)

    def close(self) -> None:
        """Close connections and the loop."""
        self._runner.run(self._stores.close())
        self._runner.close()


async def _limited(work: Awaitable[None]) -> None:
    async with asyncio.timeout(LIMIT_SECONDS):
        await work


_open: list[Shop] = []


def open_shop(settings: Settings, jobs: Jobs, games: Mapping[GameId, AnyGame] = GAMES) -> Shop:
    """Make this process ready for jobs; raise StartupRefused."""
    _open[:] = [Shop(settings, jobs, games)]
    return _open[0]


def time_out(match: str) -> None:
    """Job of the queue `timeouts`."""
    _open[0].time_out(MatchId(match))


def play_bots(match: str) -> None:
    """Job of the queue `bots-fast`."""
    _open[0].play_bots(MatchId(match))


def play_deep_bots(match: str) -> None:
    """Job of the queue `bots-deep`."""
    _open[0].play_bots(MatchId(match), deep=True)
