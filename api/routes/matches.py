"""Matches: opening, finding, and everything that happens around the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from ...domain.game import Seat
from ...domain.match import BotName, PlayerId, Status
from ...domain.match.settings import settings_of
from ...service.application import Receipt
from ...service.matches.setup import NewMatch
from ...service.ports.rows import Listing
from ...service.views.projections import Summary
from ..http import response
from ..http.operation import Access, Answer, AnyCall, Call, Key, operation
from ..http.response import PRIVATE, REPLAYED, SECRET, Header, Reply
from ..problems import Refused
from ..schema import fields, presenters
from ..schema.common import Nothing, Request, Scope
from ..schema.fields import GameName, PageCursor
from ..schema.matches import BotRequest, HostRequest, MatchFacts, MatchPage, MatchRequest, SeatRequest, TurnList
from ..schema.play import ReceiptBody
from .players import ME

TAG = "matches"
DONE = (Answer(200, ReceiptBody, "Done.", (REPLAYED,)),)
OPENED = (Answer(201, ReceiptBody, "The match was opened.", ("Location", REPLAYED)),)
ACTED = ("refused", "key-reused", "suspended")


class MatchesQuery(Request, frozen=True):
    """Which matches."""

    game: GameName | None = None
    status: Status | None = None
    after: PageCursor | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class TurnsQuery(Request, frozen=True):
    """How many matches."""

    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class LobbyQuery(MatchesQuery, frozen=True):
    """Which matches. `watchable`: only those that run and that anyone may watch, at once or with the delay of spectators."""

    watchable: bool = False


def receipt_reply(receipt: Receipt, *headers: Header, status: int = 200) -> Reply:
    """Return a receipt as a reply."""
    if receipt.replayed:
        headers = (*headers, (REPLAYED.lower().encode(), b"true"))
    return response.json(presenters.receipt_body(receipt), *SECRET, *headers, status=status)


@operation(
    "POST",
    "/matches",
    "openMatch",
    tag=TAG,
    scope=Scope.CREATE,
    lent=True,
    key=Key.REQUIRED,
    body=MatchRequest,
    problems=(*ACTED, "invalid-options", "nonce-with-opening", "too-many-seats", "too-many-bot-matches"),
    answers=OPENED,
)
async def open_match(call: Call[MatchRequest, Nothing]) -> Reply:
    """Open a match. You become its host, and take a seat unless `seat` is null."""
    return opened_reply(call, await call.application.matches.open(call.player, _new_match(call.body), call.key, call.place))


def opened_reply(call: AnyCall, receipt: Receipt) -> Reply:
    """Return the receipt of a new match as a reply with its address."""
    location = f"{call.running.base(call.root)}/api/v1/matches/{receipt.match}".encode()
    return receipt_reply(receipt, (b"location", location), status=201)


def _new_match(wish: MatchRequest) -> NewMatch:
    if wish.nonce and not wish.nonce_with_opening:
        raise Refused("nonce-with-opening", field="/nonce")
    bots = {Seat(each.seat): BotName(each.bot) for each in wish.bots}
    if len(bots) < len(wish.bots):
        raise Refused("invalid-options", field="/bots", detail="more than one bot for this seat")
    return NewMatch(
        **msgspec.structs.asdict(settings_of(wish)),
        seat=Seat(wish.seat) if wish.seat is not None else None,
        bots=bots,
        nonce=wish.nonce,
        start=wish.start,
    )


@operation(
    "GET",
    "/matches",
    "listMatches",
    tag=TAG,
    access=Access.ANYBODY,
    query=LobbyQuery,
    problems=("cursor-unknown",),
    answers=(Answer(200, MatchPage, "A page of matches."),),
)
async def list_matches(call: Call[Nothing, LobbyQuery]) -> Reply:
    """List matches with visibility `listed`, newest first; with `watchable` those that anyone may watch now."""
    return await _page(call, await call.application.queries.lobby(_listing(call.query, watchable=call.query.watchable)))


@operation(
    "GET",
    "/me/matches",
    "listMyMatches",
    tag=ME,
    query=MatchesQuery,
    problems=("cursor-unknown",),
    answers=(Answer(200, MatchPage, "A page of matches."),),
)
async def list_my_matches(call: Call[Nothing, MatchesQuery]) -> Reply:
    """List the matches in which you, or users of your application, play, and those you host, newest first.

    Rematches in which a seat is reserved for you are among them. `your_turn` says whether you have to act.
    """
    return await _page(call, await call.application.queries.matches_of(call.player, _listing(call.query)))


@operation(
    "GET",
    "/me/turns",
    "listMyTurns",
    tag=ME,
    query=TurnsQuery,
    answers=(Answer(200, TurnList, "The matches that wait for you."),),
)
async def list_my_turns(call: Call[Nothing, TurnsQuery]) -> Reply:
    """List the running matches in which you have to act, the one with the least time left first.

    `deadline_ms` says until when, `now_ms` what time it is for the service.
    """
    found = await call.application.queries.turns_of(call.player, call.query.limit)
    return response.json(TurnList(items=await _facts(call, found), now_ms=call.application.now_ms()), *PRIVATE)


def _listing(query: MatchesQuery, *, watchable: bool = False) -> Listing:
    return Listing(
        game=query.game,
        status=query.status,
        after=presenters.read_page_cursor(query.after) if query.after is not None else None,
        limit=query.limit,
        watchable=watchable,
    )


async def _facts(call: AnyCall, found: Sequence[Summary]) -> tuple[MatchFacts, ...]:
    people = await call.application.accounts.people(presenters.people_of(found))
    base = call.running.base(call.root)
    bots = call.running.catalog.bots
    return tuple(presenters.match_facts(summary, people, bots, base) for summary in found)


async def _page(call: Call[Nothing, MatchesQuery] | Call[Nothing, LobbyQuery], found: Sequence[Summary]) -> Reply:
    items = await _facts(call, found)
    full = len(found) == call.query.limit
    return response.json(MatchPage(items=items, cursor=presenters.page_cursor(found[-1]) if full else None), *PRIVATE)


@operation(
    "GET",
    "/matches/{match}",
    "getMatch",
    tag=TAG,
    access=Access.ANYBODY,
    answers=(Answer(200, MatchFacts, "The match.", ("ETag",)), Answer(304, None, "Not modified.", ("ETag",))),
)
async def get_match(call: Call[Nothing, Nothing]) -> Reply:
    """Get a match: its settings, seats, open decision and result."""
    summary = await call.application.queries.summary(call.asker, call.match_id)
    people = await call.application.accounts.people(presenters.people_of((summary,)))
    facts = presenters.match_facts(summary, people, call.running.catalog.bots, call.running.base(call.root))
    body = response.encode(facts)
    return response.tag_reply(body, response.tag_of(body), call.header(b"if-none-match"), *PRIVATE)


@operation(
    "POST",
    "/matches/{match}/seats",
    "takeSeat",
    tag=TAG,
    scope=Scope.PLAY,
    key=Key.OPTIONAL,
    body=SeatRequest,
    body_needed=False,
    problems=(*ACTED, "too-many-seats"),
    answers=DONE,
)
async def take_seat(call: Call[SeatRequest, Nothing]) -> Reply:
    """Take a seat: a given one, the one reserved for you, or the first free one. In a running match, take yours back from a bot.

    A rematch begins when the last reserved seat is taken and none is empty. Keep its commitment, and then draw a fresh nonce,
    before you take yours.
    """
    seat = Seat(call.body.seat) if call.body.seat is not None else None
    return receipt_reply(
        await call.application.matches.take_seat(call.player, call.match_id, seat, call.body.nonce, call.key, call.place)
    )


@operation(
    "DELETE",
    "/matches/{match}/seats/me",
    "leaveSeat",
    tag=TAG,
    scope=Scope.PLAY,
    key=Key.OPTIONAL,
    problems=ACTED,
    answers=DONE,
)
async def leave_seat(call: Call[Nothing, Nothing]) -> Reply:
    """Leave your seat, or give up the one reserved for you; in a running match a bot takes over.

    If the host leaves before the start, the next player is the host.
    """
    return receipt_reply(await call.application.matches.leave_seat(call.player, call.match_id, call.key))


def _seat(call: AnyCall) -> Seat:
    return Seat(int(call.path("seat", fields.SEAT)))


@operation(
    "PUT",
    "/matches/{match}/seats/{seat}/bot",
    "seatBot",
    tag=TAG,
    scope=Scope.PLAY,
    key=Key.OPTIONAL,
    body=BotRequest,
    problems=ACTED,
    answers=DONE,
)
async def seat_bot(call: Call[BotRequest, Nothing]) -> Reply:
    """Put a bot on an empty seat, also on a reserved one. Host only."""
    return receipt_reply(
        await call.application.matches.seat_bot(call.player, call.match_id, _seat(call), BotName(call.body.bot), call.key)
    )


@operation(
    "DELETE",
    "/matches/{match}/seats/{seat}",
    "clearSeat",
    tag=TAG,
    scope=Scope.PLAY,
    key=Key.OPTIONAL,
    problems=ACTED,
    answers=DONE,
)
async def clear_seat(call: Call[Nothing, Nothing]) -> Reply:
    """Clear a seat before the start, or end its reservation. Host only.

    A removed player cannot take a seat in this match again; one whose seat was only reserved can.
    """
    return receipt_reply(await call.application.matches.clear_seat(call.player, call.match_id, _seat(call), call.key))


@operation(
    "PUT",
    "/matches/{match}/host",
    "passHost",
    tag=TAG,
    seat_tokens=False,
    scope=Scope.PLAY,
    key=Key.OPTIONAL,
    body=HostRequest,
    problems=ACTED,
    answers=DONE,
)
async def pass_host(call: Call[HostRequest, Nothing]) -> Reply:
    """Make another player who sits at the table its host, before the start. Host only."""
    heir = PlayerId(call.body.player)
    return receipt_reply(await call.application.matches.pass_host(call.player, call.match_id, heir, call.key))


@operation(
    "POST",
    "/matches/{match}/start",
    "startMatch",
    tag=TAG,
    scope=Scope.PLAY,
    key=Key.OPTIONAL,
    problems=(*ACTED, "too-many-bot-matches"),
    answers=DONE,
)
async def start_match(call: Call[Nothing, Nothing]) -> Reply:
    """Start the match once all seats are filled. Host only."""
    return receipt_reply(await call.application.matches.start(call.player, call.match_id, call.key, call.place))


@operation(
    "POST",
    "/matches/{match}/rematch",
    "agreeRematch",
    tag=TAG,
    scope=Scope.PLAY,
    key=Key.OPTIONAL,
    problems=(*ACTED, "too-many-bot-matches"),
    answers=DONE,
)
async def agree_rematch(call: Call[Nothing, Nothing]) -> Reply:
    """Agree to a rematch with the same seats. It opens when the last player agrees; the view then names it as `rematch`.

    A seat is reserved there for each player. Take yours (`takeSeat`) with a nonce that you draw once you have the commitment of
    the new match, which begins when all have done so. To give it up, leave it.
    """
    receipt = await call.application.matches.rematch(call.player, call.match_id, call.key, call.place)
    return receipt_reply(receipt)


@operation(
    "POST", "/matches/{match}/abort", "abortMatch", tag=TAG, scope=Scope.PLAY, key=Key.OPTIONAL, problems=ACTED, answers=DONE
)
async def abort_match(call: Call[Nothing, Nothing]) -> Reply:
    """Abort a match: the host ends an open one; players agree to end a running one without a result."""
    return receipt_reply(await call.application.matches.abort(call.player, call.match_id, call.key))


OPERATIONS = (
    open_match,
    list_matches,
    list_my_matches,
    list_my_turns,
    get_match,
    take_seat,
    leave_seat,
    seat_bot,
    clear_seat,
    pass_host,
    start_match,
    agree_rematch,
    abort_match,
)
