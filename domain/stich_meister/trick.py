"""One trick: what must be followed, how its cards are ordered, and who wins it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from .cards import TRUMP
from .rule_cards import Rule
from .trump import MATCHED, Trumps, rank_of, trumps

TIER: Final = 1_024
"""More than any strength of a trump."""
PLACES: Final = 8
"""More than the cards of a trick: of equal cards the one at the later place is higher."""


class Law(NamedTuple):
    """The rules of a round as its tricks need them; `masks` are the cards of each suit in bits.

    `order` says for each suit that can be led how high each card is.
    """

    rules: tuple[int, ...]
    trumps: Trumps
    suits: tuple[int, ...]
    masks: tuple[int, ...]
    order: tuple[tuple[int, ...], ...]
    hidden: bool
    follow_last: bool
    must_trump: bool
    first_out: bool
    second_wins: bool


@lru_cache(maxsize=1_024)
def law_of(rules: tuple[int, ...], second: int) -> Law:
    """Return the law under some rules, `second` the suit that rule 21 made trump."""
    return _compile(tuple([rule for rule in rules if rule in OF_TRICKS]), second)._replace(rules=rules)


@lru_cache(maxsize=1_024)
def _compile(rules: tuple[int, ...], second: int) -> Law:
    """Return the law under rules for tricks: far fewer sets than of all sixty rules."""
    known = trumps(rules, second)
    return Law(
        rules=rules,
        trumps=known,
        suits=known.suits,
        masks=_masks(known.suits),
        order=_order(rules, known),
        hidden=Rule.HIDDEN in rules,
        follow_last=Rule.FOLLOW_LAST in rules,
        must_trump=Rule.MUST_TRUMP in rules,
        first_out=Rule.FIRST_OUT in rules,
        second_wins=Rule.SECOND_WINS in rules,
    )


OF_TRICKS: Final = frozenset(
    (
        *MATCHED,
        Rule.HIDDEN,
        Rule.FOLLOW_LAST,
        Rule.MUST_TRUMP,
        Rule.FIRST_OUT,
        Rule.SECOND_WINS,
        Rule.REVERSED,
        Rule.ANTI_TRUMP,
        Rule.SUITS_EQUAL,
    ),
)
"""The rules that say how a trick is played."""


def _masks(suits: Sequence[int]) -> tuple[int, ...]:
    found = [0] * (TRUMP + 1)
    for card, suit in enumerate(suits):
        found[suit] |= 1 << card
    return tuple(found)


def _order(rules: tuple[int, ...], known: Trumps) -> tuple[tuple[int, ...], ...]:
    """Return how high each card is: trumps, the led suit, the rest; rule 32 puts trumps last, rule 33 makes plain suits equal."""
    above = 0 if Rule.ANTI_TRUMP in rules else 3 * TIER
    reverse = Rule.REVERSED in rules
    heights = [strength + above if strength else rank_of(card, reverse) + TIER for card, strength in enumerate(known.strength)]
    if Rule.SUITS_EQUAL in rules:
        return (tuple(heights),) * (TRUMP + 1)
    orders = [heights.copy() for _ in range(TRUMP + 1)]
    for card, suit in enumerate(known.suits):
        if suit != TRUMP:
            orders[suit][card] += TIER
    return tuple([tuple(order) for order in orders])


def must_follow(law: Law, trick: list[int]) -> int:
    """Return the suit that the next card of a trick must follow, or TRUMP."""
    return law.suits[trick[-1] if law.follow_last else trick[0]]


def playable(law: Law, trick: list[int], hand: list[int]) -> list[int]:
    """Return the cards of a hand that may be played to a trick: never none if the hand has any."""
    if not trick:
        return hand
    suits = law.suits
    wanted = suits[trick[-1] if law.follow_last else trick[0]]
    found = [card for card in hand if suits[card] == wanted]
    if not found and law.must_trump:
        found = [card for card in hand if suits[card] == TRUMP]
    return found or hand


def rank(law: Law, trick: list[int]) -> list[int]:
    """Return the places of a trick's cards, the highest card's first."""
    order = law.order[law.suits[trick[0]]]
    heights = [order[card] * PLACES + place for place, card in enumerate(trick)]
    heights.sort()
    heights.reverse()
    return [height % PLACES for height in heights]


def winner(law: Law, trick: list[int]) -> int:
    """Return the place of the card that wins a trick; the first if no card is left to win."""
    if not law.first_out and not law.second_wins:
        return _highest(law, trick)
    places = [place for place in rank(law, trick) if place or not law.first_out]
    return places[law.second_wins] if len(places) > law.second_wins else 0


def _highest(law: Law, trick: list[int]) -> int:
    order = law.order[law.suits[trick[0]]]
    best, height = 0, -1
    for place, card in enumerate(trick):
        own = order[card]
        if own >= height:
            best, height = place, own
    return best
