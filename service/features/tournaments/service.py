"""What players do with tournaments: open them, find them, join and leave, start and cancel."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

import msgspec

from ....domain.game import AnyGame, GameId, InvalidOptions
from ....domain.match import BotName, MatchSettings, PlayerId, Visibility
from ....domain.match.opening import read_options
from ....domain.match.refusals import MatchRefused
from ...errors import NotFound, TooManyHeld
from ...matches.caps import Caps
from ...matches.ids import DerivedIds
from ...matches.process_manager import ProcessManager
from ...matches.setup import keeping_places
from ...players.bars import Bars, Deed
from ...players.budgets import Budget
from ...players.draws import fresh_bytes
from ...views.table_names import TableNames
from . import rules
from .events import AnyFact, BotAdded, CancelReason, Joined, Opened, TournamentKind
from .ledger import Contended, Ledger
from .port import ListPosition, TournamentId, TournamentStore
from .rules import Tournament, TournamentRefused, TournamentStage
from .standings import MOST_SEATS

DAY_SECONDS = 86_400
LOOK_MS = 60_000
"""After which time a tournament is looked at again, if nothing says that something has happened."""
UNUSED_MS = 30 * 1000 * DAY_SECONDS
"""How long a tournament waits for its start."""
REMEMBERED = 50
"""How many tournaments of a player are remembered, besides those in which it takes part and that are not over."""
MOST_BOTS = 16
"""How many bots take part at most that the organiser names."""


class TooManyTournaments(Exception):
    """A player has as many tournaments as it may have; `wait_s`: when to ask again (0: unknown)."""

    def __init__(self, limit: int, wait_s: int = 0) -> None:
        super().__init__(f"at most {limit} tournaments")
        self.limit = limit
        self.wait_s = wait_s


class WishRefused(Exception):
    """A tournament cannot be opened like this: the first wrong field, and why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


class NewTournament(msgspec.Struct, frozen=True, kw_only=True):
    """What an organiser wants: see `Opened`. `joins`: the organiser plays, too."""

    name: str
    settings: MatchSettings
    kind: TournamentKind
    rounds: int | None = None
    places: int = rules.MOST
    bots: tuple[BotName, ...] = ()
    fill: BotName | None = None
    starts_ms: int | None = None
    joins: bool = True


class Found(msgspec.Struct, frozen=True):
    """A tournament with its id."""

    id: TournamentId
    state: Tournament


class Page(msgspec.Struct, frozen=True):
    """Some tournaments of the list, and the place behind which there may be more (None: there are no more)."""

    items: tuple[Found, ...]
    next: ListPosition | None


class _Bill:
    """What an address pays in one request for the matches that this adds to a tournament.

    It is settled before each try to write: another player may have joined meanwhile, after whom this one adds more, or fewer.
    """

    def __init__(self, caps: Caps, player: PlayerId, address: str) -> None:
        self._caps = caps
        self._player = player
        self._address = address
        self._settled = 0
        self._paid = 0

    async def settle(self, before: Tournament | None, facts: Sequence[AnyFact]) -> None:
        """Pay for what facts add, or for the rest of it, or get back what is too much; raise TooManyHeld.

        What was paid for once is not paid for again: a player who leaves and joins again adds none.
        """
        known, then = (each.paid if each is not None else 0 for each in (before, rules.folded(facts, before)))
        due = then - known
        if due > self._settled:
            self._paid += await self._caps.pay_ahead(self._player, self._address, due - self._settled)
        elif due < self._paid:
            self._caps.give_back(self._address, self._paid - due)
            self._paid = due
        self._settled = due

    def give_back(self) -> None:
        """Get everything back: nothing was added."""
        self._caps.give_back(self._address, self._paid)
        self._settled = self._paid = 0


class Tournaments:
    """Tournaments in the name of players. Every method may raise StoreUnavailable besides what it names.

    *at_once* is how many tournaments that are not over a player may take part in or have opened (None: there is no limit), and
    *daily* pays for those that it opens.
    """

    def __init__(  # noqa: PLR0913 - its collaborators
        self,
        *,
        store: TournamentStore,
        ledger: Ledger,
        games: Mapping[GameId, AnyGame],
        manager: ProcessManager,
        ids: DerivedIds,
        now_ms: Callable[[], int],
        at_once: int | None,
        daily: Budget,
        caps: Caps,
        table_names: TableNames,
        bars: Bars,
    ) -> None:
        self._bars = bars
        self._store = store
        self._table_names = table_names
        self._ledger = ledger
        self._games = games
        self._manager = manager
        self._ids = ids
        self._now_ms = now_ms
        self._at_once = at_once
        self._daily = daily
        self._caps = caps

    async def open(self, player: PlayerId, new: NewTournament, address: str = "", key: str = "") -> Found:
        """Open a tournament, asked for from an address; raise InvalidOptions, WishRefused, TooManyTournaments, TooManyHeld.

        The same *key* of the player leads to the same tournament: a request whose answer was lost opens no second one.
        """
        await self._bars.require(player, Deed.TAKE_PART, address)
        settings = self._check(new)
        tournament = self._id_for(player, key)
        if key and (known := await self._ledger.find(tournament)) is not None:
            return await self._enlist(Found(tournament, known.state))
        await self._require_room(player)
        await self._pay(player, address)
        now_ms = self._now_ms()
        opened = Opened(
            at_ms=now_ms,
            organiser=player,
            name=new.name,
            settings=settings,
            kind=new.kind,
            rounds=new.rounds,
            places=new.places,
            fill=new.fill,
            starts_ms=new.starts_ms,
            draw_secret=fresh_bytes(32).hex(),
            deal_secret=fresh_bytes(32).hex(),
            public_ids=True,
        )
        facts: list[AnyFact] = [opened, *(BotAdded(at_ms=now_ms, bot=each) for each in new.bots)]
        if new.joins:
            facts.append(Joined(at_ms=now_ms, player=player, nonce=""))
        await _Bill(self._caps, player, address).settle(None, facts)
        await self._store.plan(tournament, now_ms + LOOK_MS)
        await self._store.note_player(player, tournament, now_ms)
        state = await self._ledger.begin(tournament, facts)
        return await self._enlist(Found(tournament, state))

    def _id_for(self, player: PlayerId, key: str) -> TournamentId:
        """Return the id that a key of a player leads to, which no one else can tell; without a key, another one each time."""
        return TournamentId("c" + self._ids.match("tournament", player, key or fresh_bytes(15).hex())[1:])

    async def _enlist(self, found: Found) -> Found:
        """Return a tournament, in the list if all may find it there."""
        opened = found.state.opened
        if opened.settings.visibility is Visibility.LISTED and not found.state.stage.finished:
            await self._store.enlist(found.id, opened.at_ms)
        return found

    async def _pay(self, player: PlayerId, address: str) -> None:
        """Pay for opening a tournament; raise TooManyTournaments. What the address refuses costs the player nothing."""
        if (refused := await self._daily.spend(player, address)) is not None:
            raise TooManyTournaments(refused.budget.quota, refused.wait_s)

    def _check(self, new: NewTournament) -> MatchSettings:
        """Return the settings of all matches, with every option spelled out; raise InvalidOptions, WishRefused."""
        game = self._games.get(new.settings.game)
        if game is None:
            raise InvalidOptions("game", "no such game")
        seats = new.settings.seats
        options = read_options(game, new.settings.options, seats)
        if not 2 <= seats <= MOST_SEATS:
            raise InvalidOptions("seats", f"a tournament has tables of 2 to {MOST_SEATS} seats")
        named = [*new.bots, *([new.fill] if new.fill is not None else [])]
        if named and not self._manager.has_bots:
            raise WishRefused("bots", "no bots play here")
        if unknown := [each for each in named if each not in game.bots()]:
            raise WishRefused("bots", f"{game.id} has no bot {unknown[0]}")
        if len(new.bots) + new.joins > new.places:
            raise WishRefused("bots", "more bots than places")
        if new.places < seats:
            raise WishRefused("places", "fewer places than one table has seats")
        if new.starts_ms is not None and not 0 <= new.starts_ms - self._now_ms() <= UNUSED_MS:
            raise WishRefused("starts_ms", "a tournament starts within 30 days")
        return keeping_places(msgspec.structs.replace(new.settings, options=msgspec.to_builtins(options), hints=False))

    async def get(self, tournament: TournamentId) -> Found:
        """Return a tournament; raise NotFound. Its id is enough to see it: that of an unlisted one cannot be guessed."""
        return Found(tournament, await self._ledger.get(tournament))

    async def listed(self, after: ListPosition | None, limit: int) -> Page:
        """Return tournaments that all can see, newest first."""
        places = await self._store.listed(after, limit)
        found = [(each, await self._ledger.find(each)) for _, each in places]
        items = tuple(Found(each, kept.state) for each, kept in found if kept is not None)
        return Page(items, places[-1][0] if len(places) == limit else None)

    async def of_player(self, player: PlayerId) -> Sequence[Found]:
        """Return the tournaments that a player has opened or takes part in, newest first."""
        found = [(each, await self._ledger.find(each)) for each in await self._store.of_player(player)]
        return [Found(each, kept.state) for each, kept in found if kept is not None and kept.state.concerns(player)]

    async def join(self, player: PlayerId, tournament: TournamentId, nonce: str, address: str = "") -> Found:
        """Take part, until the start; raise NotFound, TournamentRefused, TooManyTournaments, TooManyHeld.

        Raises MatchRefused if the player's name looks like that of another one who takes part.
        *address*: where the player asks from. It pays for the matches that are added, as if they were opened from there.
        """
        await self._bars.require(player, Deed.TAKE_PART, address)
        state = await self._ledger.get(tournament)
        bill = _Bill(self._caps, player, address)
        if facts := rules.join(state, player, nonce, self._now_ms()):
            await self._table_names.require_distinct(player, _players_of(state))
            if state.opened.organiser != player:
                await self._require_room(player)
            await bill.settle(state, facts)
        await self._store.note_player(player, tournament, state.opened.at_ms)

        async def admit(before: Tournament | None, facts: Sequence[AnyFact]) -> None:
            if before is not None:
                await self._table_names.require_distinct(player, _players_of(before))
            await bill.settle(before, facts)

        try:
            found, joined = await self._ledger.change(
                tournament, lambda now: rules.join(now, player, nonce, self._now_ms()), admit
            )
        except (NotFound, TournamentRefused, TooManyHeld, MatchRefused, Contended):
            bill.give_back()
            raise
        if not joined:
            bill.give_back()
        await self._store.advance(tournament, self._now_ms())
        return Found(tournament, found)

    async def leave(self, player: PlayerId, tournament: TournamentId) -> Found:
        """Take part no longer: before the start the place is free again, after it no further round is played; raise NotFound."""
        return await self._change(tournament, lambda now: rules.leave(now, player, self._now_ms()))

    async def start(self, player: PlayerId, tournament: TournamentId) -> Found:
        """Start, as the organiser; raise NotFound, TournamentRefused."""

        def begun(now: Tournament) -> Sequence[AnyFact]:
            rules.require_organiser(now, player)
            return rules.start(now, self._now_ms())

        return await self._change(tournament, begun)

    async def cancel(self, player: PlayerId, tournament: TournamentId) -> Found:
        """Call a tournament off, as the organiser; raise NotFound, TournamentRefused."""

        def end(now: Tournament) -> Sequence[AnyFact]:
            rules.require_organiser(now, player)
            return rules.cancel(now, self._now_ms(), CancelReason.ORGANISER)

        return await self._change(tournament, end)

    async def company(self, player: PlayerId) -> Collection[PlayerId]:
        """Return the players of tournaments that are not over, in which a player takes part."""
        found = [each.state for each in await self.of_player(player) if not each.state.stage.finished]
        return {each for state in found if player in (there := _players_of(state)) for each in there}

    async def export(self, player: PlayerId) -> object:
        """Return in which tournaments a player takes part, with its nonces, and which it has opened."""
        return [
            {
                "tournament": each.id,
                "name": each.state.opened.name,
                "organises": each.state.opened.organiser == player,
                "entry": number,
                "nonce": each.state.entrants[number].nonce if number is not None else None,
                "withdrawn": number is not None and each.state.entrants[number].withdrawn,
            }
            for each in await self.of_player(player)
            for number in [each.state.number_of(player)]
        ]

    async def withdraw(self, player: PlayerId) -> None:
        """Take a player out of all tournaments that are not over, as if it had left each of them."""
        for tournament in await self._store.of_player(player):
            with suppress(NotFound):
                await self.leave(player, tournament)

    async def forget(self, player: PlayerId) -> None:
        """Take a player out of all tournaments that are not over; one of its own that has not begun is called off."""
        for tournament in await self._store.of_player(player):
            try:
                await self._ledger.change(tournament, lambda now: self._without(now, player))
            except NotFound:
                continue
        await self._store.forget(player)

    def _without(self, state: Tournament, player: PlayerId) -> Sequence[AnyFact]:
        now_ms = self._now_ms()
        left = rules.leave(state, player, now_ms)
        if state.opened.organiser == player and state.stage is TournamentStage.OPEN:
            return (*left, *rules.cancel(state, now_ms, CancelReason.ORGANISER))
        return left

    async def _change(self, tournament: TournamentId, decide: Callable[[Tournament], Sequence[AnyFact]]) -> Found:
        state, _ = await self._ledger.change(tournament, decide)
        await self._store.advance(tournament, self._now_ms())  # unchanged, too: a change may have been cut off here
        return Found(tournament, state)

    async def _require_room(self, player: PlayerId) -> None:
        """Raise TooManyTournaments; what need not be remembered any more is dropped."""
        waiting = 0
        for number, tournament in enumerate(await self._store.of_player(player)):
            found = await self._ledger.find(tournament)
            if found is not None and found.state.concerns(player) and not found.state.stage.finished:
                waiting += 1
            elif found is None or number >= REMEMBERED:
                await self._store.drop_player(player, tournament)
        if self._at_once is not None and waiting >= self._at_once:
            raise TooManyTournaments(self._at_once)


def _players_of(state: Tournament) -> set[PlayerId]:
    """Return the players who take part, without those who have left."""
    return {each.player for each in state.entrants if each.player is not None and not each.withdrawn}
