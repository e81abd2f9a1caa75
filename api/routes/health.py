"""Operations: health, metrics, and the description of the API."""

from __future__ import annotations

import asyncio
import ipaddress
from contextlib import suppress
from typing import Annotated

from msgspec import UNSET, Meta

from ...service.errors import StoreUnavailable, Unauthenticated
from ..http import response
from ..http.context import Document
from ..http.cors import SAME_ORIGIN
from ..http.metrics import MEDIA_TYPE as FIGURES
from ..http.operation import Access, Answer, AnyCall, Call, operation
from ..http.rate_limits import Cost
from ..http.request import read_token
from ..http.response import SECRET, Reply
from ..pages import problems
from ..problems import Refused
from ..schema.common import Health, Nothing, Request, Scope

TAG = "operations"
FIGURES_SECONDS = 2.0
FORWARDED = (b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip", b"via")


class ContractQuery(Request, frozen=True):
    """Which form of the contract."""

    growing: Annotated[
        bool, Meta(description="Whether unions and enums that may grow take unknown members too: for clients that validate.")
    ] = False


@operation(
    "GET",
    "/health/live",
    "getLiveness",
    tag=TAG,
    access=Access.PUBLIC,
    cost=Cost.NOTHING,
    answers=(Answer(200, Health, "The process is alive."),),
)
async def get_liveness(_: Call[Nothing, Nothing]) -> Reply:
    """Liveness check: the process responds."""
    return response.json(Health(status="live"), *SECRET)


@operation(
    "GET",
    "/health/ready",
    "getReadiness",
    tag=TAG,
    access=Access.PUBLIC,
    cost=Cost.NOTHING,
    answers=(Answer(200, Health, "The service is ready."),),
)
async def get_readiness(call: Call[Nothing, Nothing]) -> Reply:
    """Readiness check: commands are accepted, and processes that play bots and clocks are alive. `detail` names what is missing.

    The answer may be a second old. While only archived matches cannot be read, the service is ready, and `detail` says so.
    """
    if call.application.draining:
        raise Refused("unavailable", detail="The process is shutting down.")
    if missing := await call.application.readiness.missing():
        raise Refused("unavailable", detail=missing)
    unread = await call.application.archive_watch.missing()
    return response.json(Health(status="ready", detail=unread or UNSET), *SECRET)


@operation(
    "GET",
    "/metrics",
    "getMetrics",
    tag=TAG,
    access=Access.PUBLIC,
    problems=("not-found",),
    answers=(Answer(200, str, "The metrics.", (), "text/plain"),),
)
async def get_metrics(call: Call[Nothing, Nothing]) -> Reply:
    """Get metrics in Prometheus format. Requires the scope `admin`, or a request from this machine if the operator allows that.

    Other callers get 404: the number of accepted commands would reveal who has secretly passed.
    """
    if not _local(call) and not await _operator(call):
        raise Refused("not-found")
    call.running.metrics.note_archives(unreadable=bool(await call.application.archive_watch.missing()))
    with suppress(StoreUnavailable, TimeoutError):  # metrics are most useful while something is wrong
        call.running.metrics.note_memory(None)
        async with asyncio.timeout(FIGURES_SECONDS):
            call.running.metrics.note_alarms(await call.application.alarms())
            call.running.metrics.note_failing(len(await call.application.failures.resting()))
            call.running.metrics.note_memory(await call.application.memory())
    return response.content(call.running.metrics.text(), FIGURES, *SECRET, SAME_ORIGIN)


def _local(call: AnyCall) -> bool:
    """Return whether this machine may read them, and is the caller: no proxy on it passed the request on."""
    if not call.running.settings.metrics_local:
        return False
    try:
        loopback = ipaddress.ip_address(call.peer).is_loopback
    except ValueError:
        return False
    return loopback and not any(name in call.headers for name in FORWARDED)


async def _operator(call: AnyCall) -> bool:
    token = read_token(call.headers)
    try:
        return bool(token) and Scope.ADMIN.value in (await call.application.accounts.authenticate(token)).scopes
    except Unauthenticated:
        return False


@operation(
    "GET",
    "/openapi.json",
    "getOpenapi",
    tag=TAG,
    access=Access.PUBLIC,
    query=ContractQuery,
    answers=(Answer(200, dict, "The OpenAPI document."),),
)
async def get_openapi(call: Call[Nothing, ContractQuery]) -> Reply:
    """Get this OpenAPI contract."""
    return _document(call, call.running.contract.openapi)


@operation(
    "GET",
    "/asyncapi.json",
    "getAsyncapi",
    tag=TAG,
    access=Access.PUBLIC,
    query=ContractQuery,
    answers=(Answer(200, dict, "The AsyncAPI document."),),
)
async def get_asyncapi(call: Call[Nothing, ContractQuery]) -> Reply:
    """Get the AsyncAPI contract of the socket, whose frames have the same shapes in them."""
    return _document(call, call.running.contract.asyncapi)


def _document(call: Call[Nothing, ContractQuery], document: Document) -> Reply:
    games = tuple(call.running.games.values())
    return response.content(document(games, call.running.base(call.root), growing=call.query.growing), response.JSON)


@operation(
    "GET", "/docs", "getDocs", tag=TAG, access=Access.PUBLIC, answers=(Answer(200, str, "An HTML page.", (), "text/html"),)
)
async def get_docs(call: Call[Nothing, Nothing]) -> Reply:
    """Browse the API reference as a web page."""
    return response.content(
        call.running.contract.page(tuple(call.running.games.values()), call.running.base(call.root)),
        problems.MEDIA_TYPE,
        *problems.HEADERS,
    )


OPERATIONS = (get_liveness, get_readiness, get_metrics, get_openapi, get_asyncapi, get_docs)
