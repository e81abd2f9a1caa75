"""Play: looking at a table, and giving commands."""

from __future__ import annotations

from typing import Annotated, TypeVar

from msgspec import Meta

from ...domain.game import Command, DecisionId, RuleViolation, Seat
from ...service.views.feeds import Cursor
from ...service.views.queries import Seen
from ...service.views.viewers import Viewer
from ..http import response
from ..http.operation import Access, Answer, AnyCall, Call, Key, operation
from ..http.request import read_body
from ..http.response import PRIVATE, REPLAYED, Reply
from ..problems import Refused, violation
from ..schema import presenters
from ..schema.common import Nothing, Request, Scope
from ..schema.fields import PUBLIC, CursorText, Perspective
from ..schema.play import CommandRequest, ReceiptBody, ViewBody, ViewPage
from .matches import receipt_reply

Found = TypeVar("Found")

TAG = "play"
ITEMS_FOLDED = 300
"""Building a view of the past from this many items of the feed costs about as much as another read."""


class ViewQuery(Request, frozen=True):
    """At which point of the viewer's feed."""

    at: Annotated[CursorText, Meta(description="A cursor of your feed. Default: the latest.")] | None = None
    perspective: Annotated[Perspective, Meta(description="Whose view, once the match is over. Default: your own.")] | None = None


class ViewsQuery(Request, frozen=True):
    """Which part of the viewer's feed."""

    after: Annotated[CursorText, Meta(description="A cursor of your feed. Default: its beginning.")] | None = None
    limit: Annotated[int, Meta(ge=1, le=100, description="Maximum number of views to return.")] = 20
    perspective: Annotated[Perspective, Meta(description="Whose views, once the match is over. Default: your own.")] | None = None


class CommandQuery(Request, frozen=True):
    """Whether only to ask, and whether to have the receipt signed."""

    dry_run: Annotated[bool, Meta(description="Only check whether the command would be accepted; change nothing.")] = False
    signed: Annotated[
        bool,
        Meta(description="Sign the receipt. What was not signed can be signed later: get the feed with `after` its cursor."),
    ] = False


@operation(
    "GET",
    "/matches/{match}/view",
    "getView",
    tag=TAG,
    access=Access.ANYBODY,
    query=ViewQuery,
    problems=("cursor-unknown", "spectators-off", "seat-left", "not-over"),
    answers=(Answer(200, ViewBody, "The view.", ("ETag",)), Answer(304, None, "Not modified.", ("ETag",))),
)
async def get_view(call: Call[Nothing, ViewQuery]) -> Reply:
    """Get the table as seen from your seat, or as a spectator. The ETag changes with the cursor of your feed."""
    viewer = await call.application.queries.viewer(call.asker, call.match_id)
    at = Cursor(call.query.at) if call.query.at is not None else None
    perspective = call.query.perspective
    if at is not None:
        await call.charge(await call.application.queries.fold_cost(viewer, call.match_id, at) // ITEMS_FOLDED)
    if perspective is None:
        seen = await call.application.queries.view(viewer, call.match_id, at)
        tag = f"{seen.cursor}-as-{PUBLIC if viewer.seat is None else viewer.seat}"  # a browser asks for all its players with one
    else:
        seen = await _seen_as(call, viewer, at, perspective)
        tag = f"{seen.cursor}-{perspective}"
    body = presenters.view_body(seen, call.running.games[seen.game])
    return response.tag_reply(response.encode(body), tag, call.header(b"if-none-match"), *PRIVATE)


@operation(
    "GET",
    "/matches/{match}/views",
    "getViews",
    tag=TAG,
    access=Access.ANYBODY,
    query=ViewsQuery,
    problems=("cursor-unknown", "spectators-off", "seat-left", "not-over"),
    answers=(Answer(200, ViewPage, "The views."),),
)
async def get_views(call: Call[Nothing, ViewsQuery]) -> Reply:
    """Get the view at each item of your feed after a cursor: what a client needs to show events one by one."""
    queries = call.application.queries
    query = call.query
    match_id = call.match_id
    viewer = await queries.viewer(call.asker, match_id)
    after = Cursor(query.after) if query.after is not None else None
    await call.charge(await queries.fold_cost_of_page(viewer, match_id, after, query.limit) // ITEMS_FOLDED)
    if query.perspective is None:
        found = await queries.views(viewer, match_id, after, query.limit)
    else:
        found = _if_over(await queries.views_as(viewer, match_id, after, query.limit, _seat(query.perspective)))
    return response.json(presenters.view_page(found, call.running.games[found.game]), *PRIVATE)


def _seat(perspective: str) -> Seat | None:
    return None if perspective == PUBLIC else Seat(int(perspective))


def _if_over(found: Found | None) -> Found:
    """Return what another viewer saw; raise Refused while that is a secret."""
    if found is None:
        raise Refused("not-over")
    return found


async def _seen_as(call: AnyCall, viewer: Viewer, at: Cursor | None, perspective: str) -> Seen:
    """Return what another viewer saw; raise Refused while that is a secret."""
    seen = await call.application.queries.view_as(viewer, call.match_id, at, _seat(perspective))
    return _if_over(seen)


@operation(
    "POST",
    "/matches/{match}/commands",
    "giveCommand",
    tag=TAG,
    scope=Scope.PLAY,
    key=Key.REQUIRED,
    body=CommandRequest,
    query=CommandQuery,
    problems=("refused", "decision-closed", "key-reused", "suspended"),
    answers=(
        Answer(200, ReceiptBody, "The command was carried out.", (REPLAYED,)),
        Answer(204, None, "Dry run: the command would be accepted."),
    ),
)
async def give_command(call: Call[CommandRequest, CommandQuery]) -> Reply:
    """Answer a decision. Hidden answers of other seats never conflict with it: only a closed decision refuses it."""
    decision = DecisionId(call.body.decision)
    command = _command(call)
    try:
        if call.query.dry_run:
            await call.application.matches.dry_run(call.player, call.match_id, decision, command)
            return response.nothing(204)
        receipt = await call.application.matches.play(
            call.player, call.match_id, decision, command, call.key, signed=call.query.signed
        )
        return receipt_reply(receipt)
    except RuleViolation as error:
        raise violation(error, call.running.game_of_command(command)) from None


def _command(call: Call[CommandRequest, CommandQuery]) -> Command:
    return read_body(call.body.command, call.running.commands, "/command")


OPERATIONS = (get_view, get_views, give_command)
