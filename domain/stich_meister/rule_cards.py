"""The sixty rule cards as data of the ruleset: what kind each is, what it makes trump, and how well it is known.

The rulebook prints only some of them. `source` says where an effect comes from, `confidence` how sure that is. Their texts are
under `stich-meister.rule.<number>`; trump rules are data here, what the others do stands in trick.py, rules.py and scoring.py.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from .cards import SAMURAI, Suit


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

    number: int
    kind: Kind
    source: str
    confidence: Confidence
    values: tuple[int, ...] = ()
    suits: tuple[Suit, ...] = ()


RANKS = "rulebook (its examples fix no. 5 as the 6s)"
EXAMPLE = "rulebook example"
COUNTED = "one public implementation; count of cards"
SAMURAI_NAMED = "one public implementation; rulebook defines samurai"
TRANSLATION = "public fan translation"
IMPLEMENTATION = "one public implementation"
REVIEWED = "one public implementation and one independent review"

RULE_CARDS = (
    RuleCard(1, Kind.TRUMP, RANKS, Confidence.HIGH, values=(2,)),
    RuleCard(2, Kind.TRUMP, RANKS, Confidence.HIGH, values=(3,)),
    RuleCard(3, Kind.TRUMP, RANKS, Confidence.HIGH, values=(4,)),
    RuleCard(4, Kind.TRUMP, RANKS, Confidence.HIGH, values=(5,)),
    RuleCard(5, Kind.TRUMP, RANKS, Confidence.CERTAIN, values=(6,)),
    RuleCard(6, Kind.TRUMP, RANKS, Confidence.HIGH, values=(7,)),
    RuleCard(7, Kind.TRUMP, RANKS, Confidence.HIGH, values=(8,)),
    RuleCard(8, Kind.TRUMP, RANKS, Confidence.HIGH, values=(9,)),
    RuleCard(9, Kind.TRUMP, RANKS, Confidence.HIGH, values=(10,)),
    RuleCard(10, Kind.TRUMP, RANKS, Confidence.HIGH, values=(11,)),
    RuleCard(11, Kind.TRUMP, RANKS, Confidence.HIGH, values=(12,)),
    RuleCard(12, Kind.TRUMP, RANKS, Confidence.HIGH, values=(13,)),
    RuleCard(13, Kind.TRUMP, RANKS, Confidence.HIGH, values=(14,)),
    RuleCard(14, Kind.TRUMP, RANKS, Confidence.HIGH, values=(15,)),
    RuleCard(15, Kind.TRUMP, EXAMPLE, Confidence.CERTAIN, suits=(Suit.COIN,)),
    RuleCard(16, Kind.TRUMP, COUNTED, Confidence.MEDIUM, suits=(Suit.FAN,)),
    RuleCard(17, Kind.TRUMP, COUNTED, Confidence.MEDIUM, suits=(Suit.KOI,)),
    RuleCard(18, Kind.TRUMP, COUNTED, Confidence.MEDIUM, values=(1,)),
    RuleCard(19, Kind.TRUMP, SAMURAI_NAMED, Confidence.MEDIUM, values=SAMURAI),
    RuleCard(20, Kind.TRUMP, EXAMPLE, Confidence.CERTAIN, suits=(Suit.TORII,)),
    RuleCard(21, Kind.TRUMP, TRANSLATION, Confidence.HIGH),
    RuleCard(22, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(23, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(24, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(25, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(26, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(27, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(28, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(29, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(30, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(31, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(32, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(33, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(34, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(35, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(36, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(37, Kind.BASIC, TRANSLATION, Confidence.HIGH),
    RuleCard(38, Kind.BASIC, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(39, Kind.BASIC, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(40, Kind.BASIC, IMPLEMENTATION, Confidence.LOW),
    RuleCard(41, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(42, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(43, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(44, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(45, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(46, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(47, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(48, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(49, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(50, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(51, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(52, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(53, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(54, Kind.SCORING, REVIEWED, Confidence.HIGH),
    RuleCard(55, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(56, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(57, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
    RuleCard(58, Kind.SCORING, IMPLEMENTATION, Confidence.LOW),
    RuleCard(59, Kind.SCORING, IMPLEMENTATION, Confidence.LOW),
    RuleCard(60, Kind.SCORING, IMPLEMENTATION, Confidence.MEDIUM),
)
"""All rule cards; the one with number n is at place n - 1."""

NUMBERS = len(RULE_CARDS)
