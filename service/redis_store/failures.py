"""Failures on a server, all in one hash."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..ports.failures import Failure
from . import keys
from .client import items, number
from .store_client import StoreClient

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Failure).decode


class RedisFailures:
    """The failures of each job and task. Two processes that write one at a time may count one failure less."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def find(self, job: str, task: str) -> Failure | None:
        found = await self._client.call("HGET", keys.FAILURES, _field(job, task))
        return _decode(found) if isinstance(found, bytes) else None

    async def put(self, failure: Failure, most: int) -> None:
        if failure.count == 1 and number(await self._client.call("HLEN", keys.FAILURES)) >= most:
            return
        await self._client.write("HSET", keys.FAILURES, _field(failure.job, failure.task), _encode(failure))

    async def remove(self, job: str, task: str) -> None:
        await self._client.write("HDEL", keys.FAILURES, _field(job, task))

    async def all(self) -> Sequence[Failure]:
        found = items(await self._client.call("HVALS", keys.FAILURES))
        return [_decode(each) for each in found if isinstance(each, bytes)]


def _field(job: str, task: str) -> str:
    return f"{job}|{task}"
