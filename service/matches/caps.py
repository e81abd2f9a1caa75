"""Caps: how many matches of a kind one player, or one address, may hold at the same time.

A match is recorded before the command that gives it a holder, in one step that never exceeds the cap. It need not be removed
later: when a cap is reached, the recorded matches are checked, and those that no longer count are removed.

A running match that its last player leaves counts as a bot-only one, for its host and for the address that it was started from.
Leaving is never refused; starting the next match is.
"""

from __future__ import annotations

import hmac
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from enum import Enum
from typing import ParamSpec

import msgspec

from ...domain.match import MatchId, PlayerId, Status
from ...domain.match.events import ExpiryReason
from ...domain.match.refusals import MatchRefusal, MatchRefused
from ...domain.match.state import Match
from ..errors import ArchiveUnavailable, CorruptHistory, NotFound, StoreUnavailable, TooManyHeld
from ..players.quota_table import BOTS, OPEN_MATCHES, PRACTICE, SEATS
from ..ports.holdings import Holding, HoldingStore
from ..settings import Settings
from .budgets import MatchBudgets
from .command_handler import Admit, CommandHandler, expiry
from .repository import MatchRepository

IN_FLIGHT_MS = 15_000
"""A match recorded this recently counts even if the holding does not show in it yet: the command may be in flight."""
DAY_MS = 86_400_000
WEEK_MS = 7 * DAY_MS
MONTH_MS = 30 * DAY_MS
TRIES = 10
MAX_SEAT_FILLS = 50
"""How often a player may fill a seat of one open match, itself or with a bot: this bounds its log before the start."""
CHECKED_PER_REQUEST = 50
"""How many of the matches that fill a cap are checked per request: a refusal must stay cheap."""
CHECKED_BESIDE = 10
"""The same where a match is recorded beyond the cap, which a player can cause with every command."""
MAX_NOTED = 1_000
"""How many matches without players are recorded per holder: this bounds its key."""
HOST_START_FACTOR = 5
"""A start with a player in it is refused only at this multiple of its host's cap: after leaving a few, one may begin the next."""
ADDRESS_START_FACTOR = 25
"""The same for an address: a few guests must not stop a school.

It is also the cap of a host with a token of the scope `embed`, which opens the matches of all users of an application.
"""


class Kind(Enum):
    """What is capped: seats in open matches, and running matches without players or for practice."""

    SEATS = "seats"
    OPEN_AT = "open-at"
    BOTS = "bots"
    BOTS_AT = "bots-at"
    PRACTICE = "practice"
    PRACTICE_AT = "practice-at"


class _Cap(msgspec.Struct, frozen=True):
    """One holder's cap of one kind."""

    kind: Kind
    holder: str
    limit: int
    counts: Callable[[Match], bool]
    keep_ms: int = MONTH_MS


P = ParamSpec("P")


def _once(pay: Callable[P, Awaitable[None]]) -> Callable[P, Awaitable[None]]:
    """Charge once: a command that another one overtakes is admitted again, and costs no more."""
    paid = False

    async def pay_first(*args: P.args, **kwargs: P.kwargs) -> None:
        nonlocal paid
        if not paid:
            await pay(*args, **kwargs)
        paid = True

    return pay_first


class Caps:
    """Admits or refuses commands after which a player or address holds a match. `id_key` hides addresses."""

    def __init__(
        self,
        store: HoldingStore,
        matches: MatchRepository,
        handler: CommandHandler,
        settings: Settings,
        now_ms: Callable[[], int],
        id_key: bytes,
        budgets: MatchBudgets,
    ) -> None:
        self._store = store
        self._matches = matches
        self._handler = handler
        self._settings = settings
        self._now_ms = now_ms
        self._id_key = id_key
        self._budgets = budgets

    def opening(self, player: PlayerId, match_id: MatchId, address: str = "") -> Admit | None:
        """Return a check to run before a match is opened, given the match as it would be; None if nothing is limited.

        It raises TooManyHeld, MatchRefused. *address*: where the player asks from; without one no address is limited.
        """
        if not self._settings.limits.rate_limits:
            return None
        hidden = address and self.hide(address)
        pay, pay_for_bots = _once(self._budgets.pay), _once(self._budgets.pay_for_bots)

        async def admit(after: Match) -> None:
            if after.practice:
                await pay(player, address)  # first, because what is refused must end no other practice match
                await self._admit_practice(player, match_id, hidden)
                return
            if after.status is Status.RUNNING:
                await self._admit_start(match_id, after, hidden, pay_for_bots)
            else:
                await self._admit_open(player, match_id, after, hidden)
            await pay(player, address)

        return admit

    def seeking(self, player: PlayerId, match_id: MatchId, address: str = "") -> Admit | None:
        """Return a check to run before a match is opened for a player who seeks one, as `opening`: it begins without another."""
        if (opening := self.opening(player, match_id, address)) is None:
            return None

        async def admit(after: Match) -> None:
            await opening(after)
            if address:
                await self._store.hold(_start_key(match_id), MatchId(self.hide(address)), 1, self._now_ms(), WEEK_MS)

        return admit

    @property
    def limited(self) -> bool:
        """Whether anything is limited."""
        return self._settings.limits.rate_limits

    async def require_room(self, player: PlayerId, address: str = "") -> None:
        """Raise TooManyHeld if a player could not start a match with itself in it now."""
        if self._settings.limits.rate_limits:
            hidden = address and self.hide(address)
            for cap in await self._caps_of_bots(player, hidden, HOST_START_FACTOR, ADDRESS_START_FACTOR):
                await self._require_room(cap)

    async def pay_ahead(self, player: PlayerId, address: str, matches: int) -> int:
        """Have an address pay for matches that begin later by themselves since a player of it takes part; raise TooManyHeld.

        Return how many were paid for.
        """
        if not self._settings.limits.rate_limits or not address:
            return 0
        return await self._budgets.pay_ahead(player, address, matches)

    def give_back(self, address: str, matches: int) -> None:
        """Give back what was paid ahead a moment ago for matches that will not begin."""
        if self._settings.limits.rate_limits and address:
            self._budgets.give_back(address, matches)

    def sitting_down(self, player: PlayerId, match_id: MatchId) -> Admit | None:
        """Return a check to run before a player takes a seat, as `opening`. Coming back to a running match is never refused."""
        if not self._settings.limits.rate_limits:
            return None

        async def admit(after: Match) -> None:
            if after.status is Status.OPEN:
                await self._admit_open(player, match_id, after, "")

        return admit

    def start(self, match_id: MatchId, address: str = "") -> Admit | None:
        """Return a check to run before a match starts, as `opening`."""
        if not self._settings.limits.rate_limits:
            return None
        hidden = address and self.hide(address)
        pay_for_bots = _once(self._budgets.pay_for_bots)
        return lambda after: self._admit_start(match_id, after, hidden, pay_for_bots)

    def rematch(self, player: PlayerId, successor: MatchId, address: str = "") -> Admit | None:
        """Return a check to run before a player agrees to play again, as `opening`.

        The last one opens *successor*, which begins when all have come. So it is refused as an opening and a start would be, and
        no one is asked again by which address it begins. Raises TooManyHeld.
        """
        if not self._settings.limits.rate_limits:
            return None
        hidden = address and self.hide(address)
        pay, pay_for_bots = _once(self._budgets.pay), _once(self._budgets.pay_for_bots)

        async def admit(after: Match) -> None:
            if after.rematch_agreed():
                await self._admit_start(successor, after, hidden, pay_for_bots)
                if hidden:
                    await self._require_at(self._open_at(hidden), successor, player)
                await pay(player, address)

        return admit

    async def note_left(self, match_id: MatchId, after: Match) -> None:
        """Record that a running match continues without any player. This is never refused."""
        if not self._settings.limits.rate_limits or after.practice:  # practice has caps of its own
            return
        await self._note_beyond(self._bots(after.host), match_id)
        for started in await self._list_held(_start_key(match_id)):
            await self._note_beyond(self._bots_at(started.match), match_id)

    async def forget_start(self, match_id: MatchId) -> None:
        """Forget where a match was started: it is over, and counts no more. If the store fails, it is forgotten after a week."""
        if not self._settings.limits.rate_limits:
            return
        with suppress(StoreUnavailable):
            await self._store.release(_start_key(match_id), await self._list_held(_start_key(match_id)))

    def filling(self, player: PlayerId) -> Admit | None:
        """Return what admits a bot that a player puts on a seat; None if nothing is limited. It raises MatchRefused."""
        if not self._settings.limits.rate_limits:
            return None

        async def admit(after: Match) -> None:
            _require_seldom(player, after)

        return admit

    def _seats(self, player: PlayerId) -> _Cap:
        limit = SEATS.share(self._settings.limits)
        return _Cap(
            Kind.SEATS, f"seats:{player}", limit, lambda match: match.status is Status.OPEN and match.seat_of(player) is not None
        )

    def _open_at(self, hidden: str) -> _Cap:
        return _Cap(Kind.OPEN_AT, f"open-at:{hidden}", OPEN_MATCHES.shared(self._settings.limits), _open, DAY_MS)

    def _bots(self, host: PlayerId, times: int = 1) -> _Cap:
        limit = times * BOTS.share(self._settings.limits)
        return _Cap(Kind.BOTS, f"bots:{host}", limit, _without_players, DAY_MS)

    def _bots_at(self, hidden: str, times: int = 1) -> _Cap:
        limit = times * BOTS.shared(self._settings.limits)
        return _Cap(Kind.BOTS_AT, f"bots-at:{hidden}", limit, _without_players, DAY_MS)

    async def _bots_of(self, host: PlayerId, times: int) -> _Cap:
        """Return the cap of a host, which is larger for one that hosts for the users of an application."""
        cap = self._bots(host, times)
        if len(await self._list_held(cap.holder)) < cap.limit or not await self._budgets.embeds(host):
            return cap
        return msgspec.structs.replace(cap, limit=max(cap.limit, ADDRESS_START_FACTOR * BOTS.shared(self._settings.limits)))

    def _practice(self, player: PlayerId) -> _Cap:
        limit = PRACTICE.share(self._settings.limits)
        return _Cap(Kind.PRACTICE, f"practice:{player}", limit, _running)

    def _practice_at(self, hidden: str) -> _Cap:
        return _Cap(Kind.PRACTICE_AT, f"practice-at:{hidden}", PRACTICE.shared(self._settings.limits), _running, DAY_MS)

    async def _admit_open(self, player: PlayerId, match_id: MatchId, after: Match, hidden: str) -> None:
        """Admit a match that waits for players, or a player who takes a seat in it."""
        _require_seldom(player, after)
        if hidden:
            await self._require_at(self._open_at(hidden), match_id, player)
        if after.seat_of(player) is not None:
            await self._require(self._seats(player), match_id)

    async def _admit_start(
        self, match_id: MatchId, after: Match, hidden: str, pay_for_bots: Callable[[PlayerId], Awaitable[None]]
    ) -> None:
        """Admit a match that starts while not too many run without players; a bot-only one is one of them at once."""
        if not after.has_people():
            await pay_for_bots(after.host)
            await self._require(await self._bots_of(after.host, 1), match_id)
            if hidden:
                await self._require_at(self._bots_at(hidden), match_id, after.host)
            return
        for cap in await self._caps_of_bots(after.host, hidden, HOST_START_FACTOR, ADDRESS_START_FACTOR):
            await self._require_room(cap)
        if hidden:
            await self._store.hold(_start_key(match_id), MatchId(hidden), 1, self._now_ms(), WEEK_MS)

    async def _caps_of_bots(self, host: PlayerId, hidden: str, times: int, times_at: int) -> Sequence[_Cap]:
        """Return the caps on matches without players, of a host and of an address, as multiples of the settings."""
        return [await self._bots_of(host, times), *([self._bots_at(hidden, times_at)] if hidden else [])]

    def hide(self, address: str) -> str:
        """Return what an address is stored as: a keyed hash."""
        return hmac.digest(self._id_key, f"address|{address}".encode(), "sha256").hex()[:32]

    async def _require(self, cap: _Cap, match_id: MatchId) -> None:
        if await self._hold(cap, match_id):
            raise TooManyHeld(cap.kind.value, cap.limit)

    async def _require_at(self, cap: _Cap, match_id: MatchId, player: PlayerId) -> None:
        """Have an address hold a match of a player: those of guests take half of its room, so that named players come first."""
        if not await self._hold(msgspec.structs.replace(cap, limit=-(-cap.limit // 2)), match_id):
            return
        if await self._budgets.is_guest(player):
            raise TooManyHeld(cap.kind.value, cap.limit)
        await self._require(cap, match_id)

    async def _require_room(self, cap: _Cap) -> None:
        """Raise TooManyHeld if a holder has reached a cap; record nothing."""
        held = await self._list_held(cap.holder)
        if len(held) >= cap.limit and len(held) - len(await self._make_room(cap, held)) >= cap.limit:
            raise TooManyHeld(cap.kind.value, cap.limit)

    async def _note_beyond(self, cap: _Cap, match_id: MatchId) -> None:
        """Record a match although a cap is reached, and remove those that no longer count."""
        if held := await self._note(cap, match_id):
            await self._make_room(cap, held, CHECKED_BESIDE)
            await self._note(msgspec.structs.replace(cap, limit=MAX_NOTED), match_id)

    async def _admit_practice(self, player: PlayerId, match_id: MatchId, hidden: str) -> None:
        """Record a practice match; if a player has too many, the oldest one ends."""
        if hidden:
            await self._require_at(self._practice_at(hidden), match_id, player)
        cap = self._practice(player)
        for _ in range(TRIES):
            held = await self._hold(cap, match_id)
            if not held:
                return
            try:
                await self._handler.carry_out(expiry(held[0].match, ExpiryReason.REPLACED))
            except NotFound:
                break  # all of them are being opened just now
            await self._store.release(cap.holder, held[:1])
        raise TooManyHeld(cap.kind.value, cap.limit)

    async def _hold(self, cap: _Cap, match_id: MatchId) -> Sequence[Holding]:
        """Record a match, or return those that fill the cap, after those that no longer count have made room."""
        held = await self._note(cap, match_id)
        return await self._note(cap, match_id) if await self._make_room(cap, held) else held

    async def _make_room(self, cap: _Cap, held: Sequence[Holding], looks: int = CHECKED_PER_REQUEST) -> Sequence[Holding]:
        """Remove those of the matches held that no longer count, and return them."""
        looked_at = held if len(held) <= looks else random.sample(held, looks)
        gone = [each for each in looked_at if not await self._stands(cap, each)]
        await self._store.release(cap.holder, gone)
        return gone

    async def _list_held(self, holder: str) -> Sequence[Holding]:
        """Return all that is held, and note nothing."""
        return await self._store.hold(holder, MatchId(""), 0, self._now_ms(), 0)

    async def _note(self, cap: _Cap, match_id: MatchId) -> Sequence[Holding]:
        return await self._store.hold(cap.holder, match_id, cap.limit, self._now_ms(), cap.keep_ms)

    async def _stands(self, cap: _Cap, holding: Holding) -> bool:
        """Return whether a match that was noted still counts."""
        fresh = 0 <= self._now_ms() - holding.since_ms < IN_FLIGHT_MS
        try:
            match = (await self._matches.load_latest(holding.match)).match
        except NotFound:
            return fresh
        except CorruptHistory:
            return False
        except ArchiveUnavailable:
            return not await self._matches.is_finished(holding.match)
        return cap.counts(match) or (fresh and not match.status.finished)


def _require_seldom(player: PlayerId, after: Match) -> None:
    if after.filled.get(player, 0) > MAX_SEAT_FILLS:
        raise MatchRefused(MatchRefusal.SEATED_TOO_OFTEN)


def _open(match: Match) -> bool:
    return match.status is Status.OPEN


def _running(match: Match) -> bool:
    return match.status is Status.RUNNING


def _without_players(match: Match) -> bool:
    return match.status is Status.RUNNING and not match.people_present()


def _start_key(match_id: MatchId) -> str:
    """Return the key under which it is noted where a match was started: here the match is the holder, and an address is held."""
    return f"started:{match_id}"
