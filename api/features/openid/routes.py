"""Signing in by OpenID Connect, and linking an identity to a player."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ....domain.match import PlayerId
from ....service.features.openid.provider_port import ProviderDown, SignInRefused
from ....service.features.openid.service import AttemptUnknown, Begun, IdentityTaken, LinkedAlready, OpenId, OpenIdOff, Proof
from ....service.players.accounts import PLAYER_SCOPES
from ...http import response
from ...http.kept import name_of
from ...http.operation import Access, Answer, AnyCall, Call, Key, operation
from ...http.rate_limits import Cost
from ...http.response import PRIVATE, SECRET, Reply
from ...problems import Refused
from ...routes.players import ME, signed_in
from ...schema.common import Nothing, Scope
from ...schema.players import PlayerIssued
from .schema import OpenIdBegun, OpenIdFacts, OpenIdLinkFacts, OpenIdProof, OpenIdSignIn

TAG = "openid"
RETRY_SECONDS = 5
_OFF = "openid-off"
_DOWN = "openid-unavailable"
_ENDS = (_OFF, _DOWN, "openid-attempt-unknown", "openid-refused")
_BEGUN = (Answer(200, OpenIdBegun, "Where the browser goes. The secret is shown only once."),)


@contextmanager
def _problems() -> Generator[None]:
    """Turn what can go wrong into problems."""
    try:
        yield
    except OpenIdOff:
        raise Refused(_OFF) from None
    except ProviderDown:
        raise Refused(_DOWN, retry_seconds=RETRY_SECONDS) from None
    except AttemptUnknown:
        raise Refused("openid-attempt-unknown") from None
    except SignInRefused as error:
        raise Refused("openid-refused", detail=error.reason) from None
    except IdentityTaken:
        raise Refused("openid-taken") from None
    except LinkedAlready:
        raise Refused("openid-linked") from None


def _openid(call: AnyCall) -> OpenId:
    return call.application.get(OpenId)


def _lasting(call: AnyCall) -> PlayerId:
    """Return the caller, unless what it links would outlast its token, or allow more."""
    holder = call.principal
    if holder is None or holder.expires_ms is not None or not {*PLAYER_SCOPES} <= holder.scopes:
        raise Refused("scope-missing", detail="a token that ends, or that does not allow all that a player can do, links nothing")
    return holder.player


def _reply_begun(begun: Begun) -> Reply:
    return response.json(OpenIdBegun(address=begun.address, secret=begun.secret, until_ms=begun.until_ms), *SECRET)


def _proof(wish: OpenIdProof) -> Proof:
    return Proof(wish.state, wish.code, wish.secret)


@operation(
    "GET",
    "/openid",
    "getOpenid",
    tag=TAG,
    access=Access.PUBLIC,
    problems=(_OFF,),
    answers=(Answer(200, OpenIdFacts, "The provider."),),
)
async def get_openid(call: Call[Nothing, Nothing]) -> Reply:
    """Get the provider of OpenID Connect by which players can sign in here."""
    with _problems():
        return response.json(OpenIdFacts(name=_openid(call).name), *PRIVATE)


@operation(
    "POST",
    "/openid/attempts",
    "beginOpenidSignIn",
    tag=TAG,
    key=Key.KEPT,
    access=Access.PUBLIC,
    cost=Cost.CHALLENGE,
    problems=(_OFF, _DOWN),
    answers=_BEGUN,
)
async def begin_openid_sign_in(call: Call[Nothing, Nothing]) -> Reply:
    """Begin to sign in. Send the browser to the address; it comes back to the web client's page to sign in within ten minutes.

    The provider is asked who someone is, and for nothing else: neither a name nor a mail address.
    """
    with _problems():
        return _reply_begun(await _openid(call).begin())


@operation(
    "POST",
    "/openid/sign-ins",
    "finishOpenidSignIn",
    tag=TAG,
    key=Key.KEPT,
    access=Access.PUBLIC,
    cost=Cost.PROOF,
    body=OpenIdSignIn,
    problems=(*_ENDS, "too-many-tokens"),
    answers=(Answer(200, PlayerIssued, "The player and a new token. The token's text is shown only once."),),
)
async def finish_openid_sign_in(call: Call[OpenIdSignIn, Nothing]) -> Reply:
    """Finish signing in: get a token of the player that is linked with who you are at the provider, or of a new player, a guest.

    An attempt counts once; the same request with the same key is repeatable.
    """
    application = call.application
    wish = call.body
    with _problems():
        player, token, text = await _openid(call).sign_in(_proof(wish), wish.label, name_of(call))
    return await signed_in(application.accounts, player, token, text)


@operation(
    "GET",
    "/me/openid",
    "getOpenidLink",
    tag=ME,
    scope=Scope.CREATE,
    problems=(_OFF,),
    answers=(Answer(200, OpenIdLinkFacts, "Whether you can sign in by the provider."),),
)
async def get_openid_link(call: Call[Nothing, Nothing]) -> Reply:
    """Get whether you can sign in by the provider."""
    with _problems():
        return response.json(OpenIdLinkFacts(name=_openid(call).name, since_ms=await _openid(call).linked(call.player)), *SECRET)


@operation(
    "POST",
    "/me/openid/attempts",
    "beginOpenidLink",
    tag=ME,
    key=Key.KEPT,
    scope=Scope.CREATE,
    problems=(_OFF, _DOWN),
    answers=_BEGUN,
)
async def begin_openid_link(call: Call[Nothing, Nothing]) -> Reply:
    """Begin to link who you are at the provider with your player, to sign in by it. It goes on as signing in does."""
    with _problems():
        return _reply_begun(await _openid(call).begin(_lasting(call)))


@operation(
    "POST",
    "/me/openid",
    "finishOpenidLink",
    tag=ME,
    key=Key.KEPT,
    scope=Scope.CREATE,
    body=OpenIdProof,
    problems=(*_ENDS, "openid-taken", "openid-linked"),
    answers=(Answer(200, OpenIdLinkFacts, "You can sign in by the provider from now on."),),
)
async def finish_openid_link(call: Call[OpenIdProof, Nothing]) -> Reply:
    """Finish linking. The attempt must have begun with a token of the same player, and counts once."""
    with _problems():
        since_ms = await _openid(call).link(_lasting(call), _proof(call.body), name_of(call))
        return response.json(OpenIdLinkFacts(name=_openid(call).name, since_ms=since_ms), *SECRET)


@operation(
    "DELETE",
    "/me/openid",
    "unlinkOpenid",
    tag=ME,
    scope=Scope.CREATE,
    problems=(_OFF,),
    answers=(Answer(204, None, "No one signs in as you by the provider any more."),),
)
async def unlink_openid(call: Call[Nothing, Nothing]) -> Reply:
    """Let no one sign in as you by the provider any more. Tokens stay as they are."""
    with _problems():
        await _openid(call).unlink(call.player)
    return response.nothing(204)


OPERATIONS = (
    get_openid,
    begin_openid_sign_in,
    finish_openid_sign_in,
    get_openid_link,
    begin_openid_link,
    finish_openid_link,
    unlink_openid,
)
