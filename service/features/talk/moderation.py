"""What players can do about others' lines: mute their authors for themselves, and report a line to the operator."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

from ....domain.match import PlayerId
from ...players.accounts import Accounts
from ...players.budgets import Budget
from ...ports.players import PlayerRecord
from .port import MatchRoom, MuteStore, Reason, Report, ReportStore
from .speaking import SaidTooMuch
from .talks import Talks

ID_DIGITS = 26


class Mutes:
    """Whom each player does not want to hear, in any match."""

    def __init__(self, store: MuteStore, accounts: Accounts, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._accounts = accounts
        self._now_ms = now_ms

    async def mute(self, player: PlayerId, other: PlayerId) -> None:
        """Leave another player's lines out for this one; raise NotFound if there is none. One's own are always there."""
        await self._accounts.player(other)
        await self._store.mute(player, other, self._now_ms())

    async def unmute(self, player: PlayerId, other: PlayerId) -> None:
        """Show another player's lines again."""
        await self._store.unmute(player, other)

    async def muted(self, player: PlayerId) -> Sequence[PlayerRecord]:
        """Return who is muted for a player, newest first, without those that are no more."""
        found = await self._store.muted(player)
        people: Mapping[PlayerId, PlayerRecord] = await self._accounts.people(found)
        return [people[each] for each in found if each in people]


class Reports:
    """Lines that players have reported, for the operator."""

    def __init__(self, store: ReportStore, talks: Talks, budget: Budget, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._talks = talks
        self._budget = budget
        self._now_ms = now_ms

    async def report(self, player: PlayerId, place: MatchRoom, n: int, reason: Reason, address: str = "") -> Report:
        """Report a line, once for each player and line; raise NotFound, SaidTooMuch. *address* as for `Speakers.say`."""
        line = await self._talks.line(player, place, n)
        if (refused := await self._budget.spend(player, address)) is not None:
            raise SaidTooMuch(refused)
        digest = hashlib.sha256(f"{player} {line.id}".encode()).hexdigest()[:ID_DIGITS]
        report = Report(
            id=f"r{digest}",
            at_ms=self._now_ms(),
            match=place.match,
            room=place.room,
            n=n,
            line=line,
            reporter=player,
            reason=reason,
        )
        await self._store.put(report)
        return report

    async def newest(self, skip: int, limit: int) -> Sequence[Report]:
        """Return reports, newest first, after those that are to be skipped."""
        return await self._store.newest(skip, limit)
