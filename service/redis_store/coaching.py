"""Findings of the coach on a server: one hash beside each match that anyone has asked about."""

from __future__ import annotations

from collections.abc import Mapping

from ...domain.game import Seat
from ...domain.match import MatchId
from . import keys
from .client import items, text
from .store_client import StoreClient


class RedisCoaching:
    """What the coach has found, each under its match's slot."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def keep(self, match: MatchId, seat: Seat, findings: bytes) -> None:
        """Keep findings about a seat, instead of those that were kept."""
        await self._client.write("HSET", keys.coaching(match), seat, findings)

    async def kept(self, match: MatchId) -> Mapping[Seat, bytes]:
        """Return the findings of all seats that anyone has asked for."""
        found = items(await self._client.call("HGETALL", keys.coaching(match)))
        pairs = zip(found[::2], found[1::2], strict=True)
        return {Seat(int(text(seat))): blob for seat, blob in pairs if isinstance(blob, bytes)}
