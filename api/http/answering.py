"""From an operation under way to its reply, whichever way it was called: errors become problems, and each answer is counted."""

from __future__ import annotations

import asyncio
import secrets
import time
import traceback
from collections.abc import Awaitable, Mapping

import structlog

from ...service import tracing
from ...service.matches.command_handler import correlation
from ..problem_types import KINDS, Kind
from ..problems import Refused, problem_of, retry_seconds_of
from . import response
from .operation import AnyCall, AnyOperation
from .rate_limits import headers_of
from .request import HungUp
from .sse import EventStream

HUNG_UP = 499
"""The status counted for a request whose client disconnected (nginx' number for that; it is never sent)."""
CUT_OFF = "The process stops before the answer is known: repeat the request, a command with the same key."

log = structlog.get_logger(__name__)

REQUEST_ID = b"x-request-id"
"""The header that every answer of an operation has; what its command writes, and what is logged of it, name the same id."""


async def answer(
    operation: AnyOperation, call: AnyCall, answering: Awaitable[response.Reply | EventStream]
) -> response.Reply | EventStream:
    """Return the reply of an operation that *answering* carries out, or the problem that it met. Never raises."""
    if tracing.is_on():
        return await _trace(operation, call, answering)
    return await _answer(operation, call, answering)


async def _trace(
    operation: AnyOperation, call: AnyCall, answering: Awaitable[response.Reply | EventStream]
) -> response.Reply | EventStream:
    """Answer within a span that goes on where the client's own trace is, if it sent one (`traceparent`)."""
    about = {"http.request.method": operation.method, "http.route": operation.path, "tafelrunde.operation": operation.name}
    parent = call.header(b"traceparent")
    with tracing.span(f"{operation.method} {operation.path}", about, kind=tracing.SERVER, parent=parent) as mark:
        reply = await _answer(operation, call, answering)
        mark.set("http.response.status_code", reply.status)
        return reply


async def _answer(
    operation: AnyOperation, call: AnyCall, answering: Awaitable[response.Reply | EventStream]
) -> response.Reply | EventStream:
    began = time.perf_counter()
    service = call.running
    request_id = identify_request()
    try:
        reply = await answering
    except asyncio.CancelledError:  # a server that stops does that to what takes too long, and would answer 500 itself
        reply = refuse(Refused("unavailable", detail=CUT_OFF), operation.name)
    except HungUp:
        log.debug("client disconnected while sending its body", operation=operation.name)
        reply = response.nothing(HUNG_UP)
    except Exception as error:
        reply = refuse(error, operation.name, service.contract.problems)
    reply.headers.append(request_id)
    if call.standing is not None:
        reply.headers.extend(headers_of(call.standing))
    if operation.about.deprecated is not None:
        reply.headers.extend(operation.about.deprecated.headers)
    service.metrics.count(operation.name, reply.status, reply.problem, time.perf_counter() - began)
    return reply


def identify_request() -> response.Header:
    """Give the request that is being answered its id, the same as that of its trace if there is one; return the header for it."""
    request_id = tracing.correlation_id() or secrets.token_hex(8)
    correlation.set(request_id)
    return REQUEST_ID, request_id.encode()


def refuse(error: Exception, operation: str, kinds: Mapping[str, Kind] = KINDS) -> response.Reply:
    """Return the reply for an error. An unexpected one is logged: where it happened, but no values."""
    problem = problem_of(error, kinds)
    if problem.status == 500:
        trace = "".join(traceback.format_tb(error.__traceback__))
        log.error("request failed", operation=operation, request=correlation.get(), error=type(error).__name__, exception=trace)
    return response.problem(problem, retry_seconds_of(error))
