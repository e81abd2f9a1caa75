"""Notices in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ....domain.match import PlayerId
from .port import DONE_MS, MAIL, MOST_PLANNED, Chosen, NoticeId, Planned


class MemoryNotices:
    """Choices by player, planned and done notices by id, and when each player was last there."""

    def __init__(self) -> None:
        self._chosen: dict[PlayerId, Chosen] = {}
        self._waiting: dict[NoticeId, Planned] = {}
        self._done: dict[NoticeId, int] = {}
        self._seen: dict[PlayerId, int] = {}
        self._holders: dict[str, PlayerId] = {}

    async def wanted(self) -> bool:
        return bool(self._chosen)

    async def of(self, players: Sequence[PlayerId]) -> Mapping[PlayerId, Chosen]:
        return {player: self._chosen[player] for player in players if player in self._chosen}

    async def put(self, chosen: Chosen) -> bool:
        held = self._chosen.get(chosen.player)
        if held == chosen:
            return True
        if (held.revision if held is not None else 0) != chosen.revision - 1:
            return False
        self._chosen[chosen.player] = chosen
        return True

    async def hold(self, endpoint: str, player: PlayerId) -> PlayerId | None:
        before = self._holders.get(endpoint)
        self._holders[endpoint] = player
        return before

    async def holder(self, endpoint: str) -> PlayerId | None:
        return self._holders.get(endpoint)

    async def let_go(self, endpoint: str, player: PlayerId) -> None:
        if self._holders.get(endpoint) == player:
            del self._holders[endpoint]

    async def forget(self, player: PlayerId) -> None:
        self._chosen.pop(player, None)
        self._seen.pop(player, None)

    async def plan(self, planned: Sequence[Planned], now_ms: int, most: int = MOST_PLANNED) -> int:
        self._done = {notice: at for notice, at in self._done.items() if at > now_ms - DONE_MS}
        fresh = {each.id: each for each in reversed(planned) if each.id not in self._waiting and each.id not in self._done}
        room = max(0, most - len(self._waiting))
        self._waiting |= {each.id: each for each in [*fresh.values()][::-1][:room]}
        return max(0, len(fresh) - room)

    async def claim(self, now_ms: int, until_ms: int, count: int, *, mail: bool) -> Sequence[Planned]:
        found = (each for each in self._waiting.values() if each.due_ms <= now_ms and (each.way == MAIL) is mail)
        due = sorted(found, key=lambda each: each.due_ms)
        claimed = [msgspec.structs.replace(each, due_ms=until_ms, tries=each.tries + 1) for each in due[:count]]
        self._waiting |= {each.id: each for each in claimed}
        return claimed

    async def finish(self, notice: NoticeId, now_ms: int) -> None:
        self._waiting.pop(notice, None)
        self._done[notice] = now_ms

    async def postpone(self, notice: NoticeId, due_ms: int) -> None:
        if (held := self._waiting.get(notice)) is not None:
            self._waiting[notice] = msgspec.structs.replace(held, due_ms=due_ms)

    async def touch(self, players: Sequence[PlayerId], now_ms: int) -> None:
        self._seen = {player: at for player, at in self._seen.items() if at > now_ms - DONE_MS}
        self._seen |= dict.fromkeys(players, now_ms)

    async def seen_ms(self, player: PlayerId) -> int | None:
        return self._seen.get(player)
