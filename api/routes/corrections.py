"""Corrections of finished matches, by operators."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ...domain.game import Placing, Seat
from ...service.ports.events import Written
from ..http import response
from ..http.operation import Answer, AnyCall, Call, Key, operation
from ..http.response import SECRET, Header, Reply
from ..schema import presenters
from ..schema.common import Nothing, Request, Scope
from ..schema.fields import END, SeatNumber, SmallNumber
from ..schema.matches import MatchFacts

TAG = "operations"
REPLAYED = "Idempotency-Replayed"
DONE = (Answer(200, MatchFacts, "The updated match.", (REPLAYED,)),)
ACTED = ("refused", "key-reused")
Reason = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f\x7f]*" + END, description="Shown publicly.")]


class VoidRequest(Request, frozen=True):
    """The reason for voiding a result."""

    reason: Reason


class PlacingRequest(Request, frozen=True):
    """The final place of a seat: `rank` from 1; tied seats share a rank."""

    seat: SeatNumber
    rank: Annotated[int, Meta(ge=1, le=100)]
    score: SmallNumber | None = None


class AdjudicationRequest(Request, frozen=True):
    """The result to record, one placing per seat, and the reason."""

    placings: Annotated[tuple[PlacingRequest, ...], Meta(min_length=1, max_length=100)]
    reason: Reason


@operation(
    "POST",
    "/matches/{match}/void",
    "voidMatch",
    tag=TAG,
    scope=Scope.ADMIN,
    key=Key.OPTIONAL,
    body=VoidRequest,
    problems=ACTED,
    answers=DONE,
)
async def void_match(call: Call[VoidRequest, Nothing]) -> Reply:
    """Void the result of a finished match. Operators only. The moves stay as played; lists and ratings are updated."""
    return await _reply_corrected(
        call, await call.application.corrections.void(call.player, call.match_id, call.body.reason, call.key)
    )


@operation(
    "POST",
    "/matches/{match}/adjudicate",
    "adjudicateMatch",
    tag=TAG,
    scope=Scope.ADMIN,
    key=Key.OPTIONAL,
    body=AdjudicationRequest,
    problems=ACTED,
    answers=DONE,
)
async def adjudicate_match(call: Call[AdjudicationRequest, Nothing]) -> Reply:
    """Change the result of a finished match. Operators only. The moves stay as played; lists and ratings are updated."""
    placings = [Placing(Seat(each.seat), each.rank, each.score) for each in call.body.placings]
    written = await call.application.corrections.adjudicate(call.player, call.match_id, placings, call.body.reason, call.key)
    return await _reply_corrected(call, written)


async def _reply_corrected(call: AnyCall, written: Written) -> Reply:
    """Return the facts of a match to an operator, whether it concerns the operator or not."""
    summary = await call.application.queries.load_public_facts(call.match_id)
    people = await call.application.accounts.people(presenters.people_of((summary,)))
    body = presenters.match_facts(summary, people, call.running.catalog.bots, call.running.base(call.root))
    replayed: tuple[Header, ...] = ((REPLAYED.lower().encode(), b"true"),) if written.replayed else ()
    return response.json(body, *SECRET, *replayed)


OPERATIONS = (void_match, adjudicate_match)
