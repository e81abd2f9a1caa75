"""The deals of the day: their secrets, a player's one try, and who has reached what.

A day's secret is made once for all processes, on the day before, when its commitment is published and entered into the
transparency log, which has one for each day; it is revealed when the day is over. A player's match of a deal has an id that
follows from player, game and day, so there is one try.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

import msgspec
import structlog
from msgspec import UNSET

from ....domain.game import AnyGame, GameId, Seat
from ....domain.match import Clock, MatchId, MatchSettings, PlayerId, Spectators, Status, Visibility
from ....domain.match.commands import DayDeal, OpenMatch, Seating
from ....domain.match.events import DecisionOpened, MatchEnded, StandInSeated
from ....domain.match.state import Match
from ....domain.match.terms import DRAWS, EDITION, Dealing
from ...archiving.finalizer import LEASE_MS, StoredMatch
from ...commands import MatchCommands, Receipt
from ...days import Day, add_days, day_of, ends_ms, number_of, starts_ms
from ...dealing.day_deals import day_commitment, secret_of_deal
from ...dealing.dealer import commitment_to, new_secret
from ...errors import ArchiveUnavailable, CorruptHistory, NotFound, VersionConflict
from ...matches.bot_answers import BOT_CHANCE, bot_code
from ...matches.codec import Codec
from ...matches.command_handler import IssuedCommand, fingerprint_of
from ...matches.ids import DerivedIds
from ...matches.own_keys import PlayersAct, players_key
from ...matches.repository import Loaded, MatchRepository
from ...players.accounts import Accounts
from ..transparency.checks import day_leaf
from ..transparency.log import TransparencyLog
from .days import Setting, setting_of
from .port import KEPT_DAYS, DailyResult, DailyStore, RankedResult

PLAYER = Seat(0)
"""Where the player of a deal sits."""
UNHURRIED = Clock(turn_seconds=86_400, reaction_seconds=86_400, stand_in_after=0, away_seconds=86_400)
"""The clock of a deal: there is time until the day is over, also to come back."""
LOOK_SECONDS = 3_600.0
WEEK = 7
"""How many days are looked at together for a streak: most have none, or a short one."""

log = structlog.get_logger(__name__)


class DayFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A day: its commitment, and its secret once it is over (None until then)."""

    day: Day
    commitment: str
    secret: str | None


class Try(msgspec.Struct, frozen=True, kw_only=True):
    """A player's try: the match, where it stands, and the place in the ranking, if it has one."""

    match: MatchId
    status: Status
    ranked: RankedResult | None


class DayPuzzles(Protocol):
    """What the deals of the day tell of the puzzles beside them. Every method may raise StoreUnavailable."""

    async def is_there(self, game: GameId) -> bool:
        """Return whether a game has a puzzle of today."""
        ...

    async def answered(self, player: PlayerId) -> Mapping[Day, Mapping[GameId, bool]]:
        """Return which puzzles a player has answered in the days that are kept, and whether rightly."""
        ...


class DailyDeals:
    """The deals of the day of all games. Every method may raise StoreUnavailable besides what it names."""

    def __init__(  # noqa: PLR0913 - its collaborators
        self,
        *,
        store: DailyStore,
        repository: MatchRepository,
        matches: MatchCommands,
        accounts: Accounts,
        log: TransparencyLog,
        games: Mapping[GameId, AnyGame],
        ids: DerivedIds,
        now_ms: Callable[[], int],
    ) -> None:
        self._store = store
        self._repository = repository
        self._matches = matches
        self._accounts = accounts
        self._log = log
        self._games = games
        self._ids = ids
        self._now_ms = now_ms
        self._committed: dict[Day, str] = {}
        self._closed: set[Day] = set()
        self._puzzles: DayPuzzles | None = None

    def mention_puzzles(self, puzzles: DayPuzzles) -> None:
        """Let *puzzles* say which games have a puzzle of today, too; without it, none has."""
        self._puzzles = puzzles

    async def has_puzzle(self, game: GameId) -> bool:
        """Return whether a game has a puzzle of today."""
        return self._puzzles is not None and await self._puzzles.is_there(game)

    async def puzzles_answered(self, player: PlayerId) -> Mapping[Day, Mapping[GameId, bool]]:
        """Return which puzzles a player has answered, by day, and whether rightly."""
        return {} if self._puzzles is None else await self._puzzles.answered(player)

    async def streak(self, player: PlayerId, answered: AbstractSet[Day]) -> int:
        """Return on how many days in a row a player has finished a deal; days of *answered* puzzles count as well.

        It goes up to today, or to yesterday while today may still be played, and `KEPT_DAYS` back at most.
        """
        today = self.today()
        days = [add_days(today, -back) for back in range(KEPT_DAYS)]
        found = 0
        for first in range(0, KEPT_DAYS, WEEK):
            week = days[first : first + WEEK]
            played = answered | await self._store.days_of(player, tuple(self._games), week)
            for day in week:
                if day in played:
                    found += 1
                elif day != today:
                    return found
        return found

    def today(self) -> Day:
        """Return the day that it is."""
        return day_of(self._now_ms())

    def setting(self, game: GameId, day: Day) -> Setting:
        """Return what a game's deal is played with on a day; raise NotFound if there is no such game."""
        return setting_of(self._game(game), day)

    async def day(self, day: Day) -> DayFacts | None:
        """Return the facts of a day; None if it had no deals. Today and tomorrow get their secret here, if need be.

        Raises CorruptHistory as `_secret` does.
        """
        today = self.today()
        fresh = day in {today, add_days(today, 1)}
        secret = await self._secret(day) if fresh else await self._store.known_secret(day)
        if secret is None:
            return None
        over = self._now_ms() >= ends_ms(day)
        if over:
            await self._close(day)
        return DayFacts(day=day, commitment=day_commitment(day, secret), secret=secret if over else None)

    async def reveal(self, day: Day) -> str | None:
        """Return the secret of a day that is over; None before, and for a day without deals."""
        if self._now_ms() < ends_ms(day):
            return None
        await self._close(day)
        return await self._store.known_secret(day)

    async def _close(self, day: Day) -> None:
        """Write down that a day is over before anything of it is shown: the clock may be set back to it."""
        if day not in self._closed:
            await self._store.close(day)
            self._closed.add(day)

    async def _secret(self, day: Day) -> str:
        """Return the secret of today or tomorrow; it is made if need be, and not used before the log has its commitment.

        Raises CorruptHistory if the log has another one: a store that lost the secret must not deal by a second one.
        """
        secret = self._committed.get(day) or await self._store.secret(day, new_secret())
        if day not in self._committed:
            number = number_of(day)
            commitment = day_commitment(day, secret)
            await self._log.add([day_leaf(day, commitment, number, self._now_ms())])
            (noted,) = (await self._log.prove_day(number)).leaves
            if noted.leaf.lines != (day, commitment):
                raise CorruptHistory(f"the secret of {day} is not the one that the transparency log has a commitment to")
            self._committed = {**dict(list(self._committed.items())[-1:]), day: secret}
        return secret

    async def step(self) -> float:
        """Make the secrets of today and tomorrow, and close yesterday; return after how many seconds to do so again."""
        today = self.today()
        await self._close(add_days(today, -1))
        await self.day(today)
        await self.day(add_days(today, 1))
        return min(LOOK_SECONDS, (ends_ms(today) - self._now_ms()) / 1000 + 1)

    def match_of(self, player: PlayerId, game: GameId, day: Day) -> MatchId:
        """Return the id of a player's match of a deal, whether there is one or not."""
        return self._ids.match("daily", player, game, day)

    async def open(self, player: PlayerId, game: GameId, address: str = "") -> Receipt:
        """Open a player's match of a game's deal of today, once: later calls return the receipt of the first.

        *address* is where the player asks from, if known. Raises NotFound for an unknown game, TooManyHeld.
        """
        day = self.today()
        order = IssuedCommand(
            match=self.match_of(player, game, day),
            actor=f"player:{player}",
            key=players_key(player, PlayersAct.OPEN_DAILY.key(day)),
            fingerprint=fingerprint_of("daily", game, day),
            command=await self._opening(player, game, day, guest=await self._matches.is_guest(player)),
        )
        try:
            return await self._matches.open_made(player, order, address)
        except VersionConflict:  # opened today by a release that gave it a key which a client may send, too
            earlier = msgspec.structs.replace(order, key=players_key(player, "daily"))
            return await self._matches.open_made(player, earlier, address)

    async def _opening(self, player: PlayerId, game: GameId, day: Day, *, guest: bool) -> OpenMatch:
        seats, bot = self.setting(game, day)
        day_secret = await self._secret(day)
        secret = secret_of_deal(day, day_secret, game)
        return OpenMatch(
            settings=MatchSettings(
                game=game,
                seats=seats,
                clock=UNHURRIED,
                spectators=Spectators.DELAYED,
                visibility=Visibility.UNLISTED,
                rated=False,
            ),
            host=player,
            secret=secret,
            commitment=commitment_to(self.match_of(player, game, day), secret),
            seating=(
                Seating(seat=PLAYER, player=player, guest=guest or UNSET),
                *(Seating(seat=Seat(seat), bot=bot) for seat in range(seats) if seat != PLAYER),
            ),
            start=True,
            dealing=Dealing.CARDS,
            edition=EDITION,
            draws=DRAWS,
            bot_chance=BOT_CHANCE,
            bot_code=bot_code(self._games[game]),
            daily=DayDeal(day=day, ends_ms=ends_ms(day), commitment=day_commitment(day, day_secret)),
        )

    async def note_ending(self, match_id: MatchId, match: Match) -> None:
        """Disqualify a match that is about to end after its day was over once, although the clock was set back since."""
        if match.daily is not None and await self._store.is_closed(day := Day(match.daily.day)):
            await self._store.disqualify(day, match_id)

    async def note(self, match_id: MatchId) -> None:
        """Enter a finished match into the ranking of its deal, if it is one and counts; nothing if it is there already."""
        loaded = await self._repository.load_latest(match_id)
        result = result_of(match_id, loaded, self._repository.codec)
        daily = loaded.match.daily
        if result is None or daily is None or await self._store.is_disqualified(Day(daily.day), match_id):
            return
        if await self._accounts.find(result.player) is not None:
            await self._store.note(loaded.match.settings.game, Day(daily.day), result)

    async def note_finished(self, finished: Sequence[StoredMatch]) -> Mapping[MatchId, int]:
        """Enter matches into the ranking of their deal, if they are one of a day; return those to be entered later, and when."""
        again: dict[MatchId, int] = {}
        for each in finished:
            try:
                if each.late.sealed_until_ms:
                    await self.note(each.match)
            except ArchiveUnavailable:
                again[each.match] = self._now_ms() + LEASE_MS
            except (CorruptHistory, NotFound) as error:
                log.error("adding a match to the ranking of its day failed", match=each.match, reason=str(error))
        return again

    async def try_of(self, player: PlayerId, game: GameId, day: Day) -> Try | None:
        """Return a player's try at a deal, None if there is none yet."""
        match_id = self.match_of(player, game, day)
        try:
            loaded = await self._repository.load_latest(match_id)
        except NotFound:
            return None
        if loaded.match.status.finished and starts_ms(add_days(day, KEPT_DAYS)) > self._now_ms():
            await self.note(match_id)
        return Try(match=match_id, status=loaded.match.status, ranked=await self._store.result(game, day, player))

    async def ranking(self, game: GameId, day: Day, start: int, limit: int) -> Sequence[RankedResult]:
        """Return lines of the ranking of a deal, best first, behind the first *start*."""
        return await self._store.ranking(game, day, start, limit)

    async def count(self, game: GameId, day: Day) -> int:
        """Return how many have a place in the ranking of a deal."""
        return await self._store.count(game, day)

    async def forget(self, player: PlayerId) -> None:
        """Remove a player from all rankings that are kept."""
        today = self.today()
        days = [add_days(today, -back) for back in range(KEPT_DAYS + 1)]
        await self._store.forget(player, [(game, day) for game in self._games for day in days])

    async def export(self, player: PlayerId) -> object:
        """Return a player's results in the deals whose rankings are kept, as plain data."""
        days = [add_days(self.today(), -back) for back in range(KEPT_DAYS + 1)]
        deals = [(day, game) for day in days for game in self._games]
        found = [(day, game, await self._store.result(game, day, player)) for day, game in deals]
        return [
            {"day": day, "game": game, "match": each.result.match, "place": each.place, "score": each.result.score}
            for day, game, each in found
            if each is not None
        ]

    def _game(self, game: GameId) -> AnyGame:
        found = self._games.get(game)
        if found is None:
            raise NotFound("game")
        return found


def result_of(match_id: MatchId, loaded: Loaded, codec: Codec) -> DailyResult | None:
    """Return what a finished match of a deal counts for its ranking; None if it does not.

    It counts if it ended before its day was over, and if no bot has played for the player.
    """
    daily = loaded.match.daily
    player = loaded.match.chairs[PLAYER].player
    if daily is None or player is None or loaded.match.status is not Status.OVER:
        return None
    decisions = 0
    for entry in loaded.entries[: loaded.version]:
        envelope, event = codec.decode(entry)
        decisions += isinstance(event, DecisionOpened)
        if isinstance(event, StandInSeated) or (isinstance(event, MatchEnded) and envelope.time_ms >= daily.ends_ms):
            return None
    placing = next((each for each in loaded.match.placings or () if each.seat == PLAYER), None)
    if placing is None:
        return None
    return DailyResult(player=player, match=match_id, rank=placing.rank, score=placing.score, decisions=decisions)
