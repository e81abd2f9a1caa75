"""Signing in by OpenID Connect: whose identity is whose player, and what it takes to say so."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import msgspec

from ....domain.match import PlayerId
from ...errors import Forbidden, NotFound, StoreUnavailable
from ...players.accounts import PLAYER_SCOPES, Accounts, digest_of
from ...players.draws import fresh_bytes
from ...ports.players import TokenRecord
from .port import ATTEMPT_MS, Attempt, OpenIdStore
from .provider_port import Provider

SECRET_BYTES = 32
TRIES = 10
MARK_BYTES = 8


class OpenIdOff(Exception):
    """The deployment has no provider."""


class AttemptUnknown(Exception):
    """The attempt is none, has ended, was used, or began elsewhere."""


class IdentityTaken(Exception):
    """The identity leads to another player."""


class LinkedAlready(Exception):
    """The player has another identity of this provider."""


class Begun(NamedTuple):
    """An attempt: where the browser goes, the secret that it keeps meanwhile, and until when (Unix milliseconds)."""

    address: str
    secret: str
    until_ms: int


class Proof(NamedTuple):
    """What ends an attempt: what the provider gave the browser, and the secret that the browser has kept."""

    state: str
    code: str
    secret: str


class OpenId:
    """Lets players sign in by *provider*, if there is one; *issuer* is its name among providers, *name* that for people."""

    def __init__(
        self,
        store: OpenIdStore,
        accounts: Accounts,
        now_ms: Callable[[], int],
        id_key: bytes,
        *,
        issuer: str,
        name: str,
        provider: Provider | None = None,
    ) -> None:
        self.provider = provider
        self._store = store
        self._accounts = accounts
        self._now_ms = now_ms
        self._id_key = id_key
        self._issuer = issuer
        self._mark = self._digest(b"issuer")[:MARK_BYTES]
        self._name = name

    @property
    def name(self) -> str:
        """What players call the provider; raise OpenIdOff."""
        self._provider()
        return self._name

    async def begin(self, player: PlayerId | None = None) -> Begun:
        """Begin to sign in, or to link an identity to a player; raise OpenIdOff, ProviderDown."""
        state, secret, nonce, verifier = (_text(fresh_bytes(SECRET_BYTES)) for _ in range(4))
        address = await self._provider().address(state, nonce, verifier)
        until_ms = self._now_ms() + ATTEMPT_MS
        await self._store.keep(digest_of(state), Attempt(until_ms, digest_of(secret), nonce, verifier, player))
        return Begun(address, secret, until_ms)

    async def sign_in(self, proof: Proof, label: str, by: str) -> tuple[PlayerId, TokenRecord, str]:
        """Return the player of an identity, made for it if it has none, with a new token and its text.

        An attempt counts once, for the request that is called *by* that, which may be repeated. Raises OpenIdOff, ProviderDown,
        SignInRefused, AttemptUnknown, Forbidden("too-many-tokens").
        """
        identity = await self._identity(proof, by, None)
        for _ in range(TRIES):
            holder = await self._store.holder(identity)
            if holder is not None and await self._accounts.find(holder) is not None:
                with suppress(NotFound):  # it was deleted meanwhile
                    return holder, *await self._issue(holder, label)
            if (new := await self._newcomer(identity, holder, label)) is not None:
                return new
        raise StoreUnavailable("the identity keeps being given to others")

    async def _issue(self, player: PlayerId, label: str) -> tuple[TokenRecord, str]:
        """Make a token. If there are too many, the oldest ends that came by signing in: perhaps no one can end one any more."""
        try:
            token, text = await self._accounts.issue(player, label, PLAYER_SCOPES, None)
        except Forbidden:
            there = {each.id for each in await self._accounts.tokens(player)}
            oldest = next((each for each in await self._store.noted_tokens(player) if each in there), None)
            if oldest is None:
                raise
            await self._accounts.end(player, oldest)
            token, text = await self._accounts.issue(player, label, PLAYER_SCOPES, None)
        await self._store.note_token(player, token.id, self._now_ms())
        if await self._accounts.find(player) is None:
            await self._store.strike_tokens(player)
            raise NotFound("player")
        return token, text

    async def _newcomer(self, identity: bytes, before: PlayerId | None, label: str) -> tuple[PlayerId, TokenRecord, str] | None:
        """Make a player for an identity that leads to *before*, who is gone; None if another request was first."""
        player, token, text = await self._accounts.register(None, label=label)
        await self._store.note(player.id, identity, self._now_ms())
        if await self._store.replace(identity, before, player.id):
            await self._store.note_token(player.id, token.id, self._now_ms())
            return player.id, token, text
        await self.forget(player.id)
        await self._accounts.remove(player.id)
        return None

    async def link(self, player: PlayerId, proof: Proof, by: str) -> int:
        """Let an identity lead to a player, if it leads to no other; return since when it does (Unix milliseconds).

        Raises OpenIdOff, ProviderDown, SignInRefused, AttemptUnknown, IdentityTaken, LinkedAlready, NotFound.
        """
        identity = await self._identity(proof, by, player)
        if any(each != identity for each in await self._identities(player)):
            raise LinkedAlready
        await self._store.note(player, identity, self._now_ms())
        await self._claim(player, identity)
        await self._store.note(player, identity, self._now_ms())  # another request may have struck it since
        if await self._accounts.find(player) is None:
            await self.forget(player)
            raise NotFound("player")
        return (await self._store.noted(player))[identity]

    async def _claim(self, player: PlayerId, identity: bytes) -> None:
        for _ in range(TRIES):
            holder = await self._store.holder(identity)
            if holder is not None and holder != player and await self._accounts.find(holder) is not None:
                await self._store.strike(player, identity)
                if await self._store.holder(identity) == player:  # by another request, in this moment
                    return
                raise IdentityTaken
            if await self._store.replace(identity, holder, player):
                return
        raise StoreUnavailable("the identity keeps being given to others")

    async def linked(self, player: PlayerId) -> int | None:
        """Return since when an identity of this provider leads to a player; None if none does. Raises OpenIdOff."""
        self._provider()
        return min((await self._identities(player)).values(), default=None)

    async def unlink(self, player: PlayerId) -> None:
        """Let no identity of this provider lead to a player any more. Raises OpenIdOff."""
        self._provider()
        for identity in await self._identities(player):
            await self._release(player, identity)

    async def forget(self, player: PlayerId) -> None:
        """Let nothing lead to a player any more, from whichever provider."""
        for identity in await self._store.noted(player):
            await self._release(player, identity)
        await self._store.strike_tokens(player)

    async def export(self, player: PlayerId) -> object:
        """Return what is kept here of a player, as plain data: since when which identities lead to it, as digests."""
        noted = await self._store.noted(player)
        return [
            {"identity": identity.hex(), "since_ms": since_ms}
            for identity, since_ms in noted.items()
            if await self._store.holder(identity) == player
        ]

    async def prune(self) -> None:
        """Delete attempts that have ended."""
        await self._store.prune(self._now_ms())

    async def _release(self, player: PlayerId, identity: bytes) -> None:
        await self._store.replace(identity, player, None)
        await self._store.strike(player, identity)

    async def _identities(self, player: PlayerId) -> dict[bytes, int]:
        """Return the identities of this provider that lead to a player, and since when (Unix milliseconds)."""
        noted = await self._store.noted(player)
        return {
            identity: since_ms
            for identity, since_ms in noted.items()
            if identity.startswith(self._mark) and await self._store.holder(identity) == player
        }

    async def _identity(self, proof: Proof, by: str, player: PlayerId | None) -> bytes:
        """Return the identity that an attempt has led to, for what it was begun for."""
        provider = self._provider()
        state = digest_of(proof.state)
        attempt = await self._store.attempt(state)
        if attempt is None or attempt.until_ms <= self._now_ms() or attempt.player != player:
            raise AttemptUnknown
        if not hmac.compare_digest(attempt.browser, digest_of(proof.secret)):
            raise AttemptUnknown
        if not await self._store.take(state, digest_of(by)):
            raise AttemptUnknown
        if attempt.identity:  # the request is repeated, and a code counts only once at the provider
            return attempt.identity
        identity = self._mark + self._digest(b"subject", await provider.subject(proof.code, attempt.nonce, attempt.verifier))
        await self._store.keep(state, msgspec.structs.replace(attempt, identity=identity))
        return identity

    def _provider(self) -> Provider:
        if self.provider is None:
            raise OpenIdOff
        return self.provider

    def _digest(self, kind: bytes, subject: str = "") -> bytes:
        """Return a digest of the issuer, or of someone there, that no one can make without the deployment's key."""
        parts = (b"tafelrunde.openid.1", kind, self._issuer.encode(), subject.encode())
        return hmac.digest(self._id_key, b"".join(b"%d:%s" % (len(each), each) for each in parts), "sha256")


def _text(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).decode().rstrip("=")
