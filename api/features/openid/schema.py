"""Shapes of signing in by OpenID Connect."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from ...schema.common import Request
from ...schema.fields import END, Moment

Secret: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{43}" + END)]
ProviderCode: TypeAlias = Annotated[
    str,
    Meta(min_length=1, max_length=2_048, pattern=r"^[ -~]*" + END, description="The code that the provider gave the browser."),
]
ProviderName: TypeAlias = Annotated[str, Meta(description="What players call the provider, for the text of a button.")]


class OpenIdFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The provider by which players can sign in."""

    name: ProviderName


class OpenIdBegun(msgspec.Struct, frozen=True, kw_only=True):
    """An attempt to sign in: where the browser goes now, and until when it may come back.

    Keep `secret` in the browser tab that goes there, and in no address: only who has it can end the attempt.
    """

    address: str
    secret: Secret
    until_ms: Moment


class OpenIdProof(Request, frozen=True):
    """What ends an attempt: `state` and `code` from the address that the browser came back to, and the secret that it kept."""

    state: Secret
    code: ProviderCode
    secret: Secret


class OpenIdSignIn(OpenIdProof, frozen=True):
    """The end of an attempt to sign in, and how the new token is to be called."""

    label: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[ -~]*" + END)] = "device"


class OpenIdLinkFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Whether you can sign in by the provider, and since when; null: you cannot."""

    name: ProviderName
    since_ms: Moment | None


class CallbackQuery(Request, frozen=True, forbid_unknown_fields=False):
    """What a provider adds to the address that browsers come back to. Providers add more, which does not matter."""

    state: str = ""
    code: str = ""
    error: str = ""
