"""The application: all operations on Litestar, mountable under any path of any ASGI host."""

from __future__ import annotations

import itertools
import os
import time
import traceback
import warnings
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import Any, TypeAlias, cast

import structlog
from litestar import Litestar, Request, Response
from litestar.exceptions import HTTPException, InternalServerException, MethodNotAllowedException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, ControllerRouterHandler, Method, Receive, Scope, Send

from ..service.application import Application
from ..service.matches.command_handler import correlation
from ..service.settings import Settings, read_settings
from .contract.openapi import served
from .contract.reference import api_page
from .http import response
from .http.context import BARE, ROOT, UP, AppContext, Contract
from .http.cors import OFF, Cors
from .http.operation import AnyCall, AnyOperation, Call, Key
from .http.rate_limits import headers_of
from .http.sse import EventStream
from .problems import MEDIA_TYPE as PROBLEM_TYPE
from .problems import PAGES, Refused, problem_of
from .routes import ALL, pages

PREFIX = "/api/v1"
BODY_BYTES = 64 * 1024
HUNG_UP = 499
"""What a request counts as whose client has hung up in it (nginx' number for that; it is never sent)."""

AnyRequest: TypeAlias = Request[Any, Any, Any]

log = structlog.get_logger(__name__)
_numbers = itertools.count(1)


class HungUp(Exception):
    """The client disconnected before its request was complete: no answer can reach it, and nothing went wrong here."""


class Api(Litestar):
    """Litestar with the mount's path removed, and HEAD handled as GET (servers omit the body)."""

    cors: Cors | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # type: ignore[override]  # the parent types the scopes of requests and lifespan in one overload
        """Answer one request, or run the lifespan."""
        if scope["type"] == "http":
            scope = _at_root(cast("Mapping[str, Any]", scope))
            send = send if self.cors is None else self.cors.telling(scope, send)
        await super().__call__(scope, receive, send)


def _at_root(scope: Mapping[str, Any]) -> Scope:
    """Return the scope as if the app were not mounted."""
    root: str = scope.get("root_path", "").rstrip("/")
    path = _inner(scope["path"], root)
    own = {ROOT: root, BARE: scope["path"] in {"", root}, UP: "../" * (path.count("/") - 1)}
    changed = {**own, "path": path, "root_path": ""}
    if scope["method"] == "HEAD":
        changed["method"] = "GET"
    return cast("Scope", {**scope, **changed})


def _inner(path: str, root: str) -> str:
    """Return the path inside of the mount. Hosts differ in whether they leave the mount in it, and it may look like ours."""
    if path != root and not path.startswith(f"{root}/"):
        return path
    rest = path[len(root) :] or "/"
    return rest if _is_ours(rest) or not _is_ours(path) else path


def _is_ours(path: str) -> bool:
    return path == "/" or path.startswith((PREFIX, PAGES, *pages.FOLDERS))


def create_app(
    settings: Settings | None = None,
    *,
    application: Application | None = None,
    tend: bool = False,
    house: Application | None = None,
) -> Litestar:
    """Return the API as an ASGI app.

    Without *application* it connects to the server that *settings* (read from the environment if None) name. A host that
    mounts the app runs its lifespan with `running(app)`. With *tend* this process also lets bots play and clocks run out, and
    keeps the lists: for a host without workers. *house* is the old name of *application*.
    """
    if house is not None:
        warnings.warn("create_app(house=...) is now create_app(application=...)", DeprecationWarning, stacklevel=2)
        application = house
    chosen = settings or (application.settings if application is not None else read_settings(os.environ))
    service = AppContext(chosen, application, Contract(served, api_page))

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncGenerator[None]:
        async with service.lifespan(), service.tending() if tend else nullcontext():
            yield

    app = Api(
        route_handlers=[*_handlers(PREFIX, ALL, service), *_handlers("", pages.OPERATIONS, service)],
        lifespan=[lifespan],
        openapi_config=None,
        logging_config=None,
        request_max_body_size=BODY_BYTES,
        exception_handlers={HTTPException: _refuse, Exception: _refuse},
    )
    app.cors = Cors(chosen.cors_origins) if chosen.cors_origins != OFF else None
    app.state.running = service
    return app


@asynccontextmanager
async def running(app: Litestar) -> AsyncGenerator[None]:
    """Run the lifespan of an app that is mounted in another one: hosts do not do it by themselves."""
    async with app.lifespan():
        yield


def _handlers(prefix: str, operations: Iterable[AnyOperation], service: AppContext) -> Iterator[ControllerRouterHandler]:
    """Yield one handler for every path. It takes the bare request: nothing is parsed twice."""
    paths: defaultdict[str, dict[str, AnyOperation]] = defaultdict(dict)
    for operation in operations:
        paths[operation.path][operation.method] = operation
    for path, methods in paths.items():
        named = cast("list[Method]", [*methods, "OPTIONS"])
        yield HTTPRouteHandler(prefix + path.replace("}", ":str}"), http_method=named, status_code=200)(_handle(methods, service))


def _handle(methods: Mapping[str, AnyOperation], service: AppContext) -> Callable[[AnyRequest], Awaitable[ASGIApp]]:
    """Return what answers the requests for one path."""
    allowed = response.nothing(204, (b"allow", _with_head(", ".join([*methods, "OPTIONS"])).encode()))

    async def handle(request: AnyRequest) -> ASGIApp:
        operation = methods.get(request.scope["method"])
        return cast("ASGIApp", allowed if operation is None else await _answer(operation, service, request))

    return handle


async def _answer(operation: AnyOperation, service: AppContext, request: AnyRequest) -> response.Reply | EventStream:
    began = time.perf_counter()
    if operation.about.key is not Key.NONE:
        correlation.set(f"{service.id}-{next(_numbers)}")
    scope = cast("Mapping[str, Any]", request.scope)
    call: AnyCall = Call(service, scope)
    try:
        reply = await operation.serve(call, scope, _body_of(request))
    except HungUp:
        log.debug("client disconnected while sending its body", operation=operation.name)
        reply = response.nothing(HUNG_UP)
    except Exception as error:
        reply = _problem(error, operation.name)
    if call.standing is not None:
        reply.headers.extend(headers_of(call.standing))
    service.metrics.count(operation.name, reply.status, reply.problem, time.perf_counter() - began)
    return reply


def _body_of(request: AnyRequest) -> Callable[[], Awaitable[bytes]]:
    """Return what reads the body. Litestar has an error of the server for a client that hangs up before the end of it."""

    async def read() -> bytes:
        try:
            return await request.body()
        except InternalServerException:
            raise HungUp from None

    return read


def _problem(error: Exception, operation: str) -> response.Reply:
    """Return the reply for an error. An unexpected one is logged: where it happened, but no values."""
    told = problem_of(error)
    if told.status == 500:
        trace = "".join(traceback.format_tb(error.__traceback__))
        log.error("request failed", operation=operation, error=type(error).__name__, exception=trace)
    return response.problem(told, error.retry_seconds) if isinstance(error, Refused) else response.problem(told)


def _refuse(_: AnyRequest, error: Exception) -> Response[Any]:
    """Tell of what Litestar itself refuses: paths and methods."""
    reply = _problem(error, "none")
    headers = {name.decode(): value.decode() for name, value in reply.headers if name not in {b"content-type", b"content-length"}}
    if isinstance(error, MethodNotAllowedException):
        headers["allow"] = _with_head((error.headers or {}).get("allow", ""))
    return Response(reply.body, status_code=reply.status, headers=headers, media_type=PROBLEM_TYPE.decode())


def _with_head(allowed: str) -> str:
    """Return the methods of a path; wherever GET works, HEAD does."""
    methods = {each.strip() for each in allowed.split(",") if each.strip()}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))
