"""What players show of themselves, and whom they follow and block."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta

from ....domain.match import PlayerId
from ....service.features.people.export import Exports
from ....service.features.people.places import SealedPlaces
from ....service.features.people.port import Relation
from ....service.features.people.service import People, TooManyPeople
from ....service.ports.players import Avatar
from ...http import response
from ...http.operation import Access, Answer, AnyCall, Call, operation
from ...http.rate_limits import Cost
from ...http.response import PRIVATE, SECRET, Reply
from ...problems import Refused
from ...routes.players import ME, player_facts, token_facts
from ...schema import fields, presenters
from ...schema.common import Nothing, Request, Scope
from ...schema.fields import PageCursor
from ...schema.matches import MatchPage
from ...schema.players import PlayerFacts
from .schema import (
    ExportFacts,
    PersonList,
    PersonPage,
    ProfileRequest,
    person_cursor,
    person_facts,
    read_position,
)

TAG = "people"


class PeopleQuery(Request, frozen=True):
    """Which page."""

    after: PageCursor | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


def player_of(call: AnyCall) -> PlayerId:
    """Return the player that the path names."""
    return PlayerId(call.path("player", fields.PLAYER_ID))


@operation(
    "PATCH",
    "/me/profile",
    "changeProfile",
    tag=ME,
    scope=Scope.CREATE,
    body=ProfileRequest,
    answers=(Answer(200, PlayerFacts, "The player with the changes."),),
)
async def change_profile(call: Call[ProfileRequest, Nothing]) -> Reply:
    """Choose your avatar and the languages that you speak; everyone can see both."""
    accounts = call.application.accounts
    wish = call.body
    changes: dict[str, object] = {}
    if wish.avatar is not UNSET:
        chosen = wish.avatar
        changes["avatar"] = None if chosen is None else Avatar(figure=chosen.figure, colour=chosen.colour)
    if wish.languages is not UNSET:
        changes["languages"] = tuple(dict.fromkeys(wish.languages))
    record = accounts.shown(await accounts.change(call.player, **changes))
    return response.json(player_facts(record, await accounts.standings(call.player)), *PRIVATE)


@operation(
    "GET",
    "/players/{player}/matches",
    "listPlayerMatches",
    tag=TAG,
    access=Access.ANYBODY,
    query=PeopleQuery,
    problems=("cursor-unknown",),
    answers=(Answer(200, MatchPage, "A page of matches."),),
)
async def list_player_matches(call: Call[Nothing, PeopleQuery]) -> Reply:
    """List matches of a player that are over and listed, newest first.

    A page may have fewer than `limit` matches and yet a `cursor`.
    """
    application = call.application
    query = call.query
    player = (await application.accounts.player(player_of(call))).id
    places = application.get(SealedPlaces)
    after = places.unseal(query.after) if query.after is not None else None
    if query.after is not None and after is None:
        raise Refused("cursor-unknown", field="after")
    found, last = await application.queries.public_matches_of(player, after, query.limit)
    people = await application.accounts.people(presenters.people_of(found))
    base = call.running.base(call.root)
    bots = call.running.catalog.bots
    items = tuple(presenters.match_facts(summary, people, bots, base) for summary in found)
    return response.json(MatchPage(items=items, cursor=places.seal(*last) if last is not None else None), *PRIVATE)


async def _page(call: Call[Nothing, PeopleQuery], relation: Relation) -> Reply:
    at_ms, player = read_position(call.query.after) if call.query.after is not None else (0, "")
    after = (at_ms, PlayerId(player)) if call.query.after is not None else None
    found, more = await call.application.get(People).of(call.player, relation, after, call.query.limit)
    items = tuple(person_facts(each.record, each.at_ms) for each in found)
    return response.json(PersonPage(items=items, cursor=person_cursor(found[-1]) if more and found else None), *SECRET)


async def _relate(call: AnyCall, relation: Relation) -> Reply:
    try:
        await call.application.get(People).relate(call.player, relation, player_of(call))
    except TooManyPeople:
        raise Refused("too-many-people") from None
    return response.nothing(204)


async def _part(call: AnyCall, relation: Relation) -> Reply:
    await call.application.get(People).part(call.player, relation, player_of(call))
    return response.nothing(204)


@operation(
    "GET",
    "/me/followed",
    "listFollowed",
    tag=ME,
    query=PeopleQuery,
    problems=("cursor-unknown",),
    answers=(Answer(200, PersonPage, "A page of players."),),
)
async def list_followed(call: Call[Nothing, PeopleQuery]) -> Reply:
    """List the players that you follow, newest first. No one else can see it."""
    return await _page(call, Relation.FOLLOWED)


@operation(
    "PUT",
    "/me/followed/{player}",
    "followPlayer",
    tag=ME,
    scope=Scope.PLAY,
    lent=False,
    problems=("too-many-people",),
    answers=(Answer(204, None, "You follow the player."),),
)
async def follow_player(call: Call[Nothing, Nothing]) -> Reply:
    """Follow a player, who does not learn of it. At most 500."""
    return await _relate(call, Relation.FOLLOWED)


@operation(
    "DELETE",
    "/me/followed/{player}",
    "unfollowPlayer",
    tag=ME,
    scope=Scope.PLAY,
    lent=False,
    answers=(Answer(204, None, "You do not follow the player."),),
)
async def unfollow_player(call: Call[Nothing, Nothing]) -> Reply:
    """Follow a player no longer."""
    return await _part(call, Relation.FOLLOWED)


@operation(
    "GET",
    "/me/blocked",
    "listBlocked",
    tag=ME,
    query=PeopleQuery,
    problems=("cursor-unknown",),
    answers=(Answer(200, PersonPage, "A page of players."),),
)
async def list_blocked(call: Call[Nothing, PeopleQuery]) -> Reply:
    """List the players that you have blocked, newest first. No one else can see it."""
    return await _page(call, Relation.BLOCKED)


@operation(
    "PUT",
    "/me/blocked/{player}",
    "blockPlayer",
    tag=ME,
    scope=Scope.PLAY,
    lent=False,
    problems=("too-many-people",),
    answers=(Answer(204, None, "The player is blocked."),),
)
async def block_player(call: Call[Nothing, Nothing]) -> Reply:
    """Block a player, who does not learn of it: no invitation between you arrives, and no quick match puts you together.

    You follow it no longer. At most 500.
    """
    return await _relate(call, Relation.BLOCKED)


@operation(
    "DELETE",
    "/me/blocked/{player}",
    "unblockPlayer",
    tag=ME,
    scope=Scope.PLAY,
    lent=False,
    answers=(Answer(204, None, "The player is not blocked."),),
)
async def unblock_player(call: Call[Nothing, Nothing]) -> Reply:
    """Block a player no longer."""
    return await _part(call, Relation.BLOCKED)


@operation("GET", "/me/recent-players", "listRecentPlayers", tag=ME, answers=(Answer(200, PersonList, "The players."),))
async def list_recent_players(call: Call[Nothing, Nothing]) -> Reply:
    """List with whom you play or have played in your 50 newest matches, newest first, without those you have blocked."""
    found = await call.application.get(People).recent(call.player)
    return response.json(PersonList(items=tuple(person_facts(each.record, each.at_ms) for each in found)), *SECRET)


@operation(
    "GET",
    "/me/export",
    "exportMe",
    tag=ME,
    scope=Scope.CREATE,
    cost=Cost.ADVICE,
    answers=(Answer(200, ExportFacts, "What is kept of you."),),
)
async def export_me(call: Call[Nothing, Nothing]) -> Reply:
    """Export all that the service holds of you: profile, tokens without their text, matches, and what its parts keep."""
    application = call.application
    found = await application.get(Exports).of(call.player)
    facts = ExportFacts(
        at_ms=application.now_ms(),
        player=player_facts(application.accounts.shown(found.player), await application.accounts.standings(call.player)),
        tokens=tuple(token_facts(each, call.payer) for each in found.tokens),
        matches=tuple(found.matches),
        features={name: msgspec.Raw(response.encode(part)) for name, part in found.features.items()},
    )
    return response.json(facts, *SECRET)


OPERATIONS = (
    change_profile,
    export_me,
    list_player_matches,
    list_followed,
    follow_player,
    unfollow_player,
    list_blocked,
    block_player,
    unblock_player,
    list_recent_players,
)
