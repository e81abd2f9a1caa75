"""What OAuth adds to the API."""

from __future__ import annotations

from ....service.players.accounts import PLAYER_SCOPES
from ...http.feature import ApiFeature, Json, link
from ...problem_types import Kind
from ...schema import fields
from .pages import AUTHORIZE, PAGES, TOKEN
from .routes import OPERATIONS, TAG
from .schema import CLIENT_ID

SCOPES = {
    "read": "See all that the player may know.",
    "play": "Take seats and play in the player's name.",
    "create": "Open matches and tournaments in the player's name.",
}


def _schemes(base: str) -> Json:
    flow: Json = {
        "authorizationUrl": f"{base}{AUTHORIZE}",
        "tokenUrl": f"{base}{TOKEN}",
        "refreshUrl": f"{base}{TOKEN}",
        "scopes": {scope: SCOPES[scope] for scope in PLAYER_SCOPES},
    }
    about = "A token that a player has allowed an application of others to get, by a code with PKCE (S256), without a secret."
    return {"oauth2": {"type": "oauth2", "description": about, "flows": {"authorizationCode": flow}}}


API = ApiFeature(
    operations=OPERATIONS,
    pages=PAGES,
    schemes=_schemes,
    tags={TAG: "Applications of others, which players allow to act for them: OAuth 2 with PKCE."},
    parameters={
        "grant": (fields.GRANT_ID, "The id of what you have allowed an application."),
        "application": (CLIENT_ID, "The id of an application, as it got it when it registered."),
    },
    problems={
        "oauth-off": Kind(
            409,
            "Hier können Anwendungen anderer nicht für dich handeln.",
            "This deployment has no applications of others.",
            "Use a token of the player: `POST /me/tokens`.",
        ),
        "application-unknown": Kind(
            404,
            "Diese Anwendung ist hier nicht bekannt, oder sie nennt eine fremde Adresse.",
            "This application is not known here, or names an address that is not its own.",
            "Register it first, and send players with a `redirect_uri` that is registered, letter by letter.",
        ),
        "application-refused": Kind(
            409,
            "So darf die Anwendung nicht fragen.",
            "The application asks for what it may not have, or not in this way.",
            "`detail` has the error of OAuth, and what is needed.",
        ),
    },
    links={("listApplications", 200): {"revoke": link("revokeApplication", grant="items/0/id")}},
)
