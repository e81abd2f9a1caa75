"""Requests that come again, with the idempotency key of the first: what they make is made once, and the answer is the same.

The entries of a match have the keys of its commands. Here are the keys of all other requests that make something, each for a
day. What is stored under a key can be read with that key and its holder's token alone, of which the store has neither: answers
have secrets that are shown only once.

If a process is killed, or its store fails, between making something and keeping the answer, the request is carried out again:
ids and secrets follow from the key and from a salt that is kept for the day, so that it makes the same thing, and not another
one. Later there is another salt: what was revoked or deleted since does not come back. Who ends something notes first that it
was there (`was_there`): who comes again with its key, and finds nothing, is known to have ended it.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import NamedTuple

import msgspec
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ..errors import KeyReused, StoreUnavailable
from ..ports.answers import AnswerStore
from .draws import drawn_from

KEEP_MS = 24 * 3_600_000
LEASE_MS = 10_000
"""For how long others wait for an answer that is being made, before they make it themselves."""
LOOK_SECONDS = 0.05
LOOKS = 300
"""How often others look: half as long again as a claim lasts."""
NONCE_BYTES = 12
SALT_BYTES = 16


class _Kept(msgspec.Struct, frozen=True, array_like=True):
    """What stands at a place: of which request, by which attempt, and the sealed answer, none while it is being made."""

    request: bytes
    attempt: bytes
    sealed: bytes = b""


class _Trail(NamedTuple):
    """Where an attempt leaves that what its request ends was there: the mark of the request, as another one may take the key."""

    store: AnswerStore
    place: str
    mark: bytes
    now_ms: int

    async def leave(self) -> None:
        await self.store.keep(self.place, self.mark, self.now_ms, KEEP_MS)

    async def was_left(self) -> bool:
        look = secrets.token_bytes(16)
        found = await self.store.claim(self.place, look, self.now_ms, LEASE_MS)
        if found is None:
            await self.store.release(self.place, look)
        return found == self.mark


_TRAIL: ContextVar[_Trail | None] = ContextVar("trail", default=None)


async def was_there(now: bool) -> bool:
    """Return whether what a request ends is there now, or was when its idempotency key came before. Raises StoreUnavailable.

    Call it before ending anything; a request without a key leaves and finds nothing.
    """
    if (trail := _TRAIL.get()) is None:
        return now
    if now:
        await trail.leave()
    return now or await trail.was_left()


class _Secrets(NamedTuple):
    """What follows from a holder and its key: where things are, what seals the answer, and what the draws begin from."""

    place: str
    salt_place: str
    trail_place: str
    mark: bytes
    seal: bytes
    seed: bytes


_READ = msgspec.msgpack.Decoder(_Kept)
_WRITE = msgspec.msgpack.Encoder()


class KeptAnswers:
    """Answers by holder and key, over a store that all processes share; `id_key` is that of the deployment."""

    def __init__(self, store: AnswerStore, id_key: bytes, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._id_key = id_key
        self._now_ms = now_ms

    async def once(
        self,
        holder: str,
        key: str,
        request: bytes,
        make: Callable[[], Awaitable[bytes]],
        holds: Callable[[bytes], Awaitable[bool]] | None = None,
    ) -> tuple[bytes, bool]:
        """Return what *make* returns, or returned when the holder's key first came, and whether it is such a repetition.

        *holder* is a secret of who asks, *request* the fingerprint of all that is asked. What *make* raises is raised and not
        kept. An answer that does not hold any more is made again, with the same draws. Raises KeyReused if the key came with
        another request; StoreUnavailable.
        """
        known = self._secrets(holder, key)
        mark = hmac.digest(known.mark, request, "sha256")[:16]
        claim = _WRITE.encode(_Kept(mark, secrets.token_bytes(16)))
        try:
            for _ in range(LOOKS):
                found = await self._store.claim(known.place, claim, self._now_ms(), LEASE_MS)
                if found is None:
                    return await self._make(known, claim, make), False
                kept = _READ.decode(found)
                if kept.request != mark:
                    raise KeyReused
                if kept.sealed:
                    answer = _open(known, kept)
                    if holds is None or await holds(answer):
                        return answer, True
                    await self._store.release(known.place, found)
                    continue
                await asyncio.sleep(LOOK_SECONDS)
        except Exception:
            await self._release(known.place, claim)
            raise
        raise StoreUnavailable("the first request with this key is still being carried out")

    async def _make(self, known: _Secrets, claim: bytes, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """Make an answer and keep it. One that cannot be kept is as good for who waits for it."""
        claimed = _READ.decode(claim)
        fresh = secrets.token_bytes(SALT_BYTES)
        salt = await self._salt(known, fresh)
        trail = _TRAIL.set(_Trail(self._store, known.trail_place, claimed.request, self._now_ms()))
        try:
            with drawn_from(hmac.digest(known.seed, claimed.request + salt, "sha256")) as draws:
                try:
                    answer = await make()
                except Exception:
                    if salt == fresh and not draws.count:  # nothing follows from it, and callers without a token could leave many
                        await self._release(known.salt_place, fresh)
                    raise
        finally:
            _TRAIL.reset(trail)
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = nonce + ChaCha20Poly1305(known.seal).encrypt(nonce, answer, claimed.request)
        kept = _WRITE.encode(msgspec.structs.replace(claimed, sealed=sealed))
        try:
            await self._store.keep(known.place, kept, self._now_ms(), KEEP_MS)
        except StoreUnavailable:
            await self._release(known.place, claim)
        return answer

    async def _salt(self, known: _Secrets, fresh: bytes) -> bytes:
        """Return the salt of the day: that of the first attempt. It is never renewed, so that it ends no later than an answer."""
        found = await self._store.claim(known.salt_place, fresh, self._now_ms(), KEEP_MS)
        return fresh if found is None else found

    async def _release(self, place: str, claim: bytes) -> None:
        """End a claim; where the store fails, it runs out, as that of a call that is cut off does."""
        with suppress(StoreUnavailable):
            await self._store.release(place, claim)

    def _secrets(self, holder: str, key: str) -> _Secrets:
        root = hmac.digest(self._id_key, _WRITE.encode(("answer", holder, key)), "sha256")
        names = (b"place", b"salt", b"trail", b"mark", b"seal", b"seed")
        place, salt, trail, mark, seal, seed = (hmac.digest(root, name, "sha256") for name in names)
        return _Secrets(place.hex()[:32], salt.hex()[:32], trail.hex()[:32], mark, seal, seed)


def _open(known: _Secrets, kept: _Kept) -> bytes:
    nonce, sealed = kept.sealed[:NONCE_BYTES], kept.sealed[NONCE_BYTES:]
    return ChaCha20Poly1305(known.seal).decrypt(nonce, sealed, kept.request)
