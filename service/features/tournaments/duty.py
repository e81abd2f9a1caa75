"""What happens in tournaments by itself: they start, rounds are drawn and opened, results taken, and old ones are deleted.

Every step follows from the facts and may be done twice, by several processes, or be cut off anywhere. The id of each match
follows from tournament, round and table, and so does its secret, so it is opened once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum

import structlog
from msgspec import UNSET

from ....domain.game import GameId, Seat
from ....domain.match import BotName, MatchId, PlayerId, Visibility
from ....domain.match.commands import OpenMatch, Seating
from ....domain.match.terms import EDITION, Dealing
from ...commands import MatchCommands
from ...days import DAY_MS
from ...dealing.dealer import commitment_to
from ...errors import ArchiveUnavailable, CorruptHistory, NotFound, StoreUnavailable
from ...failures import Failures
from ...matches.command_handler import CommandHandler, fingerprint_of, issued_by_service
from ...matches.ids import NO_HOST, DerivedIds
from ...matches.own_keys import Act
from ...matches.repository import MatchRepository
from ...players.accounts import Accounts
from ...players.bars import Bars, Deed
from ...views.queries import MatchQueries
from . import rules
from .commitments import match_of_table, secret_of_table
from .events import AnyFact, CancelReason, Ended, ResultTaken, RoundDrawn, Settled, TablesOpened
from .ledger import Kept, Ledger
from .messages import RoundData
from .pairing import draw_round
from .port import TournamentId, TournamentStore
from .rules import Pairing, Tournament, TournamentRefused, TournamentStage
from .service import LOOK_MS, UNUSED_MS
from .standings import field_of, ranks_of

TOURNAMENT, TABLE = "tournament", "table of a tournament"
LONGEST_REST_MS = 1_800_000
"""How long a tournament that keeps failing rests at most: a round may be over meanwhile."""
BOTS_AT_ONCE = 4
"""How many matches of bots alone a tournament has at once: they take processor time that others wait for."""
PAUSE_SECONDS = 4.0
AT_ONCE = 50
GAME_MISSED_MS = DAY_MS
"""How long after its newest fact a tournament is called off whose game is not here."""
BEING_OPENED_MS = 3_600_000
"""How long after a tournament was called off a process may still open a match of it, at the very most."""

log = structlog.get_logger(__name__)


class Opening(Enum):
    """What became of opening a match: it is there, or it is tried again later."""

    DONE = "done"
    LATER = "later"


class Director:
    """Drives tournaments. Any number may run; one at a time is enough.

    A tournament is kept for *kept_days* after its end. *announce* is called for each player of a match that has just begun, and
    not called again if this process dies then.
    """

    def __init__(  # noqa: PLR0913 - its collaborators
        self,
        *,
        store: TournamentStore,
        ledger: Ledger,
        repository: MatchRepository,
        queries: MatchQueries,
        handler: CommandHandler,
        matches: MatchCommands,
        accounts: Accounts,
        bars: Bars,
        ids: DerivedIds,
        now_ms: Callable[[], int],
        kept_days: int,
        failures: Failures,
        announce: Callable[[PlayerId, RoundData], Awaitable[None]],
    ) -> None:
        self._failures = failures
        self._store = store
        self._ledger = ledger
        self._repository = repository
        self._queries = queries
        self._handler = handler
        self._matches = matches
        self._accounts = accounts
        self._bars = bars
        self._ids = ids
        self._now_ms = now_ms
        self._kept_ms = kept_days * DAY_MS
        self._gameless: set[TournamentId] = set()
        self._announce = announce

    def match_of(self, tournament: TournamentId, state: Tournament, round_number: int, table: int) -> MatchId:
        """Return the id of the match of a table; rounds count from 1, tables from 0."""
        if state.opened.public_ids:
            return match_of_table(tournament, round_number, table)
        return self._ids.match("tournament", tournament, str(round_number), str(table))

    async def step(self) -> float:
        """Look at the tournaments for which it is time; return after how many seconds to look again."""
        now_ms = self._now_ms()
        due = await self._store.claim(now_ms, now_ms + LOOK_MS, AT_ONCE)
        for tournament in due:
            if not await self._failures.rests(TOURNAMENT, tournament):
                await self._try_to_tend(tournament)
        return 0.0 if len(due) == AT_ONCE else PAUSE_SECONDS

    async def _try_to_tend(self, tournament: TournamentId) -> None:
        """Do all that can be done for a tournament; one that fails holds up no other."""
        try:
            await self.tend(tournament)
        except StoreUnavailable:
            raise
        except Exception as error:
            await self._failures.note(TOURNAMENT, tournament, error, LOOK_MS, LONGEST_REST_MS)
        else:
            await self._failures.clear(TOURNAMENT, tournament)

    async def note_over(self, match_id: MatchId) -> None:
        """Look soon at the tournament that a match which has just ended belongs to, if it belongs to one."""
        if (tournament := await self._store.tournament_of(match_id)) is not None:
            await self._store.advance(tournament, self._now_ms())

    async def tend(self, tournament: TournamentId) -> None:
        """Do all that can be done for a tournament now."""
        while (found := await self._ledger.find(tournament)) is not None:
            state = found.state
            if state.deals_no_more or (state.stage.finished and self._now_ms() >= self._until_ms(state)):
                await self._keep_or_delete(tournament, state)
                return
            facts = await self._next(tournament, found)
            if not facts:
                return
            await self._ledger.add(tournament, found, facts)
        await self._store.unplan(tournament)

    async def _next(self, tournament: TournamentId, found: Kept) -> Sequence[AnyFact]:
        """Return what follows by itself, nothing if something else has to happen first."""
        state = found.state
        if self._repository.game(state.opened.settings.game) is None:
            return self._without_game(tournament, state)
        if state.stage is TournamentStage.CANCELLED:
            return await self._settle(tournament, state)
        if state.stage is TournamentStage.OPEN:
            if state.opened.settings.visibility is Visibility.LISTED:
                await self._store.enlist(tournament, state.opened.at_ms)
            return self._begin(state)
        if not state.rounds or state.rounds[-1].over:
            return await self._round(tournament, state)
        return await self._results(tournament, state)

    def _without_game(self, tournament: TournamentId, state: Tournament) -> Sequence[AnyFact]:
        """Call a tournament off whose game is not here, once that has lasted: a process of the next release may have the game."""
        if state.stage.finished:
            return ()
        if self._now_ms() >= state.changed_ms + GAME_MISSED_MS:
            return rules.cancel(state, self._now_ms(), CancelReason.GAME_GONE)
        if tournament not in self._gameless:
            self._gameless.add(tournament)
            log.warning("the game of a tournament is not here, so it will be called off", game=state.opened.settings.game)
        return ()

    async def _settle(self, tournament: TournamentId, state: Tournament) -> Sequence[AnyFact]:
        """Return which more matches of a tournament that was called off are there, then that none runs any more, if so.

        One that is not there counts once no process can be about to open it.
        """
        number = len(state.rounds)
        there: list[int] = []
        running = False
        for table, each in enumerate(state.rounds[-1].tables):
            if each.ranks is not None:
                continue
            try:
                running |= await self._ranks(self.match_of(tournament, state, number, table), state.seats) is None
                there.append(table)
            except NotFound:
                running |= self._now_ms() < state.changed_ms + BEING_OPENED_MS
        facts = self._note_opened(state, there)
        return facts or (() if running else (Settled(at_ms=self._now_ms()),))

    def _note_opened(self, state: Tournament, there: Sequence[int]) -> Sequence[AnyFact]:
        """Return that the matches of some tables of the newest round are there, as far as this is not known."""
        new = tuple(table for table in there if not state.rounds[-1].tables[table].opened)
        return (TablesOpened(at_ms=self._now_ms(), tables=new),) if new else ()

    def _until_ms(self, state: Tournament) -> int:
        return (state.ended_ms or 0) + self._kept_ms

    async def _keep_or_delete(self, tournament: TournamentId, state: Tournament) -> None:
        """Delete a tournament when its time has come; until then it is not looked at again."""
        until_ms = self._until_ms(state)
        if state.rounds and not state.rounds[-1].over:  # it was called off
            count = len(state.rounds)
            await self._store.forget_matches(
                [self.match_of(tournament, state, count, each) for each in range(len(state.rounds[-1].tables))]
            )
        if self._now_ms() < until_ms:
            await self._store.plan(tournament, until_ms)
            return
        await self._store.strike(tournament, state.opened.at_ms)
        for player in (state.opened.organiser, *state.joins):
            await self._store.drop_player(player, tournament)
        await self._store.remove(tournament)
        await self._store.unplan(tournament)

    def _begin(self, state: Tournament) -> Sequence[AnyFact]:
        """Start a tournament whose time has come, or call it off."""
        now_ms = self._now_ms()
        starts_ms = state.opened.starts_ms
        if starts_ms is not None and now_ms >= starts_ms:
            try:
                return rules.start(state, now_ms)
            except TournamentRefused:
                return rules.cancel(state, now_ms, CancelReason.TOO_FEW)
        if now_ms >= state.opened.at_ms + UNUSED_MS:
            return rules.cancel(state, now_ms, CancelReason.UNUSED)
        return ()

    async def _round(self, tournament: TournamentId, state: Tournament) -> Sequence[AnyFact]:
        """Draw the next round, or end the tournament."""
        if not state.goes_on():
            return (Ended(at_ms=self._now_ms()),)
        drawn = await asyncio.to_thread(draw_round, field_of(state), state.opened.draw_secret, tournament)
        return (RoundDrawn(at_ms=self._now_ms(), tables=drawn.tables, byes=drawn.byes),)

    async def _results(self, tournament: TournamentId, state: Tournament) -> Sequence[AnyFact]:
        """Open the tables of the newest round that are not there; return which are, and the results of those that are over."""
        number = len(state.rounds)
        waiting = [(table, each) for table, each in enumerate(state.rounds[-1].tables) if each.ranks is None]
        matches = [self.match_of(tournament, state, number, table) for table, _ in waiting]
        await self._store.note_matches(tournament, matches)
        facts: list[ResultTaken] = []
        there: list[int] = []
        over: list[MatchId] = []
        bots_play = 0
        for (table, pairing), match_id in zip(waiting, matches, strict=True):
            ranks: tuple[int, ...] | None = None
            try:
                ranks = await self._ranks(match_id, state.seats)
                there.append(table)
            except NotFound:
                bots_wait = state.is_for_bots(pairing) and bots_play >= BOTS_AT_ONCE
                if not bots_wait and await self._try_to_open(tournament, state, table, pairing) is Opening.DONE:
                    there.append(table)
            bots_play += table in there and ranks is None and state.is_for_bots(pairing)
            if ranks is not None:
                facts.append(ResultTaken(at_ms=self._now_ms(), table=table, ranks=ranks))
                over.append(match_id)
        if over:
            await self._store.forget_matches(over)
        return (*self._note_opened(state, there), *facts)

    async def _ranks(self, match_id: MatchId, seats: int) -> tuple[int, ...] | None:
        """Return the result of a match, None if it has none yet that all may know; raise NotFound if there is no such match.

        A match that cannot be read any more is shared by all of its seats, like one whose result was taken back.
        """
        try:
            loaded = await self._repository.load_latest(match_id)
        except ArchiveUnavailable:
            return None
        except CorruptHistory:
            log.error("a match of a tournament cannot be read, its seats share the point", match=match_id)
            return (1,) * seats
        try:
            public = self._queries.as_visible_to(None, match_id, loaded)
        except NotFound:
            return None
        return ranks_of(public.match) if public.match.status.finished else None

    async def _try_to_open(self, tournament: TournamentId, state: Tournament, table: int, pairing: Pairing) -> Opening:
        """Open the match of a table as `_open` does; one that cannot be opened holds up no other, and is tried again."""
        match_id = self.match_of(tournament, state, len(state.rounds), table)
        if await self._failures.rests(TABLE, match_id):
            return Opening.LATER
        try:
            opened = await self._open(tournament, state, table, pairing)
        except StoreUnavailable:
            raise
        except Exception as error:
            await self._failures.note(TABLE, match_id, error, LOOK_MS, LONGEST_REST_MS)
            return Opening.LATER
        await self._failures.clear(TABLE, match_id)
        return opened

    async def _open(self, tournament: TournamentId, state: Tournament, table: int, pairing: Pairing) -> Opening:
        """Open the match of a table, with everyone seated, and begin it. That of bots alone counts for no one."""
        number = len(state.rounds)
        match_id = self.match_of(tournament, state, number, table)
        command = await self._opening(tournament, state, table, pairing)
        fingerprint = fingerprint_of("tournament", tournament, number, table)
        order = issued_by_service(match_id, Act.OPEN_TOURNAMENT_MATCH.key(), command, fingerprint)
        written = await self._handler.open(order)
        if written.replayed:
            return Opening.DONE
        data = RoundData(tournament=tournament, round=number, match=match_id, game=command.settings.game)
        for player in (place.player for place in command.seating if place.player is not None):
            await self._announce(player, data)
        return Opening.DONE

    async def _may_play(self, player: PlayerId) -> bool:
        """True unless a player was deleted or suspended since the round was drawn."""
        return await self._accounts.find(player) is not None and await self._bars.may(player, Deed.TAKE_PART)

    def _any_bot(self, game: GameId) -> BotName | None:
        """Return the bot that plays for a player who was deleted or suspended since the round was drawn."""
        found = self._repository.game(game)
        return BotName(next(iter(found.bots()))) if found is not None else None

    async def _opening(self, tournament: TournamentId, state: Tournament, table: int, pairing: Pairing) -> OpenMatch:
        number = len(state.rounds)
        secret = secret_of_table(tournament, state.opened.deal_secret, number, table)
        seating: list[Seating] = []
        for seat, entrant in enumerate(state.entrants[each] for each in pairing.entrants):
            if entrant.player is None or not await self._may_play(entrant.player):
                seating.append(Seating(seat=Seat(seat), bot=entrant.bot or self._any_bot(state.opened.settings.game)))
                continue
            guest = await self._matches.is_guest(entrant.player)
            seating.append(Seating(seat=Seat(seat), player=entrant.player, nonce=entrant.nonce, guest=guest or UNSET))
        return OpenMatch(
            settings=state.opened.settings,
            host=next((place.player for place in seating if place.player is not None), NO_HOST),
            secret=secret,
            commitment=commitment_to(self.match_of(tournament, state, number, table), secret),
            seating=tuple(seating),
            start=True,
            dealing=Dealing.CARDS,
            edition=EDITION,
        )
