"""Passkeys: adding, listing, renaming and removing them, and signing in."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ....service.errors import Forbidden
from ....service.features.passkeys.service import (
    ChallengeEnded,
    PasskeyCopied,
    PasskeyKnown,
    Passkeys,
    PasskeysOff,
    PasskeyUnknown,
    TooManyPasskeys,
)
from ....service.features.passkeys.site import PasskeyRefused, site_of
from ....service.players.accounts import Principal
from ...http import response
from ...http.kept import name_of
from ...http.operation import Access, Answer, AnyCall, Call, Key, operation
from ...http.rate_limits import Cost
from ...http.response import SECRET, Reply
from ...problems import Refused
from ...routes.players import ME, signed_in
from ...schema.common import Nothing, Scope
from ...schema.players import PlayerIssued
from .schema import (
    PASSKEY_ID,
    PasskeyFacts,
    PasskeyLabelRequest,
    PasskeyList,
    PasskeyOptions,
    PasskeyRequest,
    PasskeySignInRequest,
    SignInOptions,
    assertion,
    passkey_facts,
    passkey_options,
    raw_of,
    written,
)

TAG = "passkeys"
OFF = "passkeys-off"


@contextmanager
def _refusing(unknown: str = "not-found") -> Generator[None]:
    """Raise Refused for what the service raises; *unknown* is the problem of a passkey that is none."""
    try:
        yield
    except PasskeysOff:
        raise Refused(OFF) from None
    except ChallengeEnded:
        raise Refused("passkey-challenge-ended") from None
    except PasskeyRefused as refusal:
        raise Refused("passkey-refused", detail=refusal.reason) from None
    except PasskeyKnown:
        raise Refused("passkey-known") from None
    except PasskeyCopied:
        raise Refused("passkey-copied") from None
    except PasskeyUnknown:
        raise Refused(unknown) from None
    except TooManyPasskeys:
        raise Refused("too-many-passkeys") from None
    except Forbidden as refusal:
        if refusal.reason != "token-ends":
            raise
        raise Refused("scope-missing", detail="the token must not end, and must have the scopes read, play and create") from None


def _passkeys(call: AnyCall) -> Passkeys:
    return call.application.get(Passkeys)


def _holder(call: AnyCall) -> Principal:
    assert call.principal is not None, "the operation needs a token"
    return call.principal


@operation(
    "POST",
    "/me/passkey-options",
    "preparePasskey",
    tag=ME,
    key=Key.KEPT,
    scope=Scope.CREATE,
    problems=(OFF, "too-many-passkeys"),
    answers=(Answer(200, PasskeyOptions, "What to ask the browser for."),),
)
async def prepare_passkey(call: Call[Nothing, Nothing]) -> Reply:
    """Get what to ask a browser for to make a passkey. Its challenge counts once, for five minutes.

    The token must not end, and must have the scopes `read`, `play` and `create`: a passkey leads to such tokens.
    """
    with _refusing():
        wanted = await _passkeys(call).prepare(_holder(call))
    return response.json(passkey_options(wanted, site_of(call.address)), *SECRET)


@operation(
    "POST",
    "/me/passkeys",
    "addPasskey",
    tag=ME,
    key=Key.KEPT,
    scope=Scope.CREATE,
    body=PasskeyRequest,
    problems=(OFF, "passkey-challenge-ended", "passkey-refused", "passkey-known", "too-many-passkeys"),
    answers=(Answer(200, PasskeyFacts, "The passkey."),),
)
async def add_passkey(call: Call[PasskeyRequest, Nothing]) -> Reply:
    """Add a passkey that a browser has made, so that you can sign in by it on any device. At most 10."""
    wish = call.body
    by = name_of(call)
    client_data, attestation = raw_of(wish.client_data), raw_of(wish.attestation)
    with _refusing():
        added = await _passkeys(call).add(_holder(call), call.address, wish.label, client_data, attestation, by)
    return response.json(passkey_facts(added), *SECRET)


@operation(
    "GET",
    "/me/passkeys",
    "listPasskeys",
    tag=ME,
    scope=Scope.CREATE,
    problems=(OFF,),
    answers=(Answer(200, PasskeyList, "The passkeys."),),
)
async def list_passkeys(call: Call[Nothing, Nothing]) -> Reply:
    """List your passkeys: how you call them, when they were made, and when you last signed in by them."""
    with _refusing():
        found = await _passkeys(call).of(call.player)
    return response.json(PasskeyList(items=tuple(map(passkey_facts, found))), *SECRET)


@operation(
    "PATCH",
    "/me/passkeys/{passkey}",
    "renamePasskey",
    tag=ME,
    scope=Scope.CREATE,
    body=PasskeyLabelRequest,
    problems=(OFF,),
    answers=(Answer(200, PasskeyFacts, "The passkey with its new label."),),
)
async def rename_passkey(call: Call[PasskeyLabelRequest, Nothing]) -> Reply:
    """Change how a passkey of yours is called."""
    with _refusing():
        renamed = await _passkeys(call).rename(call.player, call.path("passkey", PASSKEY_ID), call.body.label)
    return response.json(passkey_facts(renamed), *SECRET)


@operation(
    "DELETE",
    "/me/passkeys/{passkey}",
    "removePasskey",
    tag=ME,
    scope=Scope.CREATE,
    problems=(OFF,),
    answers=(Answer(204, None, "It was removed."),),
)
async def remove_passkey(call: Call[Nothing, Nothing]) -> Reply:
    """Remove a passkey: it signs in no longer. Devices on which you have signed in by it stay signed in."""
    with _refusing():
        await _passkeys(call).remove(call.player, call.path("passkey", PASSKEY_ID))
    return response.nothing(204)


@operation(
    "POST",
    "/passkey-options",
    "preparePasskeySignIn",
    tag=TAG,
    key=Key.KEPT,
    access=Access.PUBLIC,
    cost=Cost.CHALLENGE,
    problems=(OFF,),
    answers=(Answer(200, SignInOptions, "What to ask the browser for."),),
)
async def prepare_passkey_sign_in(call: Call[Nothing, Nothing]) -> Reply:
    """Get what to ask a browser for to sign in by a passkey, without a name. The challenge counts once, for five minutes."""
    with _refusing():
        challenge, until_ms = await _passkeys(call).prepare_sign_in()
    options = SignInOptions(challenge=written(challenge), rp_id=site_of(call.address).host, until_ms=until_ms)
    return response.json(options, *SECRET)


@operation(
    "POST",
    "/passkey-sign-ins",
    "signInByPasskey",
    tag=TAG,
    key=Key.KEPT,
    access=Access.PUBLIC,
    cost=Cost.PROOF,
    body=PasskeySignInRequest,
    problems=(OFF, "passkey-challenge-ended", "passkey-refused", "passkey-unknown", "passkey-copied", "too-many-tokens"),
    answers=(Answer(200, PlayerIssued, "The player and a new token. The token's text is shown only once."),),
)
async def sign_in_by_passkey(call: Call[PasskeySignInRequest, Nothing]) -> Reply:
    """Sign in by a passkey: get a token of its player for this device. What a browser has answered counts once.

    At 50 tokens, the oldest to which the passkey led ends.
    """
    application = call.application
    answer = assertion(call.body)
    by = name_of(call)
    with _refusing("passkey-unknown"):
        player, token, text = await _passkeys(call).sign_in(call.address, answer, call.body.label, by)
    return await signed_in(application.accounts, player, token, text)


OPERATIONS = (
    prepare_passkey,
    add_passkey,
    list_passkeys,
    rename_passkey,
    remove_passkey,
    prepare_passkey_sign_in,
    sign_in_by_passkey,
)
