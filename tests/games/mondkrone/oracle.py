"""The rules of Mondkrone once more, straight from their definitions and as slow as they are: by trying every subset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, product
from typing import NamedTuple

from tafelrunde.domain.mondkrone.cards import FACES, Card, Kind, Rank, Suit

Cards = frozenset[Card]

HIGH_TO_LOW = (Suit.MOONS, Suit.SUNS, Suit.WAVES, Suit.LEAVES, Suit.WYRMS, Suit.KNOTS)
RANKS = (*["ace", "2", "3", "4", "5", "6", "7", "8", "9", "pawn", "court", "crown"],)
EVEN = {"2", "4", "6", "8"}
SMALL = {"ace", "2", "3", "4"}


def strength(card: Card) -> tuple[int, list[int]]:
    """Return what cards compare by: the rank, then the suits from the highest."""
    face = FACES[card]
    return RANKS.index(face.rank.value), sorted((-HIGH_TO_LOW.index(suit) for suit in face.suits), reverse=True)


def points(card: Card) -> int:
    """Return what a scored card is worth."""
    rank = FACES[card].rank
    return 1 if rank is Rank.ACE else int(rank.value) if rank.value.isdecimal() else 10


def count(suit: Suit, cards: Iterable[Card]) -> int:
    """Return what some cards count for a condition other than moons."""
    faces = [FACES[card] for card in cards]
    match suit:
        case Suit.SUNS:
            return max(sum(each in face.suits for face in faces) for each in Suit)
        case Suit.WAVES:
            return sum(face.rank.value in EVEN for face in faces)
        case Suit.LEAVES:
            return len({each for face in faces for each in face.suits})
        case Suit.WYRMS:
            return max(sum(kind in face.kinds for face in faces) for kind in Kind)
        case Suit.KNOTS:
            return sum(face.rank.value in SMALL for face in faces)
        case Suit.MOONS:
            raise AssertionError("moons do not count")


def subsets(cards: Iterable[Card]) -> Iterator[Cards]:
    """Yield all sets of some cards."""
    every = list(cards)
    return map(frozenset, chain.from_iterable(combinations(every, size) for size in range(len(every) + 1)))


@lru_cache(maxsize=1 << 15)
def irredundant(suit: Suit, palette: Cards) -> frozenset[Cards]:
    """Return the sets of cards that make the whole count of a palette and lose with every card."""
    if not palette:
        return frozenset()
    if suit is Suit.MOONS:
        return frozenset((frozenset((max(palette, key=strength),)),))
    whole = count(suit, palette)
    if not whole:
        return frozenset()
    return frozenset(
        chosen
        for chosen in subsets(palette)
        if count(suit, chosen) == whole and all(count(suit, chosen - {card}) < whole for card in chosen)
    )


Result = tuple[int, tuple[int, list[int]]]


def result(suit: Suit, palette: Cards) -> Result | None:
    """Return the count and the highest card of the best set that makes it; None if nothing counts."""
    found = irredundant(suit, palette)
    if not found:
        return None
    whole = 1 if suit is Suit.MOONS else count(suit, palette)
    return whole, max(strength(card) for chosen in found for card in chosen)


def meets(suit: Suit, palette: Cards, others: Iterable[Cards]) -> bool:
    """Return whether no other player has a better result."""
    own = result(suit, palette)
    if own is None:
        return False
    return all(found is None or found <= own for found in (result(suit, other) for other in others))


def legal(hand: Cards, palette: Cards, others: Sequence[Cards], top: Card) -> set[tuple[Card | None, Card | None]]:
    """Return the legal turns as cards for the palette and for the pile; neither is dropping out."""
    found: set[tuple[Card | None, Card | None]] = {(None, None)}
    for played, put in product((None, *hand), (None, *hand)):
        if played == put:
            continue
        after = palette | {played} if played else palette
        suits = FACES[put or top].suits
        met = [meets(suit, after, others) for suit in suits]
        if all(met) if put else any(met):
            found.add((played, put))
    return found


def choices(palette: Cards, top: Card, *, all_cards: bool) -> set[Cards]:
    """Return what the winner of a round may lay aside; nothing if it has no choice to make."""
    sets = [found for suit in FACES[top].suits if (found := irredundant(suit, palette))]
    if not all_cards:
        return {frozenset((card,)) for found in sets for chosen in found for card in chosen}
    return {frozenset(chain.from_iterable(chosen)) for chosen in product(*sets)} if sets else set()


class Round(NamedTuple):
    """A round in the middle, for counting: hands and palettes of the seats still in it, the pile's top, and the draw deck."""

    hands: Mapping[int, Cards]
    palettes: Mapping[int, Cards]
    top: Card
    deck: tuple[Card, ...]
    turn: int

    def after(self, played: Card | None, put: Card | None) -> Round:
        """Return the round after a turn."""
        seats = sorted(self.hands)
        following = seats[(seats.index(self.turn) + 1) % len(seats)]
        if played is None and put is None:
            hands, palettes = (
                {seat: cards for seat, cards in side.items() if seat != self.turn} for side in (self.hands, self.palettes)
            )
            return self._replace(hands=hands, palettes=palettes, turn=following)
        number = min(len(FACES[put].suits) - 1, len(self.deck)) if put else 0
        hand = (self.hands[self.turn] - {played, put}) | set(self.deck[:number])
        palette = self.palettes[self.turn] | ({played} if played else set[Card]())
        return Round(
            {**self.hands, self.turn: hand},
            {**self.palettes, self.turn: palette},
            put or self.top,
            self.deck[number:],
            following,
        )

    def sequences(self, turns: int) -> int:
        """Return the number of sequences of that many turns; a round that is over has none."""
        if not turns:
            return 1
        if len(self.hands) < 2:
            return 0
        others = [cards for seat, cards in self.palettes.items() if seat != self.turn]
        return sum(
            self.after(*turn).sequences(turns - 1)
            for turn in legal(self.hands[self.turn], self.palettes[self.turn], others, self.top)
        )
