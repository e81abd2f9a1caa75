"""Tokens for one seat of one match, and the players that other applications seat for their users.

A seat token reads and plays on its match as long as its player has its seat there, and not for long: in time it is exchanged for
a fresh one, which ends it. So what has stood in an address for a moment is worth nothing once the page has exchanged it. It
ends with the token that the first one was made with, however often it is exchanged.
"""

from __future__ import annotations

import msgspec

from ...domain.game import Seat
from ...domain.match import MatchId, PlayerId
from ..errors import Forbidden, Unauthenticated
from ..players.accounts import GUEST_NAME, MOST_TOKENS, Accounts, Principal
from ..ports.players import Origin, PlayerRecord, TokenRecord
from ..settings import Settings
from .repository import MatchRepository

SCOPES = ("read", "play")
LABEL = "seat"


class SeatTokens:
    """Makes, exchanges and checks tokens for one seat."""

    def __init__(self, players: Accounts, matches: MatchRepository, settings: Settings) -> None:
        self._players = players
        self._matches = matches
        self._settings = settings

    async def require_seat(self, player: PlayerId, match_id: MatchId, seat: Seat) -> None:
        """Raise NotFound if there is no such match, Forbidden("seat-left") if the seat is not the player's."""
        loaded = await self._matches.load_cached(match_id)
        if loaded.match.seat_of(player) != seat:
            loaded = await self._matches.load_latest(match_id)
        if loaded.match.seat_of(player) != seat:
            raise Forbidden("seat-left")

    async def check(self, holder: Principal) -> None:
        """Raise what `require_seat` raises if the seat of a seat token is not its player's any more."""
        assert holder.match is not None
        assert holder.seat is not None
        await self.require_seat(holder.player, holder.match, holder.seat)

    async def issue(self, holder: Principal, match_id: MatchId, seat: Seat) -> tuple[TokenRecord, str]:
        """Make a token for the holder's seat; raise what `require_seat` raises. A seat token that asks is ended."""
        await self.require_seat(holder.player, match_id, seat)
        if holder.match is None:
            return await self.give(holder.player, match_id, seat, Origin(holder.token, holder.expires_ms))
        if not await self._players.end(holder.player, holder.token):
            raise Unauthenticated
        return await self.give(holder.player, match_id, seat, holder.origin)

    async def give(self, player: PlayerId, match_id: MatchId, seat: Seat, origin: Origin | None) -> tuple[TokenRecord, str]:
        """Make a token for a player's seat, in place of its oldest one if it has too many. Raises Forbidden, Unauthenticated.

        It ends with its *origin*, as do all that it is exchanged for; without one it is renewed as long as the seat is held.
        """
        tokens = await self._players.tokens(player)
        if len(tokens) >= MOST_TOKENS:
            oldest = next((token for token in tokens if token.match is not None), None)
            if oldest is None:
                raise Forbidden("too-many-tokens")
            await self._players.end(player, oldest.id)
        end_ms = self._players.now_ms() + 1_000 * self._settings.seat_token_seconds
        return await self._players.issue(player, LABEL, SCOPES, end_ms, place=(match_id, seat), origin=origin)

    async def user(self, player: PlayerId, name: str | None, application: PlayerId) -> PlayerRecord:
        """Return the player that stands for an application's user, made when it first comes; a *name* replaces the old one."""
        known = await self._players.find(player)
        wanted = known or PlayerRecord(player, GUEST_NAME, True, self._players.now_ms(), application)
        if name is not None:
            wanted = msgspec.structs.replace(wanted, name=name, guest=False)
        if wanted != known:
            await self._players.put(wanted)
        return wanted
