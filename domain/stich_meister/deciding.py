"""Why a finished trick was won: by which kind of card, and which rules made that card win."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

from .cards import TRUMP
from .rule_cards import Rule
from .trick import Law, law_of, winner
from .trump import MATCHED


class Deciding(Enum):
    """What the winning card was, each with a text under `stich-meister.trick-reason.<value>`."""

    STRONGEST_TRUMP = "strongest-trump"
    HIGHEST_LED = "highest-of-led-suit"
    LOWEST_LED = "lowest-of-led-suit"
    HIGHEST_VALUE = "highest-value"
    LOWEST_VALUE = "lowest-value"
    SECOND_STRONGEST = "second-strongest"


DECIDING_RULES: Final = frozenset((*MATCHED, Rule.FIRST_OUT, Rule.SECOND_WINS, Rule.REVERSED, Rule.ANTI_TRUMP, Rule.SUITS_EQUAL))
"""The rules that can change who wins a trick; `MATCHED` has the trump rules, rule 21 among them."""


class Decision(NamedTuple):
    """The place of the winning card, what it was, and the rules that made it win, in number order."""

    place: int
    deciding: Deciding
    rules: tuple[int, ...]


def decision(rules: tuple[int, ...], second: int, trick: Sequence[int]) -> Decision:
    """Return who wins a full trick, and why.

    A rule made a card win if without it another card would have won; a winning trump names the rules that made it trump, too.
    """
    law, cards = law_of(rules, second), list(trick)
    place = winner(law, cards)
    found = _deciding(law, trick, place)
    named = {rule for rule in rules if rule in DECIDING_RULES and winner(_without(rules, second, rule), cards) != place}
    if found is Deciding.STRONGEST_TRUMP:
        named.update(law.trumps.matching[trick[place]])
    return Decision(place, found, tuple(sorted(named)))


def _without(rules: tuple[int, ...], second: int, dropped: int) -> Law:
    return law_of(tuple([rule for rule in rules if rule != dropped]), second)


def _deciding(law: Law, trick: Sequence[int], place: int) -> Deciding:
    led, suit = law.suits[trick[0]], law.suits[trick[place]]
    lowest = Rule.REVERSED in law.rules
    if law.second_wins:
        return Deciding.SECOND_STRONGEST
    if suit == TRUMP:
        return Deciding.STRONGEST_TRUMP
    if suit == led and Rule.SUITS_EQUAL not in law.rules:
        return Deciding.LOWEST_LED if lowest else Deciding.HIGHEST_LED
    return Deciding.LOWEST_VALUE if lowest else Deciding.HIGHEST_VALUE
