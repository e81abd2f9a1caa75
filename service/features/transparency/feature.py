"""The transparency log as a feature."""

from __future__ import annotations

from ...core import Core
from ...feature import Feature, FeatureStore
from ...hooks import Attached
from ...ports.stores import Stores
from ...settings import Settings
from ...signing.signer import signer_of
from .log import TransparencyLog
from .memory import MemoryTransparency
from .port import TransparencyStore
from .redis import RedisTransparency
from .settings import TransparencySettings
from .witnesses import Witnesses, read_keys
from .writer import LogWriter

STORE = FeatureStore[TransparencyStore](
    "tree", redis=lambda backing: RedisTransparency(backing.client, backing.wait_ms), memory=MemoryTransparency
)


def _attach(core: Core) -> Attached:
    store = STORE.of(core.stores)
    log = TransparencyLog(store, core.now_ms, core.signer)
    keys = read_keys(core.settings.of(TransparencySettings).witnesses)
    writer = LogWriter(log, core.repository.codec, core.now_ms)
    return Attached(
        services={TransparencyLog: log, Witnesses: Witnesses(store, log, keys, core.now_ms)},
        start=[log.require_key],
        before_archiving=[log.claim_key],
        follow_openings=[writer.add_openings],
        follow_ends=[writer.add_ends],
    )


def _check(settings: Settings) -> None:
    read_keys(settings.of(TransparencySettings).witnesses)


async def _claim(settings: Settings, stores: Stores) -> None:
    """Claim the log of a store for the keys of the settings; raise StartupRefused if it is signed with others."""
    await TransparencyLog(STORE.of(stores), stores.server_time.now_ms, signer_of(settings.signing_key, stores.id_key)).claim_key()


FEATURE = Feature(name="transparency", attach=_attach, settings=TransparencySettings, check=_check, claim=_claim)
