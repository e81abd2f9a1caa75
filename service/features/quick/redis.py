"""The tables of quick matches on a server: one hash, whose fields are exchanged as a whole.

So each who joins, leaves or fills a table does so to the tables as they were read, or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....domain.game import GameId
from ....domain.match import PlayerId
from ...redis_store.client import items, number, text
from ...redis_store.script import Script
from ...redis_store.store_client import StoreClient
from .port import ABSENCE, ABSENCE_MS, ENCODER, Absence, QuickPace, QuickTable, Waiting, Wish, packed, waiting

QUICK = "quick"
"""Hash: game|seats|pace -> the tables of that wish that have not begun."""
_EXCHANGE = Script("exchange", beside=__name__)


class RedisQuick:
    """For each wish its tables."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def read(self, wish: Wish) -> Waiting:
        found = await self._client.call("HGET", QUICK, _field(wish))
        return waiting(found if isinstance(found, bytes) else b"")

    async def put(self, wish: Wish, before: Waiting, tables: Sequence[QuickTable]) -> bool:
        return number(await self._client.run(_EXCHANGE, (QUICK,), (_field(wish), before.stored, packed(tables)))) == 1

    async def wishes(self) -> Mapping[Wish, Waiting]:
        found = items(await self._client.call("HGETALL", QUICK))
        pairs = zip(found[::2], found[1::2], strict=True)
        return {_wish(text(field)): waiting(stored) for field, stored in pairs if isinstance(stored, bytes)}

    async def absence(self, player: PlayerId) -> Absence | None:
        found = await self._client.call("GET", _absence(player))
        return ABSENCE.decode(found) if isinstance(found, bytes) else None

    async def put_absence(self, player: PlayerId, absence: Absence) -> None:
        await self._client.write("SET", _absence(player), ENCODER.encode(absence), "PX", ABSENCE_MS)

    async def drop_absence(self, player: PlayerId) -> None:
        await self._client.write("DEL", _absence(player))


def _absence(player: PlayerId) -> str:
    """String, expiring: how often in a row a player did not come to a kept seat, and until when none is kept again."""
    return f"quick-absence:{player}"


def _field(wish: Wish) -> str:
    return f"{wish.game}|{wish.seats}|{wish.pace.value}"


def _wish(field: str) -> Wish:
    game, seats, pace = field.split("|")
    return Wish(GameId(game), int(seats), QuickPace(pace))
