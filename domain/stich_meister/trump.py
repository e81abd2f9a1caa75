"""Trump: which cards are of the trump suit under several rules, and how strong each is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from .cards import CARDS, SUITS, TRUMP, VALUES, suit_of, value_of
from .rule_cards import RULE_CARDS, Kind, Rule

NO_SUIT: Final = -1

MATCHED: Final[Mapping[int, frozenset[int]]] = {
    rule.number: frozenset(card for card in range(CARDS) if value_of(card) in rule.values or SUITS[suit_of(card)] in rule.suits)
    for rule in RULE_CARDS
    if rule.kind is Kind.TRUMP
}
"""The cards that each trump rule makes trump, without what the second trick shows."""
STEP: Final = VALUES + 1
"""How much stronger the next set of rules is: more than all values."""


class Trumps(NamedTuple):
    """All sixty cards under some trump rules: `suits` has TRUMP for trumps, `strength` is 0 for all others."""

    suits: tuple[int, ...]
    strength: tuple[int, ...]
    matching: tuple[tuple[int, ...], ...]


def rank_of(card: int, reverse: bool) -> int:
    """Return how high a card is in its suit, 1 to 15; rule 31 turns that round."""
    return VALUES + 1 - value_of(card) if reverse else value_of(card)


def matching(rules: Sequence[int], second: int, card: int) -> tuple[int, ...]:
    """Return the rules in force that make a card trump, in number order."""
    found = [rule for rule in rules if rule in MATCHED and card in MATCHED[rule]]
    if Rule.SECOND_TRICK in rules and suit_of(card) == second:
        found.append(Rule.SECOND_TRICK.value)
    return tuple(sorted(found))


def _matching_all(rules: tuple[int, ...], second: int) -> tuple[tuple[int, ...], ...]:
    """Return `matching` for every card."""
    found: list[list[int]] = [[] for _ in range(CARDS)]
    for rule in sorted(rules):
        if rule == Rule.SECOND_TRICK and second != NO_SUIT:
            for card in range(second * VALUES, (second + 1) * VALUES):
                found[card].append(rule)
        for card in MATCHED.get(rule, ()):
            found[card].append(rule)
    return tuple(map(tuple, found))


@lru_cache(maxsize=1_024)
def trumps(rules: tuple[int, ...], second: int) -> Trumps:
    """Return the trumps under some rules, `second` the suit that rule 21 made trump or NO_SUIT.

    More matching rules are stronger, then those with the lower numbers, then the higher card.
    """
    reverse = Rule.REVERSED in rules
    found = _matching_all(rules, second)
    weakest_first = sorted({each for each in found if each}, key=lambda each: (len(each), [-rule for rule in each]))
    level = {each: number for number, each in enumerate(weakest_first)}
    return Trumps(
        suits=tuple(TRUMP if found[card] else suit_of(card) for card in range(CARDS)),
        strength=tuple(level[found[card]] * STEP + rank_of(card, reverse) if found[card] else 0 for card in range(CARDS)),
        matching=found,
    )


def ladder(known: Trumps, cards: Sequence[int]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return the trumps among some cards, strongest first: the rules that match, and all cards of that strength."""
    found = sorted((card for card in cards if known.strength[card]), key=lambda card: (-known.strength[card], card))
    rungs = [tuple(rung) for _, rung in groupby(found, key=lambda card: known.strength[card])]
    return [(known.matching[rung[0]], rung) for rung in rungs]
