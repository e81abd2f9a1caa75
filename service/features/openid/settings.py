"""Settings of signing in by OpenID Connect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

import msgspec

from ...errors import StartupRefused
from ...settings import Settings

CALLBACK = "/sign-in/openid/callback"
"""Where the provider sends browsers back to, below the public URL."""
_LOOPBACK = r"http://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:/[!-\"$->@-~]*)?"
_SAFE = re.compile(rf"https://[A-Za-z0-9._\[\]:-]+(?:/[!-\"$->@-~]*)?|{_LOOPBACK}")
_NEEDED = ("openid_issuer", "openid_client_id", "openid_client_secret")


class OpenIdSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of signing in by OpenID Connect.

    - openid_issuer: the provider by which players can sign in, as its ID tokens name it, to the last slash. Without it, this is
      not offered; with it, public_url is needed, too.
    - openid_client_id, openid_client_secret: what the service is called there, and its password.
    - openid_name: what players call the provider; the button of the web client says it.
    """

    openid_issuer: str | None = None
    openid_client_id: str | None = None
    openid_client_secret: str | None = None
    openid_name: Annotated[str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^\S(.*\S)?$")] = "OpenID"


def is_on(settings: Settings) -> bool:
    """Return whether players can sign in by a provider."""
    return settings.of(OpenIdSettings).openid_issuer is not None


def callback_of(settings: Settings) -> str:
    """Return the address that the provider sends browsers back to."""
    return (settings.public_url or "").rstrip("/") + CALLBACK


def is_safe(url: str) -> bool:
    """Return whether what is sent there stays between two: https, or an address of this machine, without question mark or `#`."""
    return _SAFE.fullmatch(url) is not None


def check(settings: Settings) -> None:
    """Raise StartupRefused for settings with which no one could sign in."""
    mine = settings.of(OpenIdSettings)
    given = [name for name in _NEEDED if getattr(mine, name) is not None]
    if mine.openid_issuer and not is_safe(mine.openid_issuer):
        raise StartupRefused("TAFELRUNDE_OPENID_ISSUER is no https address without question mark and #.")
    if not given:
        return
    if missing := [name for name in _NEEDED if not getattr(mine, name)]:
        raise StartupRefused(f"{_variables(given)}: of issuer, client id and client secret, {_variables(missing)} is missing.")
    if not settings.public_url:
        raise StartupRefused("TAFELRUNDE_OPENID_ISSUER needs TAFELRUNDE_PUBLIC_URL: the provider sends browsers back there.")
    if not is_safe(settings.public_url):
        raise StartupRefused("TAFELRUNDE_OPENID_ISSUER needs a TAFELRUNDE_PUBLIC_URL of https: browsers come back there.")


def _variables(names: Sequence[str]) -> str:
    return " and ".join(f"TAFELRUNDE_{name.upper()}" for name in names)
