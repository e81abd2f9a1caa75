"""Findings of the coach on a server: one hash beside each match that anyone has asked about."""

from __future__ import annotations

from collections.abc import Mapping

from ....domain.game import Seat
from ....domain.match import MatchId
from ...ports.events import shard_of
from ...redis_store.client import items, number, text
from ...redis_store.keys import tag
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient

_EXCHANGE = Script("exchange", beside=__name__)


class RedisCoaching:
    """What the coach has found, each under its match's slot."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def keep(self, match_id: MatchId, seat: Seat, findings: bytes, before: bytes | None) -> bool:
        return number(await self._client.run(_EXCHANGE, (_findings_about(match_id),), (seat, before or b"", findings))) == 1

    async def read(self, match_id: MatchId) -> Mapping[Seat, bytes]:
        found = items(await self._client.call("HGETALL", _findings_about(match_id)))
        pairs = zip(found[::2], found[1::2], strict=True)
        return {Seat(int(text(seat))): blob for seat, blob in pairs if isinstance(blob, bytes)}


def _findings_about(match_id: MatchId) -> str:
    """Hash: seat -> what the coach has found about it."""
    return f"m:{tag(shard_of(match_id))}:{match_id}:c"
