"""Replies that are kept for requests with an idempotency key that make something outside of a match."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from ...service.application import Application
from ...service.players.accounts import Principal
from .response import REPLAYED, Header, Reply
from .sse import EventStream

LONG_KEY = 22
"""The fewest characters of a key that counts without a token, as 128 random bits have: others may have a shorter one, too."""
MARK: Header = (REPLAYED.lower().encode(), b"true")


class _Refusal(Exception):
    """A reply in the words of another protocol that says what is wrong: it is not kept, as a problem is not."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    """A reply as it is kept."""

    status: int
    headers: tuple[Header, ...]
    body: bytes


class KeyedCall(Protocol):
    """What is read of a call whose reply may be kept: see `Call`."""

    principal: Principal | None
    token: str
    key: str

    @property
    def payer(self) -> str:
        """The holder whose quota is charged."""
        ...

    @property
    def application(self) -> Application:
        """The application."""
        ...


async def kept_reply(
    call: KeyedCall,
    request: bytes,
    run: Callable[[], Awaitable[Reply | EventStream]],
    still: Callable[[Reply], Awaitable[bool]] | None,
) -> Reply:
    """Return the reply to a call, or its holder's for the same *request* if that *still* holds; raise KeyReused."""

    async def make() -> bytes:
        reply = await run()
        assert isinstance(reply, Reply), "a stream is not kept"
        if reply.status >= 400:
            raise _Refusal(reply)
        return msgspec.msgpack.encode(_Stored(reply.status, tuple(reply.headers), reply.body))

    holder = f"token {call.token}" if call.principal is not None else f"address {call.payer}"

    async def holds(packed: bytes) -> bool:
        if still is None:
            return True
        stored = msgspec.msgpack.decode(packed, type=_Stored)
        return await still(Reply(stored.status, stored.body, [*stored.headers]))

    try:
        packed, again = await call.application.answers.once(holder, call.key, request, make, holds)
    except _Refusal as refusal:
        return refusal.reply
    stored = msgspec.msgpack.decode(packed, type=_Stored)
    return Reply(stored.status, stored.body, [*stored.headers, *([MARK] if again and MARK not in stored.headers else [])])


def counts(call: KeyedCall) -> bool:
    """Return whether a call has a key under which its reply is kept."""
    return bool(call.key) and (call.principal is not None or len(call.key) >= LONG_KEY)


def name_of(call: KeyedCall) -> str:
    """Return under which name a caller asks, and asks again; a key that others may have, too, is none."""
    return call.key if counts(call) else secrets.token_hex(16)
