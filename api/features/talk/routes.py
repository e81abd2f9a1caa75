"""Talk: reading a room, saying something, muting, and reporting."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta

from ....domain.match import PlayerId
from ....service.features.talk.moderation import Mutes, Reports
from ....service.features.talk.port import MOST_REPORTS, Kind, MatchRoom, Room
from ....service.features.talk.rooms import Rooms
from ....service.features.talk.service import TalkPage, Talks
from ....service.features.talk.speaking import SaidTooMuch, Speakers, TalkRefused
from ...http import response
from ...http.operation import Access, Answer, AnyCall, Call, Key, operation
from ...http.rate_limits import Cost
from ...http.response import PRIVATE, SECRET, Reply
from ...http.sse import EventStream
from ...problems import Refused
from ...routes.feed import BLIND
from ...routes.players import ME
from ...schema import fields
from ...schema.common import Nothing, Request, Scope
from .schema import (
    LinesBefore,
    MutedList,
    ReportList,
    ReportReceipt,
    ReportRequest,
    TalkBody,
    TalkLine,
    TalkRequest,
    TalkSheet,
    muted_facts,
    report_facts,
    report_receipt,
    talk_body,
    talk_line,
    talk_sheet,
)
from .stream import TalkFollower

TAG = "talk"
CLOSED = ("talk-off", "talk-apart", *BLIND)
REPLAYED = (response.REPLAYED,)


class TalkQuery(Request, frozen=True):
    """Which room (default: your own), which part of its talk, and the long-poll timeout."""

    room: Room | None = None
    after: LinesBefore = 0
    limit: Annotated[int, Meta(ge=1, le=100, description="Maximum number of lines to return.")] = 100
    wait: Annotated[int, Meta(ge=0, le=30, description="Long-poll timeout in seconds, if there is nothing new yet.")] = 0


class TalkStreamQuery(Request, frozen=True):
    """Which room (default: your own), and where to begin."""

    room: Room | None = None
    after: Annotated[int, Meta(ge=0, le=1_000_000_000, description="The same as Last-Event-ID, which takes precedence.")] = 0


class ReportsQuery(Request, frozen=True):
    """Which page."""

    after: Annotated[int, Meta(ge=0, le=MOST_REPORTS, description="A cursor of the list: how many reports to pass over.")] = 0
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


@operation(
    "GET",
    "/talk/phrases",
    "getTalkPhrases",
    tag=TAG,
    access=Access.PUBLIC,
    answers=(Answer(200, TalkSheet, "What can be said."),),
)
async def get_talk_phrases(call: Call[Nothing, Nothing]) -> Reply:
    """List the ready phrases and reactions, and say whether texts may be written here."""
    return response.json(talk_sheet(call.application.get(Rooms).mode), *PRIVATE)


@operation(
    "GET",
    "/matches/{match}/talk",
    "getTalk",
    tag=TAG,
    access=Access.ANYBODY,
    query=TalkQuery,
    problems=("cursor-unknown", *CLOSED, "too-many-streams"),
    answers=(Answer(200, TalkBody, "A page of the talk."),),
)
async def get_talk(call: Call[Nothing, TalkQuery]) -> Reply:
    """Get what was said in a room of a match: at the table among its players, or in the stands among all others.

    While the match runs, you hear your own room alone; when it is over, both. Lines of players whom you have muted are left out.
    """
    query = call.query
    talks = call.application.get(Talks)
    place = MatchRoom(call.match_id, await talks.room(call.asker, call.match_id, query.room))
    page = await talks.page(call.asker, place, query.after, query.limit)
    if query.wait and not page.lines:
        with call.running.streams.place(call.listener, call.peer):
            page = await talks.wait(call.asker, place, page.after, query.limit, query.wait)
    return response.json(await _body(call, page), *PRIVATE)


async def _body(call: AnyCall, page: TalkPage) -> TalkBody:
    people = await call.application.accounts.people([*{each.line.player for each in page.lines}])
    return talk_body(call.match_id, page, people)


@operation(
    "GET",
    "/matches/{match}/talk/stream",
    "streamTalk",
    tag=TAG,
    access=Access.ANYBODY,
    query=TalkStreamQuery,
    cost=Cost.STREAM,
    problems=(*CLOSED, "too-many-streams"),
    answers=(Answer(200, TalkLine, "The talk, one line per event.", (), "text/event-stream"),),
)
async def stream_talk(call: Call[Nothing, TalkStreamQuery]) -> EventStream:
    """Stream what is said in a room of a match as server-sent events.

    `item` carries one line, with its number as the id; `reset`: the room's talk was deleted, and it starts over; `bye`: the
    connection is closing, so reconnect. A room that is yours no longer, as you have sat down, ends so, too.
    """
    last = call.header(b"last-event-id")
    if last and re.search(fields.NUMBER, last) is None:
        raise Refused("invalid-request", field="Last-Event-ID", detail="not the number of a line")
    room = await call.application.get(Talks).room(call.asker, call.match_id, call.query.room)
    leave = call.running.streams.enter(call.listener, call.peer)
    follower = TalkFollower(call.application, call.asker, MatchRoom(call.match_id, room), call.token)
    return EventStream(follower.chunks(int(last) if last else call.query.after), leave)


@operation(
    "POST",
    "/matches/{match}/talk",
    "say",
    tag=TAG,
    scope=Scope.PLAY,
    key=Key.KEPT,
    body=TalkRequest,
    problems=("talk-refused", "suspended", "silenced", *CLOSED),
    answers=(Answer(200, TalkLine, "The line, as others see it.", REPLAYED),),
)
async def say(call: Call[TalkRequest, Nothing]) -> Reply:
    """Say something: at the table if you have a seat there, or one is reserved for you; else in the stands.

    Before the match, while it runs, and afterwards. A text is brought into its normal form: on one line, and without characters
    that cannot be seen or that turn the direction of writing. Programs do not talk.
    """
    body = call.body
    said = {Kind.PHRASE: body.phrase, Kind.REACTION: body.reaction, Kind.TEXT: body.text}
    given = [(kind, each) for kind, each in said.items() if each is not None]
    if len(given) != 1:
        raise Refused("talk-refused", detail="exactly one of phrase, reaction and text")
    with _refusals():
        room, line = await call.application.get(Speakers).say(call.player, call.match_id, *given[0], call.place)
    accounts = call.application.accounts
    return response.json(talk_line(room, line, accounts.shown(await accounts.player(call.player))), *SECRET)


@operation(
    "POST",
    "/matches/{match}/talk/reports",
    "reportTalk",
    tag=TAG,
    seat_tokens=False,
    scope=Scope.PLAY,
    lent=False,
    key=Key.KEPT,
    body=ReportRequest,
    problems=CLOSED,
    answers=(Answer(200, ReportReceipt, "The operator has got it.", REPLAYED),),
)
async def report_talk(call: Call[ReportRequest, Nothing]) -> Reply:
    """Report a line to the operator, with what it says. A second report of the same line takes the place of your first."""
    body = call.body
    with _refusals():
        reports = call.application.get(Reports)
        report = await reports.report(call.player, MatchRoom(call.match_id, body.room), body.n, body.reason, call.place)
    return response.json(report_receipt(report), *SECRET)


@contextmanager
def _refusals() -> Generator[None]:
    """Turn what the service refuses into problems."""
    try:
        yield
    except TalkRefused as error:
        raise Refused("talk-refused", detail=error.reason) from None
    except SaidTooMuch as error:
        budget = error.state.budget
        window = "a minute" if budget.window_s == 60 else "an hour"
        detail = f"{budget.name}: {budget.quota} {window}"
        raise Refused("too-many-requests", detail=detail, retry_seconds=error.state.wait_s) from None


@operation("GET", "/me/muted", "listMuted", tag=ME, answers=(Answer(200, MutedList, "Whom you do not hear."),))
async def list_muted(call: Call[Nothing, Nothing]) -> Reply:
    """List the players whose lines are left out of all talk for you."""
    return await _reply_muted(call)


@operation(
    "PUT",
    "/me/muted/{player}",
    "mutePlayer",
    tag=ME,
    scope=Scope.PLAY,
    lent=False,
    answers=(Answer(200, MutedList, "Whom you do not hear now."),),
)
async def mute_player(call: Call[Nothing, Nothing]) -> Reply:
    """Leave a player's lines out of all talk for you, earlier ones, too. Of more than 500, the newest are kept."""
    await call.application.get(Mutes).mute(call.player, _player(call))
    return await _reply_muted(call)


@operation(
    "DELETE",
    "/me/muted/{player}",
    "unmutePlayer",
    tag=ME,
    scope=Scope.PLAY,
    lent=False,
    answers=(Answer(200, MutedList, "Whom you do not hear now."),),
)
async def unmute_player(call: Call[Nothing, Nothing]) -> Reply:
    """Hear a player again."""
    await call.application.get(Mutes).unmute(call.player, _player(call))
    return await _reply_muted(call)


def _player(call: AnyCall) -> PlayerId:
    return PlayerId(call.path("player", fields.PLAYER_ID))


async def _reply_muted(call: AnyCall) -> Reply:
    found = await call.application.get(Mutes).muted(call.player)
    return response.json(MutedList(items=tuple(muted_facts(each) for each in found)), *SECRET)


@operation(
    "GET",
    "/reports",
    "listReports",
    tag="operations",
    scope=Scope.ADMIN,
    query=ReportsQuery,
    answers=(Answer(200, ReportList, "A page of reports."),),
)
async def list_reports(call: Call[Nothing, ReportsQuery]) -> Reply:
    """List the lines of talk that players have reported, newest first. Operators only. Kept as long as talk is."""
    query = call.query
    found = await call.application.get(Reports).newest(query.after, query.limit)
    people = await call.application.accounts.people([*{who for each in found for who in (each.reporter, each.line.player)}])
    end = query.after + len(found)
    more = len(found) == query.limit and end <= MOST_REPORTS
    body = ReportList(items=tuple(report_facts(each, people) for each in found), cursor=end if more else None)
    return response.json(body, *SECRET)


OPERATIONS = (get_talk_phrases, get_talk, stream_talk, say, report_talk, list_muted, mute_player, unmute_player, list_reports)
