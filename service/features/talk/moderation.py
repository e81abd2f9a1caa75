"""What can be done about lines: players mute their authors for themselves and report them, operators hide them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence

from ....domain.match import PlayerId
from ...errors import NotFound
from ...players.accounts import Accounts
from ...players.budgets import Budget
from ...ports.players import PlayerRecord
from ...runtime.end_watch import EndWatch
from .port import Closing, Kind, Line, LineStore, MatchRoom, MuteStore, Reason, Report, ReportStore
from .service import Talks
from .speaking import SaidTooMuch

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


class Tombstones:
    """Hides lines: what they said is deleted, and those who have read it get to know that it is hidden."""

    def __init__(self, store: LineStore, watch: EndWatch[MatchRoom], accounts: Accounts, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._watch = watch
        self._accounts = accounts
        self._now_ms = now_ms

    async def find(self, place: MatchRoom, n: int) -> Line:
        """Return a line, hidden or not; raise NotFound."""
        found = await self._store.line(place, n)
        if found is None or found.kind is Kind.HIDING:
            raise NotFound("line")
        return found

    async def hide(self, place: MatchRoom, n: int) -> None:
        """Hide a line, and say so in its room, once; raise NotFound. Repeated, it finishes what was cut off."""
        await self.find(place, n)
        if (line := await self._store.hide(place, n)) is None:
            raise NotFound("line")
        saying = Line(id=f"h{line.id}", at_ms=self._now_ms(), player=line.player, seat=line.seat, kind=Kind.HIDING, said=str(n))
        await self._store.add(place, saying)
        if await self._accounts.find(line.player) is None:  # deleted meanwhile
            await self._store.forget(line.player)
        self._watch.wake([place])


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

    async def close(self, report: str, reason: str) -> Report:
        """Close a report, once: a later reason changes nothing; raise NotFound."""
        found = await self._store.close(report, Closing(at_ms=self._now_ms(), reason=reason))
        if found is None:
            raise NotFound("report")
        return found

    async def newest(self, skip: int, limit: int) -> Sequence[Report]:
        """Return reports, newest first, after those that are to be skipped."""
        return await self._store.newest(skip, limit)
