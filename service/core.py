"""The core: the services that every deployment has, and their life in one process.

Features are attached to it by `application.Application`; nothing here knows one of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar, cast

import msgspec
import structlog

from .archiving.finalizer import Finalizer
from .commands import MatchCommands
from .duties import InProcess
from .erasure import Departures, Erasure
from .failures import Failures
from .games import Games, games_of
from .hooks import Attached, Hooks
from .matches.budgets import MatchBudgets
from .matches.caps import Caps
from .matches.command_handler import CommandHandler
from .matches.corrections import Corrections
from .matches.expiry import Expiry
from .matches.ids import DerivedIds
from .matches.process_manager import ProcessManager
from .matches.repository import MatchRepository
from .matches.seat_tokens import SeatTokens
from .matches.spectator_delay import Delay
from .outgoing.http_sender import Post, post_of
from .players.accounts import Accounts
from .players.budgets import Budgets
from .players.kept_answers import KeptAnswers
from .players.quotas import Quotas
from .players.token_seal import token_seal_of
from .ports.events import Memory
from .ports.stores import Stores
from .runtime.activity import Activity
from .runtime.archive_watch import ArchiveWatch
from .runtime.capacity import cached_matches
from .runtime.consumer import run_together
from .runtime.long_jobs import LongJobs, PostJob
from .runtime.memory_watch import MemoryWatch
from .runtime.queue_names import QueueName
from .runtime.readiness import Attendance, Readiness
from .settings import Settings
from .signing.signer import signer_of
from .slices import BOT_QUEUES, play_slice
from .views.card_proofs import CardProofs
from .views.feeds import Feeds
from .views.notifier import Notifier
from .views.projections import Projector
from .views.queries import MatchQueries
from .views.table_names import TableNames
from .views.unfinished import UnfinishedMatches

log = structlog.get_logger(__name__)

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)


class FeatureMissing(LookupError):
    """A service of a feature was asked for that is not attached."""


class Core:
    """The services over one set of stores. Made per process; safe for any number of tasks of one event loop.

    `games` are the games, by default those that the settings name; `stores` is the store bundle, `now_ms` a clock (Unix
    milliseconds) in place of the store's; `post_job` puts a job for a match into the queues of workers: also one in which a bot
    must act at once (else the agenda offers it again); `attendance` says who of a deployment's other processes is
    missing; `post` sends to addresses that users name, by default as the settings allow.

    For callers: `accounts`, `matches` (commands), `queries`, `seat_tokens`, `corrections`, `erasure`, `budgets`, `table_names`;
    for hosts that do not `tend`: `process_manager`, with the bots and clocks of one match. Every method may raise
    StoreUnavailable besides what it names.
    """

    def __init__(
        self,
        stores: Stores,
        settings: Settings,
        *,
        games: Games | None = None,
        now_ms: Callable[[], int] | None = None,
        post_job: PostJob | None = None,
        attendance: Attendance | None = None,
        post: Post | None = None,
    ) -> None:
        self.stores = stores
        self.settings = settings
        self._services: dict[type, object] = {}
        self.hooks = Hooks()
        self.games = games = games_of(settings.games) if games is None else games
        self.by_the_clock = now_ms is None
        self.now_ms = now_ms = now_ms or stores.server_time.now_ms
        self.post = post or post_of(settings)
        self.failures = Failures(stores.failures, now_ms)
        self.accounts = Accounts(stores.players, now_ms, token_seal_of(stores.id_key))
        self.budgets = Budgets(Quotas(stores.budgets, now_ms), self.accounts, stores.id_key, limited=settings.limits.rate_limits)
        self.answers = KeptAnswers(stores.answers, stores.id_key, now_ms)
        self.repository = MatchRepository(stores.events, games, cached := cached_matches(settings))
        self.seat_tokens = SeatTokens(self.accounts, self.repository, settings)
        self.signer = signer_of(settings.signing_key, stores.id_key)
        self.feeds = Feeds(self.repository.codec, cached)
        self.card_proofs = CardProofs(games, self.repository.codec, cached)
        self.delay = Delay(self.repository, now_ms, cached)
        self.notifier = Notifier(stores.events)
        self.queries = MatchQueries(self.repository, self.feeds, self.delay, self.card_proofs, self.notifier, stores.rows)
        self.jobs = LongJobs(post_job)
        self.memory_watch = MemoryWatch(self.memory)
        self.archive_watch = ArchiveWatch(stores.blobs)
        self.handler = CommandHandler(
            stores.events,
            self.repository,
            settings,
            now_ms,
            partial(post_job, QueueName.BOTS_FAST) if post_job is not None else None,
            by_the_clock=self.by_the_clock,
            on_written=self.notifier.on_written,
        )
        self.caps = Caps(
            stores.holdings,
            self.repository,
            self.handler,
            settings,
            now_ms,
            stores.id_key,
            MatchBudgets(self.budgets, self.accounts, settings),
        )
        self.ids = ids = DerivedIds(stores.id_key)
        self.corrections = Corrections(self.handler)
        self.process_manager = ProcessManager(
            self.handler,
            self.repository,
            stores.agenda,
            now_ms,
            ids.rematch,
            self.hooks.deadline_extension,
        )
        self.activity = Activity()
        self.projector = Projector(stores, self.repository, self.delay, now_ms, self.activity, self.failures)
        unfinished = UnfinishedMatches(self.projector, stores.rows)
        self.table_names = TableNames(self.accounts, self.repository, unfinished, self.hooks.companions)
        self.matches = MatchCommands(
            handler=self.handler,
            repository=self.repository,
            queries=self.queries,
            feeds=self.feeds,
            caps=self.caps,
            accounts=self.accounts,
            seat_tokens=self.seat_tokens,
            signer=self.signer,
            ids=ids,
            manager=self.process_manager,
            away=self.hooks.away,
            table_names=self.table_names,
            bars=self.hooks.bars,
        )
        self.readiness = Readiness(self.require_writable, attendance)
        self.expiry = Expiry(stores, self.process_manager.time_out, self.failures)
        self.finalizer = Finalizer(stores, self.repository.codec, settings, now_ms)
        self.departures = Departures(self.repository, self.handler, unfinished, self.failures)
        self.erasure = Erasure(self.accounts, self.departures, self.failures, also=self.hooks.erase)
        self._connect()

    def _connect(self) -> None:
        """Register the services of the core with each other."""
        self.handler.on_left(self.caps.note_left)
        self.handler.on_over(self.caps.forget_start)
        for queue in BOT_QUEUES:
            job = partial(play_slice, self.process_manager, self.stores.agenda, self.now_ms, queue=queue)
            self.jobs.add(queue, job)

    def attach(self, feature: str, attached: Attached) -> None:
        """Register what a feature has brought."""
        for kind, service in attached.services.items():
            self.provide(kind, service)
        self.hooks.add(feature, attached)
        self._attach_to_players(attached)
        self._attach_to_matches(attached)

    def _attach_to_players(self, attached: Attached) -> None:
        if attached.ratings is not None:
            self.accounts.mention_ratings(attached.ratings)
        if attached.avatar is not None:
            self.accounts.draw_avatars(attached.avatar)
        for listener in attached.token_used:
            self.accounts.on_use(listener)
        for end in attached.before_revoking:
            self.accounts.before_revoking(end)

    def _attach_to_matches(self, attached: Attached) -> None:
        if attached.bots is not None:
            self.process_manager.play_with(attached.bots)
        for note in attached.match_ending:
            self.handler.on_ending(note)
        for note_over in attached.match_over:
            self.handler.on_over(note_over)
        for begin in attached.before_archiving:
            self.finalizer.begin_with(begin)
        for follow in attached.follow_openings:
            self.finalizer.on_opened(follow)
        for follow in attached.follow_ends:
            self.finalizer.on_over(follow)

    def provide(self, kind: type[T], service: T) -> T:
        """Offer a service to all callers that ask for *kind*, in place of the one before; it may be of a subclass.

        Raises TypeError if it is not of that class.
        """
        if not isinstance(service, kind):
            raise TypeError(f"{type(service).__name__} is not a {kind.__name__}")
        self._services[kind] = service
        return service

    def get(self, kind: type[T]) -> T:
        """Return the service of that class; raise FeatureMissing if its feature is not attached."""
        if (found := self.find(kind)) is None:
            raise FeatureMissing(kind.__name__)
        return found

    def find(self, kind: type[T]) -> T | None:
        """Return the service of that class; None if its feature is not attached."""
        return cast("T | None", self._services.get(kind))

    async def start(self) -> None:
        """Raise StartupRefused if this process may not work on the store as its settings are, CorruptHistory."""
        for check in self.hooks.start:
            await check()

    async def rebuild(self) -> None:
        """Make again what features have made from the matches' logs."""
        for rebuild in self.hooks.rebuild:
            await rebuild()

    async def run(self) -> None:
        """Follow the shard logs, and wake waiting readers, until cancelled. One per process that serves feeds."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.notifier.run(), name="notifier")
            for name, run in self.hooks.background_tasks:
                tasks.create_task(run(), name=name)

    def drain(self) -> None:
        """Wake all waiters and make further waits return at once: the process is about to stop."""
        self.notifier.drain()
        for drain in self.hooks.drain:
            drain()

    async def close(self) -> None:
        """Close what is kept open, such as connections to receivers; what is used later is opened again."""
        await self.post.close()

    @property
    def draining(self) -> bool:
        """Whether the process is about to stop."""
        return self.notifier.draining

    def clock_ahead_ms(self) -> int:
        """Return by how many milliseconds the clock of this machine is ahead of the store's for certain (negative: behind)."""
        return self.stores.server_time.ahead_ms()

    async def require_writable(self) -> None:
        """Raise StoreUnavailable unless the store accepts writes."""
        await self.stores.events.require_writable()

    async def alarms(self) -> int:
        """Return how many bot thoughts were cut off for taking too long."""
        return sum([await count() for count in self.hooks.alarms])

    async def memory(self) -> Memory | None:
        """Return how much memory the store's server uses; None if it is shared, or does not report it."""
        return await self.stores.events.memory()

    async def tend(self) -> None:
        """Do a sweeper's and worker's work in this process, until cancelled: for a host app without either.

        Nothing else ends it: each duty waits for a store that is down, and rests after an error of its own.
        """
        try:
            here = InProcess(self)
            with self.readiness.attended_here(), self.jobs.done_here(here.put):
                await run_together(here.duties())
        finally:
            await self.close()
