"""Signing in by OpenID Connect as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...runtime.consumer import Consumer
from .memory import MemoryOpenId
from .port import OpenIdStore
from .provider_port import Provider
from .redis import RedisOpenId
from .service import OpenId
from .settings import OpenIdSettings, callback_of, check, is_on

STORE = FeatureStore[OpenIdStore]("openid", redis=lambda backing: RedisOpenId(backing.client), memory=MemoryOpenId)
PAUSE_SECONDS = 60.0
"""How often attempts that have ended are looked for."""


def _attach(core: Core) -> Attached:
    settings = core.settings.of(OpenIdSettings)
    provider: Provider | None = None
    if is_on(core.settings):
        from .provider import HttpProvider  # with a client for HTTP, which other deployments start without

        provider = HttpProvider(settings, callback_of(core.settings), core.now_ms)
    openid = OpenId(
        STORE.of(core.stores),
        core.accounts,
        core.now_ms,
        core.stores.id_key,
        issuer=settings.openid_issuer or "",
        name=settings.openid_name,
        provider=provider,
    )

    async def step() -> float:
        await openid.prune()
        return PAUSE_SECONDS

    return Attached(
        services={OpenId: openid},
        duties=[] if provider is None else [lambda: Consumer("openid", step)],
        erase=[openid.forget],
        export=openid.export,
    )


FEATURE = Feature(name="openid", attach=_attach, settings=OpenIdSettings, check=check, on=is_on)
