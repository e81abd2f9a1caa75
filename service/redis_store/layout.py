"""The permanent settings of a deployment, stored beside its data."""

from __future__ import annotations

import secrets

from ..errors import StartupRefused
from ..ports.events import SHARDS
from . import keys
from .client import deployment_of, items
from .link import Reply
from .store_client import StoreClient

LAYOUT = 1
"""The version of the layout of keys and scripts."""

_FIELDS = ("shards", "layout", keys.ID_KEY)


async def settle(client: StoreClient, store_id: str | None = None) -> bytes:
    """Fix what is not yet fixed, and return the deployment's id key; raise StartupRefused if the data was made otherwise.

    What is fixed is only read, so that a process can start, and answer reads, while the server refuses writes. With *store_id* it
    must be that deployment's data, and nothing is fixed where there is none.
    """
    found = await _fixed(client)
    _require_deployment(found[-1], store_id)
    if None in found:
        values = (SHARDS, LAYOUT, secrets.token_bytes(32))
        await client.together(("HSETNX", keys.DEPLOYMENT, field, value) for field, value in zip(_FIELDS, values, strict=True))
        found = await _fixed(client)
    shards, layout, id_key = found
    _must_be("shards", shards, SHARDS)
    _must_be("layout", layout, LAYOUT)
    if not isinstance(id_key, bytes) or len(id_key) != 32:
        raise StartupRefused("The server's data has no usable id_key in its key 'deployment', so it cannot be continued.")
    return id_key


def _require_deployment(id_key: Reply, store_id: str | None) -> None:
    if store_id is not None and not (isinstance(id_key, bytes) and deployment_of(id_key) == store_id):
        raise StartupRefused(
            "The server of the store (REDIS_URL) was emptied or replaced since `tafelrunde serve` began: restart that to go on "
            "with what is there now (TAFELRUNDE_STORE_ID says which deployment it has to be)."
        )


async def _fixed(client: StoreClient) -> list[Reply]:
    return items(await client.call("HMGET", keys.DEPLOYMENT, *_FIELDS))


def _must_be(field: str, found: object, wanted: int) -> None:
    if found != str(wanted).encode():
        shown = found.decode(errors="replace") if isinstance(found, bytes) else "nothing"
        raise StartupRefused(
            f"The server's data was made with {field} = {shown}, this release needs {wanted}: "
            "use another server or database number."
        )
