"""Moderation: what operators do, and what players see of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeVar

from msgspec import Meta

from ....domain.match import MatchId, PlayerId
from ....service.features.moderation.port import Act, ActKind
from ....service.features.moderation.service import ActRefused, Acts, SanctionWish
from ....service.features.talk.port import MatchRoom
from ...http import response
from ...http.operation import Answer, AnyCall, Call, Key, operation
from ...http.response import SECRET, Reply
from ...problems import Refused
from ...routes.players import ME
from ...schema.common import Nothing, Request, Scope
from ...schema.fields import PlayerRef
from .schema import ACT_ID, MOST_ACTS, ActFacts, ActList, ActRequest, OwnActList, act_facts, own_act_facts

T = TypeVar("T")
TAG = "moderation"


class ActsQuery(Request, frozen=True):
    """Which page; with a player, only the acts that concern it."""

    player: PlayerRef | None = None
    after: Annotated[int, Meta(ge=0, le=MOST_ACTS, description="A cursor of the list: how many acts to skip.")] = 0
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


@operation(
    "POST",
    "/moderation/acts",
    "createModerationAct",
    tag=TAG,
    scope=Scope.ADMIN,
    key=Key.KEPT,
    body=ActRequest,
    problems=("not-found", "act-refused"),
    answers=(Answer(200, ActFacts, "The act was done, and is kept.", (response.REPLAYED,)),),
)
async def create_moderation_act(call: Call[ActRequest, Nothing]) -> Reply:
    """Hide a line of talk, silence or suspend a player for a time, or close a report. Operators only.

    A hidden line leaves a tombstone, also for those who have read it. A suspended player is taken out of matches that have not
    begun, tournaments and quick matches; in running matches a bot plays on, as for any player who leaves. Until the sanction ends
    the player can open, join and say nothing; then it takes its seats back. The player sees each act with its reason, and not
    who did it.
    """
    act = await _carry_out(call.application.get(Acts), call.player, call.body)
    return response.json(await _facts(call, act), *SECRET)


async def _carry_out(acts: Acts, by: PlayerId, wish: ActRequest) -> Act:
    try:
        match wish.kind:
            case ActKind.HIDE_LINE:
                line = _need(wish.line, "line")
                return await acts.hide_line(by, MatchRoom(MatchId(line.match), line.room), line.n, wish.reason)
            case ActKind.SILENCE:
                return await acts.silence(by, _sanction(wish), wish.reason)
            case ActKind.SUSPEND:
                return await acts.suspend(by, _sanction(wish), wish.reason)
            case ActKind.CLOSE_REPORT:
                return await acts.close_report(by, _need(wish.report, "report"), wish.reason)
    except ActRefused as error:
        raise Refused("act-refused", field=f"/{error.field}", detail=error.reason) from None


def _sanction(wish: ActRequest) -> SanctionWish:
    return SanctionWish(PlayerId(_need(wish.player, "player")), _need(wish.until_ms, "until_ms"), wish.address)


def _need(given: T | None, field: str) -> T:
    if given is None:
        raise ActRefused(field, "an act of this kind needs it")
    return given


@operation(
    "GET",
    "/moderation/acts",
    "listModerationActs",
    tag=TAG,
    scope=Scope.ADMIN,
    query=ActsQuery,
    answers=(Answer(200, ActList, "A page of acts."),),
)
async def list_moderation_acts(call: Call[Nothing, ActsQuery]) -> Reply:
    """List what operators have done, newest first. Operators only. An act is kept for 365 days after its end."""
    query = call.query
    acts = call.application.get(Acts)
    if query.player is None:
        found = await acts.newest(query.after, query.limit)
    else:
        found = (await acts.concerning(PlayerId(query.player)))[query.after : query.after + query.limit]
    people = await call.application.accounts.people(_people(found))
    end = query.after + len(found)
    more = len(found) == query.limit and end <= MOST_ACTS
    body = ActList(items=tuple(act_facts(each, people) for each in found), cursor=end if more else None)
    return response.json(body, *SECRET)


@operation(
    "DELETE",
    "/moderation/acts/{act}",
    "liftModerationAct",
    tag=TAG,
    scope=Scope.ADMIN,
    problems=("act-refused",),
    answers=(Answer(200, ActFacts, "The act, which has ended."),),
)
async def lift_moderation_act(call: Call[Nothing, Nothing]) -> Reply:
    """End a sanction before its time. Operators only. Hidden lines stay hidden, and closed reports closed."""
    try:
        act = await call.application.get(Acts).lift(call.player, call.path("act", ACT_ID))
    except ActRefused as error:
        raise Refused("act-refused", detail=error.reason) from None
    return response.json(await _facts(call, act), *SECRET)


@operation(
    "GET",
    "/me/moderation-acts",
    "listMyModerationActs",
    tag=ME,
    lent=False,
    answers=(Answer(200, OwnActList, "What concerns you."),),
)
async def list_my_moderation_acts(call: Call[Nothing, Nothing]) -> Reply:
    """List what operators have decided about you, your lines of talk and your reports, with the reason, newest first."""
    found = await call.application.get(Acts).concerning(call.player)
    return response.json(OwnActList(items=tuple(map(own_act_facts, found))), *SECRET)


async def _facts(call: AnyCall, act: Act) -> ActFacts:
    return act_facts(act, await call.application.accounts.people(_people([act])))


def _people(acts: Sequence[Act]) -> list[PlayerId]:
    return [*{who for act in acts for who in (act.by, act.player) if who is not None}]


OPERATIONS = (create_moderation_act, list_moderation_acts, lift_moderation_act, list_my_moderation_acts)
