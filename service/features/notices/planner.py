"""The planner turns messages about a player's matches into planned notices, one for each way that the player has chosen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

import msgspec
import structlog

from ....domain.match import PlayerId
from ..inbox.port import Notice
from .port import Chosen, NoticeId, NoticeStore, Occasion, Planned

OCCASIONS: Mapping[str, Occasion] = {
    "match.decision-opened": Occasion.TURN,
    "player.invited": Occasion.INVITATION,
    "quick.matched": Occasion.INVITATION,
    "match.rematch-opened": Occasion.INVITATION,
    "tournament.round-started": Occasion.ROUND,
    "match.ended": Occasion.END,
    "match.aborted": Occasion.END,
}
"""What a message is an occasion for, by its type; no one is notified about others."""

log = structlog.get_logger(__name__)


class _Data(msgspec.Struct):
    """What notices read of the data of a message, whatever its type."""

    match: str | None = None
    rematch: str | None = None
    game: str | None = None
    decision: int | None = None


class _Message(msgspec.Struct):
    type: str
    data: _Data


class _Content(msgspec.Struct):
    at_ms: int
    message: _Message


_decode = msgspec.json.Decoder(_Content).decode


class Planner:
    """Follows what happens for the players who have chosen notices."""

    def __init__(self, store: NoticeStore, now_ms: Callable[[], int], delay_seconds: int) -> None:
        self._store = store
        self._now_ms = now_ms
        self._delay_ms = 1_000 * delay_seconds

    async def wanted(self) -> bool:
        """Return whether anyone has chosen anything."""
        return await self._store.wanted()

    async def since(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, int]:
        """Return who of some players can be notified, and since when."""
        return {player: chosen.since_ms for player, chosen in (await self._store.of(players)).items() if chosen.ways}

    async def hear(self, notices: Sequence[Notice]) -> None:
        """Plan what players are to hear; the same messages lead to the same notices."""
        found = await self._store.of(list(dict.fromkeys(notice.player for notice in notices)))
        planned = [
            each
            for notice in notices
            if (chosen := found.get(notice.player)) is not None
            for body in notice.bodies
            for each in self._plan(chosen, _decode(body), notice.due_ms)
        ]
        if planned and (left_out := await self._store.plan(planned, self._now_ms())):
            log.warning("notices: too many are waiting, left out", count=left_out)

    def _plan(self, chosen: Chosen, content: _Content, visible_ms: int) -> Sequence[Planned]:
        message = content.message
        data = content.message.data
        occasion = OCCASIONS.get(message.type)
        if occasion is None or occasion not in chosen.occasions:
            return ()
        match = data.rematch or data.match
        return [
            Planned(
                id=_name(chosen.player, way, message.type, match, content.at_ms if data.decision is None else data.decision),
                player=chosen.player,
                way=way,
                about=occasion.value,
                at_ms=content.at_ms,
                due_ms=max(self._now_ms(), visible_ms) + self._delay_ms,
                match=match,
                game=data.game,
                decision=data.decision,
            )
            for way in chosen.ways
        ]


def _name(player: PlayerId, way: str, kind: str, match: str | None, number: int) -> NoticeId:
    """Return the name of a notice: the same whenever it is planned, so there is one for each decision and way."""
    return NoticeId(hashlib.sha256(f"{player}|{way}|{kind}|{match}|{number}".encode()).hexdigest()[:26])
