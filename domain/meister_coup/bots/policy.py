"""What players of Meister Coup play, learned from rounds of its strongest bot: for play-outs.

A card is as likely as the exponential of its score, and a score is linear in what is public and in the hand of the seat (a
conditional logit). The weights are those under which the cards that were played are most likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from ...game import Rng
from ...play_policy import drawn, odds, read_weights
from ..cards import COLOUR_OF, VALUE_OF, VALUES, counted
from ..ranking import beaten_by, ranking
from ..rules import HAND_SIZE
from ..table import MeisterTable
from .card_worth import brings, dearest, values_of

FEATURES: Final = 15
KINDS: Final = 5
"""A seat leads, or three or more, two, one or none play after it."""
SHARPNESS: Final = 2.0
"""How much more scores count in play-outs than in the cards that were learned from: a search errs by chance, and players less."""
POINTS: Final = 5.0
"""Features are about one: what cards are worth is divided by this, as values and numbers of cards are by their most."""


class Weights:
    """What each feature of a card adds to its score: one number for each, in this order."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self.value = numbers[0] / VALUES
        self.square = numbers[1] / VALUES**2
        self.value_left = numbers[2] / (VALUES * HAND_SIZE)
        self.value_common = numbers[3] / VALUES
        self.held = numbers[4] / HAND_SIZE
        self.wins = numbers[5]
        self.wins_value = numbers[6] / VALUES
        self.wins_left = numbers[7] / HAND_SIZE
        self.wins_best = numbers[8] / POINTS
        self.wins_from = numbers[9] / POINTS
        self.gives = numbers[10] / POINTS
        self.second = numbers[11]
        self.second_value = numbers[12] / VALUES
        self.second_brings = numbers[13] / POINTS
        self.lost = numbers[14] / POINTS


Tables: TypeAlias = Sequence[Weights]
"""Weights by kind of decision: `about` gives the place."""


def read_tables(text: str) -> Tables:
    """Return the weights of play-outs by those that were learned, the kinds of decisions apart by an empty line."""
    return tuple([Weights([SHARPNESS * number for number in numbers]) for numbers in read_weights(text)])


def about(table: MeisterTable) -> int:
    """Return which of the KINDS of decisions the seat has that plays next."""
    played = len(table.trick)
    return max(KINDS + played - table.seats, 1) if played else 0


def choose_card(table: MeisterTable, seat: int, tables: Tables, rng: Rng) -> int:
    """Return a card of the seat at turn, each as often as it is likely."""
    hand = table.hands[seat]
    return drawn(hand, odds(scores(table, seat, tables[about(table)])), rng) if len(hand) > 1 else hand[0]


def scores(table: MeisterTable, seat: int, weights: Weights) -> list[float]:
    """Return the score of each card in hand of the seat at turn."""
    trick = table.trick
    hand = table.hands[seat]
    left = len(hand)
    values = values_of(table.diamonds, table.counts[seat])
    better = beaten_by(trick, hand)
    held = counted(hand)
    common = _common(table, seat)
    wins = weights.wins + weights.wins_left * left
    gives = values
    best = 0.0
    against = 0.0  # 1 if a rival's card wins so far, -1 if a team mate's does
    if trick:
        winner = (table.leader + ranking(trick)[0]) % table.seats
        gives = values_of(table.diamonds, table.counts[winner])
        against = -1.0 if table.side_of(winner) == table.side_of(seat) else 1.0
        best = values[dearest(trick, values)]
        wins += weights.wins_from * against * gives[dearest(trick, gives)]
    found: list[float] = []
    for place, card in enumerate(hand):
        colour = COLOUR_OF[card]
        value = VALUE_OF[card]
        by_value = weights.value + weights.square * value + weights.value_left * left + weights.value_common * common[colour]
        score = by_value * value + weights.held * held[colour]
        if better[place] == 0:
            score += wins + weights.wins_value * value + weights.wins_best * max(best, values[card])
        else:
            score += weights.gives * against * gives[card]
            if better[place] == 1:
                score += weights.second + weights.second_value * value + weights.second_brings * brings(trick, card, values)
            else:
                score += weights.lost * values[card]
        found.append(score)
    return found


def _common(table: MeisterTable, seat: int) -> list[float]:
    """Return the share of each colour among the cards of those who play after a seat: backs show it."""
    found = [0.0, 0.0, 0.0, 0.0]
    cards = 0
    for step in range(1, table.seats - len(table.trick)):
        for card in table.hands[(seat + step) % table.seats]:
            found[COLOUR_OF[card]] += 1
            cards += 1
    return [count / cards for count in found] if cards else found
