"""`python -m bench.framework`: what the parts of Litestar cost, beside ours for the same thing, in processor time per request.

Everything runs in this process without sockets: the app is called as a server calls it. So the figures are of the framework
alone, and processor time hardly depends on what else the machine does. Ways of doing a thing take turns, and the median counts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from statistics import median
from typing import Any, cast

import msgspec
from litestar import Litestar, Request, asgi, get, post
from litestar.config.cors import CORSConfig
from litestar.handlers import HTTPRouteHandler
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.response import ServerSentEvent
from litestar.types import ASGIApp, Receive, Scope, Send

from bench.figures import commit, keep, machine, today
from bench.scale import size, sized
from bench.trivial import ECHO, Echo, Note
from tafelrunde.api.http import response
from tafelrunde.api.http.context import METHOD
from tafelrunde.api.http.cors import Cors
from tafelrunde.api.http.request import read_all
from tafelrunde.api.http.sse import EventStream
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.quotas import Quotas
from tafelrunde.service.ports.quotas import Quota

ROUNDS, REQUESTS = size((15, 2_000), (2, 20))
EVENTS = 100
ORIGIN = "https://app.example"
BODY = b'{"decision":117,"command":{"type":"coup.claim-steal","target":"1"}}'
PATH = "/api/v1/matches/m4t0oq5lqfzyzpv3ohrhoe6dzz/commands"
TEMPLATE = "/api/v1/matches/{match:str}/commands"
_notes = msgspec.json.Decoder(Note)


class Part(msgspec.Struct, frozen=True):
    """One way to do something: microseconds of the processor for a request."""

    what: str
    way: str
    us: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """All figures of a run."""

    day: str
    commit: str
    machine: Mapping[str, str | int]
    parts: tuple[Part, ...]


def echoed(body: bytes) -> response.Reply:
    """Return the answer to a note, read and written as the API does it."""
    return response.json(Echo(_notes.decode(body).decision, ECHO))


@post(TEMPLATE, status_code=200)
async def typed(data: Note, match: str) -> Echo:  # noqa: ARG001 - the signature that such a handler has
    """Answer as Litestar's users do: body and parameters as arguments."""
    return Echo(data.decision, ECHO)


async def by_request(request: Request[Any, Any, Any]) -> ASGIApp:
    """Answer a bare request of Litestar."""
    return cast("ASGIApp", echoed(await request.body()))


@asgi(TEMPLATE, copy_scope=False)
async def raw(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer as plain ASGI behind Litestar's router."""
    await bare(scope, receive, send)


async def bare(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer as plain ASGI without anything before it."""
    headers = dict(scope["headers"])
    await echoed(await read_all(receive, cast("Mapping[bytes, bytes]", headers)))(scope, receive, send)


@asgi("/plain", copy_scope=False)
async def plain(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer nothing much."""
    await response.nothing(204)(scope, receive, send)


@get("/events")
async def their_events() -> ServerSentEvent:
    """Send events as Litestar does."""

    async def events() -> AsyncGenerator[dict[str, str]]:
        for number in range(EVENTS):
            yield {"id": str(number), "event": "item", "data": ECHO}

    return ServerSentEvent(events())


@asgi("/events", copy_scope=False)
async def our_events(scope: Scope, receive: Receive, send: Send) -> None:
    """Send events as the API does."""

    async def events() -> AsyncGenerator[bytes]:
        for number in range(EVENTS):
            yield b"id: %d\nevent: item\ndata: %s\n\n" % (number, ECHO.encode())

    await EventStream(events())(scope, receive, send)


def app(*handlers: Any, **more: Any) -> ASGIApp:
    """Return an app with nothing else in it."""
    return cast("ASGIApp", Litestar([*handlers], openapi_config=None, logging_config=None, **more))


def with_cors(inner: ASGIApp) -> ASGIApp:
    """Return an app behind the headers for other origins."""
    cors = Cors(ORIGIN)

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        await inner(scope, receive, cors.wrap({METHOD: "GET", **scope}, send))

    return outer


def with_limits(inner: ASGIApp) -> ASGIApp:
    """Return an app behind a quota, which is never used up."""
    quotas = Quotas(memory_stores().budgets, lambda: time.time_ns() // 1_000_000)
    quota = Quota("commands", 1_000_000)

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        if quotas.at_once(quota, "192.0.2.1") is None:
            await quotas.spend(quota, "192.0.2.1")
        await inner(scope, receive, send)

    return outer


def without_method(inner: ASGIApp) -> ASGIApp:
    """Return an app that is asked as `create_app` has it: the method is not Litestar's business."""

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        changed = cast("dict[str, Any]", {**scope})
        changed["method of bench"] = changed.pop("method")
        await inner(cast("Scope", changed), receive, send)

    return outer


def limited() -> ASGIApp:
    """Return an app with Litestar's limits, which are never used up."""
    return app(plain, middleware=[RateLimitConfig(rate_limit=("minute", 1_000_000_000)).middleware])


def ways() -> Mapping[str, tuple[tuple[str, ASGIApp], ...]]:
    """Return what to measure: for each thing the ways to do it."""
    request_handler = HTTPRouteHandler(TEMPLATE, http_method=["POST", "OPTIONS"], status_code=200)(by_request)
    return {
        "a small POST": (
            ("Litestar, typed handler", app(typed)),
            ("Litestar, handler of a bare request", app(request_handler)),
            ("Litestar's router, raw ASGI handler", without_method(app(raw))),
            ("bare ASGI", cast("ASGIApp", bare)),
        ),
        "a GET of another origin": (
            ("without CORS", app(plain)),
            ("Litestar's CORS", app(plain, cors_config=CORSConfig(allow_origins=[ORIGIN]))),
            ("our CORS", with_cors(app(plain))),
        ),
        "a GET with a quota": (
            ("without limits", app(plain)),
            ("Litestar's limits", limited()),
            ("our quotas", with_limits(app(plain))),
        ),
        f"a stream of {EVENTS} events": (
            ("Litestar's server-sent events", app(their_events)),
            ("our streams", app(our_events)),
        ),
    }


async def ask(one: ASGIApp, method: str, path: str, body: bytes) -> int:
    """Send one request and return the status of its answer."""
    headers = [(b"host", b"localhost"), (b"origin", ORIGIN.encode()), (b"content-type", b"application/json")]
    headers.append((b"content-length", b"%d" % len(body)))
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
    }
    scope |= {"path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers}
    scope |= {"client": ("192.0.2.1", 40_000), "server": ("localhost", 80)}
    rest = [body]
    status = 0
    complete = asyncio.Event()

    async def receive() -> Any:
        if rest:
            return {"type": "http.request", "body": rest.pop(), "more_body": False}
        await complete.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            complete.set()

    await one(cast("Scope", scope), receive, send)
    return status


REQUEST = {"a small POST": ("POST", PATH, BODY), "a stream": ("GET", "/events", b""), "a GET": ("GET", "/plain", b"")}


async def cost(one: ASGIApp, what: str, count: int) -> float:
    """Return microseconds of the processor for a request; raise RuntimeError on an unexpected status."""
    method, path, body = next(request for name, request in REQUEST.items() if what.startswith(name))
    if (status := await ask(one, method, path, body)) not in {200, 204}:
        raise RuntimeError(f"{what}: {status}")
    began = time.process_time()
    for _ in range(count):
        await ask(one, method, path, body)
    return 1e6 * (time.process_time() - began) / count


async def measure(what: str, chosen: tuple[tuple[str, ASGIApp], ...]) -> list[Part]:
    """Measure the ways to do one thing, in turns."""
    count = REQUESTS // EVENTS if "events" in what else REQUESTS
    rounds = [[await cost(one, what, max(1, count)) for _, one in chosen] for _ in range(ROUNDS)]
    return [Part(what, way, round(median(each), 1)) for (way, _), each in zip(chosen, zip(*rounds, strict=True), strict=True)]


def text_of(report: Report) -> str:
    """Return the report for people."""
    rows = "\n".join(f"| {part.what} | {part.way} | {part.us} |" for part in report.parts)
    where = f"{report.machine['cpu']}, Python {report.machine['python']}"
    rounds = f"median of {ROUNDS} rounds of {REQUESTS} requests"
    return (
        f"# The framework, {report.day}, {report.commit}\n\n"
        f"{where}; microseconds of the processor for a request, without server and sockets, {rounds}.\n\n"
        f"| what | how | us |\n|---|---|--:|\n{rows}\n"
    )


async def _main() -> None:
    parts = [part for what, chosen in ways().items() for part in await measure(what, chosen)]
    report = Report(day=today(), commit=commit(), machine=machine(), parts=tuple(parts))
    keep("framework", report, text_of(report))


def main() -> None:
    """Measure, print, write."""
    asyncio.run(_main())


if __name__ == "__main__":
    sized(__doc__)
    main()
