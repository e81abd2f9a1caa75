"""An operation of the API: one description that both serves requests and writes the contract."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from ...domain.match import MatchId, PlayerId
from ...service.application import Application
from ...service.errors import Unauthenticated
from ...service.matches.command_handler import fingerprint_of
from ...service.matches.repository import Loads, loads
from ...service.players.accounts import Principal
from ...service.players.quotas import QuotaState
from ..problems import Refused
from ..schema import fields
from ..schema.common import Nothing, Request, Scope
from .context import BARE, ROOT, UP, AppContext
from .deprecation import Deprecated
from .kept import counts, kept_reply
from .rate_limits import OF_ADDRESS, READS_PER_LOAD, Cost, Limits, TooMany, address_of, require_small
from .request import read_body, read_form, read_key, read_query, read_token, require_json, require_preflight
from .response import Reply
from .sse import EventStream, listener_of

B = TypeVar("B", bound=Request)
Q = TypeVar("Q", bound=Request)
Surroundings = Mapping[str, Any]
"""An ASGI scope. Its values are of many types, and only the servers' documentation defines them."""


class Key(Enum):
    """Whether an operation takes an Idempotency-Key: not at all, one is made if there is none, or it must be there.

    KEPT: with one, its reply is kept for the same request; what a match writes needs no such thing.
    """

    NONE = "none"
    KEPT = "kept"
    OPTIONAL = "optional"
    REQUIRED = "required"


class Access(Enum):
    """Who may call: anyone (a token is ignored), anyone (a token identifies the caller), or only callers with a token."""

    PUBLIC = "public"
    ANYBODY = "anybody"
    OWNED = "owned"


class Answer(NamedTuple):
    """A successful answer of an operation: its status, the type of its body, its meaning, its headers, its media type."""

    status: int
    body: object = None
    what: str = "Done."
    headers: tuple[str, ...] = ()
    media: str = "application/json"


class Foreign(NamedTuple):
    """How operations of another protocol say that a body is wrong: the shape of that, and the answer to what was read wrongly.

    `form`: bodies are forms, as pages send them (`application/x-www-form-urlencoded`).
    """

    shape: type[msgspec.Struct]
    refuse: Callable[[Refused], Reply]
    form: bool = False


class Call(Generic[B, Q]):
    """One request, parsed and checked: its caller, target and idempotency key.

    `root` is the path that the app is mounted under, `bare` whether exactly that was requested, without a trailing slash;
    `up` is the relative path from the requested path to the root.
    """

    __slots__ = (
        "_path",
        "bare",
        "body",
        "charged",
        "cost",
        "headers",
        "key",
        "peer",
        "principal",
        "query",
        "root",
        "running",
        "scheme",
        "standing",
        "token",
        "up",
    )

    def __init__(self, running: AppContext, scope: Surroundings) -> None:
        self.running = running
        self.headers: Mapping[bytes, bytes] = dict(scope["headers"])
        self.peer: str = (scope.get("client") or ("",))[0]
        self.root: str = scope.get(ROOT, "")
        self.bare: bool = scope.get(BARE, False)
        self.scheme: str = scope.get("scheme", "http")
        self.up: str = scope.get(UP, "")
        self.token = ""
        self.principal: Principal | None = None
        self.charged: Principal | None = None
        self.key = ""
        self.standing: QuotaState | None = None
        self.cost = Cost.NOTHING
        self.body: B
        self.query: Q
        self._path: Mapping[str, str] = scope["path_params"]

    def path(self, name: str, pattern: str) -> str:
        """Return a part of the path; a part that does not match its pattern does not exist."""
        text = self._path[name]
        if re.search(pattern, text) is None:
            raise Refused("not-found")
        return text

    def header(self, name: bytes) -> str:
        """Return a header, empty if there is none."""
        return self.headers.get(name, b"").decode("latin-1")

    @property
    def payer(self) -> str:
        """The holder whose quota is charged: the token, or the address without one."""
        return self.principal.token if self.principal is not None else address_of(self.peer)

    @property
    def listener(self) -> str:
        """The holder that a stream or a long poll of this call counts for."""
        return listener_of(self.principal)

    @property
    def place(self) -> str:
        """The address that matches of the caller are counted for; empty for an application that opens those of its users."""
        return "" if self.principal is not None and "embed" in self.principal.scopes else address_of(self.peer)

    async def charge(self, units: int) -> None:
        """Charge further units for a request that costs as much as that many others; raise TooMany."""
        limits = self.running.limits
        if limits is None or units < 1:
            return
        try:
            self.standing = await limits.pay_more(self.cost, self.charged, self.peer, units)
        except TooMany as refusal:
            self.standing = refusal.standing
            raise

    async def charge_later(self, units: int) -> None:
        """Charge further units for what has been done, as far as there are any: the next request is refused, and not this one."""
        with suppress(TooMany):
            await self.charge(units)

    @property
    def address(self) -> str:
        """The address of the service, as the client sees it."""
        base = self.running.base(self.root)
        return base if base.startswith("http") else f"{self.scheme}://{self.header(b'host')}{base}"

    @property
    def application(self) -> Application:
        """The application; raise Refused if it is not open."""
        return self.running.open_application()

    @property
    def match_id(self) -> MatchId:
        """The id of the match that the path names."""
        return MatchId(self.path("match", fields.MATCH_ID))

    @property
    def asker(self) -> PlayerId | None:
        """The calling player, if there is a token."""
        return self.principal.player if self.principal is not None else None

    @property
    def player(self) -> PlayerId:
        """The calling player, where a token is required."""
        assert self.principal is not None, "only operations that need a token ask for their player"
        return self.principal.player


class About(NamedTuple, Generic[B, Q]):
    """The inputs and outputs of an operation. `problems` are those that do not follow from the rest of it.

    `seat_tokens`: whether the token of a seat allows it in its match; what concerns the player elsewhere, or others, is not.
    `lent`: whether an application of others may do it for a player who has allowed it the scope. `foreign`: it belongs to
    another protocol, and says in its way what is wrong. `still`: whether a reply that was kept for a key still holds, where it
    may have become untrue; else the request is carried out again.
    """

    tag: str
    answers: tuple[Answer, ...]
    problems: tuple[str, ...]
    body: type[B]
    body_needed: bool
    query: type[Q]
    access: Access
    scope: Scope
    key: Key
    cost: Cost
    deprecated: Deprecated | None = None
    seat_tokens: bool = True
    lent: bool = False
    foreign: Foreign | None = None
    still: Callable[[Call[B, Q], Reply], Awaitable[bool]] | None = None


class Operation(Generic[B, Q]):
    """One operation: its request, access, answers, and implementation."""

    def __init__(self, method: str, path: str, name: str, about: About[B, Q], run: Run[B, Q]) -> None:
        self.method = method
        self.path = path
        self.name = name
        self.about = about
        self.run = run
        self.text = " ".join((run.__doc__ or "").split())
        self._decoder = msgspec.json.Decoder(about.body)
        self._no_query = None if any(each.required for each in msgspec.structs.fields(about.query)) else about.query()

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names in the path."""
        return tuple(re.findall(r"\{(\w+)\}", self.path))

    async def serve(self, call: Call[B, Q], scope: Surroundings, read: Callable[[], Awaitable[bytes]]) -> Reply | EventStream:
        """Answer one request; raise what `problem_of` knows. What is cheap to refuse is refused first."""
        require_small(scope["headers"])
        await self.admit(call, read_token(call.headers))
        running = self._read_and_carry_out(call, scope, read)
        if self.about.cost is Cost.PROOF and call.running.limits is not None:
            return await self._pay_if_refused(call, call.running.limits, running)
        return await running

    async def _read_and_carry_out(
        self, call: Call[B, Q], scope: Surroundings, read: Callable[[], Awaitable[bytes]]
    ) -> Reply | EventStream:
        """Run a call that was admitted, once its key, query and body are read."""
        about = self.about
        if about.key is not Key.NONE:
            call.key = self._key(call)
        raw_query = scope["query_string"]
        call.query = read_query(raw_query, about.query) if raw_query or self._no_query is None else self._no_query
        try:
            call.body = about.body() if about.body is Nothing else self._body(await read(), call)
        except Refused as refusal:
            if about.foreign is None or refusal.name != "invalid-request":
                raise
            return about.foreign.refuse(refusal)
        return await self.carry_out(call)

    async def admit(self, call: Call[B, Q], token: str | None) -> None:
        """Let a call in, however it came: who makes it may, and its quota is charged. *token*: None if there is none."""
        limits = call.running.limits if self.about.cost is not Cost.NOTHING else None
        if self.about.access is not Access.PUBLIC:
            await self._identify(call, token, limits)
        call.charged = call.principal
        if limits is not None:
            if self.about.access is Access.PUBLIC and token and self.about.cost not in OF_ADDRESS:
                call.charged = await call.application.accounts.find_holder(token)
            await self._pay(call, limits, self.about.cost)

    async def carry_out(self, call: Call[B, Q]) -> Reply | EventStream:
        """Run a call that was admitted, with its key, query and body; a read pays for the matches that it had loaded."""
        if self._is_kept(call):
            return await self._kept_reply(call)
        if call.running.limits is None or self.about.cost is not Cost.READ:
            return await self.run(call)
        loads.set(loaded := Loads())
        try:
            return await self.run(call)
        finally:
            if loaded.count:
                await call.charge_later(READS_PER_LOAD * loaded.count)

    async def _pay_if_refused(
        self, call: Call[B, Q], limits: Limits, running: Awaitable[Reply | EventStream]
    ) -> Reply | EventStream:
        """Return the reply to a call that brings proof of itself; charge it to its address if that is malformed or not valid."""
        try:
            reply = await running
        except Exception:
            await self._pay(call, limits, Cost.READ)
            raise
        if reply.status >= 400:
            await self._pay(call, limits, Cost.READ)
        return reply

    def _is_kept(self, call: Call[B, Q]) -> bool:
        return self.about.key is Key.KEPT and counts(call)

    async def _kept_reply(self, call: Call[B, Q]) -> Reply:
        path = [call.path(name, "") for name in self.parameters]
        request = fingerprint_of(self.name, path, msgspec.json.encode(call.query), msgspec.json.encode(call.body))
        still = partial(self.about.still, call) if self.about.still is not None else None
        return await kept_reply(call, request, lambda: self.run(call), still)

    async def _pay(self, call: Call[B, Q], limits: Limits, cost: Cost) -> None:
        """Charge the caller."""
        call.cost = cost
        try:
            call.standing = await limits.pay(cost, call.charged, call.peer)
        except TooMany as refusal:
            call.standing = refusal.standing if refusal.shown else None
            raise

    async def _identify(self, call: Call[B, Q], token: str | None, limits: Limits | None) -> None:
        """Identify the caller, and check whether the token allows this."""
        if token is None and self.about.access is Access.ANYBODY:
            return
        if not token:
            raise Refused("unauthenticated")
        call.token = token
        call.principal = await self._holder(call, limits)
        if self.about.scope.value not in call.principal.scopes:
            raise Refused("scope-missing", detail=f"scope {self.about.scope.value} is required")
        if call.principal.grant is not None and not self.about.lent:
            raise Refused("scope-missing", detail="applications of others may not do this for a player")
        if call.principal.match is not None:
            await self._confine(call, call.principal)

    async def _confine(self, call: Call[B, Q], holder: Principal) -> None:
        """Let a seat token do what concerns its seat in its match; elsewhere it is treated as no token."""
        if "match" in self.parameters and self.about.seat_tokens and call.match_id == holder.match:
            await call.application.seat_tokens.check(holder)
        elif "match" in self.parameters or self.about.access is Access.OWNED:
            raise Refused("scope-missing", detail="this token is for a single seat of a single match")
        else:
            call.principal = None

    async def _holder(self, call: Call[B, Q], limits: Limits | None) -> Principal:
        """Return who holds the token. Only guesses are limited: a token that shows that it was made here never waits."""
        accounts = call.application.accounts
        if (holder := accounts.at_once(call.token)) is not None:
            return holder
        is_guess = limits is not None and accounts.is_guess(call.token)
        if limits is not None and is_guess:
            limits.require_trust(call.peer)
        try:
            return await accounts.authenticate(call.token)
        except Unauthenticated:
            if limits is not None and is_guess:
                await limits.note_failure(call.peer)
            raise

    def _key(self, call: Call[B, Q]) -> str:
        key = read_key(call.headers)
        if key is None and self.about.key is Key.REQUIRED:
            raise Refused("idempotency-key-missing", field="Idempotency-Key")
        return key or ("" if self.about.key is Key.KEPT else secrets.token_hex(16))

    def _body(self, raw: bytes, call: Call[B, Q]) -> B:
        if self.about.foreign is not None and self.about.foreign.form:
            return read_form(raw, call.headers, self.about.body)
        if not raw and not self.about.body_needed:
            if self.about.access is Access.PUBLIC:
                require_preflight(call.headers)
            return self.about.body()
        require_json(call.headers)
        return read_body(raw, self._decoder)


Run = Callable[[Call[B, Q]], Awaitable[Reply | EventStream]]
AnyCall = Call[Any, Any]
AnyOperation = Operation[Any, Any]


def operation(  # noqa: PLR0913 - the parts of a description, each said by name
    method: str,
    path: str,
    name: str,
    *,
    tag: str,
    answers: tuple[Answer, ...],
    problems: tuple[str, ...] = (),
    body: type[B] = Nothing,
    body_needed: bool = True,
    query: type[Q] = Nothing,
    access: Access = Access.OWNED,
    scope: Scope = Scope.READ,
    key: Key = Key.NONE,
    cost: Cost | None = None,
    deprecated: Deprecated | None = None,
    seat_tokens: bool = True,
    lent: bool | None = None,
    foreign: Foreign | None = None,
    still: Callable[[Call[B, Q], Reply], Awaitable[bool]] | None = None,
) -> Callable[[Run[B, Q]], Operation[B, Q]]:
    """Make an operation of the function that carries it out; its docstring is the operation's description.

    What needs more than `read` or `play` is not lent to applications of others, unless *lent* says so: it could outlast what the
    player has allowed them. What gives a token, or changes whom the player knows and hears, is lent under no scope.
    """
    paid = cost or (Cost.READ if method == "GET" else Cost.COMMAND)
    lent = scope in {Scope.READ, Scope.PLAY} if lent is None else lent
    about = About(
        tag, answers, problems, body, body_needed, query, access, scope, key, paid, deprecated, seat_tokens, lent, foreign, still
    )
    return lambda run: Operation(method, path, name, about, run)
