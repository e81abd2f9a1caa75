"""OAuth as a feature."""

from __future__ import annotations

from ...core import Core
from ...errors import StartupRefused
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...players.quota_table import APPLICATIONS
from ...settings import Settings
from .clients import Clients
from .memory import MemoryOauth
from .port import OauthStore
from .redis import RedisOauth
from .service import Grants
from .settings import OauthSettings

STORE = FeatureStore[OauthStore]("oauth", redis=lambda backing: RedisOauth(backing.client), memory=MemoryOauth)


def _attach(core: Core) -> Attached:
    store = STORE.of(core.stores)
    settings = core.settings.of(OauthSettings)
    clients = Clients(store, core.now_ms, core.budgets.of_row(APPLICATIONS, settings))
    grants = Grants(store, core.accounts, clients, core.now_ms, core.stores.id_key)
    return Attached(
        services={Clients: clients, Grants: grants},
        erase=[store.forget],
        export=grants.export,
        before_revoking=[grants.end_with],
    )


def _check(settings: Settings) -> None:
    if settings.of(OauthSettings).oauth and not settings.public_url:
        raise StartupRefused("TAFELRUNDE_OAUTH needs TAFELRUNDE_PUBLIC_URL: applications find the service by its address.")


FEATURE = Feature(
    name="oauth",
    attach=_attach,
    settings=OauthSettings,
    check=_check,
    on=lambda settings: settings.of(OauthSettings).oauth,
)
