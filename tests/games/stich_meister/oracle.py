"""A judge of Stich-Meister for tests: written from the rulings alone, slow and literal. It knows nothing of the engine.

A card is (suit, value). Everything is asked of plain data: who played which card in which order, under which rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

Card: TypeAlias = tuple[str, int]

SUITS = ("fan", "coin", "koi", "torii")
TRUMP = "trump"
SAMURAI = (1, 10, 13)
VALUES_OF_RULE = {number: (number + 1,) for number in range(1, 15)} | {18: (1,), 19: SAMURAI}
SUIT_OF_RULE = {15: "coin", 16: "fan", 17: "koi", 20: "torii"}


class Play(NamedTuple):
    """A seat's card in a trick."""

    seat: int
    card: Card


class Pile(NamedTuple):
    """A trick as it lies before its holder; `number` None for a card that rule 40 made a trick."""

    holder: int
    cards: tuple[Card, ...]
    number: int | None


class Oracle(NamedTuple):
    """The law of a round; `shown` is the suit of the first card of trick two once that lies on the table."""

    rules: frozenset[int]
    shown: str | None = None

    # Trump

    def matching(self, card: Card) -> list[int]:
        """Return the trump rules that match a card, lowest number first."""
        suit, value = card
        found: list[int] = []
        for rule in sorted(self.rules):
            if value in VALUES_OF_RULE.get(rule, ()) or SUIT_OF_RULE.get(rule) == suit:
                found.append(rule)
            if rule == 21 and self.shown == suit:
                found.append(21)
        return found

    def is_trump(self, card: Card) -> bool:
        """Every card that a trump rule matches is trump."""
        return len(self.matching(card)) > 0

    def suit(self, card: Card) -> str:
        """Trumps are of the trump suit and no longer of the printed one."""
        return TRUMP if self.is_trump(card) else card[0]

    def higher_value(self, one: Card, other: Card) -> bool:
        """Rule 31 reverses values."""
        return one[1] < other[1] if 31 in self.rules else one[1] > other[1]

    def stronger_trump(self, one: Card, other: Card) -> bool:
        """More matching rules; then lower numbers, one after the other; then the value."""
        mine, theirs = self.matching(one), self.matching(other)
        if len(mine) != len(theirs):
            return len(mine) > len(theirs)
        for my_rule, their_rule in zip(mine, theirs, strict=True):
            if my_rule != their_rule:
                return my_rule < their_rule
        return self.higher_value(one, other)

    # Which cards may be played

    def to_follow(self, trick: Sequence[Card]) -> str:
        """Rule 27: the last card; with rule 26 only the lead lies open."""
        if 27 in self.rules and 26 not in self.rules:
            return self.suit(trick[-1])
        return self.suit(trick[0])

    def may_play(self, hand: Sequence[Card], trick: Sequence[Card]) -> set[Card]:
        """Follow suit; a player who cannot plays anything, but with rule 28 a trump if there is any."""
        if not trick:
            return set(hand)
        wanted = self.to_follow(trick)
        following = {card for card in hand if self.suit(card) == wanted}
        if following:
            return following
        trumps = {card for card in hand if self.is_trump(card)}
        return trumps if 28 in self.rules and trumps else set(hand)

    # Who wins

    def beats(self, one: Card, other: Card, led: Card) -> bool:
        """Return whether a card is higher than another, whichever was played first."""
        if self.is_trump(one) and self.is_trump(other):
            return self.stronger_trump(one, other)
        if self.is_trump(one):
            return 32 not in self.rules
        if self.is_trump(other):
            return 32 in self.rules
        return self.beats_plain(one, other, self.suit(led))

    def beats_plain(self, one: Card, other: Card, led_suit: str) -> bool:
        """Of two plain cards the one of the led suit is higher, unless rule 33 makes suits equal; then the value decides."""
        if 33 not in self.rules and (one[0] == led_suit) != (other[0] == led_suit):
            return one[0] == led_suit
        return self.higher_value(one, other)

    def order(self, trick: Sequence[Play]) -> list[Play]:
        """Return the plays, the highest first: each has its place by the number of plays that it is above."""

        def above(one: int, other: int) -> bool:
            led = trick[0].card
            if self.beats(trick[one].card, trick[other].card, led):
                return True
            return not self.beats(trick[other].card, trick[one].card, led) and one > other

        places = range(len(trick))
        losers = {place: sum(above(place, other) for other in places if other != place) for place in places}
        assert sorted(losers.values()) == list(places), "the order of a trick is total"
        return [trick[place] for place in sorted(places, key=lambda place: -losers[place])]

    def winner(self, trick: Sequence[Play]) -> int:
        """Rule 29 takes the first card out of the order, rule 30 the second of what is left; else the first player."""
        left = [play for play in self.order(trick) if 29 not in self.rules or play != trick[0]]
        if 30 in self.rules:
            left = left[1:]
        return left[0].seat if left else trick[0].seat

    # Leaders, directions, holders

    def step(self, number: int) -> int:
        """Rule 37: the direction alternates, the first trick goes clockwise."""
        return -1 if 37 in self.rules and number % 2 == 0 else 1

    def turns(self, leader: int, number: int, seats: int) -> list[int]:
        """Return the seats of a trick in the order of play."""
        return [(leader + self.step(number) * place) % seats for place in range(seats)]

    def next_leader(self, winner: int, seats: int) -> int:
        """Rule 36: the right neighbour of the winner leads."""
        return (winner - 1) % seats if 36 in self.rules else winner

    def holder(self, winner: int, seats: int) -> int:
        """Rule 35: the trick goes to the left neighbour."""
        return (winner + 1) % seats if 35 in self.rules else winner

    def given_away(self, piles: Sequence[Pile], last_winner: int, seats: int) -> list[Pile]:
        """Rule 39: who won the last trick gives all its tricks to the left neighbour."""
        if 39 not in self.rules:
            return list(piles)
        left = (last_winner + 1) % seats
        return [pile._replace(holder=left) if pile.holder == last_winner else pile for pile in piles]

    def tricks_played(self, dealt: int) -> int:
        """Return how many tricks are actually played with that many cards dealt to each seat (rules 24 and 40)."""
        return dealt - 3 if 40 in self.rules else dealt

    # Scoring

    def worth(self, pile: Pile, last: int) -> int:
        """Rules 41 to 45: the value of one trick."""
        value = 1
        if 41 in self.rules:
            value = len({suit for suit, _ in pile.cards})
        if 42 in self.rules and not any(value_of in SAMURAI for _, value_of in pile.cards):
            value *= 2
        if 43 in self.rules and not any(self.is_trump(card) for card in pile.cards):
            value *= 2
        if 44 in self.rules and pile.number == 5:
            value *= 3
        if 45 in self.rules and pile.number in (1, 2):
            value = 0
        if 45 in self.rules and pile.number == last:
            value *= 3
        return value

    def card_points(self, rule: int, card: Card) -> int:
        """Rules 46 to 53: what one card adds."""
        suit, value = card
        counted = {
            46: (1, value in SAMURAI),
            47: (-1, suit == "fan"),
            48: (-1, suit == "coin"),
            49: (-1, suit == "koi"),
            50: (-1, suit == "torii"),
            51: (-1, self.is_trump(card)),
            52: (3, value == 7),
            53: (-3, value == 15),
        }
        points, applies = counted[rule]
        return points if applies else 0

    def scores(self, piles: Sequence[Pile], last: int, seats: int) -> list[int]:
        """Return the points of a round, rule by rule in number order; `last` is the number of the last trick played."""
        own = [[pile for pile in piles if pile.holder == seat] for seat in range(seats)]
        totals = [sum(self.worth(pile, last) for pile in mine) for mine in own]
        snapshot: list[int] | None = None
        for rule in sorted(rule for rule in self.rules if rule >= 46):
            if rule in (58, 59) and snapshot is None:
                snapshot = list(totals)
            totals = [self._after(rule, seat, totals[seat], own, snapshot or []) for seat in range(seats)]
        return totals

    def _after(self, rule: int, seat: int, total: int, own: Sequence[Sequence[Pile]], snapshot: Sequence[int]) -> int:
        tricks = len(own[seat])
        seats = len(own)
        if rule <= 53:
            return total + sum(self.card_points(rule, card) for pile in own[seat] for card in pile.cards)
        if rule == 54:
            return total + 10 if tricks == 0 else total
        if rule == 55:
            return total + 5 if tricks == 1 else total
        if rule == 56:
            return total * 2 if tricks % 2 == 0 else total
        if rule == 57:
            return total * 2 if tricks == min(len(each) for each in own) else total
        if rule == 58:
            right = snapshot[(seat - 1) % seats]
            return total - right if right < 0 else total
        if rule == 59:
            return total + snapshot[(seat + 1) % seats]
        return -total
