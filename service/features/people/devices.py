"""Another device: a code that counts once, for a few minutes, and gives a token of its own."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable

from ....domain.match import PlayerId
from ...errors import Forbidden
from ...players.accounts import MOST_TOKENS, PLAYER_SCOPES, Accounts, Principal, digest_of
from ...players.draws import fresh_bytes
from ...ports.players import TokenRecord
from .port import CODE_MS, DeviceCode, PeopleStore

ID_BYTES = 13
SECRET_BYTES = 32


class CodeUnknown(Exception):
    """The code is none, has ended, or was used."""


class Devices:
    """Gives codes to players, and tokens to those who show one. Only digests of codes are stored."""

    def __init__(self, store: PeopleStore, accounts: Accounts, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._accounts = accounts
        self._now_ms = now_ms

    async def make(self, holder: Principal) -> tuple[str, int]:
        """Return a new code, and until when (Unix milliseconds) it counts: as long as the holder's token does, at most."""
        until_ms = self._now_ms() + CODE_MS
        scopes = tuple(scope for scope in PLAYER_SCOPES if scope in holder.scopes)
        text = _write_code(holder.player, fresh_bytes(SECRET_BYTES))
        code = DeviceCode(until_ms, holder.token, scopes, holder.expires_ms)
        await self._store.keep_code(holder.player, digest_of(text), code, self._now_ms())
        return text, until_ms

    async def drop(self, player: PlayerId) -> None:
        """Let no code of a player count any more."""
        await self._store.drop_codes(player)

    async def redeem(self, text: str, label: str, by: str) -> tuple[PlayerId, TokenRecord, str]:
        """Return the player of a code with a new token and its text; raise CodeUnknown, Forbidden("too-many-tokens"), NotFound.

        Of several who show the same code, one gets a token: the first, also when it asks again under the same name, *by*, as its
        answer was lost. A code for which there is no room counts until there is.
        """
        player = _player_of(text)
        code = await self._store.code(player, digest_of(text))
        if code is None or code.until_ms <= self._now_ms():
            raise CodeUnknown
        tokens = await self._accounts.tokens(player)
        if all(token.id != code.token for token in tokens):
            raise CodeUnknown
        if len(tokens) >= MOST_TOKENS:
            raise Forbidden("too-many-tokens")
        if not await self._store.take_code(digest_of(text), digest_of(by)):
            raise CodeUnknown
        token, secret = await self._accounts.issue(player, label, code.scopes, code.expires_ms)
        return player, token, secret


def _write_code(player: PlayerId, secret: bytes) -> str:
    return base64.urlsafe_b64encode(bytes.fromhex(player[1:]) + secret).decode()


def _player_of(text: str) -> PlayerId:
    """Return the player that a code names; raise CodeUnknown for a text that is none."""
    try:
        content = base64.b64decode(text, altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise CodeUnknown from None
    return PlayerId(f"p{content[:ID_BYTES].hex()}")
