"""Settings that are read only when they are used: looked at before anything starts, so that a wrong one is one sentence."""

from __future__ import annotations

import re
from pathlib import Path

from ..service.errors import StartupRefused
from ..service.features.registry import FEATURES
from ..service.games import games_of
from ..service.outgoing.http_sender import post_of
from ..service.runtime.connections import proxies_of
from ..service.runtime.signing_file import SIGNING_KEY
from ..service.settings import Settings
from ..service.signing.signer import VARIABLE, signing_keys

_PUBLIC_URL = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?")


def require_usable(settings: Settings) -> None:
    """Raise StartupRefused, naming the setting, for one with which a process could not work, or would not work as it is set.

    What needs a server, such as its address, is not looked at: `bootstrap.check` does that. Nor are the origins of CORS: every
    process would have to import the api, which does it itself.
    """
    games_of(settings.games)
    proxies_of(settings.trusted_proxies)
    post_of(settings)
    _require_keys(settings)
    for check in (each.check for each in FEATURES if each.check is not None):
        check(settings)
    if settings.public_url and _PUBLIC_URL.fullmatch(settings.public_url) is None:
        raise StartupRefused(
            f"TAFELRUNDE_PUBLIC_URL is {settings.public_url!r}, which is no address like https://cards.example or "
            "https://cards.example/tables."
        )


def _require_keys(settings: Settings) -> None:
    """Read the signing keys, and those that a data folder has already; what was read is forgotten again."""
    files = {} if settings.signing_key else {SIGNING_KEY: VARIABLE}
    if settings.signing_key:
        signing_keys(settings.signing_key)
    for kind, named in ((each.settings, each.key_files) for each in FEATURES):
        mine = settings.of(kind) if kind is not None else None
        files |= {file: f"TAFELRUNDE_{field.upper()}" for field, file in named.items() if getattr(mine, field) is None}
    for file, variable in files.items() if settings.redis_url is None else ():
        if (kept := Path(settings.data_dir).resolve() / file).exists():
            signing_keys(str(kept), f"{kept} (a copy of it is in each backup; {variable} names another file)")
