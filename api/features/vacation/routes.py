"""Vacation: going, coming back, and who of a match is away."""

from __future__ import annotations

from ....domain.match import Status
from ....service.features.vacation.service import TooLong, Vacation, Vacations, is_slow
from ...http import response
from ...http.operation import Access, Answer, Call, operation
from ...http.response import PRIVATE, Reply
from ...problems import Refused
from ...routes.players import ME
from ...schema.common import Nothing, Scope
from .schema import AwayList, SeatAway, VacationFacts, VacationRequest

TAG = "vacation"
YOURS = (Answer(200, VacationFacts, "Your vacation."),)


def _reply(found: Vacation) -> Reply:
    return response.json(VacationFacts(until_ms=found.until_ms, days_left=found.days_left), *PRIVATE)


@operation("GET", "/me/vacation", "getVacation", tag=ME, answers=YOURS)
async def get_vacation(call: Call[Nothing, Nothing]) -> Reply:
    """Get whether you are on vacation, and how many days are left to you: of 30 within 365 days."""
    return _reply(await call.application.get(Vacations).of(call.player))


@operation(
    "PUT",
    "/me/vacation",
    "beginVacation",
    tag=ME,
    scope=Scope.CREATE,
    body=VacationRequest,
    problems=("vacation-too-long",),
    answers=YOURS,
)
async def begin_vacation(call: Call[VacationRequest, Nothing]) -> Reply:
    """Be on vacation from now on, or change until when you are.

    In matches with a day or more for each decision, the time of your vacation does not count for yours, and the others see that
    you are away. You have 30 days within 365; a day that has begun counts as a whole.
    """
    try:
        return _reply(await call.application.get(Vacations).begin(call.player, call.body.until_ms))
    except TooLong as error:
        raise Refused("vacation-too-long", field="/until_ms", detail=f"{error.days_left} days are left") from None


@operation("DELETE", "/me/vacation", "endVacation", tag=ME, scope=Scope.CREATE, answers=YOURS)
async def end_vacation(call: Call[Nothing, Nothing]) -> Reply:
    """Be back from vacation. Within the hour your matches go on as before; what was left of the time for a decision is left."""
    return _reply(await call.application.get(Vacations).end(call.player))


@operation(
    "GET",
    "/matches/{match}/vacations",
    "listVacations",
    tag=TAG,
    access=Access.ANYBODY,
    answers=(Answer(200, AwayList, "Who is away."),),
)
async def list_vacations(call: Call[Nothing, Nothing]) -> Reply:
    """List the seats of a running match whose players are on vacation; of a match that does not wait for them, none."""
    summary = await call.application.queries.summary(call.asker, call.match_id)
    waits = summary.status is Status.RUNNING and is_slow(summary.clock)
    players = {chair.seat: chair.player for chair in summary.chairs if waits and chair.player is not None}
    away = await call.application.get(Vacations).away(players)
    items = tuple(SeatAway(seat=seat, until_ms=until_ms) for seat, until_ms in sorted(away.items()))
    return response.json(AwayList(match=call.match_id, items=items), *PRIVATE)


OPERATIONS = (get_vacation, begin_vacation, end_vacation, list_vacations)
