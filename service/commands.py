"""Everything a player may do with matches: open them, sit down, play, ask for a hint, play again.

Every method may raise StoreUnavailable besides what it names.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from ..domain.game import Command, DecisionId, RuleViolation, Seat
from ..domain.match import BotName, MatchId, PlayerId
from ..domain.match.commands import (
    Abort,
    AgreeRematch,
    ClearSeat,
    LeaveSeat,
    MatchCommand,
    PassHost,
    Play,
    SeatBot,
    StartMatch,
    TakeHint,
    TakeSeat,
)
from ..domain.match.refusals import MatchRefusal, MatchRefused
from ..domain.match.state import Match
from .errors import Forbidden
from .matches.branching import WhatIf, taking_up
from .matches.caps import Caps
from .matches.command_handler import Admit, CommandHandler, IssuedCommand, fingerprint_of, issued_by
from .matches.ids import DerivedIds
from .matches.own_keys import PlayersAct, players_key
from .matches.process_manager import ProcessManager
from .matches.repository import Loaded, MatchRepository
from .matches.seat_tokens import SeatTokens
from .matches.setup import NewMatch, opening
from .players.accounts import GUEST_NAME, Accounts
from .players.bars import Bars, Deed
from .ports.events import Written
from .ports.players import PlayerRecord, TokenRecord
from .signing.signer import Signer
from .signing.statements import Mark
from .views.feeds import Cursor, FeedItem, Feeds
from .views.queries import MatchQueries
from .views.table_names import TableNames


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to an accepted command: what the asking viewer sees of its events, and the cursor of its feed after them.

    `signed` is the deployment's signed note of the chain over that feed up to there, if it was wished. The same request with the
    same key gets the same receipt, `replayed` apart, as long as the deployment signs with the same key.
    """

    match: MatchId
    items: tuple[FeedItem, ...]
    cursor: Cursor
    signed: str | UnsetType
    replayed: bool


class MatchCommands:
    """Changes matches in the name of players. Each method takes the player's idempotency key.

    Raises KeyReused, RuleViolation, NotFound, and Barred for all but leaving.
    """

    def __init__(  # noqa: PLR0913 - its collaborators, each said by name
        self,
        *,
        handler: CommandHandler,
        repository: MatchRepository,
        queries: MatchQueries,
        feeds: Feeds,
        caps: Caps,
        accounts: Accounts,
        seat_tokens: SeatTokens,
        signer: Signer,
        ids: DerivedIds,
        manager: ProcessManager,
        away: Sequence[Callable[[Match], Awaitable[Collection[Seat]]]],
        table_names: TableNames,
        bars: Bars,
    ) -> None:
        self._handler = handler
        self._repository = repository
        self._queries = queries
        self._feeds = feeds
        self._caps = caps
        self._accounts = accounts
        self._seat_tokens = seat_tokens
        self._signer = signer
        self._ids = ids
        self._manager = manager
        self._away = away
        self._table_names = table_names
        self._bars = bars

    async def open(self, player: PlayerId, new: NewMatch, key: str, address: str = "") -> Receipt:
        """Open a match; raise InvalidOptions, TooManyHeld. The same player and key lead to the same match.

        *address* is where the player asks from, if known.
        """
        await self._bars.require(player, Deed.TAKE_PART, address)
        self._require_bots(*new.bots.values())
        match_id = self._ids.match("open", player, key)
        order = IssuedCommand(
            match=match_id,
            actor=f"player:{player}",
            key=players_key(player, key),
            fingerprint=fingerprint_of("open", msgspec.to_builtins(new, str_keys=True)),
            command=opening(match_id, player, new, await self.is_guest(player)),
        )
        admit = self._caps.opening(player, match_id, address)
        return await self._receipt(player, match_id, await self._handler.open(order, admit))

    async def take_seat(
        self, player: PlayerId, match_id: MatchId, seat: Seat | None, nonce: str, key: str, address: str = ""
    ) -> Receipt:
        """Take a seat, or the reserved or first free one; raise TooManyHeld, MatchRefused for a name that looks like another.

        *address* as for `open`.
        """
        await self._bars.require(player, Deed.TAKE_PART, address)
        command = TakeSeat(player=player, seat=seat, nonce=nonce)
        order = issued_by(player, match_id, command, key)  # the request stays the same when a guest takes a name
        if await self.is_guest(player):
            order = msgspec.structs.replace(order, command=msgspec.structs.replace(command, guest=True))
        return await self._carry_out(player, order, await self._sitting_down(player, match_id))

    async def _sitting_down(self, player: PlayerId, match_id: MatchId) -> Admit | None:
        """Return a check to run before a player takes a seat. Coming back to a running match is never refused."""
        room = self._caps.sitting_down(player, match_id)
        if (await self._repository.load_latest(match_id)).match.seat_of(player) is not None:
            return room

        async def admit(after: Match) -> None:
            await self._table_names.require_distinct_at(player, after)
            if room is not None:
                await room(after)

        return admit

    async def seat_user(
        self, application: PlayerId, user: str, name: str | None, match_id: MatchId, seat: Seat | None, nonce: str, key: str
    ) -> tuple[PlayerRecord, TokenRecord, str]:
        """Seat a user of another application, who is a player of its own, unless already seated; return it with a seat token."""
        its_id = self._ids.user(application, user)
        known = await self._accounts.find(its_id)
        if known is not None and name is not None and name != known.name:
            await self._table_names.require_free(its_id, name)
        player = await self._seat_tokens.user(its_id, name, application)
        if name is not None and player != known:
            former = known or msgspec.structs.replace(player, name=GUEST_NAME, guest=True)
            await self._table_names.keep_free(former, name)
        sits = (await self._queries.load_visible(player.id, match_id)).match.seat_of(player.id)
        if sits is None or seat not in {None, sits}:
            await self.take_seat(player.id, match_id, seat, nonce, key)
            sits = (await self._repository.load_latest(match_id)).match.seat_of(player.id)
        if sits is None:
            raise Forbidden("seat-left")
        return (player, *await self._seat_tokens.give(player.id, match_id, sits, None))

    async def leave_seat(self, player: PlayerId, match_id: MatchId, key: str) -> Receipt:
        """Leave the seat; in a running match a bot plays on."""
        return await self._act(player, match_id, LeaveSeat(player), key)

    async def seat_bot(self, player: PlayerId, match_id: MatchId, seat: Seat, bot: BotName, key: str) -> Receipt:
        """Give an empty seat to a bot (host only)."""
        self._require_bots(bot)
        order = issued_by(player, match_id, SeatBot(player, seat, bot), key)
        return await self._carry_out(player, order, self._caps.filling(player))

    async def clear_seat(self, player: PlayerId, match_id: MatchId, seat: Seat, key: str) -> Receipt:
        """Empty a seat before the start (host only)."""
        return await self._act(player, match_id, ClearSeat(player, seat), key)

    async def pass_host(self, player: PlayerId, match_id: MatchId, heir: PlayerId, key: str) -> Receipt:
        """Make another player at the table its host, before the start (host only)."""
        return await self._act(player, match_id, PassHost(player, heir), key)

    async def start(self, player: PlayerId, match_id: MatchId, key: str, address: str = "") -> Receipt:
        """Start with all seats filled (host only); raise TooManyHeld. *address* as for `open`."""
        admit = self._caps.start(match_id, address)
        return await self._carry_out(player, issued_by(player, match_id, StartMatch(player), key), admit)

    async def play(
        self, player: PlayerId, match_id: MatchId, decision: DecisionId, command: Command, key: str, *, signed: bool = False
    ) -> Receipt:
        """Answer a decision; raise DecisionNotOpen or the game's RuleViolation. Retries while the decision stays open."""
        return await self._carry_out(player, issued_by(player, match_id, Play(player, decision, command), key), signed=signed)

    async def dry_run(self, player: PlayerId, match_id: MatchId, decision: DecisionId, command: Command) -> None:
        """Raise what `play` would refuse; store nothing, and reveal nothing of what would follow."""
        await self._queries.load_visible(player, match_id)
        loaded = self._queries.as_visible_to(player, match_id, await self._repository.load_latest(match_id))
        self._handler.check(issued_by(player, match_id, Play(player, decision, command), ""), loaded)

    async def take_hint(self, player: PlayerId, match_id: MatchId) -> Loaded:
        """Note that a hint is taken for the player's open decision, and return the match after that; raise MatchRefused."""
        decision = (await self._queries.load_visible(player, match_id)).match.open_decision()
        key = PlayersAct.TAKE_HINT.key(str(decision))
        await self._carry_out(player, issued_by(player, match_id, TakeHint(player), key), signed=False)
        return await self._repository.load_latest(match_id)

    async def abort(self, player: PlayerId, match_id: MatchId, key: str) -> Receipt:
        """End an open match (host), or agree to end a running one without a result."""
        match = (await self._queries.load_visible(player, match_id)).match
        away = sorted({seat for find in self._away for seat in await find(match)})
        order = issued_by(player, match_id, Abort(player), key)  # the request stays the same when a vacation begins or ends
        if away:
            order = msgspec.structs.replace(order, command=Abort(player, tuple(away)))
        return await self._carry_out(player, order)

    async def rematch(self, player: PlayerId, match_id: MatchId, key: str, address: str = "") -> Receipt:
        """Agree to play again; with the last agreement the rematch opens (its id appears in the old match's feed and view).

        There a seat is reserved for each player, and the match begins when all have taken theirs. Raises TooManyHeld.
        *address* as for `open`.
        """
        await self._bars.require(player, Deed.TAKE_PART, address)
        admit = self._caps.rematch(player, self._ids.rematch(match_id), address)
        receipt = await self._carry_out(player, issued_by(player, match_id, AgreeRematch(player), key), admit)
        await self._manager.open_rematch(match_id)
        return receipt

    async def what_if(self, player: PlayerId, match_id: MatchId, wish: WhatIf, key: str, address: str = "") -> Receipt:
        """Take a finished match up again as a match of the player's own; raise Forbidden if it may not look at it.

        Where the player has too many such matches already, the oldest ends; raises TooManyHeld where the address has.
        """
        await self._bars.require(player, Deed.TAKE_PART, address)
        origin = await self._queries.load_finished(await self._queries.viewer(player, match_id), match_id)
        if origin is None:
            raise MatchRefused(MatchRefusal.NOT_OVER)
        self._require_bots(wish.bot)
        successor = self._ids.match("what-if", player, key)
        order = IssuedCommand(
            match=successor,
            actor=f"player:{player}",
            key=players_key(player, key),
            fingerprint=fingerprint_of("what-if", match_id, wish),
            command=taking_up(successor, player, wish, match_id, origin, self._repository.codec),
        )
        admit = self._caps.opening(player, successor, address)
        written = await self._handler.open(order, admit, await self._repository.origin(match_id, origin))
        return await self._receipt(player, successor, written)

    async def open_made(self, player: PlayerId, order: IssuedCommand, address: str = "") -> Receipt:
        """Open a match of the player's own whose opening someone else has made.

        Where the player has too many practice matches already, the oldest ends; raises TooManyHeld where the address has.
        """
        await self._bars.require(player, Deed.TAKE_PART, address)
        return await self._receipt(
            player, order.match, await self._handler.open(order, self._caps.opening(player, order.match, address))
        )

    def _require_bots(self, *bots: BotName | None) -> None:
        """Refuse bots where none answer."""
        if bots and not self._manager.has_bots:
            raise MatchRefused(MatchRefusal.BOT_UNKNOWN)

    async def _act(self, player: PlayerId, match_id: MatchId, command: MatchCommand, key: str) -> Receipt:
        return await self._carry_out(player, issued_by(player, match_id, command, key))

    async def _carry_out(
        self, player: PlayerId, order: IssuedCommand, admit: Admit | None = None, *, signed: bool = True
    ) -> Receipt:
        """Execute a command. A player who sees the match with a delay is refused on the basis of what it may know."""
        if not isinstance(order.command, LeaveSeat | Abort):
            await self._bars.require(player, Deed.PLAY)
        await self._queries.load_visible(player, order.match)
        try:
            written = await self._handler.carry_out(order, admit)
        except RuleViolation:
            known = self._queries.as_visible_to(player, order.match, await self._repository.load_latest(order.match))
            self._handler.check(order, known)
            raise
        return await self._receipt(player, order.match, written, signed=signed)

    async def is_guest(self, player: PlayerId) -> bool:
        """Return whether a player is a guest."""
        record = await self._accounts.find(player)
        return record is not None and record.guest

    async def _receipt(self, player: PlayerId, match_id: MatchId, written: Written, *, signed: bool = True) -> Receipt:
        """Return what the player sees of the versions written; the same for a replay, whatever came after."""
        loaded = self._repository.peek(match_id)
        if loaded is None or loaded.version < written.last:
            loaded = await self._repository.load_latest(match_id)
        seat = loaded.match.seat_of(player)
        facts = loaded.match.facts
        feed = self._feeds.of(match_id, loaded, seat, version=written.first - 1)
        start = feed.count(written.first - 1)
        end = feed.count(written.last)
        if seat is None and loaded.match.started and end >= feed.first_late(facts):
            start = end = 0
        mark = Mark(match=match_id, seat=feed.seat_at(end, facts), n=end, chain=feed.chain(end)) if signed else None
        return Receipt(
            match=match_id,
            items=feed.between(start, end),
            cursor=feed.cursor(end),
            signed=self._signer.mark(mark) if mark is not None else UNSET,
            replayed=written.replayed,
        )
