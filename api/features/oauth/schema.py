"""Shapes of OAuth. Fields have the names that its RFCs give them; what they do not name is ignored, as they want it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ....service.features.oauth.clients import MOST_REDIRECTS, Asked
from ....service.features.oauth.port import Client, Grant
from ....service.features.oauth.redirects import LONGEST
from ....service.players.accounts import PLAYER_SCOPES
from ....service.players.names import LONGEST_NAME
from ...schema.common import Request, Scope
from ...schema.fields import END, GrantRef, Moment, TokenRef

CLIENT_ID = r"^a[0-9a-f]{26}" + END

ClientRef: TypeAlias = Annotated[str, Meta(pattern=CLIENT_ID, description="The id of an application.")]
Address: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST)]
ShownName: TypeAlias = Annotated[str, Meta(max_length=LONGEST_NAME)]
Scopes: TypeAlias = Annotated[str, Meta(max_length=100, description="Scopes, with a blank between them.")]
State: TypeAlias = Annotated[str, Meta(max_length=1_000)]
Challenge: TypeAlias = Annotated[str, Meta(max_length=128)]
Method: TypeAlias = Annotated[str, Meta(max_length=16, description="`S256`; no other method is known.")]
Word: TypeAlias = Annotated[str, Meta(max_length=64)]
TokenText: TypeAlias = Annotated[str, Meta(max_length=256)]


class ApplicationRequest(Request, frozen=True, forbid_unknown_fields=False):
    """An application that registers (RFC 7591): where players may be sent back to, and its name. Other fields are ignored."""

    redirect_uris: Annotated[tuple[Address, ...], Meta(min_length=1, max_length=MOST_REDIRECTS)]
    client_name: ShownName = ""


class ApplicationRegistered(msgspec.Struct, frozen=True, kw_only=True):
    """A registered application, and what holds for it, whatever it has asked for. `client_id_issued_at` is in Unix seconds."""

    client_id: ClientRef
    client_id_issued_at: Annotated[int, Meta(ge=0)]
    client_name: str
    redirect_uris: tuple[str, ...]
    grant_types: tuple[str, ...] = ("authorization_code", "refresh_token")
    response_types: tuple[str, ...] = ("code",)
    token_endpoint_auth_method: str = "none"  # noqa: S105 - there is no secret
    scope: str = " ".join(PLAYER_SCOPES)


class AuthorizationQuery(Request, frozen=True, forbid_unknown_fields=False):
    """What an application sends a player with (RFC 6749 and 7636)."""

    response_type: Word = ""
    client_id: Word = ""
    redirect_uri: Annotated[str, Meta(max_length=LONGEST)] = ""
    scope: Scopes = ""
    state: State = ""
    code_challenge: Challenge = ""
    code_challenge_method: Method = ""


class AuthorizationRequest(Request, frozen=True):
    """What an application has sent you with, and whether you allow it."""

    allowed: bool
    client_id: ClientRef
    redirect_uri: Address
    response_type: Word = "code"
    scope: Scopes = ""
    state: State = ""
    code_challenge: Challenge = ""
    code_challenge_method: Method = ""


class AuthorizationSheet(msgspec.Struct, frozen=True, kw_only=True):
    """What an application asks for. `name` is what it calls itself; `host` is where a player is sent back to.

    `refused`: where the player may be sent back to with an error, as the application has asked wrongly; there are no scopes then.
    """

    client_id: ClientRef
    name: str
    host: str
    scopes: tuple[Scope, ...]
    refused: str | None


class AuthorizationDecided(msgspec.Struct, frozen=True, kw_only=True):
    """Where the browser has to go now. The address has a code for the application, or its refusal; show it to no one else."""

    redirect: str


class TokenForm(Request, frozen=True, forbid_unknown_fields=False):
    """A form that asks for tokens: with a code (`authorization_code`), or with a refresh token (`refresh_token`)."""

    grant_type: Word = ""
    client_id: Word = ""
    code: TokenText = ""
    redirect_uri: Annotated[str, Meta(max_length=LONGEST)] = ""
    code_verifier: Challenge = ""
    refresh_token: TokenText = ""
    scope: Scopes = ""


class TokenAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of an application. `expires_in` is in seconds; the refresh token counts once."""

    access_token: str
    token_type: str
    expires_in: Annotated[int, Meta(ge=0)]
    refresh_token: str
    scope: str


class RevocationForm(Request, frozen=True, forbid_unknown_fields=False):
    """A form that ends what a token of the application belongs to (RFC 7009): a refresh token, or an access token."""

    token: TokenText = ""
    client_id: Word = ""
    token_type_hint: Word = ""


class RevocationAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The token does not count, whether it was one or not: `active` is false."""

    active: bool = False


class OauthError(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong, in the words of OAuth: a code of its RFCs, and a sentence for developers."""

    error: str
    error_description: str | UnsetType = UNSET


class ApplicationFacts(msgspec.Struct, frozen=True, kw_only=True):
    """An application of others that you have allowed to act for you: `host` is where it had you sent back to.

    `used_ms`: when it last got a token. `until_ms`: when this ends, unless it gets another one before. `allowed_by`: the id of
    your token by which it was allowed; where that was stolen, end this, too.
    """

    id: GrantRef
    client_id: ClientRef
    name: str
    host: str
    scopes: tuple[Scope, ...]
    since_ms: Moment
    used_ms: Moment
    until_ms: Moment
    allowed_by: TokenRef | UnsetType = UNSET


class ApplicationList(msgspec.Struct, frozen=True, kw_only=True):
    """Applications of others that you have allowed to act for you, newest first."""

    items: tuple[ApplicationFacts, ...]


def registered(client: Client) -> ApplicationRegistered:
    """Return an application as it is registered."""
    return ApplicationRegistered(
        client_id=client.id,
        client_id_issued_at=client.created_ms // 1_000,
        client_name=client.name,
        redirect_uris=client.redirects,
    )


def application_facts(grant: Grant) -> ApplicationFacts:
    """Return what a player has allowed."""
    return ApplicationFacts(
        id=grant.id,
        client_id=grant.client,
        name=grant.name,
        host=grant.host,
        scopes=tuple(map(Scope, grant.scopes)),
        since_ms=grant.since_ms,
        used_ms=grant.used_ms,
        until_ms=grant.until_ms,
        allowed_by=grant.by or UNSET,
    )


def asked_of(request: AuthorizationQuery | AuthorizationRequest) -> Asked:
    """Return what an application asks for."""
    return Asked(**{name: getattr(request, name) for name in Asked.__struct_fields__})
