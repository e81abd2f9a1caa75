"""Talk in memory."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ....domain.match import MatchId, PlayerId
from .port import AT_ONCE, KEPT, MOST_MUTED, MOST_REPORTS, Closing, Line, Lines, MatchRoom, Numbered, Report, hidden


class _Room:
    """The newest lines of a room by their numbers, and how many there have been."""

    def __init__(self) -> None:
        self.end = 0
        self.lines: dict[int, Line] = {}


class MemoryLines:
    """The lines of all rooms."""

    def __init__(self) -> None:
        self._rooms: dict[MatchRoom, _Room] = {}
        self._looked_at: dict[MatchId, int] = {}
        self._ending: dict[MatchId, int] = {}

    async def add(self, place: MatchRoom, line: Line) -> int:
        self._looked_at.setdefault(place.match, line.at_ms)
        room = self._rooms.setdefault(place, _Room())
        known = next((n for n, each in room.lines.items() if each.id == line.id), None)
        if known is not None:
            return known
        room.end += 1
        room.lines[room.end] = line
        room.lines.pop(room.end - KEPT, None)
        return room.end

    async def read(self, place: MatchRoom, after: int, limit: int) -> Lines:
        room = self._rooms.get(place, _Room())
        return Lines([Numbered(n, line) for n, line in room.lines.items() if n > after][:limit], room.end)

    async def line(self, place: MatchRoom, n: int) -> Line | None:
        return self._rooms.get(place, _Room()).lines.get(n)

    async def hide(self, place: MatchRoom, n: int) -> Line | None:
        room = self._rooms.get(place, _Room())
        if (line := room.lines.get(n)) is None:
            return None
        room.lines[n] = hidden(line)
        return room.lines[n]

    async def ends(self, places: Sequence[MatchRoom]) -> Sequence[int]:
        return [self._rooms.get(place, _Room()).end for place in places]

    async def of(self, player: PlayerId) -> Sequence[tuple[MatchRoom, Numbered]]:
        return [
            (place, Numbered(n, line))
            for place, room in self._rooms.items()
            for n, line in room.lines.items()
            if line.player == player
        ]

    async def forget(self, player: PlayerId) -> None:
        for room in self._rooms.values():
            room.lines = {n: line for n, line in room.lines.items() if line.player != player}

    async def to_look_at(self, now_ms: int) -> Sequence[MatchId]:
        return [match_id for match_id, due_ms in self._looked_at.items() if due_ms <= now_ms][:AT_ONCE]

    async def put_off(self, match_id: MatchId, until_ms: int) -> None:
        self._looked_at[match_id] = until_ms

    async def let_end(self, match_id: MatchId, at_ms: int) -> None:
        self._ending.setdefault(match_id, at_ms)
        self._looked_at.pop(match_id, None)

    async def to_delete(self, now_ms: int) -> Sequence[MatchId]:
        return [match_id for match_id, due_ms in self._ending.items() if due_ms <= now_ms][:AT_ONCE]

    async def delete(self, match_id: MatchId) -> None:
        for place in [place for place in self._rooms if place.match == match_id]:
            del self._rooms[place]
        self._ending.pop(match_id, None)


class MemoryMutes:
    """Whom each player has muted, oldest first."""

    def __init__(self) -> None:
        self._muted: dict[PlayerId, dict[PlayerId, None]] = {}

    async def mute(self, player: PlayerId, other: PlayerId, now_ms: int) -> None:
        muted = self._muted.setdefault(player, {})
        muted.pop(other, None)
        muted[other] = None
        for each in [*muted][:-MOST_MUTED]:
            del muted[each]

    async def unmute(self, player: PlayerId, other: PlayerId) -> None:
        self._muted.get(player, {}).pop(other, None)

    async def muted(self, player: PlayerId) -> Sequence[PlayerId]:
        return [*self._muted.get(player, {})][::-1]

    async def forget(self, player: PlayerId) -> None:
        self._muted.pop(player, None)


class MemoryReports:
    """Reports by id, oldest first."""

    def __init__(self) -> None:
        self._reports: dict[str, Report] = {}

    async def put(self, report: Report) -> None:
        if (known := self._reports.get(report.id)) is not None and known.closed is not None:
            return
        self._reports.pop(report.id, None)
        self._reports[report.id] = report
        for each in [*self._reports][:-MOST_REPORTS]:
            del self._reports[each]

    async def find(self, report: str) -> Report | None:
        return self._reports.get(report)

    async def close(self, report: str, closing: Closing) -> Report | None:
        found = self._reports.get(report)
        if found is not None and found.closed is None:
            found = self._reports[report] = msgspec.structs.replace(found, closed=closing)
        return found

    async def newest(self, skip: int, limit: int) -> Sequence[Report]:
        return [*self._reports.values()][::-1][skip : skip + limit]

    async def prune(self, before_ms: int) -> None:
        self._reports = {id_: each for id_, each in self._reports.items() if each.at_ms > before_ms}

    async def forget(self, player: PlayerId) -> None:
        self._reports = {id_: each for id_, each in self._reports.items() if player not in {each.reporter, each.line.player}}
