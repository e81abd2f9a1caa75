"""Coaching: what a seat of a finished match could have done better, found by a background job."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ....domain.game import AnyGame, Seat
from ....domain.wording import wording
from ....service.errors import NotFound
from ....service.features.coaching.coach import Coach, Puzzle
from ....service.features.coaching.findings import Findings, Tried
from ....service.matches.repository import Loaded
from ...http import response
from ...http.operation import Access, Answer, Call, Key, operation
from ...http.rate_limits import Cost
from ...http.response import PRIVATE, Reply
from ...problems import Refused
from ...routes.play import ITEMS_FOLDED
from ...schema.common import Nothing, Request, Scope
from ...schema.fields import SeatNumber
from ...schema.play import Prompt
from ...texts import render
from ..bots.presenters import why_body
from ..bots.schema import MoveAdvice
from .schema import CoachedDecision, CoachedPuzzle, CoachingBody, HeldHand

TAG = "play"
BLIND = ("spectators-off", "seat-left", "not-over", "not-found")
COACHING = 20
"""Price of coaching that no one has asked for yet, at most the whole budget; afterwards it is one."""
AGAIN_SECONDS = 1
RETRY = (b"retry-after", b"%d" % AGAIN_SECONDS)
ANSWERS = (
    Answer(200, CoachingBody, "The coaching."),
    Answer(202, CoachingBody, "It is being made: what there is up to now.", ("Retry-After",)),
)


class CoachingQuery(Request, frozen=True):
    """Which seat."""

    seat: Annotated[SeatNumber, Meta(description="The seat. Default: your own; spectators have to name one.")] | None = None


@operation(
    "POST",
    "/matches/{match}/coaching",
    "askForCoaching",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.PLAY,
    query=CoachingQuery,
    cost=Cost.ADVICE,
    problems=BLIND,
    answers=ANSWERS,
)
async def ask_for_coaching(call: Call[Nothing, CoachingQuery]) -> Reply:
    """Ask for coaching on a seat of a finished match. It is made in the background, once, and kept with the match."""
    loaded, seat = await _load_finished(call)
    found = await call.application.get(Coach).find(call.match_id, seat)
    if found is None:
        await call.charge(min(COACHING, call.application.settings.limits.advice_per_minute) - 1)
        found = await call.application.get(Coach).ask(call.match_id, seat)
    return await _reply(call, loaded, seat, found)


@operation(
    "GET",
    "/matches/{match}/coaching",
    "getCoaching",
    tag=TAG,
    access=Access.ANYBODY,
    query=CoachingQuery,
    problems=BLIND,
    answers=ANSWERS,
)
async def get_coaching(call: Call[Nothing, CoachingQuery]) -> Reply:
    """Get the coaching on a seat of a finished match, or what there is of it while it is being made."""
    loaded, seat = await _load_finished(call)
    found = await call.application.get(Coach).find(call.match_id, seat)
    if found is None:
        raise NotFound("coaching")
    return await _reply(call, loaded, seat, found)


async def _load_finished(call: Call[Nothing, CoachingQuery]) -> tuple[Loaded, Seat]:
    """Return the match, once all of it may be known, and the seat that is meant."""
    viewer = await call.application.queries.viewer(call.asker, call.match_id)
    loaded = await call.application.queries.load_finished(viewer, call.match_id)
    if loaded is None:
        raise Refused("not-over")
    seat = viewer.seat if call.query.seat is None else Seat(call.query.seat)
    if seat is None or seat >= loaded.match.settings.seats:
        raise NotFound("seat")
    return loaded, seat


async def _reply(call: Call[Nothing, CoachingQuery], loaded: Loaded, seat: Seat, found: Findings) -> Reply:
    line = tuple(CoachedDecision(**msgspec.structs.asdict(point)) for point in found.points)
    body = CoachingBody(match=call.match_id, seat=seat, whole=found.whole, line=line, puzzles=())
    if not found.whole:
        return response.json(body, RETRY, *PRIVATE, status=202)
    await call.charge(loaded.version // ITEMS_FOLDED)
    game = loaded.match.game
    puzzles = tuple(_puzzle(each, seat, game) for each in await call.application.get(Coach).puzzles(loaded, seat, found))
    return response.json(msgspec.structs.replace(body, puzzles=puzzles), *PRIVATE)


def _puzzle(puzzle: Puzzle, seat: Seat, game: AnyGame) -> CoachedPuzzle:
    costly = puzzle.costly
    asked = puzzle.asked
    key = wording(game.messages, asked.prompt, {**asked.arguments, **game.prompt_arguments(puzzle.view)}, seat, asked=True)
    return CoachedPuzzle(
        version=costly.version,
        decision=costly.decision,
        prompt=Prompt(key=key, arguments=asked.arguments, text=render(game.messages[key], asked.arguments, game)),
        view=puzzle.view,
        legal=puzzle.legal,
        played=msgspec.Raw(costly.played),
        loss=costly.loss,
        moves=tuple(map(_move, costly.moves)),
        why=why_body(*costly.why, game) if costly.why is not None else None,
        held=tuple(HeldHand(seat=each.seat, hand=each.hand) for each in puzzle.held),
    )


def _move(tried: Tried) -> MoveAdvice:
    return MoveAdvice(command=msgspec.Raw(tried.command), worth=tried.worth, worlds=tried.worlds)


OPERATIONS = (ask_for_coaching, get_coaching)
