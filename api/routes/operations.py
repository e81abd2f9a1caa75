"""Operations: health, figures, and the description of the API."""

from __future__ import annotations

import asyncio
import ipaddress

from ...service.errors import StoreUnavailable, Unauthenticated
from .. import docs, openapi, replies
from ..cors import SAME_ORIGIN
from ..limits import Cost
from ..metrics import MEDIA_TYPE as FIGURES
from ..operation import Access, Answer, AnyCall, Call, operation
from ..problems import Refused
from ..reading import read_token
from ..replies import SECRET, Reply
from ..schema.bodies import Health, Nothing, Scope

TAG = "operations"
READY_SECONDS = 2.0
SILENT = "The store does not answer."
FORWARDED = (b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip", b"via")


@operation(
    "GET",
    "/health/live",
    "getLiveness",
    tag=TAG,
    access=Access.PUBLIC,
    cost=Cost.NOTHING,
    answers=(Answer(200, Health, "The process answers."),),
)
async def get_liveness(_: Call[Nothing, Nothing]) -> Reply:
    """Check that the process answers."""
    return replies.json(Health(status="live"), *SECRET)


@operation(
    "GET",
    "/health/ready",
    "getReadiness",
    tag=TAG,
    access=Access.PUBLIC,
    cost=Cost.NOTHING,
    answers=(Answer(200, Health, "The service works."),),
)
async def get_readiness(call: Call[Nothing, Nothing]) -> Reply:
    """Check that the store answers and takes writes, and that the process is not about to stop; `detail` says what is missing."""
    if call.house.hub.draining:
        raise Refused("unavailable", detail="The process is about to stop.")
    try:
        async with asyncio.timeout(READY_SECONDS):
            await call.house.stores.events.require_writable()
    except (StoreUnavailable, TimeoutError) as error:
        refusal = error.refusal if isinstance(error, StoreUnavailable) else ""
        raise Refused("unavailable", detail=f"The store refuses writes: {refusal}." if refusal else SILENT) from None
    return replies.json(Health(status="ready"), *SECRET)


@operation(
    "GET",
    "/metrics",
    "getMetrics",
    tag=TAG,
    access=Access.PUBLIC,
    problems=("not-found",),
    answers=(Answer(200, str, "The figures.", (), "text/plain"),),
)
async def get_metrics(call: Call[Nothing, Nothing]) -> Reply:
    """Return metrics in Prometheus format to a token with the scope `admin`, or to this machine if the operator allows that.

    Everybody else is told that there is nothing: how often commands are accepted would tell who has passed in secret.
    """
    if not _local(call) and not await _operator(call):
        raise Refused("not-found")
    return replies.content(call.running.metrics.text(), FIGURES, *SECRET, SAME_ORIGIN)


def _local(call: AnyCall) -> bool:
    """Return whether this machine may look, and asks: the request was not passed on by a proxy on it."""
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
        return bool(token) and Scope.ADMIN.value in (await call.house.authenticate(token)).scopes
    except Unauthenticated:
        return False


@operation(
    "GET",
    "/openapi.json",
    "getOpenapi",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, dict, "The description."),),
)
async def get_openapi(call: Call[Nothing, Nothing]) -> Reply:
    """Return the description of this API."""
    return replies.content(openapi.served(tuple(call.running.games.values()), call.running.base(call.root)), replies.JSON)


@operation(
    "GET", "/docs", "getDocs", tag=TAG, access=Access.PUBLIC, answers=(Answer(200, str, "A page for people.", (), "text/html"),)
)
async def get_docs(call: Call[Nothing, Nothing]) -> Reply:
    """Show the description of this API as a page."""
    return replies.content(
        docs.api_page(tuple(call.running.games.values()), call.running.base(call.root)), docs.MEDIA_TYPE, *docs.HEADERS
    )


OPERATIONS = (get_liveness, get_readiness, get_metrics, get_openapi, get_docs)
