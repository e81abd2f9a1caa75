"""What players have allowed applications of others: from a code to tokens, which are renewed until either side ends it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Callable, Sequence

import msgspec
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ....domain.match import PlayerId
from ...errors import Forbidden, NotFound, Unauthenticated
from ...players.accounts import Accounts, Principal, digest_of, opaque
from ...players.draws import fresh_bytes
from ...ports.players import TokenRecord
from .clients import Asked, Clients, OauthRefused, read_scopes, scopes_of
from .port import ACCESS_MS, CODE_MS, GRANT_MS, REPEAT_MS, Client, Code, Grant, Held, OauthStore
from .redirects import host_of, with_answer

MOST_GRANTS = 20
"""How many grants of a player count at once: those that were used last."""
VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
_ID_BYTES = 13
_SECRET_BYTES = 24
_MAC_BYTES = 16
_NONE = Held(None, b"")


class Issued(msgspec.Struct, frozen=True):
    """What an application gets: an access token and its end, and what renews it, once."""

    access: str
    refresh: str
    scopes: tuple[str, ...]
    expires_ms: int


_NONCE = bytes(12)
_READ = msgspec.msgpack.Decoder(Issued)
_WRITE = msgspec.msgpack.Encoder()


class Grants:
    """Gives codes for players, tokens for codes and for refresh tokens, and ends what a player or an application ends."""

    def __init__(self, store: OauthStore, accounts: Accounts, clients: Clients, now_ms: Callable[[], int], id_key: bytes) -> None:
        self._store = store
        self._accounts = accounts
        self._clients = clients
        self._now_ms = now_ms
        self._key = hmac.digest(id_key, b"tafelrunde.oauth-refresh.1", "sha256")

    async def decide(self, holder: Principal, asked: Asked, issuer: str, *, allowed: bool) -> str:
        """Return where a player goes that has decided about an application; raise Unfounded, OauthRefused, Forbidden.

        Nothing that the token of the player may not do can be allowed with it.
        """
        client = await self._clients.known(asked)
        scopes = scopes_of(asked)
        if not allowed:
            return answered(asked, issuer, error="access_denied")
        if not {*scopes} <= holder.scopes:
            raise Forbidden("scope-missing")
        text = base64.urlsafe_b64encode(fresh_bytes(32)).decode().rstrip("=")
        code = Code(
            player=holder.player,
            grant=opaque("g"),
            client=client.id,
            redirect=asked.redirect_uri,
            challenge=asked.code_challenge,
            scopes=scopes,
            until_ms=self._now_ms() + CODE_MS,
            ends_ms=holder.expires_ms,
            by=holder.token,
        )
        await self._store.put_code(digest_of(text), code)
        return answered(asked, issuer, code=text)

    async def exchange(self, client: str, text: str, redirect: str, verifier: str) -> Issued:
        """Return what a code gives, once; raise OauthRefused. One that is used again ends what it has given."""
        digest = digest_of(text)
        by = fresh_bytes(8).hex()
        code = await self._store.code(digest)
        if code is None:
            raise _refuse_lost()
        if not await self._store.uses(digest):
            _require(code, client, redirect, verifier)
            if code.until_ms <= self._now_ms():
                raise _refuse_lost()
        if await self._store.use_code(digest, by) > 1:
            await self.end(code.player, code.grant)
            raise _refuse_lost()
        issued = await self._begin(code, await self._keep(await self._client(client)))
        if await self._store.uses(digest) > 1:  # another one came meanwhile, and may have looked before there was a grant
            await self.end(code.player, code.grant)
            raise _refuse_lost()
        return issued

    async def _begin(self, code: Code, client: Client) -> Issued:
        now = self._now_ms()
        grant = Grant(
            id=code.grant,
            client=client.id,
            name=client.name,
            host=host_of(code.redirect),
            scopes=code.scopes,
            since_ms=now,
            used_ms=now,
            until_ms=0,
            ends_ms=code.ends_ms,
            access="",
            refresh=b"",
            by=code.by,
        )
        issued = await self._renew(code.player, _NONE, grant, code.scopes)
        if issued is None:
            raise _refuse_lost()
        kept = sorted(await self.of(code.player), key=lambda each: each.used_ms, reverse=True)
        for each in kept[MOST_GRANTS:]:
            await self.end(code.player, each.id)
        return issued

    async def refresh(self, client: str, text: str, scope: str) -> Issued:
        """Return new tokens for a refresh token; raise OauthRefused.

        The same token within `REPEAT_MS` returns the same answer, as the first one may have been lost on its way, unless the
        refresh token in that answer was used. In all other cases a token that is used again ends the whole grant (RFC 9700,
        4.14.2). *scope* may name some of the scopes that were allowed, for the access token alone.
        """
        player, name = self._read(text)
        before = await self._store.grant(player, name)
        grant = before.grant
        if grant is None:
            await self.end(player, name)  # an earlier call to end it may have been interrupted
            raise _refuse_lost()
        if grant.client != client:
            raise _refuse_lost()
        scopes = read_scopes(scope, grant.scopes, grant.scopes)
        if grant.refresh != digest_of(text) or grant.until_ms <= self._now_ms():
            return await self._repeat(player, before, text, scopes)
        await self._keep(await self._client(client))
        issued = await self._renew(player, before, grant, scopes, text)
        if issued is None:  # another process may have renewed it meanwhile, for the same token
            return await self._repeat(player, await self._store.grant(player, name), text, scopes)
        await self._accounts.end(player, grant.access)
        return issued

    async def _repeat(self, player: PlayerId, before: Held, text: str, scopes: tuple[str, ...]) -> Issued:
        """Return what this refresh token was answered with a moment ago; otherwise end the grant and raise OauthRefused."""
        grant = before.grant
        if grant is not None and grant.repeated == digest_of(text) and self._now_ms() < grant.used_ms + REPEAT_MS:
            issued = _unseal(text, grant.answer)
            if issued.scopes == scopes:
                return issued
        if grant is not None:
            await self.end(player, grant.id)
        raise _refuse_lost()

    async def _renew(
        self, player: PlayerId, before: Held, grant: Grant, scopes: tuple[str, ...], used: str = ""
    ) -> Issued | None:
        """Give new tokens, and keep the grant with them; None if the grant is not as it was *before*, or the player gone.

        *used*: the refresh token that is replaced, none for the first tokens of a grant.
        """
        now = self._now_ms()
        if grant.ends_ms is not None and grant.ends_ms <= now:
            return None
        token, access = await self._issue(player, grant, scopes, _earlier(now + ACCESS_MS, grant.ends_ms))
        refresh = self._make_refresh(player, grant.id)
        issued = Issued(access, refresh, scopes, token.expires_ms or now)
        after = msgspec.structs.replace(
            grant,
            used_ms=now,
            until_ms=_earlier(now + GRANT_MS, grant.ends_ms),
            access=token.id,
            refresh=digest_of(refresh),
            repeated=digest_of(used) if used else b"",
            answer=_seal(used, issued) if used else b"",
        )
        if not await self._store.put_grant(player, before, after):
            await self._accounts.end(player, token.id)
            return None
        if await self._accounts.find(player) is None:
            await self._store.drop_grant(player, grant.id)
            return None
        if await self._store.client(grant.client) is None:  # ended meanwhile, perhaps before there was a grant to end
            await self.end(player, grant.id)
            return None
        return issued

    async def _issue(self, player: PlayerId, grant: Grant, scopes: tuple[str, ...], expires_ms: int) -> tuple[TokenRecord, str]:
        """Make an access token; where there is no room for one, in place of the last one. Raises OauthRefused."""
        for again in (True, False):
            try:
                return await self._accounts.issue(player, grant.name, scopes, expires_ms, grant=grant.id)
            except NotFound:
                raise _refuse_lost() from None
            except Forbidden:
                if not (again and grant.access and await self._accounts.end(player, grant.access)):
                    break
        raise OauthRefused("invalid_grant", "the player has the maximum number of tokens")

    async def revoke(self, client: str, text: str) -> None:
        """End the grant that a token belongs to, be it to renew or to use; nothing happens if it is none. Raises OauthRefused."""
        await self._client(client)
        try:
            player, name = self._read(text)
        except OauthRefused:
            try:
                holder = await self._accounts.authenticate(text)
            except Unauthenticated:
                return
            player = holder.player
            name = holder.grant or ""
        grant = (await self._store.grant(player, name)).grant
        if grant is not None and grant.client != client:
            raise OauthRefused("unauthorized_client", "the token was given to another application")
        if name:
            await self.end(player, name)

    async def of(self, player: PlayerId) -> Sequence[Grant]:
        """Return the grants of a player that count, newest first; those that have ended are deleted."""
        found = [each.grant for each in await self._store.grants(player) if each.grant is not None]
        for ended in (each for each in found if each.until_ms <= self._now_ms()):
            await self._store.drop_grant(player, ended.id)
        left = (each for each in found if each.until_ms > self._now_ms())
        return sorted(left, key=lambda each: (each.since_ms, each.id), reverse=True)

    async def end(self, player: PlayerId, grant: str) -> bool:
        """End a grant and its tokens; False if there was nothing of it. What is renewed meanwhile ends, too.

        If this process is killed in between, the next call ends the rest.
        """
        there = (await self._store.grant(player, grant)).grant is not None
        await self._store.drop_grant(player, grant)
        left = await self._end_tokens(player, grant)
        return there or bool(left)

    async def _end_tokens(self, player: PlayerId, grant: str) -> Sequence[TokenRecord]:
        """End the tokens of a grant; return them."""
        found = [token for token in await self._accounts.tokens(player) if token.grant == grant]
        for token in found:
            await self._accounts.end(player, token.id)
        return found

    async def knows(self, client: str) -> bool:
        """Return whether an application is registered."""
        return await self._store.client(client) is not None

    async def end_client(self, client: str) -> bool:
        """End an application with all that players have allowed it; False if nothing of it was there.

        No player can allow it anything any more, first of all. If this process is killed in between, the next call ends the rest.
        """
        there = await self.knows(client)
        await self._store.drop_client(client)
        allowed = await self._store.allowed(client)
        for player, grant in allowed:
            await self._end_tokens(player, grant)  # first: who is cut off here finds the grant again
            await self.end(player, grant)
        return there or bool(allowed)

    async def end_with(self, player: PlayerId, token: str) -> None:
        """End the grant of an access token that is about to be revoked; nothing happens for other tokens."""
        tokens = await self._accounts.tokens(player)
        grant = next((each.grant for each in tokens if each.id == token), None)
        if grant is not None:
            await self._store.drop_grant(player, grant)
            for each in await self._accounts.tokens(player):
                if each.grant == grant and each.id != token:
                    await self._accounts.end(player, each.id)

    async def export(self, player: PlayerId) -> object:
        """Return what players have allowed, as plain data."""
        shown = ("id", "client", "name", "host", "scopes", "since_ms", "used_ms", "until_ms")
        return [{name: getattr(each, name) for name in shown} for each in await self.of(player)]

    async def _client(self, client: str) -> Client:
        """Return a client; raise OauthRefused."""
        found = await self._store.client(client)
        if found is None:
            raise _unknown()
        return found

    async def _keep(self, client: Client) -> Client:
        """Return a client, which stays registered for longer, as a player lets it act; raise OauthRefused."""
        if not await self._store.renew_client(client.id):
            raise _unknown()
        return client

    def _make_refresh(self, player: PlayerId, grant: str) -> str:
        """Return a new refresh token, which only this deployment can make."""
        content = bytes.fromhex(player[1:]) + bytes.fromhex(grant[1:]) + fresh_bytes(_SECRET_BYTES)
        return "trr_" + base64.urlsafe_b64encode(content + self._mac(content)).decode().rstrip("=")

    def _read(self, text: str) -> tuple[PlayerId, str]:
        """Return player and grant of a refresh token; raise OauthRefused for what is none."""
        try:
            packed = text.removeprefix("trr_")
            whole = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise _refuse_lost() from None
        content, mac = whole[:-_MAC_BYTES], whole[-_MAC_BYTES:]
        if len(content) != 2 * _ID_BYTES + _SECRET_BYTES or not hmac.compare_digest(mac, self._mac(content)):
            raise _refuse_lost()
        return PlayerId(f"p{content[:_ID_BYTES].hex()}"), f"g{content[_ID_BYTES : 2 * _ID_BYTES].hex()}"

    def _mac(self, content: bytes) -> bytes:
        return hmac.digest(self._key, content, "sha256")[:_MAC_BYTES]


def answered(asked: Asked, issuer: str, **answer: str) -> str:
    """Return where a player goes with an answer for the application: also who gives it (RFC 9207)."""
    state = {"state": asked.state} if asked.state else {}
    return with_answer(asked.redirect_uri, {**answer, **state, "iss": issuer})


def _require(code: Code, client: str, redirect: str, verifier: str) -> None:
    """Raise OauthRefused unless it is the application that has asked which shows a code."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    proven = VERIFIER.fullmatch(verifier) is not None and hmac.compare_digest(challenge, code.challenge)
    if not proven or code.client != client or code.redirect != redirect:
        raise _refuse_lost()


def _seal(used: str, issued: Issued) -> bytes:
    """Return tokens so that only the refresh token that they were given for can read them: the store has its digest alone."""
    return _cipher(used).encrypt(_NONCE, _WRITE.encode(issued), None)


def _unseal(used: str, sealed: bytes) -> Issued:
    return _READ.decode(_cipher(used).decrypt(_NONCE, sealed, None))


def _cipher(used: str) -> ChaCha20Poly1305:
    """Return the cipher of one refresh token, which seals one answer: its nonce need not change."""
    return ChaCha20Poly1305(hmac.digest(used.encode(), b"tafelrunde.oauth-answer.1", "sha256"))


def _unknown() -> OauthRefused:
    return OauthRefused("invalid_client", "no application is registered by this client_id")


def _refuse_lost() -> OauthRefused:
    return OauthRefused("invalid_grant", "it has ended, was used, or is not yours")


def _earlier(moment: int, end: int | None) -> int:
    return moment if end is None else min(moment, end)
