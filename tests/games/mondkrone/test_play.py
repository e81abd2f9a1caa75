"""Whole matches, followed from their events alone: cards, turns, winners and scores are what the rules say."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import msgspec
import pytest

from tafelrunde.domain.game import Seat
from tafelrunde.domain.mondkrone import GAME
from tafelrunde.domain.mondkrone.cards import CARDS, FACES, Card, Rank
from tafelrunde.domain.mondkrone.events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    CardsLaidAside,
    MondkroneEvent,
    MondkroneWon,
    RoundDealt,
    RoundWon,
    SeatDroppedOut,
    TurnBegun,
)
from tafelrunde.domain.mondkrone.messages import MondkroneOptions
from tafelrunde.domain.secrecy import redact
from tests.games.mondkrone import oracle
from tests.support.cases import CASES, Case, played

MONDKRONE = [pytest.param(case, id=case.name) for case in CASES if case.game is GAME]
SEEDS = (50, 51, 52, 53)
LARGEST = 10
"""Larger palettes are not compared with the definition; trying all their subsets takes too long."""


class Ledger:
    """A match rebuilt from its events, independently of the game's own table."""

    def __init__(self, seats: int, options: MondkroneOptions) -> None:
        self.seats = seats
        self.options = options
        self.scored: list[set[Card]] = [set() for _ in range(seats)]
        self.hands: list[set[Card]] = []
        self.palettes: list[set[Card]] = []
        self.out: set[int] = set()
        self.pile: list[Card] = []
        self.deck: list[Card] = []
        self.rounds = 0
        self.mover: int | None = None
        self.owed = 0
        self.changed = False
        self.winner: int | None = None
        self.won: tuple[int, ...] | None = None
        self.checked = 0

    def follow(self, event: MondkroneEvent) -> None:
        """Check an event against all that happened before, and write it down."""
        assert self.won is None, "nothing follows the end"
        match event:
            case RoundDealt():
                self._dealt(event)
            case TurnBegun(seat):
                self._begun(seat)
            case CardPlayed(seat, card):
                self._laid(seat, card, self.palettes[seat].add)
            case CardDiscarded(seat, card):
                self._laid(seat, card, self.pile.append)
                self.changed = True
                self.owed = len(FACES[card].suits) - 1 if self.options.draw else 0
            case CardsDrawn(seat, count, cards):
                self._drawn(seat, count, list(cards or ()))
            case _:
                self._ending(event)
        self._conserved()

    def _ending(self, event: MondkroneEvent) -> None:
        match event:
            case SeatDroppedOut(seat):
                assert seat == self.mover
                self.out.add(seat)
            case RoundWon(seat, asked):
                self._round_won(seat, asked)
            case CardsLaidAside(seat, cards, points):
                self._laid_aside(seat, frozenset(cards), points)
            case MondkroneWon(winners):
                self._match_won(winners)
            case _:
                raise AssertionError(event)

    def _dealt(self, event: RoundDealt) -> None:
        """All cards that are not scored, in hands as large as they can be for all."""
        assert self.rounds == 0 or (self.mover is None and self.winner is None)
        self.rounds += 1
        self.hands = [set(hand or ()) for hand in event.hands]
        self.palettes = [{card} for card in event.palette_cards]
        self.pile = [event.pile_card]
        self.deck = list(event.deck or ())
        self.out = set()
        free = len(list(self._all())) - sum(map(len, self.scored)) - 1
        size = min(6 if self.seats == 4 else 7, free // self.seats - 1)
        assert (event.round, event.pile_card) == (self.rounds, Card.ACE_OF_MOONS)
        assert {len(hand) for hand in self.hands} == {size} == {event.hand_size}
        assert event.deck_size == len(self.deck) == free - self.seats * (size + 1)

    def _begun(self, seat: int) -> None:
        """The lowest open card begins; then the next clockwise who is in, and not alone."""
        if self.mover is None:
            assert seat == min(range(self.seats), key=lambda each: max(map(oracle.strength, self.palettes[each])))
        else:
            self._ended()
            assert seat == self._next()
        assert len(self.out) < self.seats - 1
        self.mover = seat

    def _next(self) -> int:
        assert self.mover is not None
        order = [(self.mover + step) % self.seats for step in range(1, self.seats + 1)]
        return next(seat for seat in order if seat not in self.out)

    def _ended(self) -> None:
        """A turn that was no dropping out ended with the seat leading in one condition, or in all it set itself."""
        assert self.owed == 0 or not self.deck, "all that was to be drawn was drawn"
        all_needed = self.changed
        self.owed = 0
        self.changed = False
        seat = self.mover
        if seat is None or seat in self.out or max(map(len, self.palettes)) > LARGEST:
            return
        others = [frozenset(self.palettes[each]) for each in range(self.seats) if each != seat and each not in self.out]
        met = [oracle.meets(suit, frozenset(self.palettes[seat]), others) for suit in FACES[self.pile[-1]].suits]
        assert all(met) if all_needed else any(met)
        self.checked += 1

    def _laid(self, seat: int, card: Card, place: object) -> None:
        assert seat == self.mover
        assert seat not in self.out
        self.hands[seat].remove(card)
        assert callable(place)
        place(card)

    def _drawn(self, seat: int, count: int, cards: list[Card]) -> None:
        assert seat == self.mover
        assert 0 < count == len(cards) == min(self.owed, len(self.deck))
        assert self.deck[:count] == cards
        self.hands[seat] |= set(cards)
        del self.deck[:count]
        self.owed = 0

    def _round_won(self, seat: int, asked: bool) -> None:
        """The seat is alone; it is asked if there is a choice."""
        assert set(range(self.seats)) - self.out == {seat}
        if len(self.palettes[seat]) <= LARGEST:
            assert asked == (len(self._choices(seat)) > 1)
        self.winner = seat
        self.mover = None

    def _choices(self, seat: int) -> set[oracle.Cards]:
        all_cards = self.options.scoring == "all_cards"
        return oracle.choices(frozenset(self.palettes[seat]), self.pile[-1], all_cards=all_cards)

    def _laid_aside(self, seat: int, cards: oracle.Cards, points: int) -> None:
        assert seat == self.winner
        if len(self.palettes[seat]) <= LARGEST:
            assert cards in (self._choices(seat) or {frozenset[Card]()})
        assert points == sum(map(oracle.points, cards))
        self.palettes[seat] -= cards
        self.scored[seat] |= cards
        self.winner = None

    def _match_won(self, winners: Iterable[int]) -> None:
        self.won = tuple(winners)
        target = {2: 40, 3: 30, 4: 25}[self.seats]
        assert [seat for seat, points in enumerate(self.points()) if points >= target] == list(self.won)

    def points(self) -> list[int]:
        """Return all players' points."""
        return [sum(map(oracle.points, cards)) for cards in self.scored]

    def _all(self) -> Iterable[Card]:
        extended = self.options.deck == "extended"
        return (card for card in Card if extended or FACES[card].rank not in (Rank.PAWN, Rank.COURT))

    def _conserved(self) -> None:
        """Every card of the deck is in exactly one place."""
        places = [*chain.from_iterable([*self.hands, *self.palettes, *self.scored]), *self.pile, *self.deck]
        assert len(places) == len(set(places))
        assert set(places) == set(self._all())


def followed(case: Case, seed: int) -> Ledger:
    """Return a random match, followed from its events."""
    options = case.options
    assert isinstance(options, MondkroneOptions)
    ledger = Ledger(case.seats, options)
    for step in played(case, seed):
        for event in step.events:
            assert isinstance(event, MondkroneEvent)
            ledger.follow(event)
    return ledger


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", MONDKRONE)
def test_match_is_what_its_events_say(case: Case, seed: int) -> None:
    """Cards stay in the game, turns end as they must, and winners and points follow from the events."""
    ledger = followed(case, seed)
    standing = GAME.standing(played(case, seed)[-1].after)  # pyright: ignore[reportArgumentType] - a table of this game
    assert standing is not None
    assert [placing.score for placing in standing.placings] == ledger.points()
    assert standing.winners == ledger.won
    assert ledger.checked > 0


@pytest.mark.parametrize("case", MONDKRONE)
def test_hidden_cards_are_in_no_other_view_and_no_other_feed(case: Case) -> None:
    """No one sees a card of another hand or of the draw deck before it is played."""
    for step in played(case, 54):
        for viewer in case.viewers():
            hidden = {CARDS[card].value for card in chain.from_iterable(hands_but(step.after.digest_form(), viewer))}
            view = msgspec.to_builtins(case.game.view(step.after, viewer))
            told = [redact(event, viewer) for event in step.events if isinstance(event, RoundDealt | CardsDrawn)]
            del view["rounds"]  # top cards of rounds that are over
            assert hidden & words([view, msgspec.to_builtins(told)]) == set()


def hands_but(frozen: object, viewer: Seat | None) -> list[list[int]]:
    """Return the hands of the others, and the draw deck."""
    state = msgspec.convert(frozen, dict[str, object])
    hands = msgspec.convert(state["hands"], list[list[int]])
    return [*(hand for seat, hand in enumerate(hands) if seat != viewer), msgspec.convert(state["deck"], list[int])]


def words(value: object) -> set[str]:
    """Return all words in plain data."""
    match value:
        case str():
            return {value}
        case dict():
            return set[str]().union(*map(words, value.values()))
        case list() | tuple():
            return set[str]().union(*map(words, value))
        case _:
            return set()
