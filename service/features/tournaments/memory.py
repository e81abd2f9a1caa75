"""Tournaments in memory."""

from __future__ import annotations

from collections.abc import Sequence

from ....domain.match import MatchId, PlayerId
from .port import ListPosition, TournamentId, position_of


class MemoryTournaments:
    """All of it as a server has it."""

    def __init__(self) -> None:
        self._facts: dict[TournamentId, list[bytes]] = {}
        self._listed: dict[ListPosition, TournamentId] = {}
        self._of: dict[PlayerId, dict[TournamentId, int]] = {}
        self._planned: dict[TournamentId, int] = {}
        self._matches: dict[MatchId, TournamentId] = {}

    async def append(self, tournament: TournamentId, expected: int, facts: Sequence[bytes]) -> bool:
        kept = self._facts.get(tournament, [])
        if len(kept) != expected:
            return kept[expected : expected + len(facts)] == list(facts)
        self._facts.setdefault(tournament, kept).extend(facts)
        return True

    async def read(self, tournament: TournamentId, after: int) -> Sequence[bytes] | None:
        kept = self._facts.get(tournament)
        return kept[after:] if kept is not None else None

    async def remove(self, tournament: TournamentId) -> None:
        self._facts.pop(tournament, None)

    async def enlist(self, tournament: TournamentId, at_ms: int) -> None:
        self._listed[position_of(tournament, at_ms)] = tournament

    async def strike(self, tournament: TournamentId, at_ms: int) -> None:
        self._listed.pop(position_of(tournament, at_ms), None)

    async def listed(self, after: ListPosition | None, limit: int) -> Sequence[tuple[ListPosition, TournamentId]]:
        found = sorted(((place, each) for place, each in self._listed.items() if after is None or place < after), reverse=True)
        return found[:limit]

    async def note_player(self, player: PlayerId, tournament: TournamentId, at_ms: int) -> None:
        self._of.setdefault(player, {})[tournament] = at_ms

    async def drop_player(self, player: PlayerId, tournament: TournamentId) -> None:
        self._of.get(player, {}).pop(tournament, None)

    async def of_player(self, player: PlayerId) -> Sequence[TournamentId]:
        kept = self._of.get(player, {})
        return sorted(kept, key=lambda each: (kept[each], each), reverse=True)

    async def forget(self, player: PlayerId) -> None:
        self._of.pop(player, None)

    async def plan(self, tournament: TournamentId, at_ms: int) -> None:
        self._planned[tournament] = at_ms

    async def advance(self, tournament: TournamentId, at_ms: int) -> None:
        if tournament in self._planned:
            self._planned[tournament] = min(at_ms, self._planned[tournament])

    async def claim(self, now_ms: int, until_ms: int, limit: int) -> Sequence[TournamentId]:
        due = [each for _, each in sorted((at_ms, each) for each, at_ms in self._planned.items() if at_ms <= now_ms)]
        for each in due[:limit]:
            self._planned[each] = until_ms
        return due[:limit]

    async def unplan(self, tournament: TournamentId) -> None:
        self._planned.pop(tournament, None)

    async def note_matches(self, tournament: TournamentId, matches: Sequence[MatchId]) -> None:
        self._matches.update(dict.fromkeys(matches, tournament))

    async def tournament_of(self, match_id: MatchId) -> TournamentId | None:
        return self._matches.get(match_id)

    async def forget_matches(self, matches: Sequence[MatchId]) -> None:
        for each in matches:
            self._matches.pop(each, None)
