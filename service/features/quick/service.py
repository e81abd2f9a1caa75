"""Seeking a quick match: a place at a table with others who want the same, and a seat that is kept there.

The store says who has a place where; the match follows: the first who needs it opens it, under an id that follows from the
table. So a process may die anywhere: the same request finds the same place, and what was not done the next look does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence, Set
from contextlib import suppress
from typing import NamedTuple

import msgspec

from ....domain.game import InvalidOptions, RuleViolation, Seat
from ....domain.match import BotName, MatchId, MatchSettings, PlayerId, Spectators, Status
from ....domain.match.commands import OpenMatch, ReleaseSeat, ReserveSeat, Seating
from ....domain.match.opening import read_options
from ....domain.match.state import Match
from ....domain.match.terms import EDITION, Dealing
from ...dealing.dealer import commitment_to, new_secret
from ...errors import NotFound, StoreUnavailable, TooManyHeld
from ...games import Games
from ...matches.caps import Caps
from ...matches.command_handler import CommandHandler, issued_by_service
from ...matches.ids import DerivedIds
from ...matches.own_keys import Act
from ...matches.repository import MatchRepository
from ...matches.setup import keeping_places
from ...players.bars import Bars, Deed
from ...players.draws import fresh_bytes
from ...players.quota_table import KEPT_SEATS
from .port import CLOCKS, Absence, QuickStore, QuickTable, Seeker, Wish
from .tables import joined, overdue, places, seekers_in, table_of, without

COME_MS = 20_000
"""For how long a seat is kept for who does not sit down."""
LATE_MS = 5_000
"""After this time a seat that is kept goes to the next one who asks, where others at the table have sat down and wait."""
LONGEST_ABSENCE_MS = 1_280_000
"""The longest time in which no seat is kept again for a player that has not come."""
LOOKED_AT = 20
"""At how many tables is looked for players who have sat down."""
RETRY_SECONDS = 1
"""When to ask again where others of the address have not sat down yet."""
MOST_TABLES = 200
"""How many tables of one wish wait at once."""
ATTEMPTS = 100
FEWEST = 3
"""How many seats a table has if the player does not say, as far as the game allows."""


class TooManySeek(Exception):
    """Too many tables wait for others who want the same."""


class SeatNotTaken(Exception):
    """A seat was kept for the player, who did not take it: none is kept for it for another `wait_s` seconds."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"no seat is kept for another {wait_s} s")
        self.wait_s = wait_s


class QuickPlace(NamedTuple):
    """Where a player waits: the match, the match as it is, the player's place, and the table with all who have one there."""

    match_id: MatchId
    match: Match
    seeker: Seeker
    table: QuickTable


class QuickMatches:
    """Finds tables for players, and seats that are kept there. Every method may raise StoreUnavailable."""

    def __init__(  # noqa: PLR0913 - its collaborators, each said by name
        self,
        *,
        store: QuickStore,
        handler: CommandHandler,
        repository: MatchRepository,
        caps: Caps,
        ids: DerivedIds,
        games: Games,
        apart: Sequence[Callable[[PlayerId, PlayerId], Awaitable[bool]]],
        bars: Bars,
        now_ms: Callable[[], int],
        is_guest: Callable[[PlayerId], Awaitable[bool]],
    ) -> None:
        self._is_guest = is_guest
        self._bars = bars
        self._store = store
        self._handler = handler
        self._repository = repository
        self._caps = caps
        self._ids = ids
        self._games = games
        self._apart = apart
        self._now_ms = now_ms
        self._turn = asyncio.Lock()

    def seats_of(self, wish: Wish) -> int:
        """Return for how many players a table is if the wish does not say."""
        game = self._games[wish.game]
        return wish.seats or min(max(game.min_seats, FEWEST), game.max_seats)

    async def seek(
        self, player: PlayerId, wish: Wish, patience_seconds: int, bot: BotName | None, address: str = ""
    ) -> QuickPlace:
        """Return the player's place at a table: the one that it has, or one with others, or a new one.

        A player holds one seat that it has not taken: one that is kept for another wish is given up, which is no absence.
        Without *bot* it is one of middling strength. Raises NotFound, InvalidOptions, TooManySeek, SeatNotTaken,
        TooManyHeld, Barred.
        """
        await self._bars.require(player, Deed.TAKE_PART, address)
        wish, chosen = self._check(wish, bot)
        passed = frozenset[str]()
        for _ in range(ATTEMPTS):
            table, seeker = await self._place(player, wish, patience_seconds, chosen, passed, address)
            try:
                found = await self._keep_seat(wish, table, seeker, address)
                if found is not None and (found.seat_of(player) is not None or await self._is_only_seat(wish, seeker)):
                    return QuickPlace(self.match_of(table), found, seeker, table)
            except TooManyHeld:
                await self.give_up(wish, table, seeker)
                raise
            except RuleViolation:  # strangers have filled it, its host does not want this player, or it has ended
                passed |= {table.id}
            await self.give_up(wish, table, seeker)
        raise StoreUnavailable("the tables keep filling up")

    def _check(self, wish: Wish, bot: BotName | None) -> tuple[Wish, BotName]:
        if (game := self._games.get(wish.game)) is None:
            raise NotFound("game")
        wish = wish._replace(seats=self.seats_of(wish))
        read_options(game, {}, wish.seats)
        bots = game.bots()
        if bot is not None and bot not in bots:
            raise InvalidOptions("bot", "no such bot")
        usual = BotName("honest")
        return wish, bot or (usual if usual in bots else BotName(next(iter(bots))))

    async def _place(
        self, player: PlayerId, wish: Wish, patience_seconds: int, bot: BotName, passed: frozenset[str], address: str
    ) -> tuple[QuickTable, Seeker]:
        """Return the table where a player has a place, after giving it one if need be; not one of those *passed*."""
        place = self._caps.hide(address) if address and self._caps.limited else ""
        taken = await self._list_taken(place) if place else frozenset[str]()
        async with self._turn:  # those of other processes are competition enough
            for _ in range(ATTEMPTS):
                before = await self._store.read(wish)
                if (own := table_of(before.tables, player)) is not None and (seeker := own.seeker(player)) is not None:
                    return own, seeker
                await self._caps.require_room(player, address)
                everyone = seekers_in(await self._store.wishes())
                await self._require_kept_seat(player, place, everyone, taken)
                now_ms = self._now_ms()
                since_ms = max([now_ms, *(each.since_ms + 1 for each in everyone if each.player == player)])
                ticket = fresh_bytes(8).hex()
                seeker = Seeker(player, ticket, since_ms, now_ms + 1000 * patience_seconds, bot, place)
                joinable = [each for each in places(before.tables, wish.seats, now_ms) if each.id not in passed]
                company = await self._company(player, joinable)
                is_quiet = company is None or not await self._count_sitting(company)
                if is_quiet and await self._make_room(player, wish, before.tables):
                    continue
                table = company or QuickTable(ticket, player, ())
                if not table.seekers and len(before.tables) >= MOST_TABLES:
                    raise TooManySeek
                if await self._store.put(wish, before, after := joined(before.tables, table, seeker)):
                    return next(each for each in after if each.id == table.id), seeker
        raise StoreUnavailable("too many join tables at once")

    async def _company(self, player: PlayerId, tables: Sequence[QuickTable]) -> QuickTable | None:
        """Return a table without anyone whom the player is kept apart from: the one with the most who have sat down."""
        sitting = {table.id: await self._count_sitting(table) for table in tables[:LOOKED_AT]}
        for table in sorted(tables, key=lambda each: -sitting.get(each.id, 0)):
            if not [each for each in table.seekers if await self._kept_apart(player, each.player)]:
                return table
        return None

    async def _find(self, table: QuickTable) -> Match | None:
        try:
            return (await self._repository.load_latest(self.match_of(table))).match
        except NotFound:
            return None

    async def _sits(self, table: QuickTable, player: PlayerId) -> bool:
        match = await self._find(table)
        return match is not None and match.seat_of(player) is not None

    async def _count_sitting(self, table: QuickTable) -> int:
        match = await self._find(table)
        return 0 if match is None else sum(match.seat_of(each.player) is not None for each in table.seekers)

    async def _make_room(self, player: PlayerId, wish: Wish, tables: Sequence[QuickTable]) -> bool:
        """Take a kept seat from a player who is late, at a table where others wait; True if there was one."""
        now_ms = self._now_ms()
        for table in overdue(tables, wish.seats, now_ms - LATE_MS, now_ms):
            match = await self._find(table)
            if match is None or match.status is not Status.OPEN:
                continue
            sitting = [each for each in table.seekers if match.seat_of(each.player) is not None]
            late = [each for each in table.seekers if each not in sitting and each.since_ms <= now_ms - LATE_MS]
            if sitting and late and await self._company(player, [msgspec.structs.replace(table, seekers=tuple(sitting))]):
                if await self.give_up(wish, table, late[0]):
                    await self.note_absent(late[0].player, displaced=True)
                return True
        return False

    async def _require_kept_seat(self, player: PlayerId, place: str, seekers: Sequence[Seeker], taken: Set[str]) -> None:
        """Raise SeatNotTaken if a player did not take its last seat, not long ago.

        Raises TooManyHeld if too many of its address have not taken theirs yet: guests have half of what it has.
        """
        absence = await self._store.absence(player)
        if absence is not None and (wait_ms := absence.until_ms - self._now_ms()) > 0:
            raise SeatNotTaken(-(-wait_ms // 1000))
        if not place:
            return
        limit = KEPT_SEATS.shared(None)
        others = [each for each in seekers if each.place == place and each.player != player]
        kept = sum(each.ticket not in taken and each.since_ms + COME_MS > self._now_ms() for each in others)
        if kept >= limit or (kept >= limit // 2 and await self._is_guest(player)):
            raise TooManyHeld("kept-at", limit, RETRY_SECONDS)

    async def _list_taken(self, place: str) -> Set[str]:
        """Return the tickets of those who asked from an address in the last 20 seconds and have taken their seats.

        It loads the match of each of them, so it is called outside of the lock; while they are too few to reach a limit, it loads
        nothing.
        """
        first_ms = self._now_ms() - COME_MS
        recent = [
            (table, seeker)
            for found in (await self._store.wishes()).values()
            for table in found.tables
            for seeker in table.seekers
            if seeker.place == place and seeker.since_ms > first_ms
        ]
        if len(recent) < KEPT_SEATS.shared(None) // 2:
            return frozenset()
        return {seeker.ticket for table, seeker in recent if await self._sits(table, seeker.player)}

    async def _is_only_seat(self, wish: Wish, seeker: Seeker) -> bool:
        """Give up what is kept for a player for other wishes; False if it has asked for one of them after this one.

        Each request does so once its own place is stored. So of two at once the later reader finds the place of the other.
        """
        for other, found in (await self._store.wishes()).items():
            table = table_of(found.tables, seeker.player)
            if other == wish or table is None or (place := table.seeker(seeker.player)) is None:
                continue
            if await self._sits(table, seeker.player):
                continue
            if (place.since_ms, place.ticket) > (seeker.since_ms, seeker.ticket):
                return False
            await self.give_up(other, table, place)
        return True

    async def note_absent(self, player: PlayerId, *, displaced: bool = False) -> None:
        """Record that a player has not come: no seat is kept for it for a while, twice as long each time.

        *displaced*: another player got its seat before the time was up that it had been promised. Then the first time in a row
        has no consequence.
        """
        before = await self._store.absence(player)
        times = before.times + 1 if before is not None else 1
        is_excused = displaced and before is None
        pause_ms = 0 if is_excused else min(COME_MS << min(times - 1, 10), LONGEST_ABSENCE_MS)
        await self._store.put_absence(player, Absence(times, self._now_ms() + pause_ms))

    async def note_came(self, player: PlayerId) -> None:
        """Record that a player sat down."""
        await self._store.drop_absence(player)

    async def _kept_apart(self, one: PlayerId, other: PlayerId) -> bool:
        for apart in self._apart:
            if await apart(one, other):
                return True
        return False

    async def _keep_seat(self, wish: Wish, table: QuickTable, seeker: Seeker, address: str) -> Match | None:
        """Keep a seat at the table for a seeker; return the match, None if the seeker has left it. Raises RuleViolation."""
        match_id = self.match_of(table)
        await self.open(wish, table, address if table.founder == seeker.player else None)
        if not (await self._repository.load_latest(match_id)).match.expects(seeker.player):
            key = Act.RESERVE_QUICK_SEAT.key(seeker.ticket)
            await self._handler.carry_out(issued_by_service(match_id, key, ReserveSeat(seeker.player)))
        match = (await self._repository.load_latest(match_id)).match
        kept = table_of((await self._store.read(wish)).tables, seeker.player)  # one that took too long may have lost its place
        holds = kept is not None and seeker in kept.seekers
        return match if holds and match.expects(seeker.player) and not match.status.finished else None

    async def open(self, wish: Wish, table: QuickTable, address: str | None) -> None:
        """Open the match of a table, unless it is there; raise TooManyHeld where its founder asks, else *address* is None."""
        match_id = self.match_of(table)
        with suppress(NotFound):
            await self._repository.load_latest(match_id)
            return
        secret = new_secret()
        opening = OpenMatch(
            settings=keeping_places(_settings(wish)),
            host=table.founder,
            secret=secret,
            commitment=commitment_to(match_id, secret),
            seating=(Seating(seat=Seat(0), player=table.founder, reserved=True),),
            dealing=Dealing.CARDS,
            edition=EDITION,
        )
        admit = self._caps.seeking(table.founder, match_id, address) if address is not None else None
        await self._handler.open(issued_by_service(match_id, Act.OPEN_QUICK_MATCH.key(), opening), admit)

    async def give_up(self, wish: Wish, table: QuickTable, *seekers: Seeker) -> bool:
        """Take places from seekers, and the seats that are kept for them; return whether one of them had a place.

        Those who have sat down by now stay.
        """
        left = [each for each in seekers if await self.release(self.match_of(table), each.player)]
        return await self.drop(wish, table, *left)

    async def drop(self, wish: Wish, table: QuickTable, *seekers: Seeker) -> bool:
        """Take places from seekers, and return whether they had them; a table that no one is left at is forgotten."""
        tickets = frozenset(each.ticket for each in seekers)
        for _ in range(ATTEMPTS):
            before = await self._store.read(wish)
            after = tuple(without(before.tables, table.id, tickets))
            if after == before.tables:
                return False
            if await self._store.put(wish, before, after):
                return True
        raise StoreUnavailable("too many join tables at once")

    async def release(self, match_id: MatchId, player: PlayerId) -> bool:
        """Free a seat that is kept for a player who has not come; False if the player sits at the open table, and stays."""
        with suppress(NotFound, RuleViolation):
            version = (await self._repository.load_latest(match_id)).version
            key = Act.RELEASE_QUICK_SEAT.key(version, player)
            await self._handler.carry_out(issued_by_service(match_id, key, ReleaseSeat(player)))
            match = (await self._repository.load_latest(match_id)).match
            return match.status is not Status.OPEN or match.seat_of(player) is None
        return True

    async def forget(self, player: PlayerId) -> None:
        """Take all places from a player, who has left all matches."""
        await self._store.drop_absence(player)
        for wish, found in (await self._store.wishes()).items():
            for table in found.tables:
                if (seeker := table.seeker(player)) is not None:
                    await self.give_up(wish, table, seeker)
                    await self.drop(wish, table, seeker)

    async def export(self, player: PlayerId) -> object:
        """Return where a player waits, as plain data."""
        return [
            {
                "game": wish.game,
                "seats": wish.seats,
                "pace": wish.pace.value,
                "since_ms": found.since_ms,
                "ends_ms": found.ends_ms,
            }
            for wish, each in (await self._store.wishes()).items()
            if (table := table_of(each.tables, player)) is not None and (found := table.seeker(player)) is not None
        ]

    async def waiting(self) -> Sequence[tuple[Wish, int]]:
        """Return how many wait for what, where anyone can still join."""
        now_ms = self._now_ms()
        found = [
            (wish, sum(len(table.seekers) for table in places(each.tables, wish.seats, now_ms)))
            for wish, each in (await self._store.wishes()).items()
        ]
        return sorted(((wish, count) for wish, count in found if count), key=lambda each: (*each[0][:2], each[0].pace.value))

    def match_of(self, table: QuickTable) -> MatchId:
        """Return the match of a table, opened or not."""
        return self._ids.match("quick", table.id)


def _settings(wish: Wish) -> MatchSettings:
    return MatchSettings(game=wish.game, seats=wish.seats, clock=CLOCKS[wish.pace], spectators=Spectators.PUBLIC)
