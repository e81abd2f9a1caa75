"""What people add to the API."""

from __future__ import annotations

from ....service.features.people.messages import PlayerInvited
from ...http.feature import BODY, ApiFeature, Json, link
from ...problem_types import Kind
from . import device_routes, invitation_routes, routes

_OF_INVITATION: Json = {
    "match": link("getMatch", match="match"),
    "invitations": link("listMatchInvitations", match="match"),
}

API = ApiFeature(
    operations=(*routes.OPERATIONS, *invitation_routes.OPERATIONS, *device_routes.OPERATIONS),
    notices=(PlayerInvited,),
    tags={routes.TAG: "Find each other: whom you follow, block, have played with, and invite."},
    problems={
        "too-many-people": Kind(
            409,
            "Auf dieser Liste stehen schon so viele, wie erlaubt sind.",
            "This list already has the maximum number of players.",
            "Take someone off it first. At most 500 can be followed, and 500 blocked.",
        ),
        "not-invitable": Kind(
            409,
            "Zu dieser Partie kannst du gerade nicht einladen.",
            "You cannot invite to this match right now.",
            "`detail` says why. Invite players who are not there yet to an open match that you host or sit in.",
        ),
        "device-code-unknown": Kind(
            404,
            "Dieser Link gilt nicht mehr.",
            "This link is no longer valid.",
            "It was used, has ended, or was revoked. Ask for a new code on the other device.",
        ),
    },
    links={
        ("getPlayer", 200): {"matches": link("listPlayerMatches", player="id")},
        ("listPlayerMatches", 200): {"next": link("listPlayerMatches", player="path player", after="cursor")},
        ("listFollowed", 200): {
            "first": link("getPlayer", player="items/0/player"),
            "next": link("listFollowed", after="cursor"),
        },
        ("listBlocked", 200): {
            "first": link("getPlayer", player="items/0/player"),
            "next": link("listBlocked", after="cursor"),
        },
        ("listRecentPlayers", 200): {"first": link("followPlayer", player="items/0/player")},
        ("invitePlayer", 200): {
            **_OF_INVITATION,
            "withdraw": link("withdrawInvitation", match="match", player="other/player"),
        },
        ("listInvitations", 200): {"first": link("getMatch", match="items/0/match")},
        ("createDeviceCode", 200): {"redeem": {**link("redeemDeviceCode"), BODY: {"code": "$response.body#/code"}}},
    },
)
