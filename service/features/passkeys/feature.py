"""Passkeys as a feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core import Core
from ...errors import StartupRefused
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...settings import Settings
from .memory import MemoryPasskeys
from .port import PasskeyStore
from .redis import RedisPasskeys
from .service import Passkeys, passkeys_part
from .settings import PasskeySettings
from .site import why_unfit

if TYPE_CHECKING:
    from .ceremony import Ceremony

STORE = FeatureStore[PasskeyStore]("passkeys", redis=lambda backing: RedisPasskeys(backing.client), memory=MemoryPasskeys)


def _is_on(settings: Settings) -> bool:
    return settings.of(PasskeySettings).passkeys


def _ceremony() -> Ceremony:
    from .ceremony import Ceremony  # noqa: PLC0415 - most deployments have no passkeys, and the library takes 10 MiB

    return Ceremony()


def _attach(core: Core) -> Attached:
    store = STORE.of(core.stores)
    passkeys = Passkeys(store, core.accounts, core.now_ms, _ceremony() if _is_on(core.settings) else None)
    return Attached(
        services={Passkeys: passkeys},
        erase=[store.forget],
        export=lambda player: passkeys_part(store, player),
    )


def _check(settings: Settings) -> None:
    reason = why_unfit(settings.public_url) if _is_on(settings) and settings.public_url else None
    if reason is not None:
        raise StartupRefused(f"TAFELRUNDE_PASSKEYS does not work with TAFELRUNDE_PUBLIC_URL: {settings.public_url} {reason}.")


FEATURE = Feature(name="passkeys", attach=_attach, settings=PasskeySettings, check=_check, on=_is_on)
