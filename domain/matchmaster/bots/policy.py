"""What players of MatchMaster play, learned from rounds of its strongest bot: for play-outs, and for what plays tell of hands.

A legal card is as likely as the exponential of its score, and a score is linear in what is public and in the hand of the seat
(a conditional logit). The weights are those under which the cards that were played are most likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from ...game import Rng
from ...play_policy import drawn, read_weights
from ...play_policy import odds as whole_odds
from ..cards import CARDS, TRUMP, VALUES
from ..moves import playable, winning

FEATURES: Final = 28
LEADS, FOLLOWS, CLOSES = 0, 1, 2
OVER, DONE, SHORT, ALL_IN = 0, 1, 2, 3
NEEDS: Final = 4
KINDS: Final = 12
"""A seat leads, follows or plays last, and it has too many tricks, its bid, lacks some, or has to take all that are left."""
LONGEST: Final = 7.0
ODD: Final = 0.02
"""How often any card is played, whatever is likely."""

EVERY: Final = (1 << CARDS) - 1
SUIT: Final = tuple([((1 << VALUES) - 1) << card // VALUES * VALUES for card in range(CARDS)])
"""By card: the cards of its suit, as bits."""
ABOVE: Final = tuple([SUIT[card] >> card + 1 << card + 1 for card in range(CARDS)])
VALUE: Final = tuple([card % VALUES / (VALUES - 1) for card in range(CARDS)])
HIGH: Final = tuple([(card % VALUES / (VALUES - 1)) ** 4 for card in range(CARDS)])
STRENGTH: Final = tuple([card % VALUES + (VALUES if card // VALUES == TRUMP else 0) for card in range(CARDS)])
TRUMPS: Final = SUIT[TRUMP * VALUES]


class Weights:
    """What each feature of a card adds to its score: one number for each, in this order."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self.takes = numbers[0]
        self.safely = numbers[1]
        self.trump = numbers[2]
        self.takes_by_trump = numbers[3]
        self.takes_rank = numbers[4]
        self.leaves_rank = numbers[5]
        self.weakest = numbers[6]
        self.strongest = numbers[7]
        self.trump_value = numbers[8]
        self.plain_value = numbers[9]
        self.plain_high = numbers[10]
        self.single = numbers[11]
        self.length = numbers[12]
        self.highest = numbers[13]
        self.second = numbers[14]
        self.third = numbers[15]
        self.above = numbers[16]
        self.takes_from = numbers[17]
        self.takes_before = numbers[18]
        self.takes_scarce = numbers[19]
        self.rank_scarce = numbers[20]
        self.rank_before = numbers[21]
        self.rank_against = numbers[22]
        self.single_trump = numbers[23]
        self.safely_scarce = numbers[24]
        self.safely_before = numbers[25]
        self.cheapest = numbers[26]
        self.suit_unseen = numbers[27]


Tables: TypeAlias = Sequence[Weights]
"""Weights by kind of decision: `about` gives the place."""


def read_tables(text: str) -> Tables:
    """Return weights that are written as numbers, the kinds of decisions apart by an empty line."""
    return tuple([Weights(numbers) for numbers in read_weights(text)])


class Course:
    """A round while it is played, as everyone sees it; *seen* are, as bits, all cards that were played in it."""

    def __init__(self, leader: int, trick: list[int], bids: list[int], taken: list[int], seen: int) -> None:
        self.leader = leader
        self.trick = trick
        self.bids = bids
        self.taken = taken
        self.seen = seen

    def turn(self) -> int:
        """Return the seat that plays next."""
        return (self.leader + len(self.trick)) % len(self.bids)

    def play(self, card: int) -> None:
        """Put a card on the table, and give the trick to its winner if it is full."""
        self.trick.append(card)
        self.seen |= 1 << card
        if len(self.trick) == len(self.bids):
            self.leader = (self.leader + winning(self.trick)) % len(self.bids)
            self.taken[self.leader] += 1
            self.trick = []


def about(course: Course, left: int) -> int:
    """Return which of the KINDS of decisions a seat has that is about to play, with *left* cards."""
    place = len(course.trick)
    seat = course.turn()
    missing = course.bids[seat] - course.taken[seat]
    phase = LEADS if not place else CLOSES if place == len(course.bids) - 1 else FOLLOWS
    need = OVER if missing < 0 else DONE if not missing else SHORT if missing < left else ALL_IN
    return phase * NEEDS + need


def odds(course: Course, hand: list[int], legal: list[int], tables: Tables) -> list[int]:
    """Return how likely the seat at turn plays each of its legal cards, compared with the likeliest of them."""
    return whole_odds(scores(course, hand, legal, tables[about(course, len(hand))]))


def played_by(hands: list[list[int]], course: Course, tables: Tables, rng: Rng) -> list[int]:
    """Return the tricks that each seat has taken once all cards are played, as seats are likely to. Uses up both."""
    while hand := hands[course.turn()]:
        legal = playable(hand, course.trick)
        card = drawn(legal, odds(course, hand, legal, tables), rng) if len(legal) > 1 else legal[0]
        hand.remove(card)
        course.play(card)
    return course.taken


def likelihood(hands: list[list[int]], course: Course, played: Sequence[int], viewer: int, tables: Tables) -> float:
    """Return how well whole hands go with the cards that all but the *viewer* have *played* from the start. Uses up both.

    No card counts as quite unlikely (ODD), since no one plays just like that.
    """
    found = 1.0
    for card in played:
        seat = course.turn()
        hand = hands[seat]
        legal = playable(hand, course.trick) if seat != viewer else hand[:1]
        if len(legal) > 1:
            likely = odds(course, hand, legal, tables)
            found *= likely[legal.index(card)] / sum(likely) * (1 - ODD) + ODD / len(legal)
        hand.remove(card)
        course.play(card)
    return found


def scores(course: Course, hand: list[int], legal: list[int], weights: Weights) -> list[float]:
    """Return the score of each of at least two legal cards, in ascending order, of the seat at turn."""
    trick = course.trick
    left = len(hand)
    after = len(course.bids) - 1 - len(trick)
    eager = _eager(course, after)
    scarce = (_lacking(course) - left) / (left + 1)
    best = trick[winning(trick)] if trick else -1
    against = _against(course) if trick else 0.0
    own = 0
    for card in hand:
        own |= 1 << card
    unseen = EVERY & ~(course.seen | own)
    safety = 1.0 - min(1.0, left * after / unseen.bit_count())  # of a trick against one unseen card that is higher
    take = weights.takes + weights.takes_from * against + weights.takes_before * eager + weights.takes_scarce * scarce
    safely = weights.safely + weights.safely_scarce * scarce + weights.safely_before * eager
    by_rank = weights.rank_scarce * scarce + weights.rank_before * eager + weights.rank_against * against
    cheapest = -1  # the suit of the last card that takes: the next one of it is not the cheapest
    found: list[float] = []
    for card in legal:
        weaker, stronger = _beside(card, legal)
        rank = weaker / (len(legal) - 1)
        higher = (unseen & ABOVE[card]).bit_count()
        score = _of_hand(card, own, unseen, higher, weights) + by_rank * rank
        if not weaker:
            score += weights.weakest
        if not stronger:
            score += weights.strongest
        if best >= 0 and not beats(card, best):
            found.append(score + weights.leaves_rank * rank)
            continue
        hold = 1.0
        for _ in range(higher):
            hold *= safety
        score += take + safely * hold + weights.takes_rank * rank
        if card < VALUES:
            score += weights.takes_by_trump
        if card // VALUES != cheapest:
            score += weights.cheapest
            cheapest = card // VALUES
        found.append(score)
    return found


def _eager(course: Course, after: int) -> float:
    """Return the share of the seats that play after this one, *after* in number, which lack tricks."""
    count = 0
    for step in range(1, after + 1):
        seat = (course.turn() + step) % len(course.bids)
        if course.bids[seat] > course.taken[seat]:
            count += 1
    return count / after if after else 0.0


def _lacking(course: Course) -> int:
    """Return how many tricks all seats lack together."""
    count = 0
    for seat in range(len(course.bids)):
        if course.bids[seat] > course.taken[seat]:
            count += course.bids[seat] - course.taken[seat]
    return count


def _against(course: Course) -> float:
    """Return whether the seat lacks tricks whose card wins the trick so far: 1 or -1."""
    seat = (course.leader + winning(course.trick)) % len(course.bids)
    return 1.0 if course.bids[seat] > course.taken[seat] else -1.0


def _beside(card: int, legal: list[int]) -> tuple[int, int]:
    """Return how many legal cards are weaker and how many are stronger than one of them."""
    weaker = stronger = 0
    for other in legal:
        if STRENGTH[other] < STRENGTH[card]:
            weaker += 1
        elif STRENGTH[other] > STRENGTH[card]:
            stronger += 1
    return weaker, stronger


def _of_hand(card: int, own: int, unseen: int, higher: int, weights: Weights) -> float:
    """Return what a card scores whatever is on the table."""
    held = (own & SUIT[card]).bit_count()
    score = weights.length * held / LONGEST + weights.above * higher / VALUES
    score += weights.suit_unseen * (unseen & SUIT[card]).bit_count() / VALUES
    if higher == 0:
        score += weights.highest
    elif higher == 1:
        score += weights.second
    elif higher == 2:
        score += weights.third
    if card < VALUES:
        return score + weights.trump + weights.trump_value * VALUE[card]
    score += weights.plain_value * VALUE[card] + weights.plain_high * HIGH[card]
    if held == 1:
        score += weights.single + (weights.single_trump if own & TRUMPS else 0.0)
    return score


def beats(card: int, best: int) -> bool:
    """Return whether a card that may be played wins against the one that has won so far."""
    return card > best if card // VALUES == best // VALUES else card < VALUES
