"""OAuth 2 for applications of others: registering, allowing, getting tokens, and ending it."""

from __future__ import annotations

import msgspec

from ....service.features.oauth.clients import Clients, OauthRefused, TooOften, Unfounded, scopes_of
from ....service.features.oauth.redirects import host_of
from ....service.features.oauth.service import Grants, Issued, answered
from ....service.features.oauth.settings import OauthSettings
from ....service.players.kept_answers import was_there
from ...http import response
from ...http.operation import Access, Answer, AnyCall, Call, Foreign, Key, operation
from ...http.rate_limits import Cost
from ...http.response import SECRET, Reply
from ...problems import Refused
from ...routes.players import ME
from ...schema import fields
from ...schema.common import Nothing, Scope
from .schema import (
    CLIENT_ID,
    ApplicationList,
    ApplicationRegistered,
    ApplicationRequest,
    AuthorizationDecided,
    AuthorizationQuery,
    AuthorizationRequest,
    AuthorizationSheet,
    OauthError,
    RevocationAnswer,
    RevocationForm,
    TokenAnswer,
    TokenForm,
    application_facts,
    asked_of,
    registered,
)

TAG = "oauth"


def is_on(call: AnyCall) -> bool:
    """Return whether this deployment has applications of others."""
    return call.running.settings.of(OauthSettings).oauth


def _require_on(call: AnyCall) -> None:
    if not is_on(call):
        raise Refused("oauth-off")


def error_reply(code: str, reason: str) -> Reply:
    """Return what is wrong in the words of OAuth."""
    return response.json(OauthError(error=code, error_description=reason), *SECRET, status=400)


def _misread(refusal: Refused) -> Reply:
    return error_reply("invalid_request", refusal.detail or "the form cannot be read")


def _misread_metadata(refusal: Refused) -> Reply:
    wrong = "invalid_redirect_uri" if (refusal.field or "").startswith("/redirect_uris") else "invalid_client_metadata"
    return error_reply(wrong, refusal.detail or "the body cannot be read")


FORM = Foreign(OauthError, _misread, form=True)
METADATA = Foreign(OauthError, _misread_metadata)


async def _is_known(call: AnyCall, reply: Reply) -> bool:
    """Return whether the application of a reply is still registered."""
    return await call.application.get(Grants).knows(msgspec.json.decode(reply.body, type=ApplicationRegistered).client_id)


@operation(
    "POST",
    "/oauth/applications",
    "registerApplication",
    tag=TAG,
    key=Key.KEPT,
    access=Access.PUBLIC,
    body=ApplicationRequest,
    problems=("oauth-off",),
    foreign=METADATA,
    still=_is_known,
    answers=(Answer(201, ApplicationRegistered, "The application, with its id. There is no secret."),),
)
async def register_application(call: Call[ApplicationRequest, Nothing]) -> Reply:
    """Register an application of yours, by which players can let it act for them (RFC 7591).

    Where it has players sent back to is an https address, one of the device itself (http to 127.0.0.1, [::1] or localhost), or
    has a scheme like `com.example.app`. An application that no player has allowed anything within an hour, or that is not used
    for 90 days, has to register again. Where yours was ended, the same request with the same key registers another one.
    """
    _require_on(call)
    try:
        client = await call.application.get(Clients).register(call.body.client_name, call.body.redirect_uris, call.payer)
    except OauthRefused as refused:
        return error_reply(refused.code, refused.reason)
    except TooOften as refused:
        raise Refused("too-many-requests", detail="applications of an address", retry_seconds=refused.wait_s) from None
    return response.json(registered(client), *SECRET, status=201)


@operation(
    "GET",
    "/oauth/authorization",
    "getAuthorization",
    tag=TAG,
    access=Access.PUBLIC,
    query=AuthorizationQuery,
    problems=("oauth-off", "application-unknown"),
    answers=(Answer(200, AuthorizationSheet, "What the application asks for."),),
)
async def get_authorization(call: Call[Nothing, AuthorizationQuery]) -> Reply:
    """Get what an application asks a player for, by the parameters that it has sent the player with."""
    _require_on(call)
    asked = asked_of(call.query)
    refused = None
    try:
        client = await call.application.get(Clients).known(asked)
    except Unfounded:
        raise Refused("application-unknown") from None
    try:
        scopes = scopes_of(asked)
    except OauthRefused as wrong:
        scopes = ()
        refused = answered(asked, call.address, error=wrong.code, error_description=wrong.reason)
    sheet = AuthorizationSheet(
        client_id=client.id,
        name=client.name,
        host=host_of(asked.redirect_uri),
        scopes=tuple(map(Scope, scopes)),
        refused=refused,
    )
    return response.json(sheet, *SECRET)


@operation(
    "POST",
    "/oauth/authorization",
    "decideAuthorization",
    tag=TAG,
    key=Key.KEPT,
    scope=Scope.CREATE,
    body=AuthorizationRequest,
    problems=("oauth-off", "application-unknown", "application-refused"),
    answers=(Answer(200, AuthorizationDecided, "Where the browser has to go."),),
)
async def decide_authorization(call: Call[AuthorizationRequest, Nothing]) -> Reply:
    """Allow an application to act for you, or refuse it. Only a page that you trust should ask you, such as the web client.

    The code in the address counts once, within a minute.
    """
    _require_on(call)
    assert call.principal is not None, "the operation needs a token"
    grants = call.application.get(Grants)
    asked = asked_of(call.body)
    try:
        redirect = await grants.decide(call.principal, asked, call.address, allowed=call.body.allowed)
    except Unfounded:
        raise Refused("application-unknown") from None
    except OauthRefused as refused:
        raise Refused("application-refused", detail=f"{refused.code}: {refused.reason}") from None
    return response.json(AuthorizationDecided(redirect=redirect), *SECRET)


@operation(
    "POST",
    "/oauth/token",
    "exchangeToken",
    tag=TAG,
    access=Access.PUBLIC,
    cost=Cost.PROOF,
    body=TokenForm,
    problems=("oauth-off",),
    foreign=FORM,
    answers=(Answer(200, TokenAnswer, "The tokens. They are shown only once."),),
)
async def exchange_token(call: Call[TokenForm, Nothing]) -> Reply:
    """Get tokens for a code, or new ones for a refresh token (RFC 6749, with PKCE).

    A code or refresh token that comes a second time ends all that was given for it: someone else may have it.
    """
    _require_on(call)
    grants = call.application.get(Grants)
    form = call.body
    try:
        if form.grant_type == "authorization_code":
            issued = await grants.exchange(form.client_id, form.code, form.redirect_uri, form.code_verifier)
        elif form.grant_type == "refresh_token":
            issued = await grants.refresh(form.client_id, form.refresh_token, form.scope)
        else:
            wrong = "unsupported_grant_type" if form.grant_type else "invalid_request"
            return error_reply(wrong, "grant_type is authorization_code or refresh_token")
    except OauthRefused as refused:
        return error_reply(refused.code, refused.reason)
    return response.json(_token_answer(issued, call.application.now_ms()), *SECRET, (b"pragma", b"no-cache"))


def _token_answer(issued: Issued, now_ms: int) -> TokenAnswer:
    return TokenAnswer(
        access_token=issued.access,
        token_type="Bearer",  # noqa: S106 - a kind, no secret
        expires_in=max(issued.expires_ms - now_ms, 0) // 1_000,
        refresh_token=issued.refresh,
        scope=" ".join(issued.scopes),
    )


@operation(
    "POST",
    "/oauth/revocation",
    "endAuthorization",
    tag=TAG,
    access=Access.PUBLIC,
    body=RevocationForm,
    problems=("oauth-off",),
    foreign=FORM,
    answers=(Answer(200, RevocationAnswer, "The token does not count any more."),),
)
async def end_authorization(call: Call[RevocationForm, Nothing]) -> Reply:
    """End what a player has allowed an application, by one of the tokens that it got (RFC 7009). All of them end."""
    _require_on(call)
    if not call.body.token:
        return error_reply("invalid_request", "token is missing")
    try:
        await call.application.get(Grants).revoke(call.body.client_id, call.body.token)
    except OauthRefused as refused:
        return error_reply(refused.code, refused.reason)
    return response.json(RevocationAnswer(), *SECRET)


@operation(
    "GET",
    "/me/applications",
    "listApplications",
    tag=ME,
    scope=Scope.CREATE,
    problems=("oauth-off",),
    answers=(Answer(200, ApplicationList, "The applications."),),
)
async def list_applications(call: Call[Nothing, Nothing]) -> Reply:
    """List the applications of others that you have allowed to act for you, newest first."""
    _require_on(call)
    found = await call.application.get(Grants).of(call.player)
    return response.json(ApplicationList(items=tuple(map(application_facts, found))), *SECRET)


@operation(
    "DELETE",
    "/me/applications/{grant}",
    "revokeApplication",
    tag=ME,
    scope=Scope.CREATE,
    key=Key.KEPT,
    problems=("oauth-off",),
    answers=(Answer(204, None, "It may do nothing for you any more.", (response.REPLAYED,)),),
)
async def revoke_application(call: Call[Nothing, Nothing]) -> Reply:
    """Allow an application of others nothing any more. Its tokens end. Repeated with the same key, it says the same."""
    _require_on(call)
    grants = call.application.get(Grants)
    grant = call.path("grant", fields.GRANT_ID)
    there = await was_there(any(each.id == grant for each in await grants.of(call.player)))
    if not (await grants.end(call.player, grant) or there):
        raise Refused("not-found")
    return response.nothing(204)


@operation(
    "DELETE",
    "/oauth/applications/{application}",
    "endApplication",
    tag="operations",
    scope=Scope.ADMIN,
    key=Key.KEPT,
    problems=("oauth-off",),
    answers=(Answer(204, None, "It is not known here any more.", (response.REPLAYED,)),),
)
async def end_application(call: Call[Nothing, Nothing]) -> Reply:
    """End an application of others, with all that players have allowed it. Operators only.

    Its tokens end at once. Nothing keeps its makers from registering it again; players are asked again then.
    """
    _require_on(call)
    grants = call.application.get(Grants)
    client = call.path("application", CLIENT_ID)
    there = await was_there(await grants.knows(client))
    if not (await grants.end_client(client) or there):
        raise Refused("not-found")
    return response.nothing(204)


OPERATIONS = (
    register_application,
    end_application,
    get_authorization,
    decide_authorization,
    exchange_token,
    end_authorization,
    list_applications,
    revoke_application,
)
