"""The sixty rule cards as data of the ruleset: what kind each is, what it makes trump, and how well it is known.

The rulebook prints only some of them. `source` says where an effect comes from, `confidence` how sure that is. Their texts are
under `stich-meister.rule.<number>`; trump rules are data here, what the others do stands in trick.py, rules.py and scoring.py.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final, NamedTuple

from .cards import SAMURAI, Suit


class Rule(IntEnum):
    """The rule cards by number: TRUMP_... are the trump rules, then those of play, then those of scoring."""

    TRUMP_TWOS = 1
    TRUMP_THREES = 2
    TRUMP_FOURS = 3
    TRUMP_FIVES = 4
    TRUMP_SIXES = 5
    TRUMP_SEVENS = 6
    TRUMP_EIGHTS = 7
    TRUMP_NINES = 8
    TRUMP_TENS = 9
    TRUMP_ELEVENS = 10
    TRUMP_TWELVES = 11
    TRUMP_THIRTEENS = 12
    TRUMP_FOURTEENS = 13
    TRUMP_FIFTEENS = 14
    TRUMP_COINS = 15
    TRUMP_FANS = 16
    TRUMP_KOI = 17
    TRUMP_ONES = 18
    TRUMP_SAMURAI = 19
    TRUMP_TORII = 20
    SECOND_TRICK = 21
    PASS_RIGHT = 22
    PASS_LEFT = 23
    SET_ASIDE = 24
    OPEN_CARDS = 25
    HIDDEN = 26
    FOLLOW_LAST = 27
    MUST_TRUMP = 28
    FIRST_OUT = 29
    SECOND_WINS = 30
    REVERSED = 31
    ANTI_TRUMP = 32
    SUITS_EQUAL = 33
    TAKE_OUT = 34
    GIVE_TRICK_LEFT = 35
    RIGHT_LEADS = 36
    ALTERNATE = 37
    PASS_AFTER_THIRD = 38
    GIVE_ALL_AWAY = 39
    HAND_TRICKS = 40
    COUNT_SUITS = 41
    WITHOUT_SAMURAI = 42
    WITHOUT_TRUMP = 43
    FIFTH_TRICK = 44
    FIRST_AND_LAST = 45
    PLUS_SAMURAI = 46
    MINUS_FANS = 47
    MINUS_COINS = 48
    MINUS_KOI = 49
    MINUS_TORII = 50
    MINUS_TRUMP = 51
    PLUS_SEVENS = 52
    MINUS_FIFTEENS = 53
    NO_TRICK = 54
    ONE_TRICK = 55
    EVEN_TRICKS = 56
    FEWEST_TRICKS = 57
    RIGHT_MINUS = 58
    LEFT_TOTAL = 59
    NEGATED = 60


class Kind(Enum):
    """What a rule card changes."""

    TRUMP = "trump"
    BASIC = "basic"
    SCORING = "scoring"


class Confidence(Enum):
    """How sure the effect of a rule card is."""

    CERTAIN = "certain"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class RuleCard(NamedTuple):
    """One rule card; a trump rule names the values or the suits that it makes trump."""

    number: Rule
    kind: Kind
    source: str
    confidence: Confidence
    values: tuple[int, ...] = ()
    suits: tuple[Suit, ...] = ()


RANKS: Final = "rulebook (its examples fix no. 5 as the 6s)"
EXAMPLE: Final = "rulebook example"
COUNTED: Final = "one public implementation; count of cards"
SAMURAI_NAMED: Final = "one public implementation; rulebook defines samurai"
TRANSLATION: Final = "public fan translation"
IMPLEMENTATION: Final = "one public implementation"
REVIEWED: Final = "one public implementation and one independent review"

RULE_CARDS: Final = (
    RuleCard(Rule.TRUMP_TWOS, Kind.TRUMP, RANKS, Confidence.HIGH, values=(2,)),
    RuleCard(Rule.TRUMP_THREES, Kind.TRUMP, RANKS, Confidence.HIGH, values=(3,)),
    RuleCard(Rule.TRUMP_FOURS, Kind.TRUMP, RANKS, Confidence.HIGH, values=(4,)),
    RuleCard(Rule.TRUMP_FIVES, Kind.TRUMP, RANKS, Confidence.HIGH, values=(5,)),
    RuleCard(Rule.TRUMP_SIXES, Kind.TRUMP, RANKS, Confidence.CERTAIN, values=(6,)),
    RuleCard(Rule.TRUMP_SEVENS, Kind.TRUMP, RANKS, Confidence.HIGH, values=(7,)),
    RuleCard(Rule.TRUMP_EIGHTS, Kind.TRUMP, RANKS, Confidence.HIGH, values=(8,)),
    RuleCard(Rule.TRUMP_NINES, Kind.TRUMP, RANKS, Confidence.HIGH, values=(9,)),
    RuleCard(Rule.TRUMP_TENS, Kind.TRUMP, RANKS, Confidence.HIGH, values=(10,)),
    RuleCard(Rule.TRUMP_ELEVENS, Kind.TRUMP, RANKS, Confidence.HIGH, values=(11,)),
    RuleCard(Rule.TRUMP_TWELVES, Kind.TRUMP, RANKS, Confidence.HIGH, values=(12,)),
    RuleCard(Rule.TRUMP_THIRTEENS, Kind.TRUMP, RANKS, Confidence.HIGH, values=(13,)),
    RuleCard(Rule.TRUMP_FOURTEENS, Kind.TRUMP, RANKS, Confidence.HIGH, values=(14,)),
    RuleCard(Rule.TRUMP_FIFTEENS, Kind.TRUMP, RANKS, Confidence.HIGH, values=(15,)),
    RuleCard(Rule.TRUMP_COINS, Kind.TRUMP, EXAMPLE, Confidence.CERTAIN, suits=(Suit.COIN,)),
    RuleCard(Rule.TRUMP_FANS, Kind.TRUMP, COUNTED, Confidence.MEDIUM, suits=(Suit.FAN,)),
    RuleCard(Rule.TRUMP_KOI, Kind.TRUMP, COUNTED, Confidence.MEDIUM, suits=(Suit.KOI,)),
    RuleCard(Rule.TRUMP_ONES, Kind.TRUMP, COUNTED, Confidence.MEDIUM, values=(1,)),
    RuleCard(Rule.TRUMP_SAMURAI, Kind.TRUMP, SAMURAI_NAMED, Confidence.MEDIUM, values=SAMURAI),
    RuleCard(Rule.TRUMP_TORII, Kind.TRUMP, EXAMPLE, Confidence.CERTAIN, suits=(Suit.TORII,)),
    RuleCard(Rule.SECOND_TRICK, Kind.TRUMP, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.PASS_RIGHT, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.PASS_LEFT, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.SET_ASIDE, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.OPEN_CARDS, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.HIDDEN, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.FOLLOW_LAST, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.MUST_TRUMP, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.FIRST_OUT, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.SECOND_WINS, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.REVERSED, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.ANTI_TRUMP, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.SUITS_EQUAL, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.TAKE_OUT, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.GIVE_TRICK_LEFT, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.RIGHT_LEADS, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.ALTERNATE, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(Rule.PASS_AFTER_THIRD, Kind.BASIC, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.GIVE_ALL_AWAY, Kind.BASIC, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.HAND_TRICKS, Kind.BASIC, IMPLEMENTATION, Confidence.LOW),
    RuleCard(Rule.COUNT_SUITS, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.WITHOUT_SAMURAI, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.WITHOUT_TRUMP, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.FIFTH_TRICK, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.FIRST_AND_LAST, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.PLUS_SAMURAI, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.MINUS_FANS, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.MINUS_COINS, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.MINUS_KOI, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.MINUS_TORII, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.MINUS_TRUMP, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.PLUS_SEVENS, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.MINUS_FIFTEENS, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.NO_TRICK, Kind.SCORING, REVIEWED, Confidence.HIGH),
    RuleCard(Rule.ONE_TRICK, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.EVEN_TRICKS, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.FEWEST_TRICKS, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(Rule.RIGHT_MINUS, Kind.SCORING, IMPLEMENTATION, Confidence.LOW),
    RuleCard(Rule.LEFT_TOTAL, Kind.SCORING, IMPLEMENTATION, Confidence.LOW),
    RuleCard(Rule.NEGATED, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
)
"""All rule cards; the one with number n is at place n - 1."""

NUMBERS: Final = len(Rule)
