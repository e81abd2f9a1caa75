"""Caps: how many matches of a kind one player, or one address, may hold at the same time.

A match is noted before the command that makes a holder of someone, in one step that never exceeds the cap. No one has to
remove it: when a cap is reached, the noted matches are checked, and those that no longer count are removed.
"""

from __future__ import annotations

import hmac
import random
from collections.abc import Callable, Sequence
from enum import Enum

import msgspec

from ...domain.match import MatchId, PlayerId, Status
from ...domain.match.events import ExpiryReason
from ...domain.match.refusals import MatchRefusal, MatchRefused
from ...domain.match.state import Match
from ..errors import CorruptHistory, NotFound, TooManyHeld
from ..players.quotas import Quotas
from ..ports.holdings import Holding, HoldingStore
from ..ports.quotas import Quota
from ..settings import Settings
from .command_handler import Admit, CommandHandler, expiry
from .repository import MatchRepository

IN_FLIGHT_MS = 15_000
"""A match recorded this recently counts even if the holding does not show in it yet: the command may be in flight."""
DAY_MS = 86_400_000
MONTH_MS = 30 * DAY_MS
TRIES = 10
FILLED = 50
"""How often a player may fill a seat of one open match, itself or with a bot: this bounds its log before the start."""
LOOKS = 50
"""How many of the matches that fill a cap are checked per request: a refusal must stay cheap."""


class Kind(Enum):
    """What is capped: seats in open matches, running bot-only and practice matches; for an address, open matches too."""

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
        quotas: Quotas,
    ) -> None:
        self._store = store
        self._matches = matches
        self._handler = handler
        self._settings = settings
        self._now_ms = now_ms
        self._id_key = id_key
        self._quotas = quotas
        self._bot_quota = Quota("bot-matches", settings.bot_matches_per_minute)

    def admission(self, player: PlayerId, match: MatchId, address: str = "") -> Admit | None:
        """Return what admits a player's command to a match, seeing the match as it would be; None if nothing is limited.

        It raises TooManyHeld, MatchRefused. *address*: where the player asks from; without one no address is limited.
        """
        if not self._settings.rate_limits:
            return None

        async def admit(after: Match) -> None:
            if after.branched is not None:
                if address:
                    await self._require(self._practice_at(address), match)
                await self._admit_practice(player, match)
            elif after.status is Status.OPEN:
                _require_seldom(player, after)
                if address:
                    await self._require(self._open_at(address), match)
                if after.seat_of(player) is not None:
                    await self._require(self._seats(player), match)
            elif after.status is Status.RUNNING and not after.has_people():
                await self._pay(after.host)
                await self._require(self._bots(after.host), match)
                if address:
                    await self._require(self._bots_at(address), match)

        return admit

    def filling(self, player: PlayerId) -> Admit | None:
        """Return what admits a bot that a player puts on a seat; None if nothing is limited. It raises MatchRefused."""
        if not self._settings.rate_limits:
            return None

        async def admit(after: Match) -> None:
            _require_seldom(player, after)

        return admit

    def _seats(self, player: PlayerId) -> _Cap:
        limit = self._settings.open_seats_per_player
        return _Cap(
            Kind.SEATS, f"seats:{player}", limit, lambda match: match.status is Status.OPEN and match.seat_of(player) is not None
        )

    def _open_at(self, address: str) -> _Cap:
        holder = f"open-at:{self._hidden(address)}"
        return _Cap(Kind.OPEN_AT, holder, self._settings.open_matches_per_address, _open, DAY_MS)

    def _bots(self, host: PlayerId) -> _Cap:
        return _Cap(Kind.BOTS, f"bots:{host}", self._settings.bot_matches_per_host, _without_people, DAY_MS)

    def _bots_at(self, address: str) -> _Cap:
        holder = f"bots-at:{self._hidden(address)}"
        return _Cap(Kind.BOTS_AT, holder, self._settings.bot_matches_per_address, _without_people, DAY_MS)

    def _practice(self, player: PlayerId) -> _Cap:
        limit = self._settings.practice_matches_per_player
        return _Cap(Kind.PRACTICE, f"practice:{player}", limit, _running)

    def _practice_at(self, address: str) -> _Cap:
        holder = f"practice-at:{self._hidden(address)}"
        return _Cap(Kind.PRACTICE_AT, holder, self._settings.practice_matches_per_address, _running, DAY_MS)

    async def _pay(self, host: PlayerId) -> None:
        """Pay for beginning a bot-only match, from a budget that pays for nothing else."""
        if (await self._quotas.spend(self._bot_quota, host)).wait_s:
            raise TooManyHeld("bots-begun", self._bot_quota.quota)

    def _hidden(self, address: str) -> str:
        return hmac.digest(self._id_key, f"address|{address}".encode(), "sha256").hex()[:32]

    async def _require(self, cap: _Cap, match: MatchId) -> None:
        if await self._hold(cap, match):
            raise TooManyHeld(cap.kind.value, cap.limit)

    async def _admit_practice(self, player: PlayerId, match: MatchId) -> None:
        """Note a practice match; where there are too many, the oldest one ends."""
        cap = self._practice(player)
        for _ in range(TRIES):
            held = await self._hold(cap, match)
            if not held:
                return
            try:
                await self._handler.carry_out(expiry(held[0].match, ExpiryReason.REPLACED))
            except NotFound:
                break  # all of them are being opened just now
            await self._store.release(cap.holder, held[:1])
        raise TooManyHeld(cap.kind.value, cap.limit)

    async def _hold(self, cap: _Cap, match: MatchId) -> Sequence[Holding]:
        """Note a match, or return those that stand in the way, after those that do not count any more have made room."""
        held = await self._note(cap, match)
        looked_at = held if len(held) <= LOOKS else random.sample(held, LOOKS)
        gone = [each for each in looked_at if not await self._stands(cap, each)]
        if not gone:
            return held
        await self._store.release(cap.holder, gone)
        return await self._note(cap, match)

    async def _note(self, cap: _Cap, match: MatchId) -> Sequence[Holding]:
        return await self._store.hold(cap.holder, match, cap.limit, self._now_ms(), cap.keep_ms)

    async def _stands(self, cap: _Cap, holding: Holding) -> bool:
        """Return whether a match that was noted still counts."""
        fresh = 0 <= self._now_ms() - holding.since_ms < IN_FLIGHT_MS
        try:
            match = (await self._matches.current(holding.match)).match
        except NotFound:
            return fresh
        except CorruptHistory:
            return False
        return cap.counts(match) or (fresh and not match.status.finished)


def _require_seldom(player: PlayerId, after: Match) -> None:
    if after.filled.get(player, 0) > FILLED:
        raise MatchRefused(MatchRefusal.SEATED_TOO_OFTEN)


def _open(match: Match) -> bool:
    return match.status is Status.OPEN


def _running(match: Match) -> bool:
    return match.status is Status.RUNNING


def _without_people(match: Match) -> bool:
    return match.status is Status.RUNNING and not match.has_people()
