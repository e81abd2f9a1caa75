"""Invitations to matches."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache

from ....domain.match import PlayerId
from ....service.features.people.invitations import Invitations, InvitedTooMany, NotInvitable
from ...http import response
from ...http.operation import Answer, Call, Key, operation
from ...http.response import SECRET, Reply
from ...problems import Refused
from ...routes.players import ME
from ...schema.common import Nothing, Scope
from .qr_code import qr_code
from .routes import TAG, player_of
from .schema import InvitationFacts, InvitationList, InvitationRequest, MatchInvitations, invitation_facts


@contextmanager
def _refusing() -> Generator[None]:
    try:
        yield
    except NotInvitable as error:
        raise Refused("not-invitable", detail=error.reason) from None
    except InvitedTooMany as error:
        raise Refused("too-many-requests", detail="invitations a day", retry_seconds=error.wait_s) from None


@operation(
    "POST",
    "/matches/{match}/invitations",
    "invitePlayer",
    tag=TAG,
    seat_tokens=False,
    key=Key.KEPT,
    scope=Scope.PLAY,
    body=InvitationRequest,
    problems=("not-invitable",),
    answers=(Answer(200, InvitationFacts, "The invitation."),),
)
async def invite_player(call: Call[InvitationRequest, Nothing]) -> Reply:
    """Invite a player to an open match that you host or sit in. It comes into the player's inbox and list (`listInvitations`).

    The player takes a seat as usual. At most 50 players a match, and 50 invitations a day; whether one has come, and is read, is
    not shown.
    """
    with _refusing():
        invitations = call.application.get(Invitations)
        player = PlayerId(call.body.player)
        invited = await invitations.invite(call.player, call.match_id, player, call.place)
    return response.json(invitation_facts(invited), *SECRET)


@operation(
    "GET",
    "/matches/{match}/invitations",
    "listMatchInvitations",
    tag=TAG,
    seat_tokens=False,
    problems=("not-invitable",),
    answers=(Answer(200, MatchInvitations, "Who is invited."),),
)
async def list_match_invitations(call: Call[Nothing, Nothing]) -> Reply:
    """List who is invited to an open match that you host or sit in, oldest first, without those who have come.

    Whom you cannot invite by name comes by the link, or reads it as a QR code from your screen.
    """
    with _refusing():
        found = await call.application.get(Invitations).at(call.player, call.match_id)
    link = f"{call.address}/match/{call.match_id}"
    shown = MatchInvitations(items=tuple(map(invitation_facts, found)), link=link, qr=_code_of_match(link))
    return response.json(shown, *SECRET)


@lru_cache(256)
def _code_of_match(link: str) -> str:
    """Return the code of a match, which is no secret: drawing takes milliseconds, and each look at the list asks for it."""
    return qr_code(link)


@operation(
    "DELETE",
    "/matches/{match}/invitations/{player}",
    "withdrawInvitation",
    tag=TAG,
    seat_tokens=False,
    scope=Scope.PLAY,
    problems=("not-invitable",),
    answers=(Answer(204, None, "The player is not invited."),),
)
async def withdraw_invitation(call: Call[Nothing, Nothing]) -> Reply:
    """Withdraw an invitation to an open match that you host or sit in."""
    with _refusing():
        await call.application.get(Invitations).withdraw(call.player, call.match_id, player_of(call))
    return response.nothing(204)


@operation(
    "GET",
    "/me/invitations",
    "listInvitations",
    tag=ME,
    answers=(Answer(200, InvitationList, "Your invitations."),),
)
async def list_invitations(call: Call[Nothing, Nothing]) -> Reply:
    """List the matches to which you are invited, newest first, as long as they are open, and at most for a week."""
    found = await call.application.get(Invitations).of(call.player)
    return response.json(InvitationList(items=tuple(map(invitation_facts, found))), *SECRET)


@operation(
    "DELETE",
    "/me/invitations/{match}",
    "declineInvitation",
    tag=ME,
    seat_tokens=False,
    scope=Scope.PLAY,
    answers=(Answer(204, None, "It is declined."),),
)
async def decline_invitation(call: Call[Nothing, Nothing]) -> Reply:
    """Decline an invitation: those who sit at the match see it, and you are not invited to it again."""
    await call.application.get(Invitations).decline(call.player, call.match_id)
    return response.nothing(204)


OPERATIONS = (invite_player, list_match_invitations, withdraw_invitation, list_invitations, decline_invitation)
