"""Going on vacation, and what it means for slow matches: the time of a vacation does not count for a turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ....domain.game import Pace, Seat
from ....domain.match import Clock, PlayerId
from ....domain.match.state import Match
from ...errors import StoreUnavailable
from .port import DAY_MS, YEAR_MS, Stretch, VacationStore

DAYS_A_YEAR = 30
"""How many days of 24 hours a player may be away within 365 days; a day that has begun counts."""
LOOK_MS = 3_600_000
"""How long a time-out waits before it is looked at again: a vacation may end sooner than it was meant to."""
ATTEMPTS = 20


class TooLong(Exception):
    """The vacation is longer than what is left of the year's; `days_left` is what is left."""

    def __init__(self, days_left: int) -> None:
        super().__init__(f"{days_left} days are left")
        self.days_left = days_left


class Vacation(NamedTuple):
    """Until when a player is away (None: it is not), and how many days of the year are left to it besides."""

    until_ms: int | None
    days_left: int


class Vacations:
    """The vacations of players. Every method may raise StoreUnavailable."""

    def __init__(self, store: VacationStore, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms

    async def of(self, player: PlayerId) -> Vacation:
        """Return whether a player is away, and for how many more days it may be."""
        now_ms = self._now_ms()
        return _state((await self._store.read(player)).stretches, now_ms)

    async def begin(self, player: PlayerId, until_ms: int) -> Vacation:
        """Be away from now on, or as since the vacation began that lasts, until a moment; raise TooLong."""
        return await self._change(player, until_ms)

    async def end(self, player: PlayerId) -> Vacation:
        """Be back; nothing happens if the player is not away."""
        return await self._change(player, None)

    async def _change(self, player: PlayerId, until_ms: int | None) -> Vacation:
        for _ in range(ATTEMPTS):
            now_ms = self._now_ms()
            before = await self._store.read(player)
            counted = [each for each in before.stretches if each.until_ms > now_ms - YEAR_MS]
            current = counted[-1] if counted and counted[-1].until_ms > now_ms else None
            past = counted[:-1] if current is not None else counted
            if until_ms is None and current is None:
                return _state(counted, now_ms)
            since_ms = current.since_ms if current is not None else now_ms
            new = [*past, Stretch(since_ms, max(until_ms or now_ms, now_ms))]
            if until_ms is not None and days(new) > DAYS_A_YEAR:
                raise TooLong(DAYS_A_YEAR - days(past))
            if await self._store.put(player, before, new, new[-1].until_ms - now_ms + YEAR_MS):
                return _state(new, now_ms)
        raise StoreUnavailable("the vacation is being changed")

    async def away(self, players: Mapping[Seat, PlayerId]) -> Mapping[Seat, int]:
        """Return until when players are away, of those who are, by their seats."""
        found = {seat: (await self.of(player)).until_ms for seat, player in players.items()}
        return {seat: until_ms for seat, until_ms in found.items() if until_ms is not None}

    async def travellers(self, match: Match) -> Collection[Seat]:
        """Return the seats of a slow match whose players are on vacation."""
        if not is_slow(match.settings.clock):
            return ()
        return await self.away({Seat(seat): chair.player for seat, chair in enumerate(match.chairs) if chair.player is not None})

    async def put_off(self, match: Match) -> int | None:
        """Return until when the open decision of a slow match waits although its time is up; None: it does not.

        Only a turn of a player who is asked alone waits, for as long as that player's vacations have taken of the time. Where
        several are asked, what stays open would show who has answered, and the others would wait with the traveller.
        """
        asked = match.asked
        ask = match.pending()
        length_ms = match.length_ms()
        if asked is None or ask is None or length_ms is None or not is_slow(match.settings.clock):
            return None
        if ask.pace is not Pace.TURN or len(ask.seats) != 1:
            return None
        chair = match.chairs[ask.seats[0]]
        if not chair.present or chair.player is None:
            return None
        stretches = (await self._store.read(chair.player)).stretches
        ends_ms = prolonged(asked.deadline_ms - length_ms, asked.deadline_ms, stretches)
        now_ms = self._now_ms()
        return min(ends_ms, now_ms + LOOK_MS) if ends_ms > now_ms else None


def is_slow(clock: Clock) -> bool:
    """Return whether a match waits for players on vacation: it gives them a day or more for each decision."""
    return 1000 * min(clock.turn_seconds, clock.reaction_seconds) >= DAY_MS


def prolonged(opened_ms: int, deadline_ms: int, stretches: Iterable[Stretch]) -> int:
    """Return when the time for a decision is up that was opened then, if the time of these vacations does not count."""
    for each in stretches:
        begins_ms = max(each.since_ms, opened_ms)
        if begins_ms < deadline_ms:
            deadline_ms += max(each.until_ms - begins_ms, 0)
    return deadline_ms


def days(stretches: Iterable[Stretch]) -> int:
    """Return how many days vacations take, each that has begun as a whole, and at least one for each of them."""
    return sum(max(-(-(each.until_ms - each.since_ms) // DAY_MS), 1) for each in stretches)


def _state(stretches: Sequence[Stretch], now_ms: int) -> Vacation:
    counted = [each for each in stretches if each.until_ms > now_ms - YEAR_MS]
    until_ms = counted[-1].until_ms if counted and counted[-1].until_ms > now_ms else None
    return Vacation(until_ms, max(DAYS_A_YEAR - days(counted), 0))
