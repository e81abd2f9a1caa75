"""Where applications of others find what they need, and where they send players to: beside the contract, as the RFCs want."""

from __future__ import annotations

from urllib.parse import urlencode

import msgspec

from ....service.players.accounts import PLAYER_SCOPES
from ...http import response
from ...http.operation import Access, Answer, AnyCall, Call, operation
from ...http.rate_limits import Cost
from ...http.response import SECRET, Reply
from ...problems import Refused
from ...schema.common import Nothing
from .routes import is_on
from .schema import AuthorizationQuery

TAG = "pages"
AUTHORIZE = "/oauth/authorize"
TOKEN = "/api/v1/oauth/token"  # noqa: S105 - a path, no secret
KEPT = ((b"cache-control", b"public, max-age=3600"),)
FOUND = (Answer(200, dict, "As the RFC says."),)


def _require_on(call: AnyCall) -> None:
    if not is_on(call):
        raise Refused("not-found")


@operation(
    "GET",
    "/.well-known/oauth-authorization-server",
    "getOauthServer",
    tag=TAG,
    access=Access.PUBLIC,
    cost=Cost.NOTHING,
    answers=FOUND,
)
async def get_oauth_server(call: Call[Nothing, Nothing]) -> Reply:
    """Describe how applications get tokens (RFC 8414)."""
    _require_on(call)
    here = call.address
    metadata = {
        "issuer": here,
        "authorization_endpoint": f"{here}{AUTHORIZE}",
        "token_endpoint": f"{here}{TOKEN}",
        "registration_endpoint": f"{here}/api/v1/oauth/applications",
        "revocation_endpoint": f"{here}/api/v1/oauth/revocation",
        "scopes_supported": PLAYER_SCOPES,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "service_documentation": f"{here}/api/v1/docs",
    }
    return response.json(metadata, *KEPT)


@operation(
    "GET",
    "/.well-known/oauth-protected-resource",
    "getOauthResource",
    tag=TAG,
    access=Access.PUBLIC,
    cost=Cost.NOTHING,
    answers=FOUND,
)
async def get_oauth_resource(call: Call[Nothing, Nothing]) -> Reply:
    """Describe who gives tokens for this service (RFC 9728): the service itself."""
    _require_on(call)
    metadata = {
        "resource": call.address,
        "authorization_servers": [call.address],
        "scopes_supported": PLAYER_SCOPES,
        "bearer_methods_supported": ["header"],
    }
    return response.json(metadata, *KEPT)


@operation(
    "GET",
    AUTHORIZE,
    "showAuthorize",
    tag=TAG,
    access=Access.PUBLIC,
    cost=Cost.NOTHING,
    query=AuthorizationQuery,
    answers=(Answer(200, str, "An HTML page.", (), "text/html"),),
)
async def show_authorize(call: Call[Nothing, AuthorizationQuery]) -> Reply:
    """Lead to the page of the web client that asks the player. What the application has sent goes behind the #, to no server."""
    _require_on(call)
    sent = {name: value for name, value in msgspec.structs.asdict(call.query).items() if value}
    where = f"{call.running.base(call.root)}/#/authorize?{urlencode(sent)}"
    return response.nothing(303, (b"location", where.encode()), (b"referrer-policy", b"no-referrer"), *SECRET)


PAGES = (get_oauth_server, get_oauth_resource, show_authorize)
