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
    HIGHEST_PLAIN_VALUE = "highest-plain-value"
    LOWEST_PLAIN_VALUE = "lowest-plain-value"
    STRONGEST_TRUMP_BUT_FIRST = "strongest-trump-but-first"
    HIGHEST_LED_BUT_FIRST = "highest-of-led-suit-but-first"
    LOWEST_LED_BUT_FIRST = "lowest-of-led-suit-but-first"
    HIGHEST_VALUE_BUT_FIRST = "highest-value-but-first"
    LOWEST_VALUE_BUT_FIRST = "lowest-value-but-first"
    SECOND_STRONGEST_BUT_FIRST = "second-strongest-but-first"
    HIGHEST_PLAIN_VALUE_BUT_FIRST = "highest-plain-value-but-first"
    LOWEST_PLAIN_VALUE_BUT_FIRST = "lowest-plain-value-but-first"


BUT_FIRST: Final = {each: Deciding(f"{each.value}-but-first") for each in list(Deciding) if not each.value.endswith("-but-first")}
"""The same of the trick without its first card, which rule 29 took out."""


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
    law = law_of(rules, second)
    cards = list(trick)
    place = winner(law, cards)
    first_out = law.first_out and winner(_without(rules, second, Rule.FIRST_OUT), cards) != place
    found = _deciding(law, trick, place, first_out=first_out)
    named = {rule for rule in rules if rule in DECIDING_RULES and winner(_without(rules, second, rule), cards) != place}
    if found in {Deciding.STRONGEST_TRUMP, Deciding.STRONGEST_TRUMP_BUT_FIRST}:
        named.update(law.trumps.matching[trick[place]])
    return Decision(place, found, tuple(sorted(named)))


def _without(rules: tuple[int, ...], second: int, dropped: int) -> Law:
    return law_of(tuple([rule for rule in rules if rule != dropped]), second)


def _deciding(law: Law, trick: Sequence[int], place: int, *, first_out: bool) -> Deciding:
    """Return what is true of the winning card among all that lie there, or among all but a first one that is higher."""
    found = _kind(law, trick, place, trick[1:] if first_out else trick)
    return BUT_FIRST[found] if first_out else found


def _kind(law: Law, trick: Sequence[int], place: int, among: Sequence[int]) -> Deciding:
    led = law.suits[trick[0]]
    suit = law.suits[trick[place]]
    lowest = Rule.REVERSED in law.rules
    if law.second_wins:
        return Deciding.SECOND_STRONGEST
    if suit == TRUMP:
        return Deciding.STRONGEST_TRUMP
    if suit == led and Rule.SUITS_EQUAL not in law.rules:
        return Deciding.LOWEST_LED if lowest else Deciding.HIGHEST_LED
    if any(law.suits[card] == TRUMP for card in among):  # a trump may be higher and not win: rule 32
        return Deciding.LOWEST_PLAIN_VALUE if lowest else Deciding.HIGHEST_PLAIN_VALUE
    return Deciding.LOWEST_VALUE if lowest else Deciding.HIGHEST_VALUE
