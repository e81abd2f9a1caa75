"""Two worlds: the same match on two services, which differ only in what some viewer cannot know.

The second world's decks have two cards exchanged, and its seats give secret answers earlier. Both are played on alike over HTTP.
As long as a viewer's own view of the domain is the same in both, every byte that it gets must be the same too.
"""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias, TypeVar
from unittest.mock import patch

import msgspec

from tafelrunde.api.app import running
from tafelrunde.domain.game import Command, DecisionId, GameId, Hand, Seat
from tafelrunde.domain.match import MatchId, Status
from tafelrunde.domain.match.decide import Dealer
from tafelrunde.domain.match.messages import MatchCommand, OpenMatch
from tafelrunde.domain.match.state import Match
from tafelrunde.domain.match.view import view
from tafelrunde.service import commitments, handler, merkle
from tafelrunde.service.commitments import Card
from tafelrunde.service.settings import Settings
from tafelrunde.service.webhooks.herald import Herald
from tafelrunde.service.webhooks.messages import TYPES
from tests.api.examples import without_chance
from tests.api.table import API, Table
from tests.api.wire import Answer, Wire
from tests.dice import Dice
from tests.stored import stored

Element = TypeVar("Element")
Question: TypeAlias = tuple[str, str, dict[str, Any]]
"""Method, path, and what else a request has."""
QUESTIONS = 4

_swaps: ContextVar[int | None] = ContextVar("swaps", default=None)


def back_of(game: GameId, card: object) -> object:
    """Return what everybody sees of a card that lies face down: in Meister Coup the backs show the colours."""
    return card // 12 if game == "meister-coup" and isinstance(card, int) else None


class Swapping:
    """Chance that exchanges two cards of every deck whose backs look alike; `seed` says which."""

    def __init__(self, chance: Dealer, game: GameId, seed: int) -> None:
        self._chance = chance
        self._game = game
        self._seed = seed

    def shuffle(self, label: str, items: Sequence[Element]) -> list[Element]:
        """Return the items in the order of the other chance, but for two of them."""
        deck = self._chance.shuffle(label, items)
        rng = random.Random(f"{self._seed}/{label}/{len(deck)}")
        one = rng.randrange(len(deck))
        back = back_of(self._game, deck[one])
        other = rng.choice([place for place, card in enumerate(deck) if back_of(self._game, card) == back])
        deck[one], deck[other] = deck[other], deck[one]
        return deck

    def below(self, label: str, bound: int) -> int:
        """Return what the other chance gives."""
        return self._chance.below(label, bound)

    def commit(self, deal: int, hands: Sequence[Hand]) -> str:
        """Return what the other chance gives."""
        return self._chance.commit(deal, hands)


class Coupled:
    """The order of leaves: in the second world, cards that the same deal of the first world has too stand where they stand there.

    An order at random stays one when it is chosen so. What differs between the worlds is then the cards, not their places.
    """

    def __init__(self) -> None:
        self._order = commitments.order
        self._first: dict[int, list[Card]] = {}

    def __call__(self, match: MatchId, secret: str, deal: int, cards: Sequence[Card]) -> list[Card]:
        """Return the cards in the order of their leaves."""
        usual = self._order(match, secret, deal, cards)
        if _swaps.get() is None:
            self._first[deal] = usual
            return usual
        model = self._first.get(deal, [])
        alike = sorted(card.seat for card in model) == sorted(card.seat for card in usual)
        return _placed(model, usual) if alike else usual


def _placed(model: Sequence[Card], cards: Sequence[Card]) -> list[Card]:
    """Return the cards so that those which the model has stand as there, and the others at places of the same seats."""
    rest = [card for card in cards if card not in model]
    return [place if place in cards else rest.pop(_of_seat(rest, place.seat)) for place in model]


def _of_seat(cards: Sequence[Card], seat: Seat) -> int:
    return next(index for index, card in enumerate(cards) if card.seat == seat)


def _blank_leaf(salt: bytes, content: str) -> bytes:
    """Return a leaf that does not depend on its card, as nobody who lacks the salt could tell that it does."""
    return merkle.leaf_hash(salt + content.rsplit("|", 1)[0].encode())


def _swapped(dealer: Callable[..., Dealer]) -> Callable[..., Dealer]:
    """Return a way to make dealers that swap in the world that says so."""

    def dealer_for(id_: MatchId, match: Match, command: MatchCommand, version: int) -> Dealer:
        seed, chance = _swaps.get(), dealer(id_, match, command, version)
        game = command.game if isinstance(command, OpenMatch) else match.facts.game
        return chance if seed is None else Swapping(chance, game, seed)

    return dealer_for


class World:
    """One of the two: a service, the match on it, and its players' tokens."""

    def __init__(self, game: GameId, seats: int, swaps: int | None) -> None:
        self.table = Table(Settings(bot_pause_ms=0))
        self.game = game
        self.table.house.stores = msgspec.structs.replace(self.table.house.stores, id_key=bytes(32))
        self.seats = seats
        self.swaps = swaps
        house = self.table.house
        house.herald = Herald(house.stores, house.matches, house.feeds)
        self.tokens: list[str] = []
        self.hooks: list[str] = []
        self.match = MatchId("")

    async def begin(self, options: dict[str, object]) -> None:
        """Open a match, seat everybody, and start."""
        token = _swaps.set(self.swaps)
        with without_chance():
            self.tokens = [(await self.table.player())[1] for _ in range(self.seats)]
            wish = {"game": self.game, "options": options, "spectators": "public"}
            self.hooks = [await self._hook(token) for token in self.tokens]
            self.match = MatchId(await self.table.open(self.tokens[0], **{**wish, "seats": self.seats}))
        for other in self.tokens[1:]:
            await self.table.post(f"/matches/{self.match}/seats", other)
        await self.table.post(f"/matches/{self.match}/start", self.tokens[0])
        _swaps.reset(token)

    async def _hook(self, token: str) -> str:
        made = await self.table.post("/webhooks", token, {"url": "https://example.com/", "events": list(TYPES)})
        return made.json["webhook"]["id"]

    async def tend(self) -> None:
        """Let a second pass, and bring lists and deliveries up to date."""
        self.table.now_ms += 1_000
        await self.table.project(self.match)
        await self.table.house.herald.keep_up(self.table.now_ms)

    async def state(self) -> Match:
        """Return the match as it really is."""
        return (await self.table.house.matches.current(self.match)).match

    async def ask(self, method: str, path: str, viewer: Seat | None, **more: Any) -> Answer:
        """Ask as a viewer."""
        token = _swaps.set(self.swaps)
        asker = self.tokens[viewer] if viewer is not None else None
        answer = await Wire.ask(self.table, method, API + path, token=asker, **more)
        _swaps.reset(token)
        return answer

    async def play(self, seat: Seat, decision: DecisionId, command: Command, key: str) -> Answer:
        """Give a command as a seat."""
        content = {"decision": decision, "command": msgspec.to_builtins(command)}
        return await self.ask("POST", f"/matches/{self.match}/commands", seat, content=content, key=key)

    async def hears(self, viewer: Seat | None) -> bytes:
        """Return the viewer's stream from its beginning until now."""
        seen = (await self.ask("GET", f"/matches/{self.match}/view", viewer)).json["cursor"]
        asker = self.tokens[viewer] if viewer is not None else None
        async with self.table.listen(f"{API}/matches/{self.match}/stream", token=asker) as stream:
            start = await stream.begin()
            return repr(start).encode() + await stream.hear(f"id: {seen}\n".encode())


class Worlds:
    """Both worlds, played alike; `alike` are the viewers that could not tell them apart so far."""

    def __init__(self, game: GameId, seats: int, seed: int) -> None:
        self.rng = random.Random(seed)
        self.one, self.other = World(game, seats, None), World(game, seats, seed)
        self.viewers: list[Seat | None] = [*map(Seat, range(seats)), None]
        self.alike = set(self.viewers)
        self.ahead: dict[Seat, Command] = {}
        self.decision = DecisionId(0)
        self.checked = 0
        self.differing = 0
        self.found: AssertionError | None = None
        self._key = 0

    async def look(self) -> tuple[Match, Match]:
        """Return both matches, and forget the viewers who may tell them apart."""
        one, other = await self.one.state(), await self.other.state()
        self.alike = {viewer for viewer in self.alike if stored(view(one, viewer)) == stored(view(other, viewer))}
        return one, other

    async def step(self) -> bool:
        """Play one command in both worlds, or a secret answer in one of them; return whether there was any."""
        one, other = await self.look()
        if one.open_decision() != self.decision:
            self.decision, self.ahead = one.open_decision() or DecisionId(0), {}
        ask = one.pending()
        waiting = [seat for seat in ask.open if seat not in self.ahead] if ask is not None else []
        if self.ahead and (len(waiting) <= 1 or self.rng.random() < 0.2):
            return await self._catch_up()
        common = self._common(one, other)
        if len(waiting) > 1 and self.rng.random() < 0.5:
            tries = self.rng.sample(common, min(len(common), QUESTIONS))
            if (found := next((each for each in tries if each[0] in waiting and _secret(one, *each)), None)) is not None:
                return await self._run_ahead(*found)
        return bool(common) and await self._together(*self.rng.choice(common))

    def _common(self, one: Match, other: Match) -> list[tuple[Seat, Command]]:
        """Return what seats may do in both worlds, those apart that have answered in one of them."""
        ask = one.pending()
        return [
            (seat, command)
            for seat in (ask.seats if ask is not None else ())
            if seat not in self.ahead
            for command in one.game.legal(one.table, seat)
            if other.status is one.status and other.game.why_not(other.table, seat, command) is None
        ]

    async def _catch_up(self) -> bool:
        """Let a seat that has answered in the second world give the same answer in the first one too."""
        seat, command = self.ahead.popitem()
        return (await self.one.play(seat, self.decision, command, self.key())).status == 200

    async def _run_ahead(self, seat: Seat, command: Command) -> bool:
        """Let a seat answer in the second world alone; nobody else may notice."""
        self.ahead[seat] = command
        return (await self.other.play(seat, self.decision, command, self.key())).status == 200

    async def _together(self, seat: Seat, command: Command) -> bool:
        """Give a command in both worlds; whoever cannot tell them apart afterwards gets the same answer."""
        key = self.key()
        answers = [await world.play(seat, self.decision, command, key) for world in (self.one, self.other)]
        await self.look()
        if seat in self.alike:
            assert answers[0] == answers[1]
        return True

    def key(self) -> str:
        """Return a fresh key."""
        self._key += 1
        return f"step-{self._key}"

    async def compare(self, *, streams: bool) -> None:
        """Ask everything that can be asked, as everybody who cannot tell the worlds apart, and compare every byte."""
        one, other = await self.look()
        different = stored(one.table.freeze()) != stored(other.table.freeze())
        for viewer in sorted(self.alike, key=str):
            for method, path, more in self._questions(one, viewer):
                answers = [await world.ask(method, path, viewer, **more) for world in (self.one, self.other)]
                assert answers[0] == answers[1], (viewer, method, path)
            if streams:
                heard = [await world.hears(viewer) for world in (self.one, self.other)]
                assert heard[0] == heard[1], viewer
            self.checked += 1
            self.differing += different

    def _questions(self, match: Match, viewer: Seat | None) -> list[Question]:
        """Return requests that change nothing."""
        here = f"/matches/{self.one.match}"
        looks = [here, f"{here}/view", f"{here}/feed?limit=500", f"{here}/view?at=1-00000000"]
        looks += self._proofs(match) if match.status is Status.RUNNING else []
        found: list[Question] = [("GET", path, {}) for path in (*looks, "/matches", "/matches?game=coup&status=running")]
        if viewer is None:
            return found
        found += [
            ("GET", "/me/matches", {}),
            ("GET", f"/webhooks/{self.one.hooks[viewer]}/deliveries?limit=20", {}),
            ("POST", f"{here}/start", {"key": "no"}),
            ("POST", f"{here}/rematch", {"key": "no"}),
        ]
        thinkable = [each.command for seat in self.viewers if seat is not None for each in match.game.menu(match.table, seat)]
        kinds = [kind for kind in match.game.command_types if not kind.__struct_fields__]
        commands = [*thinkable, *(kind() for kind in kinds)]
        for command in self.rng.sample(commands, min(QUESTIONS, len(commands))):
            for decision in (self.decision, self.decision + 1):
                content = {"decision": decision, "command": msgspec.to_builtins(command)}
                found.append(("POST", f"{here}/commands?dry_run=true", {"content": content, "key": "dry"}))
        return found

    def _proofs(self, match: Match) -> list[str]:
        """Return requests for proofs of cards of the newest deals, and of some that are not there."""
        here = f"/matches/{self.one.match}/proofs"
        newest = range(max(match.deals - 1, 0), match.deals + 2)
        places = [f"{here}/{deal}/{index}" for deal in newest for index in range(3 * match.facts.seats)]
        return [here, *self.rng.sample(places, 2 * QUESTIONS)]


def _secret(match: Match, seat: Seat, command: Command) -> bool:
    """Return whether nobody else is told that a command was given."""
    events = match.game.decide(match.table, seat, command, Dice(0))
    others = [None, *(Seat(other) for other in range(match.facts.seats) if other != seat)]
    return all(match.game.redact(event, other) is None for event in events for other in others)


@asynccontextmanager
async def worlds(game: GameId, seats: int, seed: int, **options: object) -> AsyncGenerator[Worlds]:
    """Give two worlds at the start of a match."""
    made = Worlds(game, seats, seed)
    with (
        patch.object(handler, "dealer_for", _swapped(handler.dealer_for)),
        patch.object(commitments, "order", Coupled()),
        patch.object(commitments, "leaf_of", _blank_leaf),
    ):
        async with running(made.one.table.app), running(made.other.table.app):
            await made.one.begin(options)
            await made.other.begin(options)
            yield made
