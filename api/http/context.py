"""The service inside one process: the application, its connections, and what the API keeps beside it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple, Protocol, TypeVar, Union, cast

import msgspec
import structlog

from ...domain.game import AnyGame, Command, GameId
from ...service.application import Application
from ...service.deployment import open_application
from ...service.errors import CorruptHistory, StartupRefused, StoreUnavailable
from ...service.feature import Feature
from ...service.games import games_of
from ...service.runtime.siblings import Siblings
from ...service.settings import Settings
from ..problem_types import Kind
from ..problems import Refused
from .broadcasts import Broadcasts
from .catalog import Catalog, Describe
from .metrics import Metrics
from .rate_limits import Limits
from .sse import Streams

ROOT = "tafelrunde.root"
"""Key in a request's scope: the path under which the app is mounted."""
BARE = "tafelrunde.bare"
"""Key in the scope: whether the request was for just that path, without a trailing slash."""
METHOD = "tafelrunde.method"
"""Key in the scope: the method; HEAD is GET there."""
UP = "tafelrunde.up"
"""Key in the scope: the relative address from the requested path to the mount."""


OPEN_SECONDS = 1.0
"""How long a patient process waits before it retries a server that cannot be used, and before it answers that it waits."""
WAITING = "The process waits for its store."

T = TypeVar("T")

log = structlog.get_logger(__name__)


class Document(Protocol):
    """Makes the contract of one way in."""

    def __call__(self, games: tuple[AnyGame, ...], base: str, *, growing: bool) -> bytes:
        """Return the contract for some games; *base* is prepended to its paths, *growing* opens what may grow."""
        ...


class Contract(NamedTuple):
    """The contract as it is served, for HTTP and for the socket: made from games and the base of all paths.

    Also the types of problems. `create_app` passes it in.
    """

    openapi: Document
    asyncapi: Document
    page: Callable[[tuple[AnyGame, ...], str], bytes]
    problems: Mapping[str, Kind]


class AppContext:
    """What all requests of a process share. The application exists while the lifespan runs."""

    def __init__(
        self,
        settings: Settings,
        application: Application | None,
        contract: Contract,
        *,
        features: tuple[Feature, ...],
        describe: Sequence[Describe] = (),
        patient: bool = False,
        siblings: Siblings | None = None,
    ) -> None:
        self.settings = settings
        self._patient = patient
        self._features = features
        self._opening = False
        self.contract = contract
        self.games: dict[GameId, AnyGame] = dict(games_of(settings.games) if application is None else application.games)
        self.streams = Streams(settings, siblings)
        self.broadcasts = Broadcasts()
        self.metrics = Metrics(self.streams, lambda: self.open_application().clock_ahead_ms(), siblings)
        self.catalog = Catalog(self.games, describe, tuple(each.name for each in features if each.on(settings)))
        self._parts: dict[type, object] = {}
        self._game_of = {command: game for game in self.games.values() for command in game.command_types}
        self.commands: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Union[tuple(self._game_of)])  # noqa: UP007 - the members are only known at run time
        self.limits: Limits | None = None
        self._given = application
        self._application: Application | None = None

    def open_application(self) -> Application:
        """Return the application; raise Refused if the host has not run the lifespan, or the server is not there yet."""
        if self._application is None:
            raise Refused("unavailable", detail=WAITING) if self._opening else Refused("lifespan-not-run")
        return self._application

    def part(self, kind: type[T]) -> T:
        """Return what a feature keeps in this process, by its class; made when it is first asked for."""
        if kind not in self._parts:
            self._parts[kind] = kind()
        return cast("T", self._parts[kind])

    def keep(self, part: object) -> None:
        """Let *part* take the place of the one of its class."""
        self._parts[type(part)] = part

    def game_of_command(self, command: Command) -> AnyGame:
        """Return the game that a command belongs to."""
        return self._game_of[type(command)]

    @property
    def started(self) -> bool:
        """Whether the lifespan runs."""
        return self._application is not None

    def drain(self) -> None:
        """End all open streams with `bye`: the process is about to stop."""
        if self._application is not None:
            self._application.drain()

    def base(self, root: str) -> str:
        """Return the base of `/api/v1` in addresses: the public address, or the path of the mount."""
        return (self.settings.public_url or root).rstrip("/")

    @asynccontextmanager
    async def lifespan(self) -> AsyncGenerator[None]:
        """Keep the application open; if it is to be patient, once its server is available, be that after the block has begun."""
        if not self._patient:
            async with self._open():
                yield
            return
        self._opening = True
        opened = asyncio.Event()
        opening = asyncio.create_task(self._open_until_cancelled(opened), name="open the application")
        opening.add_done_callback(_note_end)
        try:
            with suppress(TimeoutError):  # a process beside others would take connections from them, and turn them away
                async with asyncio.timeout(OPEN_SECONDS):
                    await opened.wait()
            yield
        finally:
            self._opening = False
            opening.cancel()
            await asyncio.wait({opening})

    async def _open_until_cancelled(self, opened: asyncio.Event) -> None:
        """Keep the application open, and say when it is. A problem with its server is logged once, and retried."""
        said = ""
        while True:
            try:
                async with self._open():
                    opened.set()
                    await asyncio.Event().wait()
            except StartupRefused as error:
                if said != (said := str(error)):
                    log.error("store cannot be used, waiting", reason=said)
            except Exception as error:
                log.exception("opening the application failed, will retry", error=type(error).__name__)
            await asyncio.sleep(OPEN_SECONDS)

    @asynccontextmanager
    async def _open(self) -> AsyncGenerator[None]:
        """Keep the application connected, and following the logs, so that waiters are woken."""
        async with self._make() as application:
            with suppress(StoreUnavailable, CorruptHistory):
                await application.start()
            following = asyncio.create_task(application.run(), name="follow the logs")
            following.add_done_callback(_note_end)
            publishing = asyncio.create_task(self.metrics.keep_published(), name="publish the metrics")
            publishing.add_done_callback(_note_end)
            self._application = application
            application.hooks.connected.append(self.streams.players)
            self.metrics.offer()
            self.limits = (
                Limits(self.settings, application.budgets.quotas, application.accounts)
                if self.settings.limits.rate_limits
                else None
            )
            try:
                yield
            finally:
                application.drain()
                application.hooks.connected.remove(self.streams.players)
                self._application = self.limits = None
                following.cancel()
                publishing.cancel()
                await asyncio.wait({following, publishing})

    @asynccontextmanager
    async def tending(self) -> AsyncGenerator[None]:
        """Do the work of a sweeper and a worker meanwhile."""
        tending = asyncio.create_task(self.open_application().tend(), name="tend")
        tending.add_done_callback(_note_end)
        try:
            yield
        finally:
            tending.cancel()
            await asyncio.wait({tending})

    @asynccontextmanager
    async def _make(self) -> AsyncGenerator[Application]:
        """Yield the host's application, or one on the deployment's server."""
        if self._given is not None:
            yield self._given
            return
        async with open_application(
            self.settings, games=self.games, queued=True, patient=self._patient, features=self._features
        ) as application:
            yield application


def _note_end(task: asyncio.Task[None]) -> None:
    """Log a task that ended unexpectedly: otherwise streams, or bots, would fall silent."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("background task ended", task=task.get_name(), error=type(error).__name__)
