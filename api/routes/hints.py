"""Hints for the open decision, and reviews of finished matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from ...domain.game import Command
from ...domain.search import Weighed
from ...service.bots.hints import Reviewed, lost
from ..http import response
from ..http.operation import Access, Answer, Call, operation
from ..http.rate_limits import Cost
from ..http.response import PRIVATE, Reply
from ..problems import Refused
from ..schema import presenters
from ..schema.common import Nothing, Request, Scope
from ..schema.hints import HintBody, MoveAdvice, ReviewedDecision, ReviewPage
from .matches import ACTED

TAG = "play"


HINT = 3
"""Price of a hint, because the longest search takes three times as long as usual; each decision of a review costs one."""


class ReviewQuery(Request, frozen=True):
    """Which decisions."""

    after: Annotated[int, Meta(ge=0, le=1_000_000_000, description="Version of the last decision the client has.")] = 0
    limit: Annotated[int, Meta(ge=1, le=10, description="Maximum number of decisions to return. Each one costs a search.")] = 5


@operation(
    "GET",
    "/matches/{match}/hint",
    "getHint",
    tag=TAG,
    scope=Scope.PLAY,
    cost=Cost.ADVICE,
    problems=ACTED,
    answers=(Answer(200, HintBody, "The hint."),),
)
async def get_hint(call: Call[Nothing, Nothing]) -> Reply:
    """Get a hint for your open decision, if the match allows hints. The match records that you took it."""
    await call.pay(HINT - 1)
    found = await call.application.matches.hint(call.player, call.match)
    game = call.running.game_of_command(found.moves[0].command)
    why = presenters.why_body(found.why.key, found.why.arguments, game) if found.why is not None else None
    body = HintBody(match=call.match, decision=found.decision, seat=found.seat, moves=_moves(found.moves), why=why)
    return response.json(body, *PRIVATE)


@operation(
    "GET",
    "/matches/{match}/review",
    "getReview",
    tag=TAG,
    access=Access.ANYBODY,
    query=ReviewQuery,
    cost=Cost.ADVICE,
    problems=("spectators-off", "seat-left", "not-over"),
    answers=(Answer(200, ReviewPage, "A page of decisions."),),
)
async def get_review(call: Call[Nothing, ReviewQuery]) -> Reply:
    """Review a finished match: every decision that had a choice, with what a search finds from that seat's view."""
    loaded = await call.application.queries.finished(await call.application.queries.viewer(call.asker, call.match), call.match)
    if loaded is None:
        raise Refused("not-over")
    await call.pay(call.query.limit - 1)
    found = await call.application.reviews.page(call.match, loaded, call.query.after, call.query.limit)
    following = found[-1].version if len(found) == call.query.limit else None
    return response.json(ReviewPage(match=call.match, items=tuple(map(_item, found)), next=following), *PRIVATE)


def _item(found: Reviewed) -> ReviewedDecision:
    return ReviewedDecision(
        version=found.version,
        decision=found.advice.decision,
        seat=found.advice.seat,
        played=_raw(found.played),
        loss=lost(found.played, found.advice.moves),
        moves=_moves(found.advice.moves),
    )


def _moves(moves: Sequence[Weighed[Command]]) -> tuple[MoveAdvice, ...]:
    return tuple(MoveAdvice(command=_raw(move.command), worth=round(move.worth, 4), worlds=move.worlds) for move in moves)


def _raw(command: Command) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(command))


OPERATIONS = (get_hint, get_review)
