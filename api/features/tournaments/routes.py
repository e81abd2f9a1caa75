"""Tournaments: opening one, finding one, taking part, and what is played."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Annotated

from msgspec import Meta

from ....domain.match import BotName
from ....domain.match.settings import settings_of
from ....service.features.tournaments.duty import Director
from ....service.features.tournaments.port import ListPosition, TournamentId
from ....service.features.tournaments.rules import TournamentRefused
from ....service.features.tournaments.service import (
    Found,
    NewTournament,
    TooManyTournaments,
    Tournaments,
    WishRefused,
)
from ...http import response
from ...http.operation import Access, Answer, AnyCall, Call, Key, operation
from ...http.response import PRIVATE, REPLAYED, Header, Reply
from ...problems import RETRY_SECONDS, Refused
from ...routes.players import ME, checked_name
from ...schema import fields
from ...schema.common import Nothing, Request, Scope
from ...schema.fields import PageCursor
from . import presenters
from .schema import (
    TOURNAMENT_ID,
    EntryRequest,
    TournamentList,
    TournamentPage,
    TournamentRequest,
    TournamentRound,
    TournamentSheet,
)

TAG = "tournaments"
CHANGED = Answer(200, TournamentSheet, "The tournament after it.")


class TournamentsQuery(Request, frozen=True):
    """Which page."""

    after: PageCursor | None = None
    limit: Annotated[int, Meta(ge=1, le=20)] = 20


@operation(
    "POST",
    "/tournaments",
    "openTournament",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.CREATE,
    lent=True,
    body=TournamentRequest,
    problems=("suspended", "invalid-name", "invalid-options", "too-many-tournaments"),
    answers=(Answer(201, TournamentSheet, "The tournament was opened.", ("Location", REPLAYED)),),
)
async def open_tournament(call: Call[TournamentRequest, Nothing]) -> Reply:
    """Open a tournament. Share its link: who has the id can see it and join, until you start it or its time has come."""
    found = await _carry_out(call.application.get(Tournaments).open(call.player, _new(call.body), call.place, call.key))
    location = f"{call.running.base(call.root)}/api/v1/tournaments/{found.id}".encode()
    return await _sheet(call, found, (b"location", location), status=201)


def _new(wish: TournamentRequest) -> NewTournament:
    return NewTournament(
        name=checked_name(wish.name),
        settings=settings_of(wish),
        kind=wish.kind,
        rounds=wish.rounds,
        places=wish.places,
        bots=tuple(map(BotName, wish.bots)),
        fill=BotName(wish.fill) if wish.fill is not None else None,
        starts_ms=wish.starts_ms,
        joins=wish.joins,
    )


@operation(
    "GET",
    "/tournaments",
    "listTournaments",
    tag=TAG,
    access=Access.ANYBODY,
    query=TournamentsQuery,
    answers=(Answer(200, TournamentPage, "A page of tournaments."),),
)
async def list_tournaments(call: Call[Nothing, TournamentsQuery]) -> Reply:
    """List tournaments with visibility `listed`, newest first: those that are open, that are played, and that are over."""
    after = ListPosition(call.query.after) if call.query.after is not None else None
    page = await call.application.get(Tournaments).listed(after, call.query.limit)
    people = await call.application.accounts.people(presenters.people_of(page.items))
    director = call.application.get(Director)
    items = tuple(presenters.facts_of(each, people, call.asker, director) for each in page.items)
    return response.json(TournamentPage(items=items, cursor=page.next), *PRIVATE)


@operation("GET", "/me/tournaments", "listMyTournaments", tag=ME, answers=(Answer(200, TournamentList, "Your tournaments."),))
async def list_my_tournaments(call: Call[Nothing, Nothing]) -> Reply:
    """List the tournaments that you have opened or take part in, newest first."""
    found = await call.application.get(Tournaments).of_player(call.player)
    people = await call.application.accounts.people(presenters.people_of(found))
    director = call.application.get(Director)
    items = tuple(presenters.facts_of(each, people, call.asker, director) for each in found)
    return response.json(TournamentList(items=items), *PRIVATE)


@operation(
    "GET",
    "/tournaments/{tournament}",
    "getTournament",
    tag=TAG,
    access=Access.ANYBODY,
    answers=(Answer(200, TournamentSheet, "The tournament."),),
)
async def get_tournament(call: Call[Nothing, Nothing]) -> Reply:
    """Get a tournament: its facts, its standings, and its newest round. Who has its id may see it."""
    return await _sheet(call, await call.application.get(Tournaments).get(_tournament(call)))


@operation(
    "GET",
    "/tournaments/{tournament}/rounds/{number}",
    "getTournamentRound",
    tag=TAG,
    access=Access.ANYBODY,
    answers=(Answer(200, TournamentRound, "The round."),),
)
async def get_tournament_round(call: Call[Nothing, Nothing]) -> Reply:
    """Get a round that was drawn: its tables with their matches and results, and who rests."""
    found = await call.application.get(Tournaments).get(_tournament(call))
    number = int(call.path("number", fields.NUMBER))
    if not 1 <= number <= len(found.state.rounds):
        raise Refused("not-found")
    return response.json(presenters.round_of(found, number, call.application.get(Director)), *PRIVATE)


@operation(
    "PUT",
    "/tournaments/{tournament}/entries/me",
    "joinTournament",
    tag=TAG,
    scope=Scope.PLAY,
    body=EntryRequest,
    body_needed=False,
    problems=("refused", "suspended", "tournament-closed", "tournament-full", "joined-too-often", "too-many-tournaments"),
    answers=(CHANGED,),
)
async def join_tournament(call: Call[EntryRequest, Nothing]) -> Reply:
    """Take part in a tournament that has not begun. In each round your seat is taken for you, and the match begins at once.

    Who does not come is played for as in any match. You meet whom the draw gives you, also someone whom you have blocked.
    """
    tournaments = call.application.get(Tournaments)
    return await _sheet(call, await _carry_out(tournaments.join(call.player, _tournament(call), call.body.nonce, call.place)))


@operation(
    "DELETE",
    "/tournaments/{tournament}/entries/me",
    "leaveTournament",
    tag=TAG,
    scope=Scope.PLAY,
    answers=(CHANGED,),
)
async def leave_tournament(call: Call[Nothing, Nothing]) -> Reply:
    """Take part no longer: before the start your place is free again; after it you play no further rounds, and stay listed.

    A match that runs is not left by it.
    """
    return await _sheet(call, await call.application.get(Tournaments).leave(call.player, _tournament(call)))


@operation(
    "POST",
    "/tournaments/{tournament}/start",
    "startTournament",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.CREATE,
    lent=True,
    problems=("not-organiser", "tournament-closed", "tournament-too-few"),
    answers=(Answer(200, TournamentSheet, "It has begun.", (REPLAYED,)),),
)
async def start_tournament(call: Call[Nothing, Nothing]) -> Reply:
    """Start a tournament that you have opened. Its first round is drawn within seconds."""
    return await _sheet(call, await _carry_out(call.application.get(Tournaments).start(call.player, _tournament(call))))


@operation(
    "DELETE",
    "/tournaments/{tournament}",
    "cancelTournament",
    tag=TAG,
    scope=Scope.CREATE,
    lent=True,
    problems=("not-organiser", "tournament-closed"),
    answers=(CHANGED,),
)
async def cancel_tournament(call: Call[Nothing, Nothing]) -> Reply:
    """Call off a tournament that you have opened. Matches that run go on, and count for nothing here."""
    return await _sheet(call, await _carry_out(call.application.get(Tournaments).cancel(call.player, _tournament(call))))


def _tournament(call: AnyCall) -> TournamentId:
    return TournamentId(call.path("tournament", TOURNAMENT_ID))


async def _sheet(call: AnyCall, found: Found, *headers: Header, status: int = 200) -> Reply:
    people = await call.application.accounts.people(presenters.everyone_in(found))
    sheet = presenters.sheet_of(found, people, call.asker, call.application.get(Director))
    return response.json(sheet, *PRIVATE, *headers, status=status)


async def _carry_out(wish: Awaitable[Found]) -> Found:
    """Return what a wish leads to; raise Refused."""
    try:
        return await wish
    except TournamentRefused as error:
        raise Refused(error.refusal.value) from None
    except WishRefused as error:
        raise Refused("invalid-options", field=f"/{error.field}", detail=error.reason) from None
    except TooManyTournaments as error:
        raise Refused(
            "too-many-tournaments", detail=f"at most {error.limit}", retry_seconds=error.wait_s or RETRY_SECONDS
        ) from None


OPERATIONS = (
    open_tournament,
    list_tournaments,
    list_my_tournaments,
    get_tournament,
    get_tournament_round,
    join_tournament,
    leave_tournament,
    start_tournament,
    cancel_tournament,
)
