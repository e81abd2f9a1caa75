"""The application: everything a caller may ask of the service, in one place.

Callers (the API, workers, the CLI, a host app) know players, matches, commands and cursors; logs, folding and feeds stay
behind this module. Every method may raise StoreUnavailable besides what it names.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec

from ..domain.game import AnyGame, Command, DecisionId, GameId, RuleViolation, Seat
from ..domain.match import BotName, MatchId, PlayerId
from ..domain.match.commands import (
    Abort,
    AgreeRematch,
    ClearSeat,
    LeaveSeat,
    MatchCommand,
    Play,
    SeatBot,
    StartMatch,
    TakeHint,
    TakeSeat,
)
from ..domain.match.refusals import MatchRefusal, MatchRefused
from ..domain.registry import GAMES
from .archiving.finalizer import Finalizer
from .bots.hints import Advice, hint
from .bots.process_manager import ProcessManager
from .bots.turns import Bots, RemainingWork
from .erasure import Erasure
from .errors import Forbidden
from .matches.branching import WhatIf, taking_up
from .matches.caps import Caps
from .matches.command_handler import Admit, CommandHandler, IssuedCommand, fingerprint_of, issued_by
from .matches.corrections import Corrections
from .matches.expiry import Expiry
from .matches.repository import Matches
from .matches.seat_tokens import SeatTokens
from .matches.setup import NewMatch, opening
from .matches.spectator_delay import Delay
from .players.accounts import Players, Principal
from .players.quotas import Quotas
from .ports.agenda import AgendaKind
from .ports.events import Written
from .ports.players import PlayerRecord, TokenRecord
from .ports.ratings import Entrant, LeaderboardEntry
from .ports.stores import Stores
from .ports.webhooks import Room
from .ratings.projector import RatingProjector
from .runtime.duties import Duties, Duty
from .settings import Settings
from .transparency.log import TransparencyLog
from .views.card_proofs import CardProofs
from .views.feeds import START, Cursor, FeedItem, Feeds, first_late
from .views.notifier import Notifier
from .views.projections import Projector
from .views.queries import MatchQueries
from .webhooks.dispatcher import Dispatcher
from .webhooks.http_sender import Post, post_of
from .webhooks.management import WebhookManager
from .webhooks.outbox import Outbox


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to an accepted command: what the asking viewer sees of its events, and the cursor of its feed after them.

    The same request with the same key gets the same receipt, `replayed` apart.
    """

    match: MatchId
    items: tuple[FeedItem, ...]
    cursor: Cursor
    replayed: bool


def unix_ms() -> int:
    """Return the time in Unix milliseconds."""
    return time.time_ns() // 1_000_000


class Application(MatchQueries):
    """One service over one set of stores. Made per process; safe for any number of tasks of one event loop.

    `games` are the registered games, `stores` the store bundle, `now_ms` the clock (Unix milliseconds), `on_bot_work` is
    called with a match in which a bot must act at once (else the agenda offers it again), `post` sends to webhooks.
    """

    def __init__(
        self,
        stores: Stores,
        settings: Settings,
        *,
        games: Mapping[GameId, AnyGame] = GAMES,
        now_ms: Callable[[], int] = unix_ms,
        on_bot_work: Callable[[MatchId], None] | None = None,
        post: Post | None = None,
    ) -> None:
        self.stores = stores
        self.settings = settings
        self.games = games
        self.now_ms = now_ms
        self.players = Players(stores.players, now_ms)
        self.budgets = Quotas(stores.budgets, now_ms)
        self.matches = Matches(stores.events, games, settings.cached_matches)
        self.seat_tokens = SeatTokens(self.players, self.matches, settings)
        self.feeds = Feeds(self.matches.codec, 4 * settings.cached_matches)
        self.card_proofs = CardProofs(games, self.matches.codec, settings.cached_matches)
        self.delay = Delay(self.matches, now_ms, settings.cached_matches)
        self.projector = Projector(stores, self.matches, self.delay, now_ms)
        self.transparency_log = TransparencyLog(stores.tree, now_ms)
        expiry = Expiry(stores, now_ms, self.time_out)
        self.finalizer = Finalizer(stores, self.transparency_log, self.matches.codec, settings, now_ms, expiry)
        self.rating_projector = RatingProjector(stores.ratings, stores.tree, self.matches)
        self.notifier = Notifier(stores.events)
        self.handler = CommandHandler(stores.events, self.matches, settings, now_ms, on_bot_work)
        self.holdings = Caps(stores.holdings, self.matches, self.handler, settings, now_ms, stores.id_key)
        self.operator = Corrections(self.handler)
        bots = Bots(self.handler, self.matches, stores.thoughts, stores.agenda, settings, now_ms)
        rematch_of = partial(self._derived_id, "rematch")
        self.process_manager = ProcessManager(self.handler, self.matches, self.players, stores.agenda, bots, now_ms, rematch_of)
        self.post = post or post_of(settings)
        room = Room(settings.webhook_waiting, settings.webhook_waiting_in_all)
        self.webhooks = WebhookManager(stores.webhooks, self.post, now_ms, room)
        self.outbox = Outbox(stores, self.matches, self.feeds, room)
        self.erasure = Erasure(self.players, self.matches, self.handler, self.projector, stores.rows, self.webhooks)
        self.dispatcher = Dispatcher(stores.webhooks, self.post, now_ms)

    # Players and tokens

    async def register(self, name: str | None, *, bot: bool = False) -> tuple[PlayerRecord, TokenRecord, str]:
        """Make a player (a guest if *name* is None) and a first token with all a player's scopes; the text is shown once."""
        return await self.players.register(name, bot=bot)

    async def authenticate(self, token: str) -> Principal:
        """Return who holds a token; raise Unauthenticated. A revoked token is refused at once here and within 2 s elsewhere."""
        return await self.players.authenticate(token)

    def knows(self, token: str) -> bool:
        """Return whether a token was valid here lately; its holder is not to suffer from failures of others."""
        return self.players.knows(token)

    async def player(self, player: PlayerId) -> PlayerRecord:
        """Return a player; raise NotFound."""
        return await self.players.player(player)

    async def rename(self, player: PlayerId, name: str) -> PlayerRecord:
        """Give a player a display name."""
        return await self.players.rename(player, name)

    async def standings(self, player: PlayerId) -> Mapping[GameId, LeaderboardEntry]:
        """Return where a player stands in the games in which it is rated."""
        return await self.rating_projector.standings(Entrant(player), list(self.games))

    async def forget(self, player: PlayerId) -> None:
        """Delete a player: its seats, its tokens, its name; see `Erasure`. Raises NotFound."""
        await self.erasure.forget(player)

    async def people(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, PlayerRecord]:
        """Return those players that exist."""
        return await self.players.people(players)

    async def tokens(self, player: PlayerId) -> Sequence[TokenRecord]:
        """Return a player's tokens, oldest first, without their text."""
        return await self.players.tokens(player)

    async def issue_token(
        self, player: PlayerId, label: str, scopes: Sequence[str], expires_ms: int | None
    ) -> tuple[TokenRecord, str]:
        """Make a further token; the text is shown once. Raises Forbidden("scope-unknown")."""
        return await self.players.issue(player, label, scopes, expires_ms)

    async def revoke_token(self, player: PlayerId, token: str) -> None:
        """End a token; raise NotFound."""
        await self.players.revoke(player, token)

    # Matches. Each takes the player's idempotency key and raises KeyReused, RuleViolation, NotFound.

    async def open_match(self, player: PlayerId, new: NewMatch, key: str, address: str = "") -> Receipt:
        """Open a match; raise InvalidOptions, TooManyHeld. The same player and key lead to the same match.

        *address* is where the player asks from, if known.
        """
        match = self._derived_id("open", player, key)
        order = IssuedCommand(
            match=match,
            actor=f"player:{player}",
            key=f"{player}:{key}",
            fingerprint=fingerprint_of("open", msgspec.to_builtins(new, str_keys=True)),
            command=opening(match, player, new, await self._is_guest(player)),
        )
        admit = self.holdings.admission(player, match, address)
        return await self._receipt(player, match, await self.handler.open(order, admit))

    async def take_seat(self, player: PlayerId, match: MatchId, seat: Seat | None, nonce: str, key: str) -> Receipt:
        """Sit down on a seat, or on the first empty one; raise TooManyHeld."""
        command = TakeSeat(player=player, seat=seat, nonce=nonce)
        order = issued_by(player, match, command, key)  # the request stays the same when a guest takes a name
        if await self._is_guest(player):
            order = msgspec.structs.replace(order, command=msgspec.structs.replace(command, guest=True))
        return await self._carry_out(player, order, self.holdings.admission(player, match))

    async def seat_user(
        self, application: PlayerId, user: str, name: str | None, match: MatchId, seat: Seat | None, nonce: str, key: str
    ) -> tuple[PlayerRecord, TokenRecord, str]:
        """Seat a user of another application, who is a player of its own, unless it sits there; return it with a seat token."""
        id_ = PlayerId("p" + self._digest("user", application, user).hex()[:26])
        player = await self.seat_tokens.user(id_, name, application)
        sits = (await self.concerned(player.id, match)).match.seat_of(player.id)
        if sits is None or seat not in {None, sits}:
            await self.take_seat(player.id, match, seat, nonce, key)
            sits = (await self.matches.current(match)).match.seat_of(player.id)
        if sits is None:
            raise Forbidden("seat-left")
        return (player, *await self.seat_tokens.give(player.id, match, sits, None))

    async def leave_seat(self, player: PlayerId, match: MatchId, key: str) -> Receipt:
        """Stand up; in a running match a bot plays on."""
        return await self._act(player, match, LeaveSeat(player), key)

    async def seat_bot(self, player: PlayerId, match: MatchId, seat: Seat, bot: BotName, key: str) -> Receipt:
        """Give an empty seat to a bot (host only)."""
        return await self._act(player, match, SeatBot(player, seat, bot), key)

    async def clear_seat(self, player: PlayerId, match: MatchId, seat: Seat, key: str) -> Receipt:
        """Empty a seat before the start (host only)."""
        return await self._act(player, match, ClearSeat(player, seat), key)

    async def start(self, player: PlayerId, match: MatchId, key: str, address: str = "") -> Receipt:
        """Start with all seats filled (host only); raise TooManyHeld. *address* as for `open_match`."""
        admit = self.holdings.admission(player, match, address)
        return await self._carry_out(player, issued_by(player, match, StartMatch(player), key), admit)

    async def play(self, player: PlayerId, match: MatchId, decision: DecisionId, command: Command, key: str) -> Receipt:
        """Answer a decision; raise DecisionNotOpen or the game's RuleViolation. Retries while the decision stays open."""
        return await self._act(player, match, Play(player, decision, command), key)

    async def dry_run(self, player: PlayerId, match: MatchId, decision: DecisionId, command: Command) -> None:
        """Raise what `play` would refuse; store nothing, and tell nothing of what would follow."""
        await self.concerned(player, match)
        loaded = self._as_known(player, match, await self.matches.current(match))
        self.handler.check(issued_by(player, match, Play(player, decision, command), ""), loaded)

    async def hint(self, player: PlayerId, match: MatchId) -> Advice:
        """Return a hint for the player's open decision, and note that it was taken; raise MatchRefused."""
        decision = (await self.concerned(player, match)).match.open_decision()
        order = issued_by(player, match, TakeHint(player), f"hint|{decision}")
        await self._written(player, order)
        loaded = await self.matches.current(match)
        seat, current = loaded.match.seat_of(player), loaded.match.open_decision()
        if seat is None or current is None or not loaded.match.game.legal(loaded.match.table, seat):
            raise MatchRefused(MatchRefusal.NOT_ASKED)
        return await hint(match, loaded.match, seat, current)

    async def abort(self, player: PlayerId, match: MatchId, key: str) -> Receipt:
        """End an open match (host), or agree to end a running one without a result."""
        return await self._act(player, match, Abort(player), key)

    async def rematch(self, player: PlayerId, match: MatchId, key: str) -> Receipt:
        """Agree to play again; with the last agreement the rematch opens (its id appears in the old match's feed and view)."""
        receipt = await self._act(player, match, AgreeRematch(player), key)
        await self.process_manager.open_rematch(match)
        return receipt

    async def what_if(self, player: PlayerId, match: MatchId, wish: WhatIf, key: str, address: str = "") -> Receipt:
        """Take a finished match up again as a match of the player's own; raise Forbidden if it may not look at it.

        Where the player has too many such matches already, the oldest ends; raises TooManyHeld where the address has.
        """
        origin = await self.finished(await self.viewer(player, match), match)
        if origin is None:
            raise MatchRefused(MatchRefusal.NOT_OVER)
        successor = self._derived_id("what-if", player, key)
        order = IssuedCommand(
            match=successor,
            actor=f"player:{player}",
            key=f"{player}:{key}",
            fingerprint=fingerprint_of("what-if", match, wish),
            command=taking_up(successor, player, wish, match, origin, self.matches.codec),
        )
        admit = self.holdings.admission(player, successor, address)
        return await self._receipt(player, successor, await self.handler.open(order, admit))

    async def _act(self, player: PlayerId, match: MatchId, command: MatchCommand, key: str) -> Receipt:
        return await self._carry_out(player, issued_by(player, match, command, key))

    async def _carry_out(self, player: PlayerId, order: IssuedCommand, admit: Admit | None = None) -> Receipt:
        await self.concerned(player, order.match)
        return await self._receipt(player, order.match, await self._written(player, order, admit))

    async def _written(self, player: PlayerId, order: IssuedCommand, admit: Admit | None = None) -> Written:
        """Carry an order out. A player who knows the match late is refused for what it may know of it."""
        try:
            return await self.handler.carry_out(order, admit)
        except RuleViolation:
            self.handler.check(order, self._as_known(player, order.match, await self.matches.current(order.match)))
            raise

    async def _is_guest(self, player: PlayerId) -> bool:
        record = await self.players.find(player)
        return record is not None and record.guest

    async def _receipt(self, player: PlayerId, match: MatchId, written: Written) -> Receipt:
        """Return what the player sees of the versions written; the same for a replay, whatever came after."""
        loaded = await self.matches.known(match)
        if loaded.version < written.last:
            loaded = await self.matches.current(match)
        seat = loaded.match.seat_of(player)
        feed = self.feeds.of(match, loaded, seat)
        start, end = feed.count(written.first - 1), feed.count(written.last)
        if seat is None and loaded.match.started and end >= first_late(feed.items, loaded.match.facts):
            return Receipt(match=match, items=(), cursor=START, replayed=written.replayed)
        return Receipt(match=match, items=tuple(feed.items[start:end]), cursor=feed.cursor(end), replayed=written.replayed)

    def _derived_id(self, *parts: str) -> MatchId:
        """Return the id that a request always leads to; it cannot be guessed without the deployment's key."""
        return MatchId("m" + base64.b32encode(self._digest(*parts)[:15]).decode().lower())

    def _digest(self, *parts: str) -> bytes:
        return hmac.digest(self.stores.id_key, "|".join(parts).encode(), "sha256")

    # For workers

    async def play_bots(
        self, match: MatchId, until_ms: int | None = None, *, deep: bool = True, alone: bool = True, seconds: float = math.inf
    ) -> RemainingWork:
        """Let the bots answer what is due now, and think about what comes; see `ProcessManager`."""
        return await self.process_manager.play_bots(match, until_ms, deep=deep, alone=alone, seconds=seconds)

    async def time_out(self, match: MatchId) -> None:
        """Play the defaults of a decision whose deadline has passed, or end a match no longer needed; otherwise nothing."""
        await self.process_manager.time_out(match)

    async def tend(self) -> None:
        """Do a sweeper's and worker's work in this process, until cancelled: for a host app without either.

        Nothing ends it: it waits for a store that is away, and what fails because of us is left alone for a rest.
        """
        sending = asyncio.create_task(self.dispatcher.run(), name="send to webhooks")
        duties = Duties(self.stores.agenda, self.now_ms, self.settings.lease_ms)
        todo: Mapping[str, Duty] = {
            "lists": self.projector.keep_up,
            "clocks": duties.sweep(AgendaKind.DEADLINE, self.time_out),
            "bots": duties.sweep(AgendaKind.WORK, self.play_bots),
            "aftercare": self.finalizer.portion,
            "ratings": self.rating_projector.catch_up,
            "news": lambda: self.outbox.keep_up(self.now_ms()),
        }
        try:
            while True:
                await duties.round(todo)
                await asyncio.sleep(self.settings.sweep_ms / 1000)
        finally:
            sending.cancel()
            await asyncio.wait({sending})
            await self.post.close()

    # Life

    async def run(self) -> None:
        """Follow the shard logs and wake waiting readers, until cancelled. One per process that serves feeds."""
        await self.notifier.run()

    def drain(self) -> None:
        """Wake all waiters and make further waits return at once: the process is about to stop."""
        self.notifier.drain()
