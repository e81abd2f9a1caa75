"""The transparency log as a feature."""

from __future__ import annotations

import msgspec

from ...core import Core
from ...feature import Feature, FeatureStore
from ...ports.stores import Stores
from ...settings import Settings
from ...signing.signer import signer_of
from .log import TransparencyLog
from .memory import MemoryTransparency
from .port import TransparencyStore
from .redis import RedisTransparency
from .witnesses import Witnesses, read_keys
from .writer import LogWriter

STORE = FeatureStore[TransparencyStore](
    "tree", redis=lambda backing: RedisTransparency(backing.client, backing.wait_ms), memory=MemoryTransparency
)


class TransparencySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the transparency log.

    - witnesses: the public keys of witnesses whose cosignatures of checkpoints are always accepted, comma-separated; some others
      are accepted as well, as long as there is room.
    """

    witnesses: str = ""


def _attach(core: Core) -> None:
    store = STORE.of(core.stores)
    log = core.provide(TransparencyLog(store, core.now_ms, core.signer))
    core.provide(Witnesses(store, log, read_keys(core.settings.of(TransparencySettings).witnesses), core.now_ms))
    writer = LogWriter(log, core.repository.codec, core.now_ms)
    core.hooks.start.append(log.require_key)
    core.finalizer.begin_with(log.claim_key)
    core.finalizer.on_opened(writer.add_openings)
    core.finalizer.on_over(writer.add_ends)


def _check(settings: Settings) -> None:
    read_keys(settings.of(TransparencySettings).witnesses)


async def _claim(settings: Settings, stores: Stores) -> None:
    """Claim the log of a store for the keys of the settings; raise StartupRefused if it is signed with others."""
    await TransparencyLog(STORE.of(stores), stores.server_time.now_ms, signer_of(settings.signing_key, stores.id_key)).claim_key()


FEATURE = Feature(name="transparency", attach=_attach, settings=TransparencySettings, check=_check, claim=_claim)
