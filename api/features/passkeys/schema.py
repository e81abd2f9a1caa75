"""Shapes of passkeys. What goes to and comes from an authenticator has the meaning that WebAuthn gives it, in base64url."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from ....service.features.passkeys.port import Passkey
from ....service.features.passkeys.service import Wanted, handle_of
from ....service.features.passkeys.site import ALGORITHMS, NAME, Assertion, Site
from ....service.players.accounts import shown_name
from ...problems import Refused
from ...schema.common import Request
from ...schema.fields import END, Moment

PASSKEY_ID = r"^k[0-9a-f]{26}" + END
_BYTES = r"^[A-Za-z0-9_-]*" + END
_LABEL = r"^[^\x00-\x1f\x7f]*" + END

Bytes: TypeAlias = Annotated[str, Meta(max_length=8_192, pattern=_BYTES, description="Bytes in base64url.")]
Handle: TypeAlias = Annotated[str, Meta(max_length=88, pattern=_BYTES, description="The handle of a player, in base64url.")]
LongBytes: TypeAlias = Annotated[str, Meta(max_length=32_768, pattern=_BYTES, description="Bytes in base64url.")]
Label: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40, pattern=_LABEL)]
Relying: TypeAlias = Annotated[str, Meta(description="The host that passkeys of this service are bound to.")]


class PasskeyOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What to ask `navigator.credentials.create` for: a discoverable credential, verifying the user where that is possible.

    `user` is the handle of the player, and `exclude` are the credentials that the player has already. `until_ms`: when the
    challenge ends.
    """

    challenge: Bytes
    rp_id: Relying
    rp_name: str
    user: Handle
    user_name: str
    algorithms: tuple[int, ...]
    exclude: tuple[Bytes, ...]
    until_ms: Moment


class PasskeyRequest(Request, frozen=True):
    """A new passkey: how it is to be called, and `clientDataJSON` and `attestationObject` of what the browser answered."""

    client_data: Bytes
    attestation: LongBytes
    label: Label = "Passkey"


class PasskeyLabelRequest(Request, frozen=True):
    """How a passkey is to be called."""

    label: Label


class PasskeyFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey of yours. `used_ms`: when you have last signed in by it, null if never."""

    id: Annotated[str, Meta(pattern=PASSKEY_ID)]
    label: str
    made_ms: Moment
    used_ms: Moment | None


class PasskeyList(msgspec.Struct, frozen=True, kw_only=True):
    """Your passkeys, oldest first."""

    items: tuple[PasskeyFacts, ...]


class SignInOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What to ask `navigator.credentials.get` for, with no credentials named. `until_ms`: when the challenge ends."""

    challenge: Bytes
    rp_id: Relying
    until_ms: Moment


class PasskeySignInRequest(Request, frozen=True):
    """What the browser answered, and how the token of this device is to be called.

    `credential` is its `rawId`; of its `response`, `client_data` is `clientDataJSON`, `authenticator_data` and `signature` are
    those of the same name, and `user` is `userHandle`.
    """

    credential: Bytes
    client_data: Bytes
    authenticator_data: Bytes
    signature: Bytes
    user: Handle
    label: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[ -~]*$(?!\n)")] = "device"


def written(raw: bytes) -> str:
    """Return bytes as text."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def raw_of(text: str) -> bytes:
    """Return the bytes of a text; raise Refused."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error:
        raise Refused("passkey-refused", detail="it cannot be read") from None


def passkey_options(wanted: Wanted, site: Site) -> PasskeyOptions:
    """Return what to make a passkey from. All guests have one name, so a part of the id follows it."""
    record = wanted.player
    return PasskeyOptions(
        challenge=written(wanted.challenge),
        rp_id=site.host,
        rp_name=NAME,
        user=written(handle_of(record.id)),
        user_name=f"{shown_name(record)} {record.id[1:5]}" if record.guest else record.name,
        algorithms=ALGORITHMS,
        exclude=tuple(written(each.credential) for each in wanted.known),
        until_ms=wanted.until_ms,
    )


def passkey_facts(passkey: Passkey) -> PasskeyFacts:
    """Return a passkey for its player."""
    return PasskeyFacts(id=passkey.id, label=passkey.label, made_ms=passkey.made_ms, used_ms=passkey.used_ms)


def assertion(wish: PasskeySignInRequest) -> Assertion:
    """Return what the authenticator has answered; raise Refused."""
    parts = (wish.credential, wish.client_data, wish.authenticator_data, wish.signature, wish.user)
    return Assertion(*map(raw_of, parts))
