"""The puzzles of the day: chosen on the day before from reviewed matches, the same for all, with one try each.

A puzzle is a pointer: to a match, a seat of it, and an answer that the coach found costly. What is shown is made from the log, as
that seat could see it then; it has no names, and the match itself is only named to those who have answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import msgspec

from ....domain.game import AnyGame, Command, GameId, Seat
from ....domain.match import MatchId, PlayerId, Status
from ...days import Day, add_days, day_of, ends_ms, number_of
from ...errors import Forbidden, NotFound, StoreUnavailable
from ...matches.command_handler import CommandHandler, IssuedCommand, fingerprint_of, issued_by_service
from ...matches.ids import NO_PLAYER, DerivedIds
from ...matches.own_keys import Act
from ...matches.repository import Loaded, MatchRepository
from ...players.accounts import Accounts
from ...runtime.consumer import RENEW_SECONDS
from ...views.queries import MatchQueries
from ..coaching.coach import Coach, Puzzle, Review
from ..coaching.findings import Findings
from .choice import fits, is_own, margin, opening
from .port import Candidate, PuzzleStore, Solution, Tally, first_kept
from .review_process import can_review
from .review_process import review as review_apart

LEASE = "puzzles"
"""Name of the lease on the server of the process that makes puzzles: one at a time, so that they take one share of a core."""
LOOK_SECONDS = 120.0
"""How soon puzzles are made for the first visitor of a day, and after the start of a process, which has more urgent work."""
DONE_SECONDS = 600.0
"""How soon a process looks again that has found all puzzles made."""
BUSY_SECONDS = 2.0
"""How often a match of bots is looked at while it goes on."""
KEPT = 16
"""How many puzzles a process keeps as they are shown."""


class NoPuzzle(NotFound):
    """A game has no puzzle today."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle of a day. `match` may be named to those who have answered; `own`: the service has played it by itself."""

    game: GameId
    day: Day
    match: MatchId
    seat: Seat
    seats: int
    own: bool
    puzzle: Puzzle

    @property
    def best(self) -> bytes:
        """The right answer, as the contract writes it."""
        return self.puzzle.costly.moves[0].command


class PuzzleStanding(msgspec.Struct, frozen=True, kw_only=True):
    """How a puzzle is solved by all and, if there is a player, by it: its answer, and how it did in the days that are kept."""

    all: Tally
    solution: Solution | None
    own: Tally


class Puzzles:
    """The puzzles of all games. May raise StoreUnavailable anywhere.

    *most* matches of bots are played for a puzzle at most, each seat of which *review* goes through; *owned* renews the lease
    of the process that makes puzzles.
    """

    def __init__(  # noqa: PLR0913 - its collaborators
        self,
        *,
        store: PuzzleStore,
        coach: Coach,
        repository: MatchRepository,
        queries: MatchQueries,
        accounts: Accounts,
        handler: CommandHandler,
        games: Mapping[GameId, AnyGame],
        ids: DerivedIds,
        now_ms: Callable[[], int],
        most: int,
        owned: Callable[[], Awaitable[object]],
        review: Review = review_apart,
    ) -> None:
        self._store = store
        self._coach = coach
        self._repository = repository
        self._queries = queries
        self._accounts = accounts
        self._handler = handler
        self._games = games
        self._ids = ids
        self._now_ms = now_ms
        self._most = most
        self._owned = owned
        self._review = review
        self._noted: Day | None = None
        self._begun = False
        self._without: set[tuple[GameId, Day]] = set()
        self._made: dict[tuple[Day, Candidate], Shown] = {}
        self._making = asyncio.Lock()
        coach.on_whole(self.note)

    def today(self) -> Day:
        """Return the day that it is."""
        return day_of(self._now_ms())

    async def is_there(self, game: GameId) -> bool:
        """Return whether a game has a puzzle of today."""
        found = (await self._store.choices(self.today())).get(game)
        return found is not None and not found.withdrawn

    async def answered(self, player: PlayerId) -> Mapping[Day, Mapping[GameId, bool]]:
        """Return which puzzles a player has answered in the days that are kept, and whether rightly."""
        first = first_kept(self.today())
        found: dict[Day, dict[GameId, bool]] = {}
        for (day, game), each in (await self._store.answers(player)).items():
            if day >= first:
                found.setdefault(day, {})[game] = each.right
        return found

    async def of(self, game: GameId | None, day: Day) -> Shown:
        """Return a game's puzzle of a day; without a *game*, that of another one each day. Raises NoPuzzle, NotFound."""
        if game is not None and game not in self._games:
            raise NotFound("game")
        chosen = await self._store.choices(day)
        there = [each for each in self._games if each in chosen and not chosen[each].withdrawn]
        if game is None and there:
            game = there[number_of(day) % len(there)]
        if game is None or game not in there:
            raise NoPuzzle("puzzle")
        return await self._show(game, day, chosen[game].candidate)

    async def standing(self, shown: Shown, player: PlayerId | None) -> PuzzleStanding:
        """Return how a puzzle is solved."""
        answers: Mapping[tuple[Day, GameId], Solution] = {}
        if player is not None:
            answers = await self._store.answers(player)
        kept = [each for (day, _), each in answers.items() if day >= first_kept(shown.day)]
        return PuzzleStanding(
            all=await self._store.tally(shown.game, shown.day),
            solution=answers.get((shown.day, shown.game)),
            own=Tally(len(kept), sum(each.right for each in kept)),
        )

    async def answer(self, shown: Shown, player: PlayerId, command: Command) -> Solution:
        """Return a player's answer to a puzzle, which is its first one; raise ValueError unless it was legal then."""
        if command not in shown.puzzle.legal:
            raise ValueError("not legal")
        given = msgspec.json.encode(command)
        right = msgspec.json.decode(given) == msgspec.json.decode(shown.best)
        return await self._store.answer(shown.game, shown.day, player, Solution(given, right=right))

    async def note(self, match_id: MatchId, seat: Seat, loaded: Loaded, findings: Findings) -> None:
        """Offer what the coach has found about a seat for days to come, if the match is public."""
        if is_own(loaded.match) or not fits(loaded.match) or loaded.match.status is not Status.OVER:
            return
        for each in findings.costly:
            if (found := margin(each)) is not None:
                await self._store.offer(loaded.match.settings.game, Candidate(match_id, seat, each.version), found)

    async def forget(self, player: PlayerId) -> None:
        """Delete a player's answers, and withdraw the puzzles from its matches."""
        await self._store.forget(player)
        today = self.today()
        for day in (today, add_days(today, 1)):
            for game, chosen in (await self._store.choices(day)).items():
                if not chosen.withdrawn and await self._had_to_do(player, chosen.candidate):
                    await self._store.withdraw(game, day)

    async def export(self, player: PlayerId) -> object:
        """Return a player's answers, as plain data."""
        found = await self._store.answers(player)
        return [
            {"day": day, "game": game, "right": each.right} for (day, game), each in sorted(found.items(), key=lambda it: it[0])
        ]

    async def note_visit(self) -> None:
        """Record a visit today, once per process and day. If the store is unavailable, the next visit is recorded instead."""
        today = self.today()
        if self._noted != today:
            with suppress(StoreUnavailable):
                await self._store.note_visit(today)
                self._noted = today

    async def step(self) -> float:
        """Choose the puzzles of today and tomorrow, if someone was here today; return after how many seconds to look again.

        At most one match of bots goes on at a time, and at most one process of a deployment makes puzzles.
        """
        if not self._begun:
            self._begun = True
            return LOOK_SECONDS
        today = self.today()
        if not await self._store.is_visited(today) or not await self._owned():
            return LOOK_SECONDS
        for day in (today, add_days(today, 1)):
            chosen = await self._store.choices(day)
            for game in self._games:
                if game in chosen or (game, day) in self._without:
                    continue
                if await self._choose(game, day):
                    return BUSY_SECONDS
        self._without = {each for each in self._without if each[1] >= today}
        return min(DONE_SECONDS, (ends_ms(today) - self._now_ms()) / 1000 + 1)

    async def _choose(self, game: GameId, day: Day) -> bool:
        """Choose the puzzle of a game and day; return whether a match of bots has to go on first."""
        for candidate in await self._store.candidates(game):
            usable = await self._usable(candidate)
            share = await self._store.take(game, candidate)
            if share is None or not usable:
                continue
            chosen = await self._store.choose(game, day, candidate)
            if chosen.candidate != candidate:  # another process was first
                await self._store.offer(game, candidate, share)
            elif not await self._usable(candidate):  # since it was chosen, one of its players has asked to be forgotten
                await self._store.withdraw(game, day)
            return False
        for number in range(self._most if can_review(game, self._games) else 0):
            match_id = self._ids.match("puzzle", game, day, str(number))
            found = await self._margins_of(match_id, self._games[game])
            if found is None:
                return True
            if found:
                await self._store.choose(game, day, max(found, key=lambda each: found[each]))
                return False
        self._without.add((game, day))
        return False

    async def _margins_of(self, match_id: MatchId, game: AnyGame) -> Mapping[Candidate, float] | None:
        """Return the puzzle candidates of the first seat that has any, with their margins; None while the match is running."""
        try:
            loaded = await self._repository.load_latest(match_id)
        except NotFound:
            await self._handler.open(_opening(match_id, game))
            return None
        if not loaded.match.status.finished:
            return None
        for seat in map(Seat, range(loaded.match.settings.seats)):
            findings = await self._coach.review(match_id, seat, self._review_owned)
            clear = {Candidate(match_id, seat, each.version): margin(each) for each in findings.costly}
            if found := {each: share for each, share in clear.items() if share is not None}:
                return found
        return {}

    async def _review_owned(self, match_id: MatchId, loaded: Loaded, seat: Seat, findings: Findings) -> Findings:
        """Review a seat for as long as this process has the lease; raise StoreUnavailable once another one has it."""
        reviewing = asyncio.ensure_future(self._review(match_id, loaded, seat, findings))
        try:
            while not (await asyncio.wait({reviewing}, timeout=RENEW_SECONDS))[0]:
                if not await self._owned():
                    raise StoreUnavailable("another process makes puzzles")
        finally:
            reviewing.cancel()
            await asyncio.wait({reviewing})
        return reviewing.result()

    async def _usable(self, candidate: Candidate) -> bool:
        """Return whether anyone may look at the match of a candidate, it is over, and all of its players are still there."""
        try:
            loaded = await self._public(candidate.match)
        except (NotFound, Forbidden):
            return False
        if loaded is None or not fits(loaded.match):
            return False
        people = self._people(loaded)
        return len(await self._accounts.people(list(people))) == len(people)

    async def _public(self, match_id: MatchId) -> Loaded | None:
        """Return a match that is over, as far as anyone may know; raise NotFound, Forbidden."""
        return await self._queries.load_finished(await self._queries.viewer(None, match_id), match_id)

    def _people(self, loaded: Loaded) -> set[PlayerId]:
        """Return all who had to do with a match: its host, those who sit there, and those who have left."""
        actors = {self._repository.codec.envelope(entry).actor for entry in loaded.entries[: loaded.version]}
        left = {PlayerId(actor.removeprefix("player:")) for actor in actors if actor.startswith("player:")}
        seated = {chair.player for chair in loaded.match.chairs if chair.player is not None}
        return (left | seated | {loaded.match.host}) - {NO_PLAYER}

    async def _had_to_do(self, player: PlayerId, candidate: Candidate) -> bool:
        with suppress(NotFound):
            return player in self._people(await self._repository.load_latest(candidate.match))
        return False

    async def _show(self, game: GameId, day: Day, candidate: Candidate) -> Shown:
        async with self._making:  # all who look at it first wait for the one that makes it
            if (made := self._made.get((day, candidate))) is None:
                made = self._made[day, candidate] = await self._make(game, day, candidate)
                for old in list(self._made)[:-KEPT]:
                    del self._made[old]
            return made

    async def _make(self, game: GameId, day: Day, candidate: Candidate) -> Shown:
        match_id, seat, version = candidate
        try:
            loaded = await self._public(match_id)
            found = await self._coach.find(match_id, seat)
        except (NotFound, Forbidden):
            raise NoPuzzle("puzzle") from None
        if loaded is None or found is None:
            raise NoPuzzle("puzzle")
        costly = tuple(each for each in found.costly if each.version == version)
        puzzles = await self._coach.puzzles(loaded, seat, msgspec.structs.replace(found, costly=costly))
        if not puzzles:
            raise NoPuzzle("puzzle")
        state = loaded.match
        return Shown(
            game=game, day=day, match=match_id, seat=seat, seats=state.settings.seats, own=is_own(state), puzzle=puzzles[0]
        )


def _opening(match_id: MatchId, game: AnyGame) -> IssuedCommand:
    command = opening(match_id, game)
    return issued_by_service(match_id, Act.OPEN_PUZZLE.key(), command, fingerprint_of("puzzle", match_id))
