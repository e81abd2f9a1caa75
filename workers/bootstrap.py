"""What every process needs before it starts: a responsive server, configured as required."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import msgspec

from ..service.blob_stores import FILE
from ..service.deployment import connect
from ..service.errors import CorruptHistory, StoreAway, StoreUnavailable
from ..service.features.registry import FEATURES
from ..service.ports.stores import Stores
from ..service.runtime.data_folder import archive_file, socket_path, socket_url
from ..service.runtime.embedded_valkey import EmbeddedServer
from ..service.runtime.outage import Outage
from ..service.runtime.signing_file import key_file
from ..service.settings import Settings

LOOK_SECONDS = 0.5


async def check(settings: Settings, *, patient: bool = False, while_waiting: Callable[[], None] = lambda: None) -> Settings:
    """Return the settings, bound to the store that is there now; raise StartupRefused unless it is as the settings promise.

    With *patient* a server that does not answer is waited for, for as long as it takes; *while_waiting* is called now and then.
    """
    outage = Outage("store")
    while True:
        try:
            stores = await connect(settings)
            break
        except StoreAway as error:
            if not patient:
                raise
            outage.note(error)
        while_waiting()
        await asyncio.sleep(LOOK_SECONDS)
    outage.over()
    try:
        await _claim(settings, stores.stores)
    finally:
        await stores.close()
    return msgspec.structs.replace(settings, store_id=stores.store_id)


async def _claim(settings: Settings, stores: Stores) -> None:
    """Let features claim a store for the settings; raise StartupRefused if it belongs to others.

    While it cannot be written, or is damaged, that is for the sweeper to find: it comes back to it.
    """
    for claim in (each.claim for each in FEATURES if each.claim is not None):
        with suppress(StoreUnavailable, CorruptHistory):
            await claim(settings, stores)


@contextmanager
def server_of(settings: Settings) -> Generator[Settings]:
    """Yield settings with a server: the configured one, that of a running `serve`, or an embedded one for the duration."""
    if settings.redis_url is not None:
        yield settings
    elif _listens(settings.data_dir):
        yield with_embedded(settings, socket_url(settings.data_dir))
    else:
        with EmbeddedServer.of(settings) as server:
            yield with_embedded(settings, server.url)


def with_embedded(settings: Settings, url: str) -> Settings:
    """Return the settings with the embedded server; archives and keys are beside its data unless they say otherwise."""
    archive_url = settings.archive_url or f"{FILE}{quote(str(archive_file(settings.data_dir)))}"
    folder = Path(settings.data_dir).resolve()
    signing_key = settings.signing_key or str(key_file(folder))
    for feature in FEATURES:
        settings = feature.with_key_files(settings, folder)
    return msgspec.structs.replace(settings, redis_url=url, archive_url=archive_url, signing_key=signing_key)


def _listens(data_dir: str) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(socket_path(data_dir)))
        except OSError:
            return False
        return True
