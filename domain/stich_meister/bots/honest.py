"""The honest bot of Stich-Meister: it tries out each card against some deals that it thinks possible.

It decides from its seat's view alone. For each card that it may play it fills the trick with cards that the others may hold, and
takes the card that brings most, as the rules in force value tricks; strong cards are kept where tricks are wanted, weak
ones where they are not. It looks no further than the running trick.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ...game import Budget, Rng
from ..cards import CARDS, SUITS, deck_for
from ..messages import ChooseRule, OpenCards, PassCards, PlayCard, SetCardAside, StichCommand, TakeCardOut
from ..rules import FEW
from ..trick import Law, law_of, playable, winner
from ..trump import MATCHED, NO_SUIT
from ..view import StichView
from .trick_value import Worth, gives_all_away, kept_points, worth_for

TRIALS: Final = 120
"""How many cards of others are tried for one decision, in all ..."""
FEWEST: Final = 3
MOST: Final = 20
"""... but for each own card at least and at most this number of deals."""
FRUGALITY: Final = 0.35
"""What share of a trick's worth it costs to play the strongest card rather than the weakest."""
MANY_TRUMPS: Final = 1.6
"""A trump rule that makes this many times the average share of the hand trump is chosen."""


class Taste(NamedTuple):
    """How strong cards are played.

    `frugality` is what share of a trick's worth it costs to play the strongest card rather than the weakest; `zeal` is the share
    that it is worth where the card may bring something.
    """

    frugality: float = FRUGALITY
    zeal: float = 0.0


PLAIN: Final = Taste()


class HonestBot:
    """Plays by what tricks are worth; draws of chance only for the deals that it imagines."""

    def __init__(self, taste: Taste = PLAIN) -> None:
        self._taste = taste

    def choose(self, view: StichView, legal: Sequence[StichCommand], rng: Rng, budget: Budget) -> StichCommand:
        """Return one of *legal*."""
        if len(legal) == 1:
            return legal[0]
        match legal[0]:
            case ChooseRule():
                return chosen_rule(view, legal, rng)
            case PassCards():
                return few(view, legal, PassCards)
            case OpenCards():
                return few(view, legal, OpenCards)
            case SetCardAside():
                return set_aside(view)
            case TakeCardOut():
                return taken_out(view)
            case _:
                return choose_card(view, legal, rng, self._taste)


def law_for(view: StichView) -> Law:
    """Return the law that is in force."""
    return law_of(view.rules, NO_SUIT if view.shown_suit is None else SUITS.index(view.shown_suit))


@lru_cache(maxsize=256)
def power(law: Law, seats: int) -> tuple[float, ...]:
    """Return the share of all cards that each card beats when it is led."""
    deck = deck_for(seats)
    found = [0.0] * CARDS
    for card in deck:
        order = law.order[law.suits[card]]
        found[card] = sum(order[other] < order[card] for other in deck) / len(deck)
    return tuple(found)


def wish(worth: Worth, own: int, number: int) -> float:
    """Return what it is worth to win an average trick rather than leave it to someone else."""
    seats = worth.scene.seats
    average = sum(worth.points[card] for card in deck_for(seats)) / (CARDS if seats != 3 else CARDS - 12) * seats
    typical = average + (worth.points_of((), number) if 41 not in worth.values else 2)
    others = [worth.to_win(seat, typical) for seat in range(seats) if seat != own]
    return worth.to_win(own, typical) - sum(others) / len(others)


def chosen_rule(view: StichView, legal: Sequence[StichCommand], rng: Rng) -> StichCommand:
    """Return a trump rule that the hand has many cards of, otherwise any rule."""
    shares = {command: trump_share(view, command.rule) for command in legal if isinstance(command, ChooseRule)}
    best = max(shares, key=lambda command: shares[command])
    return best if shares[best] >= MANY_TRUMPS else legal[rng.randrange(len(legal))]


def trump_share(view: StichView, rule: int) -> float:
    """Return how many cards of the hand a rule makes trump, as a multiple of the average."""
    found = MATCHED.get(rule, frozenset()).intersection(deck_for(len(view.seats)))
    return len(found.intersection(view.hand)) * len(view.seats) / len(found) if found else 0.0


def by_use(view: StichView) -> list[int]:
    """Return the hand, the cards that are of least use first."""
    assert view.seat is not None
    law = law_for(view)
    wanted = wish(worth_for(view, law, view.seat), view.seat, 3)
    strength = power(law, len(view.seats))
    return sorted(view.hand, key=lambda card: (strength[card] * (1 if wanted >= 0 else -1), card))


def few(view: StichView, legal: Sequence[StichCommand], kind: type[PassCards] | type[OpenCards]) -> StichCommand:
    """Return the passing, or the opening, of the cards that are of least use."""
    command = kind(tuple(by_use(view)[:FEW]))
    return command if command in legal else legal[0]


def set_aside(view: StichView) -> StichCommand:
    """Return the setting aside of the card that suits the last trick best."""
    assert view.seat is not None
    law = law_for(view)
    worth = worth_for(view, law, view.seat)
    usual, last = (wish(worth, view.seat, number) for number in (3, worth.scene.last))
    hand = by_use(view)
    strong = usual * last > 0 and abs(last) > abs(usual)
    return SetCardAside(hand[-1] if strong else hand[0])


def taken_out(view: StichView) -> StichCommand:
    """Return the taking out of the card without which the trick is worth most."""
    assert view.seat is not None
    worth = worth_for(view, law_for(view), view.seat)
    cards = [play.card for play in view.trick]
    winning = view.seat

    def left(out: int) -> float:
        return worth.to_win(winning, worth.points_of([card for card in cards if card != out], view.number))

    return TakeCardOut(max(cards, key=left))


def choose_card(view: StichView, legal: Sequence[StichCommand], rng: Rng, taste: Taste) -> StichCommand:
    """Return the card that brings most, as far as this trick shows."""
    assert view.seat is not None
    own = view.seat
    law = law_for(view)
    worth = worth_for(view, law, own)
    cards = [command.card for command in legal if isinstance(command, PlayCard)]
    found = Trial(view, worth, rng).worths(cards)
    strength = power(law, len(view.seats))
    wanted = wish(worth, own, view.number)
    early = 1 - view.number / worth.scene.last
    frugality, zeal = taste.frugality * wanted * early, taste.zeal * wanted * early
    least = min(found)
    best = max(
        range(len(cards)),
        key=lambda place: (
            found[place] - (frugality - zeal * (found[place] > least)) * strength[cards[place]] - kept_points(worth, cards[place])
        ),
    )
    return PlayCard(cards[best])


class Trial:
    """The running trick, filled up with cards that the others may hold."""

    def __init__(self, view: StichView, worth: Worth, rng: Rng) -> None:
        self._view = view
        self._worth = worth
        self._rng = rng
        self._trick = [play.card for play in view.trick]
        seats = len(view.seats)
        leader = view.leader or 0
        self._order = [(leader + view.step * place) % seats for place in range(seats)]
        self._unseen = unseen(view)
        rng.shuffle(self._unseen)
        self._lacks = [frozenset(each.lacks) for each in view.seats]

    def worths(self, cards: Sequence[int]) -> list[float]:
        """Return what each card brings on average."""
        later = len(self._order) - len(self._trick) - 1
        trials = max(FEWEST, min(MOST, TRIALS // (len(cards) * max(later, 1)))) if later else 1
        totals = [0.0] * len(cards)
        for _ in range(trials):
            hands = self._hands()
            for place, card in enumerate(cards):
                totals[place] += self._brings(self._fill(card, hands))
        return [total / trials for total in totals]

    def _hands(self) -> list[list[int]]:
        """Return hands that the others may hold, own cards left out."""
        start = self._rng.randrange(len(self._unseen) or 1)
        hands = list[list[int]]()
        doubled = self._unseen + self._unseen
        for seat, each in enumerate(self._view.seats):
            size = each.hand_size if seat != self._view.seat else 0
            hidden = size - len(each.open_cards) if size else 0
            drawn = doubled[start : start + hidden]
            fitting = [card for card in drawn if card not in self._lacks[seat]] if self._lacks[seat] else drawn
            hands.append([*fitting, *each.open_cards] if size else [])
            start = (start + hidden) % (len(self._unseen) or 1)
        return hands

    def _fill(self, card: int, hands: list[list[int]]) -> list[int]:
        """Return the whole trick in the order of play."""
        trick = self._trick.copy()
        law = self._worth.law
        for seat in self._order[len(trick) :]:
            if seat == self._view.seat:
                trick.append(card)
            elif hands[seat]:
                fitting = playable(law, trick[:1] if law.hidden else trick, hands[seat])
                trick.append(fitting[self._rng.randrange(len(fitting))])
        return trick

    def _brings(self, trick: list[int]) -> float:
        """Return what a full trick is worth."""
        number = self._view.number
        seat = self._order[winner(self._worth.law, trick)]
        found = self._worth.to_win(seat, self._worth.points_of(trick, number))
        if gives_all_away(self._worth, number):
            tricks = self._view.seats[seat].tricks
            found += self._worth.to_win((seat + 1) % len(self._order), tricks) - self._worth.to_win(seat, tricks)
        return found


def unseen(view: StichView) -> list[int]:
    """Return the cards that the viewer has not seen in this round."""
    seen = {*view.hand, view.aside, *(play.card for play in view.trick)}
    seen.update(play.card for trick in view.tricks for play in trick.plays)
    seen.update(card for each in view.seats for card in each.open_cards)
    return [card for card in deck_for(len(view.seats)) if card not in seen]
