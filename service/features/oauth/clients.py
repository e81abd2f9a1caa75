"""Applications of others: how they register, and what they may ask players for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from ...players.accounts import PLAYER_SCOPES, opaque
from ...players.budgets import Budget
from ...players.look_alikes import is_reserved
from ...players.names import LONGEST_NAME, fit_name
from .port import Client, OauthStore
from .redirects import fault_of, fits, host_of

MOST_REDIRECTS = 10
USUAL = ("read", "play")
"""The scopes of an application that names none."""
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")


class OauthRefused(Exception):
    """What an application asks for is refused, with a code of OAuth, and why."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(code)
        self.code = code
        self.reason = reason


class Unfounded(Exception):
    """No application is known that sends players here, or the address to go back to is not its own."""


class TooOften(Exception):
    """An address has registered too many applications; `wait_s` is how long to wait."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What an application sends a player with, as it says it."""

    response_type: str
    client_id: str
    redirect_uri: str
    scope: str = ""
    state: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


class Clients:
    """Registers applications and reads what they ask for. *budget* pays for those of an address."""

    def __init__(self, store: OauthStore, now_ms: Callable[[], int], budget: Budget) -> None:
        self._store = store
        self._now_ms = now_ms
        self._budget = budget

    async def register(self, name: str, redirects: Sequence[str], address: str) -> Client:
        """Register an application, asked from an address; raise OauthRefused and TooOften."""
        if not 1 <= len(redirects) <= MOST_REDIRECTS:
            raise OauthRefused("invalid_redirect_uri", f"1 to {MOST_REDIRECTS} addresses are needed")
        if fault := next((fault for each in redirects if (fault := fault_of(each)) is not None), None):
            raise OauthRefused("invalid_redirect_uri", fault)
        shown = fit_name(name or host_of(redirects[0])[:LONGEST_NAME])
        if shown is None:
            raise OauthRefused("invalid_client_metadata", f"a name has 1 to {LONGEST_NAME} characters that can be seen")
        if is_reserved(shown):
            raise OauthRefused("invalid_client_metadata", "the names of the service and of its staff are reserved")
        if (refused := await self._budget.spend_by(address, hidden=True)) is not None:
            raise TooOften(refused.wait_s)
        client = Client(await self._fresh(), shown, tuple(dict.fromkeys(redirects)), self._now_ms())
        await self._store.put_client(client)
        return client

    async def _fresh(self) -> str:
        """Return an id for an application. Where the request comes again whose application was ended, it is another one."""
        while await self._store.is_ended(drawn := opaque("a")):
            pass
        return drawn

    async def known(self, asked: Asked) -> Client:
        """Return who asks, if it asks for an address of its own to be sent back to; raise Unfounded."""
        client = await self._store.client(asked.client_id)
        if client is None or not any(fits(each, asked.redirect_uri) for each in client.redirects):
            raise Unfounded
        return client


def scopes_of(asked: Asked) -> tuple[str, ...]:
    """Return the scopes that an application asks for; raise OauthRefused for what it may not ask, or not so."""
    if asked.response_type != "code":
        raise OauthRefused("unsupported_response_type", "only response_type=code is known")
    if asked.code_challenge_method != "S256" or CHALLENGE.fullmatch(asked.code_challenge) is None:
        raise OauthRefused("invalid_request", "code_challenge with code_challenge_method=S256 is needed")
    return read_scopes(asked.scope, USUAL, PLAYER_SCOPES)


def read_scopes(text: str, usual: Sequence[str], allowed: Sequence[str]) -> tuple[str, ...]:
    """Return the scopes that a text names, the usual ones if none; raise OauthRefused for one that is not allowed."""
    named = {each for each in text.split(" ") if each}
    if not named <= {*allowed}:
        raise OauthRefused("invalid_scope", f"the scopes are {' '.join(allowed)}")
    return tuple(scope for scope in allowed if scope in named) or tuple(usual)
