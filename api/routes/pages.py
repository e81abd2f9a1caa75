"""Web pages beside the API: they are not part of its contract."""

from __future__ import annotations

from ...service.errors import StoreUnavailable
from ..http import response, static_files
from ..http.operation import Access, Answer, AnyCall, Call, operation
from ..http.rate_limits import Cost
from ..http.response import Reply
from ..pages import match, preview, problems
from ..problems import PAGES, Refused
from ..schema import fields
from ..schema.common import Nothing, Request

TAG = "pages"
WEB, MATCH, EMBED = FOLDERS = ("/web/", "/match/", "/embed/")
KEYS = "/.well-known/tafelrunde-keys"
PAGE = (Answer(200, str, "An HTML page.", (), "text/html"),)


@operation("GET", "/", "welcome", tag=TAG, access=Access.PUBLIC, cost=Cost.NOTHING, answers=PAGE)
async def welcome(call: Call[Nothing, Nothing]) -> Reply:
    """Show the web client. Its relative addresses need the slash at the end of a mount's path."""
    if call.bare:
        return response.nothing(307, (b"location", f"{call.running.base(call.root)}/".encode()))
    shown = preview.of_service(preview.language_of(call.header(b"accept-language")))
    return _page(call, match.lobby_page(call.address, shown))


@operation("GET", "/favicon.ico", "getIcon", tag=TAG, access=Access.PUBLIC, cost=Cost.NOTHING, answers=PAGE)
async def get_icon(call: Call[Nothing, Nothing]) -> Reply:
    """Return the icon of the client: browsers look for one here when a page, or an answer of the API, names none."""
    return static_files.file(static_files.ICON).reply(call.header(b"accept-encoding"), call.header(b"if-none-match"))


@operation("GET", "/worker.js", "getWorker", tag=TAG, access=Access.PUBLIC, cost=Cost.NOTHING, answers=PAGE)
async def get_worker(call: Call[Nothing, Nothing]) -> Reply:
    """Return the worker of the client: it stands beside the page, because a worker is for what is below its own address."""
    return static_files.worker().reply(call.header(b"accept-encoding"), call.header(b"if-none-match"))


@operation("GET", WEB + "{file}", "getFile", tag=TAG, access=Access.PUBLIC, cost=Cost.NOTHING, answers=PAGE)
async def get_file(call: Call[Nothing, Nothing]) -> Reply:
    """Return a file of the web client; for a module, one that imports the current version."""
    found = static_files.find(call.path("file", fields.FILE))
    if found is None:
        raise Refused("not-found")
    return found.reply(call.header(b"accept-encoding"), call.header(b"if-none-match"))


@operation("GET", WEB + "{version}/{file}", "getKeptFile", tag=TAG, access=Access.PUBLIC, cost=Cost.NOTHING, answers=PAGE)
async def get_kept_file(call: Call[Nothing, Nothing]) -> Reply:
    """Return a file of the web client at a versioned address: browsers cache it permanently."""
    return _reply_kept(call, call.path("file", fields.FILE))


@operation(
    "GET", WEB + "{version}/{folder}/{file}", "getKeptModule", tag=TAG, access=Access.PUBLIC, cost=Cost.NOTHING, answers=PAGE
)
async def get_kept_module(call: Call[Nothing, Nothing]) -> Reply:
    """Return a module in a folder of the web client, at a versioned address: browsers cache it permanently."""
    return _reply_kept(call, f"{call.path('folder', fields.FOLDER)}/{call.path('file', fields.FILE)}")


def _reply_kept(call: Call[Nothing, Nothing], name: str) -> Reply:
    found = static_files.found_in(call.path("version", fields.VERSION), name)
    if found is None:
        raise Refused("not-found")
    file, headers = found
    return file.reply(call.header(b"accept-encoding"), call.header(b"if-none-match"), headers)


class FrameQuery(Request, frozen=True):
    """What the frame is for. A token is never a part of it: that comes behind the #, which is not sent, or by message."""

    spectator: bool = False


@operation("GET", MATCH + "{match}", "showMatch", tag=TAG, access=Access.PUBLIC, cost=Cost.NOTHING, answers=PAGE)
async def show_match(call: Call[Nothing, Nothing]) -> Reply:
    """Show the web client at a match, whether it exists or not. Other sites learn what anyone with the link may know of it."""
    return _page(call, match.match_page(call.match_id, call.address, call.up, await _preview(call)))


async def _preview(call: AnyCall) -> preview.Preview:
    """Return what other sites show of a match. The page itself is there for everyone: what is asked for too often says less."""
    language = preview.language_of(call.header(b"accept-language"))
    try:
        if (limits := call.running.limits) is not None:
            await limits.pay(Cost.READ, None, call.peer)
        found = await call.application.queries.preview(call.match_id)
    except (Refused, StoreUnavailable):
        found = None
    return preview.of_service(language) if found is None else preview.of_match(found, call.running.games, language)


@operation(
    "GET", EMBED + "{match}", "showFrame", tag=TAG, access=Access.PUBLIC, cost=Cost.NOTHING, query=FrameQuery, answers=PAGE
)
async def show_frame(call: Call[Nothing, FrameQuery]) -> Reply:
    """Show a match for embedding in another page: for a seat, or for watching only."""
    spectator = call.query.spectator
    hosts = match.hosts_of(call.running.settings.cors_origins, spectator=spectator)
    return _page(call, match.frame_page(call.match_id, call.up, hosts, spectator=spectator), match.ancestors(hosts))


def _page(call: AnyCall, body: bytes, ancestors: str = "'none'") -> Reply:
    page = static_files.page(body)
    sent = static_files.headers(ancestors, vary=b"Accept-Encoding, Accept-Language")
    return page.reply(call.header(b"accept-encoding"), call.header(b"if-none-match"), sent)


@operation("GET", PAGES, "listProblems", tag=TAG, access=Access.PUBLIC, cost=Cost.NOTHING, answers=PAGE)
async def list_problems(call: Call[Nothing, Nothing]) -> Reply:
    """List all types of problems."""
    return response.content(
        problems.problems_page(call.running.contract.problems, call.running.base(call.root)),
        problems.MEDIA_TYPE,
        *problems.HEADERS,
    )


@operation("GET", PAGES + "{problem}", "showProblem", tag=TAG, access=Access.PUBLIC, cost=Cost.NOTHING, answers=PAGE)
async def show_problem(call: Call[Nothing, Nothing]) -> Reply:
    """Explain one type of problem."""
    name = call.path("problem", fields.PROBLEM)
    if (kind := call.running.contract.problems.get(name)) is None:
        raise Refused("not-found")
    page = problems.problem_page(name, kind, call.running.base(call.root))
    return response.content(page, problems.MEDIA_TYPE, *problems.HEADERS)


OPERATIONS = (
    welcome,
    get_icon,
    get_worker,
    get_file,
    get_kept_file,
    get_kept_module,
    show_match,
    show_frame,
    list_problems,
    show_problem,
)
