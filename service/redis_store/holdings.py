"""Holdings on a server: one small key for each holder, which ends by itself."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain.match import MatchId
from ..ports.holdings import Holding
from . import keys
from .client import items, text
from .script import Script
from .store_client import StoreClient

_HOLD = Script("hold")
_LET_GO = Script("let_go")


class RedisHoldings:
    """Who holds which matches; each call is one script over one key."""

    def __init__(self, client: StoreClient) -> None:
        self._client = client

    async def hold(self, holder: str, match_id: MatchId, limit: int, now_ms: int, keep_ms: int) -> Sequence[Holding]:
        found = [
            text(each) for each in items(await self._client.run(_HOLD, (keys.held(holder),), (match_id, limit, now_ms, keep_ms)))
        ]
        return [Holding(MatchId(match), int(since)) for match, since in zip(found[::2], found[1::2], strict=True)]

    async def release(self, holder: str, holdings: Sequence[Holding]) -> None:
        if holdings:
            arguments = [value for each in holdings for value in (each.match, each.since_ms)]
            await self._client.run(_LET_GO, (keys.held(holder),), arguments)
