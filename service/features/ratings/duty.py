"""The rating projector: follows the transparency log, leaf by leaf, and keeps the ratings of each game."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

import msgspec
import structlog

from ....domain.game import GameId, Seat
from ....domain.match import PlayerId
from ....domain.match.state import Chair, Match
from ...errors import ArchiveUnavailable, CorruptHistory, NotFound
from ...matches.repository import MatchRepository
from ...ports.players import PlayerStore
from ...strength.model import trace
from ...strength.scores import BOT, Entrant, Result, Score, bot_of
from ..transparency.port import Leaf, Outcome, TransparencyStore
from .port import Point, RatingStore, Update

PORTION = 100
AT_ONCE = 500
"""How many players are looked up in one request."""
PAUSE_SECONDS = 2.0
"""Pause before looking for new leaves."""

log = structlog.get_logger(__name__)


class RatingProjector:
    """Keeps ratings up with the log. Any number may run: a portion that another process has counted is not written."""

    def __init__(
        self,
        store: RatingStore,
        tree: TransparencyStore,
        matches: MatchRepository,
        players: PlayerStore,
    ) -> None:
        self._store = store
        self._tree = tree
        self._matches = matches
        self._players = players

    async def step(self) -> float:
        """Count the next leaves; return after how many seconds to look again."""
        return 0.0 if await self.portion() else PAUSE_SECONDS

    async def portion(self) -> int:
        """Count the next leaves that are not counted yet; return how many there were.

        They count in their order, so it ends before one whose match is in a store of archives that is away; if that is the first
        one, ArchiveUnavailable is raised.
        """
        position = await self._store.position()
        leaves = await self._tree.leaves(position, PORTION)
        found, count = await self._results(leaves)
        if count:
            updates = [await self._update(game, results) for game, results in found.items()]
            await self._store.write(position, position + count, updates)
        return count

    async def _with_programs(self, results: Sequence[Result]) -> list[Result]:
        """Return results with those of their entrants who declared to be programs."""
        entrants = sorted({entrant for result in results for entrant in result.entrants if bot_of(entrant) is None})
        programs: set[Entrant] = set()
        for first in range(0, len(entrants), AT_ONCE):
            people = await self._players.people([PlayerId(each) for each in entrants[first : first + AT_ONCE]])
            programs.update(Entrant(player) for player, record in people.items() if record.bot)
        return [_mark_programs(result, programs) for result in results]

    async def catch_up(self) -> int:
        """Count all leaves that are not counted yet; return how many are counted then."""
        while await self.portion():
            pass
        return await self._store.position()

    async def rebuild(self) -> int:
        """Rebuild all ratings from the log and the matches; return how many leaves are counted."""
        await self._store.reset()
        return await self.catch_up()

    async def _results(self, leaves: Sequence[Leaf]) -> tuple[Mapping[GameId, list[Result]], int]:
        """Return the results of the first leaves, by game, and how many leaves these are."""
        found: defaultdict[GameId, list[Result]] = defaultdict(list)
        count = 0
        for leaf in leaves:
            try:
                rated = await self._result(leaf)
            except ArchiveUnavailable:
                if not count:
                    raise
                break
            count += 1
            if rated is not None:
                found[rated[0]].append(rated[1])
        return {game: await self._with_programs(results) for game, results in found.items()}, count

    async def _result(self, leaf: Leaf) -> tuple[GameId, Result] | None:
        """Return the result that a leaf records, whatever happened to the match later. An unreadable match stops no others."""
        if leaf.outcome is None:
            return None
        try:
            loaded = await self._matches.load_latest(leaf.match)
        except (CorruptHistory, NotFound) as error:
            log.error("rating a match failed", match=leaf.match, reason=str(error))
            return None
        if loaded.version == leaf.version:
            return result_of(loaded.match, leaf)
        return result_of(self._matches.fold(self._matches.blank().match, loaded.entries[: leaf.version]), leaf)

    async def _update(self, game: GameId, results: Sequence[Result]) -> Update:
        """Return the changes by new results: the scores of their entrants, or all scores of the game if one corrects another."""
        if any(result.corrects for result in results):
            whole = await self._with_programs([*await self._store.results(game), *results])
            scores, steps = await asyncio.to_thread(trace, whole)
            return Update(game=game, results=tuple(results), scores=scores, before={}, complete=True, points=_points_of(steps))
        entrants = sorted({entrant for result in results for entrant in result.entrants})
        before = await self._store.scores(game, entrants)
        scores, steps = trace(results, before)
        return Update(game=game, results=tuple(results), scores=scores, before=before, complete=False, points=_points_of(steps))


def _points_of(steps: Iterable[tuple[Entrant, Score]]) -> Mapping[Entrant, Sequence[Point]]:
    """Return the points of people and of programs that play as players, oldest first."""
    found: defaultdict[Entrant, list[Point]] = defaultdict(list)
    for entrant, score in steps:
        if bot_of(entrant) is None:
            found[entrant].append(Point(score.at_ms, score.points))
    return found


def _mark_programs(result: Result, programs: Set[Entrant]) -> Result:
    """Return a result with those of its entrants who are programs; none is forgotten of which the result knew."""
    known = tuple(each for each in dict.fromkeys(result.entrants) if each in programs or each in result.programs)
    return result if known == result.programs else msgspec.structs.replace(result, programs=known)


def result_of(match: Match, leaf: Leaf) -> tuple[GameId, Result] | None:
    """Return what a match, as it was at a leaf, says for ratings; None if it says nothing.

    A stand-in plays for its player, so the seat stays the player's. A match that was opened as unrated never counts, guests are
    left out, and an aborted match counts only for the seat that forfeited it.
    """
    aborted = leaf.outcome is Outcome.ABORTED
    if not match.settings.rated or (aborted and match.forfeited is None):
        return None
    by_seat = {placing.seat: placing.rank for placing in match.placings or ()} if not aborted else _forfeit(match)
    seats = [seat for seat, chair in enumerate(match.chairs) if chair.guest is not True]
    entrants = tuple(_entrant(match.chairs[seat]) for seat in seats)
    counts = match.status.finished and len(set(entrants)) > 1
    ranks = tuple(by_seat[Seat(seat)] for seat in seats) if counts and by_seat else ()
    only = _entrant(match.chairs[match.forfeited]) if aborted and match.forfeited is not None else None
    corrects = leaf.outcome in {Outcome.VOIDED, Outcome.ADJUDICATED}
    return match.settings.game, Result(leaf.match, entrants, ranks, corrects, leaf.time_ms, only)


def _entrant(chair: Chair) -> Entrant:
    return Entrant(chair.player or f"{BOT}{chair.bot}")


def _forfeit(match: Match) -> Mapping[Seat, int]:
    """Return the ranks of a match that one seat forfeited: it is last, and all others share the first rank."""
    return {Seat(seat): 2 if seat == match.forfeited else 1 for seat in range(len(match.chairs))}
