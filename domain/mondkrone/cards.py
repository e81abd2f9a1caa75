"""The Decktet: suits, ranks and types of its cards. Inside the game a card is an int, its place from the weakest up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, NamedTuple


class Suit(Enum):
    """The six suits, the highest first. A suit on the pile is also the name of its condition."""

    MOONS = "moons"
    SUNS = "suns"
    WAVES = "waves"
    LEAVES = "leaves"
    WYRMS = "wyrms"
    KNOTS = "knots"


class Kind(Enum):
    """The types of cards."""

    LOCATION = "location"
    EVENT = "event"
    PERSONALITY = "personality"
    ACE = "ace"


class Rank(Enum):
    """The ranks, the lowest first."""

    ACE = "ace"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    PAWN = "pawn"
    COURT = "court"
    CROWN = "crown"


class Card(Enum):
    """All cards of the extended deck, the weakest first: by rank, then by the higher suit, then by the next."""

    ACE_OF_KNOTS = "ace-of-knots"
    ACE_OF_WYRMS = "ace-of-wyrms"
    ACE_OF_LEAVES = "ace-of-leaves"
    ACE_OF_WAVES = "ace-of-waves"
    ACE_OF_SUNS = "ace-of-suns"
    ACE_OF_MOONS = "ace-of-moons"
    ORIGIN = "origin"
    DESERT = "desert"
    AUTHOR = "author"
    SAVAGE = "savage"
    PAINTER = "painter"
    JOURNEY = "journey"
    BATTLE = "battle"
    SAILOR = "sailor"
    MOUNTAIN = "mountain"
    SOLDIER = "soldier"
    DISCOVERY = "discovery"
    FOREST = "forest"
    MARKET = "market"
    PENITENT = "penitent"
    LUNATIC = "lunatic"
    CAVE = "cave"
    CASTLE = "castle"
    CHANCE_MEETING = "chance-meeting"
    BETRAYAL = "betrayal"
    MILL = "mill"
    DIPLOMAT = "diplomat"
    MERCHANT = "merchant"
    DARKNESS = "darkness"
    PACT = "pact"
    BORDERLAND = "borderland"
    LIGHT_KEEPER = "light-keeper"
    WATCHMAN = "watchman"
    HARVEST = "harvest"
    WINDOW = "window"
    ISLAND = "island"
    RITE = "rite"
    CONSUL = "consul"
    WINDFALL = "windfall"
    CALAMITY = "calamity"
    END = "end"
    SEA = "sea"
    BARD = "bard"
    HUNTRESS = "huntress"


class Face(NamedTuple):
    """What is printed on a card."""

    rank: Rank
    suits: tuple[Suit, ...]
    kinds: tuple[Kind, ...]


_MOONS, _SUNS, _WAVES, _LEAVES, _WYRMS, _KNOTS = SUITS = tuple(Suit)
_LOCATION, _EVENT, _PERSONALITY, _ACE = KINDS = tuple(Kind)

FACES: Final[Mapping[Card, Face]] = {
    Card.ACE_OF_KNOTS: Face(Rank.ACE, (_KNOTS,), (_ACE,)),
    Card.ACE_OF_WYRMS: Face(Rank.ACE, (_WYRMS,), (_ACE,)),
    Card.ACE_OF_LEAVES: Face(Rank.ACE, (_LEAVES,), (_ACE,)),
    Card.ACE_OF_WAVES: Face(Rank.ACE, (_WAVES,), (_ACE,)),
    Card.ACE_OF_SUNS: Face(Rank.ACE, (_SUNS,), (_ACE,)),
    Card.ACE_OF_MOONS: Face(Rank.ACE, (_MOONS,), (_ACE,)),
    Card.ORIGIN: Face(Rank.TWO, (_WAVES, _LEAVES), (_LOCATION, _EVENT)),
    Card.DESERT: Face(Rank.TWO, (_SUNS, _WYRMS), (_LOCATION,)),
    Card.AUTHOR: Face(Rank.TWO, (_MOONS, _KNOTS), (_PERSONALITY,)),
    Card.SAVAGE: Face(Rank.THREE, (_LEAVES, _WYRMS), (_PERSONALITY,)),
    Card.PAINTER: Face(Rank.THREE, (_SUNS, _KNOTS), (_PERSONALITY,)),
    Card.JOURNEY: Face(Rank.THREE, (_MOONS, _WAVES), (_EVENT,)),
    Card.BATTLE: Face(Rank.FOUR, (_WYRMS, _KNOTS), (_EVENT,)),
    Card.SAILOR: Face(Rank.FOUR, (_WAVES, _LEAVES), (_PERSONALITY,)),
    Card.MOUNTAIN: Face(Rank.FOUR, (_MOONS, _SUNS), (_LOCATION,)),
    Card.SOLDIER: Face(Rank.FIVE, (_WYRMS, _KNOTS), (_PERSONALITY,)),
    Card.DISCOVERY: Face(Rank.FIVE, (_SUNS, _WAVES), (_EVENT,)),
    Card.FOREST: Face(Rank.FIVE, (_MOONS, _LEAVES), (_LOCATION,)),
    Card.MARKET: Face(Rank.SIX, (_LEAVES, _KNOTS), (_LOCATION, _EVENT)),
    Card.PENITENT: Face(Rank.SIX, (_SUNS, _WYRMS), (_PERSONALITY,)),
    Card.LUNATIC: Face(Rank.SIX, (_MOONS, _WAVES), (_PERSONALITY,)),
    Card.CAVE: Face(Rank.SEVEN, (_WAVES, _WYRMS), (_LOCATION,)),
    Card.CASTLE: Face(Rank.SEVEN, (_SUNS, _KNOTS), (_LOCATION,)),
    Card.CHANCE_MEETING: Face(Rank.SEVEN, (_MOONS, _LEAVES), (_EVENT,)),
    Card.BETRAYAL: Face(Rank.EIGHT, (_WYRMS, _KNOTS), (_EVENT,)),
    Card.MILL: Face(Rank.EIGHT, (_WAVES, _LEAVES), (_LOCATION,)),
    Card.DIPLOMAT: Face(Rank.EIGHT, (_MOONS, _SUNS), (_PERSONALITY,)),
    Card.MERCHANT: Face(Rank.NINE, (_LEAVES, _KNOTS), (_PERSONALITY,)),
    Card.DARKNESS: Face(Rank.NINE, (_WAVES, _WYRMS), (_LOCATION,)),
    Card.PACT: Face(Rank.NINE, (_MOONS, _SUNS), (_EVENT,)),
    Card.BORDERLAND: Face(Rank.PAWN, (_WAVES, _LEAVES, _WYRMS), (_LOCATION,)),
    Card.LIGHT_KEEPER: Face(Rank.PAWN, (_SUNS, _WAVES, _KNOTS), (_PERSONALITY,)),
    Card.WATCHMAN: Face(Rank.PAWN, (_MOONS, _WYRMS, _KNOTS), (_PERSONALITY,)),
    Card.HARVEST: Face(Rank.PAWN, (_MOONS, _SUNS, _LEAVES), (_EVENT,)),
    Card.WINDOW: Face(Rank.COURT, (_SUNS, _LEAVES, _KNOTS), (_LOCATION,)),
    Card.ISLAND: Face(Rank.COURT, (_SUNS, _WAVES, _WYRMS), (_LOCATION,)),
    Card.RITE: Face(Rank.COURT, (_MOONS, _LEAVES, _WYRMS), (_EVENT,)),
    Card.CONSUL: Face(Rank.COURT, (_MOONS, _WAVES, _KNOTS), (_PERSONALITY,)),
    Card.WINDFALL: Face(Rank.CROWN, (_KNOTS,), (_EVENT,)),
    Card.CALAMITY: Face(Rank.CROWN, (_WYRMS,), (_EVENT,)),
    Card.END: Face(Rank.CROWN, (_LEAVES,), (_LOCATION, _EVENT)),
    Card.SEA: Face(Rank.CROWN, (_WAVES,), (_LOCATION,)),
    Card.BARD: Face(Rank.CROWN, (_SUNS,), (_PERSONALITY,)),
    Card.HUNTRESS: Face(Rank.CROWN, (_MOONS,), (_PERSONALITY,)),
}

RANKS: Final = tuple(Rank)
CARDS: Final = tuple(Card)
INDEX: Final[Mapping[Card, int]] = {card: number for number, card in enumerate(CARDS)}
STRONGEST: Final = len(CARDS)
HIGHEST_POINTS: Final = 10


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _cards_of(ranks: Iterable[Rank]) -> int:
    wanted = frozenset(ranks)
    return _bits(number for number, card in enumerate(CARDS) if FACES[card].rank in wanted)


SUITS_OF: Final[tuple[tuple[int, ...], ...]] = tuple(tuple(SUITS.index(suit) for suit in FACES[card].suits) for card in CARDS)
"""The suits of each card, as places in `SUITS`."""
SUIT_BITS: Final[tuple[int, ...]] = tuple(_bits(suits) for suits in SUITS_OF)
"""The same as a set of bits."""
OF_SUIT: Final[tuple[int, ...]] = tuple(
    _bits(card for card, suits in enumerate(SUITS_OF) if suit in suits) for suit in range(len(SUITS))
)
"""All cards of each suit, as a set of bits; so are the following sets of cards."""
OF_KIND: Final[tuple[int, ...]] = tuple(_bits(n for n, card in enumerate(CARDS) if kind in FACES[card].kinds) for kind in KINDS)
EVEN: Final = _cards_of((Rank.TWO, Rank.FOUR, Rank.SIX, Rank.EIGHT))
SMALL: Final = _cards_of((Rank.ACE, Rank.TWO, Rank.THREE, Rank.FOUR))
EXTENDED: Final = _cards_of((Rank.PAWN, Rank.COURT))
POINTS: Final[tuple[int, ...]] = tuple(min(RANKS.index(FACES[card].rank) + 1, HIGHEST_POINTS) for card in CARDS)
"""What each card is worth when it is scored."""

FIRST_OF_PILE: Final = INDEX[Card.ACE_OF_MOONS]


EVERY_CARD: Final = tuple(card for card in range(STRONGEST) if card != FIRST_OF_PILE)
STANDARD_CARDS: Final = tuple(card for card in EVERY_CARD if not EXTENDED >> card & 1)


def deck_cards(*, extended: bool) -> tuple[int, ...]:
    """Return the cards of a deck without the first card of the pile, the weakest first."""
    return EVERY_CARD if extended else STANDARD_CARDS


def named(cards: Iterable[int]) -> tuple[Card, ...]:
    """Return cards by their names."""
    return tuple([CARDS[card] for card in cards])


def ints(cards: Iterable[Card] | None) -> list[int]:
    """Return named cards as ints; a stored fact always has them."""
    return [INDEX[card] for card in cards or ()]


def cards_in(mask: int) -> list[int]:
    """Return the cards of a set of bits, the weakest first."""
    found: list[int] = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def mask_of(cards: Iterable[int]) -> int:
    """Return cards as a set of bits."""
    return _bits(cards)
