"""What becomes of the tables of quick matches: who does not come loses the place, and when patience ends bots sit down.

Every step looks at the match first, and at the store after it: so no one is overlooked who joins meanwhile. Any number of
processes may do it at once; the lease only avoids wasted effort.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec
import structlog
from msgspec import UNSET

from ....domain.game import RuleViolation, Seat
from ....domain.match import MatchId, Status
from ....domain.match.commands import SeatBot, StartMatch
from ....domain.match.state import Match
from ...errors import CorruptHistory, NotFound, StoreUnavailable
from ...failures import Failures
from ...matches.command_handler import CommandHandler, issued_by_service
from ...matches.own_keys import Act
from ...matches.repository import Loaded, MatchRepository
from ...runtime.consumer import LONGEST_REST_MS
from ..inbox.messages import moment
from ..inbox.service import Inboxes
from .messages import Matched, MatchedData
from .port import QuickStore, QuickTable, Seeker, Wish
from .service import COME_MS, QuickMatches
from .tables import replaced

PAUSE_SECONDS = 1.0
IDLE_SECONDS = 4.0
"""Pauses between two looks, while someone waits and while no one does: less than the shortest patience."""
GRACE_MS = 5_000
"""How long after it has got a place a seeker may be without a seat: its request is under way. Who leaves is gone after it."""

QUICK = "quick match"

log = structlog.get_logger(__name__)


class QuickFilling:
    """Ends the waiting at each table: with players, with bots, or because no one is left."""

    def __init__(
        self,
        store: QuickStore,
        quick: QuickMatches,
        handler: CommandHandler,
        repository: MatchRepository,
        inboxes: Inboxes,
        now_ms: Callable[[], int],
        failures: Failures,
    ) -> None:
        self._failures = failures
        self._inboxes = inboxes
        self._store = store
        self._quick = quick
        self._handler = handler
        self._repository = repository
        self._now_ms = now_ms

    async def step(self) -> float:
        """Look at all tables once; return after how many seconds to look again."""
        wishes = await self._store.wishes()
        for wish, found in wishes.items():
            for table in found.tables:
                await self._pass_by(wish, table)
        return PAUSE_SECONDS if wishes else IDLE_SECONDS

    async def _pass_by(self, wish: Wish, table: QuickTable) -> None:
        """Look at a table; one that fails keeps no other one waiting."""
        match_id = self._quick.match_of(table)
        if await self._failures.rests(QUICK, match_id):
            return
        try:
            await self._look_at(wish, table)
        except StoreUnavailable:
            raise
        except CorruptHistory:
            log.error("a quick match cannot be read, its players wait no longer", match=match_id)
            await self._quick.drop(wish, table, *table.seekers)
        except Exception as error:
            await self._failures.note(QUICK, match_id, error, round(1000 * PAUSE_SECONDS), LONGEST_REST_MS)
        else:
            await self._failures.clear(QUICK, match_id)

    async def _look_at(self, wish: Wish, table: QuickTable) -> None:
        match_id = self._quick.match_of(table)
        match = await self._find(match_id)
        now_ms = self._now_ms()
        newest = next((each for each in (await self._store.read(wish)).tables if each.id == table.id), None)
        if newest is None:
            return
        if match is None or match.status is not Status.OPEN:
            over = [each for each in newest.seekers if match is not None or each.since_ms + COME_MS <= now_ms]
            if await self._quick.drop(wish, newest, *over) and match is not None and match.started:
                await self._say(match_id, match, over)
            return
        gone = [each for each in newest.seekers if _is_gone(match, each, now_ms)]
        for player in match.expected_players():
            if newest.seeker(player) is None:  # its request was cut off after it had lost the place
                await self._quick.release(match_id, player)
        for each in gone:
            if match.reserved_for(each.player) is not None:
                await self._quick.note_absent(each.player)
        await self._quick.give_up(wish, newest, *gone)
        left = tuple(each for each in newest.seekers if each not in gone)
        table = msgspec.structs.replace(newest, seekers=left)
        if left and (table.filling or table.ends_ms <= now_ms):
            await self._fill(wish, table, match_id)
        elif left and not _free(match) and not match.expected_players():  # a stranger has taken the last seat
            await self._begin(match_id)

    async def _say(self, match_id: MatchId, match: Match, seekers: Sequence[Seeker]) -> None:
        """Say that the match has begun, to those who sit there. What a process that dies now does not say, the match does."""
        message = Matched(timestamp=moment(self._now_ms()), data=MatchedData(match=match_id, game=match.settings.game))
        for each in seekers:
            if match.seat_of(each.player) is not None:
                await self._quick.note_came(each.player)
                await self._inboxes.post(each.player, message)

    async def _find(self, match_id: MatchId) -> Match | None:
        try:
            return (await self._repository.load_latest(match_id)).match
        except NotFound:
            return None

    async def _fill(self, wish: Wish, table: QuickTable, match_id: MatchId) -> None:
        """Let no one join any more, then seat bots and begin, once each who has a place has a seat."""
        if not table.filling and not await self._close(wish, table):
            return
        loaded = await self._repository.load_latest(match_id)
        match = loaded.match
        if match.status is not Status.OPEN or not all(match.expects(each.player) for each in table.seekers):
            return
        bot = min(table.seekers, key=lambda each: each.ends_ms).bot
        with suppress(RuleViolation):  # someone has left, or was faster: the next look sees what is so then
            for seat in _free(match):
                key = Act.SEAT_QUICK_BOT.key(loaded.version, seat)
                await self._handler.carry_out(issued_by_service(match_id, key, SeatBot(match.host, seat, bot)))
            if not match.expected_players():
                await self._start(match_id, loaded)

    async def _begin(self, match_id: MatchId) -> None:
        """Begin a match whose seats are all taken."""
        with suppress(RuleViolation):  # someone has left meanwhile: the seat is offered again
            await self._start(match_id, await self._repository.load_latest(match_id))

    async def _start(self, match_id: MatchId, loaded: Loaded) -> None:
        key = Act.START_QUICK_MATCH.key(loaded.version)
        await self._handler.carry_out(issued_by_service(match_id, key, StartMatch(loaded.match.host)))

    async def _close(self, wish: Wish, table: QuickTable) -> bool:
        """Have no one join a table any more; False if it has changed meanwhile, which the next look sees."""
        before = await self._store.read(wish)
        if table not in before.tables:
            return False
        closed = msgspec.structs.replace(table, filling=True)
        return await self._store.put(wish, before, replaced(before.tables, closed))


def _is_gone(match: Match, seeker: Seeker, now_ms: int) -> bool:
    """Return whether a seeker has left, or has not come in time."""
    if match.seat_of(seeker.player) is not None:
        return False
    patience_ms = COME_MS if match.reserved_for(seeker.player) is not None else GRACE_MS
    return seeker.since_ms + patience_ms <= now_ms


def _free(match: Match) -> Sequence[Seat]:
    """Return the seats that no one has and that are kept for no one."""
    return [Seat(seat) for seat, chair in enumerate(match.chairs) if chair.empty and chair.reserved is UNSET]
