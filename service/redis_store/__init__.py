"""The stores on Redis or Valkey.

`client.py` talks to one server, `cluster.py` to several, `keys.py` names all keys, `events.py`, `archives.py`, `agenda.py`,
`rows.py` and `players.py` are the stores, `scripts/` has every write that must be one step.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from types import TracebackType

import structlog

from ..errors import StartupRefused, StoreAway, StoreError, StoreUnavailable
from ..ports.blobs import BlobStore
from ..ports.stores import Stores
from ..settings import Durability
from .address import Cluster, parse, require_alone
from .agenda import RedisAgenda, RedisLeases
from .answers import RedisAnswers
from .archives import RedisArchives
from .backing import RedisBacking
from .client import Client, deployment_of, text
from .cluster import ClusterClient
from .durability import check
from .events import LOG_LINES, RedisEvents
from .failures import RedisFailures
from .holdings import RedisHoldings
from .layout import settle
from .players import RedisPlayers
from .quotas import RedisQuotas
from .refusals import PASSING
from .rows import RedisRows
from .server_time import RedisServerTime
from .store_client import StoreClient

WAIT_MS = 1_000
LOOK_SECONDS = 0.25
VARIABLE = "REDIS_URL"
"""The variable with which the operator chooses the server of the stores."""

log = structlog.get_logger(__name__)

__all__ = ["RedisStores"]


class RedisStores:
    """The stores of one deployment on one server: `stores` is the bundle, `close` ends the connections."""

    def __init__(self, client: StoreClient, stores: Stores) -> None:
        self._client = client
        self.stores = stores

    @classmethod
    async def connect(
        cls,
        url: str,
        durability: Durability = Durability.EMBEDDED,
        *,
        wait_ms: int = WAIT_MS,
        log_lines: int = LOG_LINES,
        store_id: str | None = None,
        patient: bool = False,
        blobs: BlobStore | None = None,
    ) -> RedisStores:
        """Return the stores of the server at *url* (see `address`); raise StartupRefused, StoreAway.

        Waits for a server that still reads its data, for as long as that takes; with *patient* also for one that is away or
        cannot be used for now, its clock included.
        With durability `replicated` every append waits up to *wait_ms* for a replica. *log_lines*: how many lines of a
        shard's log are kept at least. *store_id*: the deployment whose data it must be. *blobs*: where archives are put, if not
        on the server itself; `close` closes it too.
        The clock of this machine must agree with the server's. While the server holds another deployment's data later on, or
        nothing, every call raises StoreReplaced.
        """
        address = parse(url, VARIABLE)
        try:
            client = ClusterClient(address) if isinstance(address, Cluster) else Client(address)
        except ValueError as error:
            raise StartupRefused(f"{VARIABLE} is no address of a server: {str(error).rstrip('.')}.") from error
        try:
            id_key = await _ready(client, durability, store_id, patient=patient)
            await client.belong_to(id_key, accept=store_id is None)
        except StoreError as error:  # one that is no StoreUnavailable does not pass: there is no such database, or no Sentinel
            await client.close()
            refused = StoreAway if isinstance(error, StoreUnavailable) and not error.refusal else StartupRefused
            raise refused(f"The server of the store ({VARIABLE}) does not work: {str(error).rstrip('.')}.") from error
        except BaseException:
            await client.close()
            raise
        return cls(client, _bundle(client, id_key, wait_ms if durability is Durability.REPLICATED else None, log_lines, blobs))

    @property
    def store_id(self) -> str:
        """What distinguishes this deployment from all others."""
        return deployment_of(self.stores.id_key)

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()
        if self.stores.blobs is not None:
            await self.stores.blobs.close()

    async def __aenter__(self) -> Stores:
        return self.stores

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()


async def _ready(client: StoreClient, durability: Durability, store_id: str | None, *, patient: bool) -> bytes:
    """Return the deployment's id key as soon as the server has loaded its data and its configuration is found to be right."""
    said = ""
    while True:
        try:
            return await _check(client, durability, store_id)
        except StoreUnavailable as error:
            if error.refusal not in PASSING and not patient:
                raise
            if said != (said := error.refusal or "no answer"):
                log.warning("store unavailable, waiting", reason=said)
        except StartupRefused as refusal:
            if not patient:
                raise
            if said != (said := str(refusal)):
                log.error("store cannot be used, waiting", reason=said)
        await asyncio.sleep(LOOK_SECONDS)


async def _check(client: StoreClient, durability: Durability, store_id: str | None) -> bytes:
    """Return the deployment's id key; raise StartupRefused, or StoreUnavailable."""
    if isinstance(client, Client):
        require_alone(await _info(client), VARIABLE)
    await check(client, durability)
    id_key = await settle(client, store_id)
    await RedisServerTime(client).require_agreement(VARIABLE)
    return id_key


async def _info(client: StoreClient) -> Mapping[str, str]:
    """Return the server's INFO, nothing if it may not be read."""
    try:
        lines = text(await client.call("INFO", "server", "cluster")).splitlines()
        return {name: value for name, _, value in (line.partition(":") for line in lines)}
    except StoreUnavailable as error:
        if error.refusal == "NOPERM":
            return {}
        raise


def _bundle(client: StoreClient, id_key: bytes, wait_ms: int | None, log_lines: int, blobs: BlobStore | None) -> Stores:
    return Stores(
        events=RedisEvents(client, wait_ms, log_lines, blobs),
        archives=RedisArchives(client, wait_ms, blobs),
        agenda=RedisAgenda(client),
        server_time=RedisServerTime(client),
        leases=RedisLeases(client),
        rows=RedisRows(client),
        players=RedisPlayers(client),
        budgets=RedisQuotas(client),
        holdings=RedisHoldings(client),
        answers=RedisAnswers(client),
        failures=RedisFailures(client),
        id_key=id_key,
        backing=RedisBacking(client, wait_ms),
        blobs=blobs,
    )
