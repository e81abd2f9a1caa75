"""The application: all operations on Litestar, mountable under any path of any ASGI host."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from litestar import Litestar, Request, Response, asgi
from litestar.config.app import AppConfig
from litestar.exceptions import HTTPException, MethodNotAllowedException
from litestar.plugins import PluginProtocol
from litestar.types import Receive, Scope, Send
from litestar.utils import normalize_path

from ..service import tracing
from ..service.application import Application
from ..service.environment import read_settings
from ..service.feature import Feature
from ..service.features.registry import FEATURES
from ..service.runtime.siblings import Siblings
from ..service.settings import Settings
from .contract import asyncapi, openapi
from .contract.reference import api_page
from .features import api_of, frames_of, operations, pages_of, problem_kinds
from .http import response
from .http.answering import answer, identify_request, refuse
from .http.context import BARE, METHOD, ROOT, UP, AppContext, Contract
from .http.cors import OFF, Cors
from .http.operation import AnyCall, AnyOperation, Call
from .http.request import read_all
from .http.sse import EventStream
from .pages.problems import HEADERS as HTML_HEADERS
from .pages.problems import MEDIA_TYPE as HTML
from .pages.problems import lost_page, wants_page
from .problems import PAGES, Refused
from .routes import pages
from .socket import asgi as socket
from .socket import frames

if TYPE_CHECKING:
    from litestar._asgi.asgi_router import ASGIRouter  # a private name, which only annotations need

PREFIX = "/api/v1"
_HOST = re.compile(rb"([0-9A-Za-z!$&'()*+,;=\-._~%]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{0,5})?")
"""What a Host header may say: a name or an address, and a port. It stands in addresses that pages show."""

AnyRequest: TypeAlias = Request[Any, Any, Any]
Endpoint: TypeAlias = Callable[[Mapping[str, Any], Receive], Awaitable["response.Reply | EventStream"]]


class Api(Litestar):
    """Litestar with the mount's path removed, and HEAD handled as GET (servers omit the body).

    What the router finds is answered without the state that Litestar makes for each request; the rest Litestar refuses.
    """

    cors: Cors | None = None
    router: ASGIRouter
    endpoints: Mapping[str, Endpoint]
    service: AppContext

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        """Return no further plugins: those of Pydantic and attrs would import both, and no handler here needs them."""
        return plugins

    @staticmethod
    def _patch_opentelemetry_middleware(config: AppConfig) -> AppConfig:
        """Return the same settings: Litestar would look each time for its own tracing, which nothing here uses."""
        return config

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # type: ignore[override]  # the parent types the scopes of requests and lifespan in one overload
        """Answer one request, serve one socket, or run the lifespan."""
        if scope["type"] == "websocket":
            is_there = _inner(scope["path"], _root(scope)).rstrip("/") == PREFIX + frames.PATH
            await socket.serve(self.service, self.cors, cast("Mapping[str, Any]", scope), receive, send, is_there=is_there)
            return
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        rooted = _at_root(cast("Mapping[str, Any]", scope))
        endpoint = self._find(rooted)
        if endpoint is None:
            send = send if self.cors is None else self.cors.wrap(rooted, send)
            await super().__call__(cast("Scope", rooted), receive, send)
            return
        reply = await endpoint(rooted, receive)
        if self.cors is not None:
            reply.headers.extend(self.cors.headers(rooted, reply.headers))
        await reply(scope, receive, send)

    def _find(self, scope: dict[str, Any]) -> Endpoint | None:
        """Return what answers a request, and note the parameters of its path; None if Litestar refuses it."""
        host = next((value for name, value in scope["headers"] if name == b"host"), None)
        if host is not None and _HOST.fullmatch(host) is None:
            return _no_host
        try:
            _, _, _, scope["path_params"], template = self.router.handle_routing(path=normalize_path(scope["path"]), method=None)
        except HTTPException:
            return None
        return self.endpoints[template]


def _at_root(scope: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scope as if the app were not mounted, without its method.

    All our handlers take every method, and Litestar looks for the parameters of such a path only where there is none.
    """
    root = _root(scope)
    path = _inner(scope["path"], root)
    method = scope["method"]
    rooted = {
        **scope,
        ROOT: root,
        BARE: scope["path"] in {"", root},
        UP: "../" * (path.count("/") - 1),
        METHOD: "GET" if method == "HEAD" else method,
        "path": path,
        "root_path": "",
    }
    del rooted["method"]
    return rooted


def _root(scope: Mapping[str, Any]) -> str:
    """Return the path of the mount."""
    return scope["root_path"].rstrip("/") if scope.get("root_path") else ""


def _inner(path: str, root: str) -> str:
    """Return the path inside of the mount. Hosts differ in whether they leave the mount in it, and it may look like ours."""
    if path != root and not path.startswith(f"{root}/"):
        return path
    rest = path[len(root) :] or "/"
    return rest if _is_ours(rest) or not _is_ours(path) else path


def _is_ours(path: str) -> bool:
    return path == "/" or path.startswith((PREFIX, PAGES, pages.KEYS, *pages.FOLDERS))


def create_app(
    settings: Settings | None = None,
    *,
    application: Application | None = None,
    tend: bool = False,
    patient: bool = False,
    siblings: Siblings | None = None,
    features: Sequence[Feature] = FEATURES,
) -> Litestar:
    """Return the API as an ASGI app.

    Without *application* it connects to the server that *settings* (read from the environment if None) name. A host that
    mounts the app runs its lifespan with `running(app)`. With *tend* this process also lets bots play and clocks run out, and
    keeps the lists: for a host without workers. With *patient* it starts although that server is down, and answers 503 until it
    is there. *siblings* are the processes that answer at the same address.
    *features* are those of an application that it makes itself.
    """
    chosen = settings or (application.settings if application is not None else read_settings(os.environ))
    if chosen.otel:
        tracing.use()
    attached = application.features if application is not None else tuple(features)
    names = tuple(each.name for each in attached)
    on = tuple(each.name for each in attached if each.on(chosen))
    contract = Contract(
        partial(openapi.contract_bytes, features=on),
        partial(asyncapi.served, features=on),
        partial(api_page, features=on),
        problem_kinds(names),
    )
    describe = [found for name in names if (found := api_of(name).describe) is not None]
    service = AppContext(chosen, application, contract, features=attached, describe=describe, patient=patient, siblings=siblings)
    service.keep(frames_of(names))

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncGenerator[None]:
        async with service.lifespan(), service.tending() if tend else nullcontext():
            yield

    app = Api(
        lifespan=[lifespan],
        openapi_config=None,
        logging_config=None,
        exception_handlers={HTTPException: _refuse, Exception: _refuse},
    )
    app.endpoints = {path: _endpoint(methods, service) for path, methods in _paths(names).items()}
    app.router = _router(*app.endpoints)
    app.service = service
    app.cors = Cors(chosen.cors_origins) if chosen.cors_origins != OFF else None
    app.state.running = service
    return app


@asynccontextmanager
async def running(app: Litestar) -> AsyncGenerator[None]:
    """Run the lifespan of an app that is mounted in another one: hosts do not do it by themselves."""
    async with app.lifespan():
        yield


@cache
def _router(*paths: str) -> ASGIRouter:
    """Return what finds the path of a request among all paths: one for all apps, because Litestar is slow to make it."""

    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        raise NotImplementedError

    found = [path.replace("}", ":str}") for path in paths]
    return Api([asgi(found, copy_scope=False)(handle)], openapi_config=None, logging_config=None).asgi_router


def _paths(features: Sequence[str]) -> Mapping[str, Mapping[str, AnyOperation]]:
    """Return the operations of every path, by method; paths as Litestar has them, without a slash at the end."""
    paths: defaultdict[str, dict[str, AnyOperation]] = defaultdict(dict)
    for prefix, offered in ((PREFIX, operations(features)), ("", (*pages.OPERATIONS, *pages_of(features)))):
        for operation in offered:
            paths[normalize_path(prefix + operation.path)][operation.method] = operation
    return paths


def _endpoint(methods: Mapping[str, AnyOperation], service: AppContext) -> Endpoint:
    """Return what answers the requests for one path."""
    allow = _with_head(", ".join([*methods, "OPTIONS"]))

    async def endpoint(scope: Mapping[str, Any], receive: Receive) -> response.Reply | EventStream:
        operation = methods.get(scope[METHOD])
        if operation is not None:
            call: AnyCall = Call(service, scope)
            reply = await answer(operation, call, operation.serve(call, scope, partial(read_all, receive, call.headers)))
            lost = reply.status == 404 and operation.about.tag == pages.TAG
            return _page_for_lost(reply.status, call.up) if lost and wants_page(call.header(b"accept")) else reply
        if scope[METHOD] == "OPTIONS":
            return response.nothing(204, (b"allow", allow.encode()))
        return _refusal(MethodNotAllowedException(headers={"allow": allow}))

    return endpoint


async def _no_host(_: Mapping[str, Any], __: Receive) -> response.Reply:
    return _refusal(Refused("invalid-request", field="Host"))


def _refuse(request: AnyRequest, error: Exception) -> Response[Any]:
    """Return the problem for what Litestar itself refuses; where no page is, people who look for one get a page that says so."""
    reply = _refusal(error)
    if reply.status == 404 and not request.scope["path"].startswith("/api/") and wants_page(request.headers.get("accept", "")):
        reply = _page_for_lost(reply.status, cast("Mapping[str, Any]", request.scope)[UP])
    headers = {name.decode(): value.decode() for name, value in reply.headers if name not in {b"content-type", b"content-length"}}
    media_type = dict(reply.headers)[b"content-type"].decode().partition(";")[0]  # for a text it adds the charset itself
    return Response(reply.body, status_code=reply.status, headers=headers, media_type=media_type)


def _page_for_lost(status: int, up: str) -> response.Reply:
    """Return the page for people at an address that has none."""
    return response.content(lost_page(up), HTML, *HTML_HEADERS, (b"vary", b"Accept"), status=status)


def _refusal(error: Exception) -> response.Reply:
    """Return the problem for a wrong path, method or host."""
    request_id = identify_request()
    reply = refuse(error, "none")
    reply.headers.append(request_id)
    if isinstance(error, MethodNotAllowedException):
        reply.headers.append((b"allow", _with_head((error.headers or {}).get("allow", "")).encode()))
    return reply


@cache
def _with_head(allowed: str) -> str:
    """Return the methods of a path; wherever GET works, HEAD does."""
    methods = {each.strip() for each in allowed.split(",") if each.strip()}
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))
