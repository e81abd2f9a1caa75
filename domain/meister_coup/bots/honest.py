"""The honest bot of Meister Coup: it tries out each card against some cards that the others may play.

It decides from its seat's view alone. The colours of all hands are open, so it draws the others' cards by colour. Cards are worth
their points, and colours what they bring towards a Meistercoup. It looks no further than the running trick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final, assert_never

from ...game import Budget, Rng
from ..cards import CARDS, COLOUR_OF, VALUE_OF
from ..messages import AgreeToMember, MeisterCommand, PickCard, PlayCard, ProposeMember, TakeCards
from ..ranking import TAKEN, lowest, ranking
from ..rules import ENOUGH, HAND_SIZE, ROUNDS
from ..view import MeisterView

TRIALS: Final = 32
"""How many cards are tried in tricks for one decision, in all."""
WIN: Final = 60.0
"""What the third Meistercoup is worth, in points ..."""
COUP: Final = 10.0
"""... and each one before it ..."""
STEPS: Final = (0.0, 1.0, 2.5, 5.0)
"""... and 0 to 3 colours of the next one, while there is time to complete it."""
MATE: Final = 0.5
"""What a card is worth that a team mate gets."""


class HonestBot:
    """Plays by what cards are worth; draws of chance only for the cards that it imagines. *worth*: what cards are worth to it."""

    def __init__(self, worth: Callable[[MeisterView], Worth] | None = None) -> None:
        self._worth = worth or Worth

    def choose(self, view: MeisterView, legal: Sequence[MeisterCommand], rng: Rng, budget: Budget) -> MeisterCommand:
        """Return one of *legal*."""
        if len(legal) == 1:
            return legal[0]
        match legal[0]:
            case PlayCard():
                return choose_card(view, legal, rng, self._worth(view))
            case PickCard():
                return choose_pick(view, legal, self._worth(view))
            case TakeCards():
                return choose_two(view, legal, self._worth(view))
            case ProposeMember() | AgreeToMember():
                return choose_vote(view, legal)
            case _:
                assert_never(legal[0])


class Worth:
    """What cards are worth to each seat, as far as one viewer cares. *hope*: how much it makes of Meistercoups to come."""

    def __init__(self, view: MeisterView, hope: float = 1.0) -> None:
        self._hope = hope
        self._points = [1 + view.diamonds[value - 1] for value in VALUE_OF]
        self._counts = [each.collected for each in view.seats]
        self._before = [each.total_meistercoups - each.meistercoups for each in view.seats]
        self._time = 1 - view.trick.number / HAND_SIZE
        self._now = [self._potential(seat, each) for seat, each in enumerate(self._counts)]
        self.shares = _shares(view)
        self._found: dict[tuple[int, tuple[int, ...]], float] = {}

    def of(self, seat: int, cards: tuple[int, ...]) -> float:
        """Return what cards are worth to a seat that gets them."""
        found = self._found.get((seat, cards))
        if found is None:
            found = self._found[seat, cards] = self._of(seat, cards)
        return found

    def _of(self, seat: int, cards: tuple[int, ...]) -> float:
        counts = list(self._counts[seat])
        for card in cards:
            counts[COLOUR_OF[card]] += 1
        return sum(self._points[card] for card in cards) + self._potential(seat, counts) - self._now[seat]

    def _potential(self, seat: int, counts: Sequence[int]) -> float:
        """Return what the colours of a seat are worth towards Meistercoups."""
        done = min(counts)
        if self._before[seat] + done >= ENOUGH:
            return WIN
        return COUP * done + self._hope * self._time * STEPS[sum(count > done for count in counts)]

    def best_two(self, seat: int, left: list[int]) -> tuple[int, ...]:
        """Return what a runner-up takes of the cards left."""
        fixed, equal = lowest(left)
        if not equal:
            return fixed
        return max(((*fixed, *chosen) for chosen in combinations(equal, TAKEN - len(fixed))), key=lambda two: self.of(seat, two))

    def after_pick(self, winner: int, runner_up: int, trick: Sequence[int], card: int) -> float:
        """Return what a pick is worth to the viewer, with what the runner-up then takes."""
        two = self.best_two(runner_up, [other for other in trick if other != card])
        return self.shares[winner] * self.of(winner, (card,)) + self.shares[runner_up] * self.of(runner_up, two)

    def of_trick(self, seats: Sequence[int], trick: list[int]) -> float:
        """Return what a full trick is worth to the viewer, if every seat takes what is best for itself."""
        first, second = ranking(trick)[:2]
        winner, runner_up = seats[first], seats[second]
        return self.after_pick(winner, runner_up, trick, max(trick, key=lambda card: self.of(winner, (card,))))


def _shares(view: MeisterView) -> list[float]:
    """Return how much the viewer cares for what each seat gets: all for itself, less for its team, and against the others."""
    assert view.seat is not None
    team = view.seats[view.seat].team
    mates = [each.seat for each in view.seats if team is not None and each.team == team]
    against = -1.0 / (len(view.seats) - max(len(mates), 1))
    shares = [MATE if each.seat in mates else against for each in view.seats]
    shares[view.seat] = 1.0
    return shares


def choose_card(view: MeisterView, legal: Sequence[MeisterCommand], rng: Rng, worth: Worth) -> MeisterCommand:
    """Return the card that brings most, as far as this trick shows."""
    before = [play.card for play in view.trick.plays]
    leader = view.leader or 0
    seats = [(leader + place) % len(view.seats) for place in range(len(view.seats))]
    later = seats[len(before) + 1 :]
    unseen = unseen_by_colour(view)
    totals = [0.0] * len(legal)
    for _ in range(max(1, TRIALS // len(legal)) if later else 1):
        follow = draw(view, later, unseen, rng)
        for place, command in enumerate(legal):
            assert isinstance(command, PlayCard)
            totals[place] += worth.of_trick(seats, [*before, command.card, *follow])
    return legal[max(range(len(legal)), key=totals.__getitem__)]


def unseen_by_colour(view: MeisterView) -> list[list[int]]:
    """Return the cards of each colour that the viewer has not seen in this round."""
    seen = {*view.hand, *(play.card for play in view.trick.plays)}
    seen.update(play.card for trick in view.tricks for play in trick.plays)
    found: list[list[int]] = [[], [], [], []]
    for card in range(CARDS):
        if card not in seen:
            found[COLOUR_OF[card]].append(card)
    return found


def draw(view: MeisterView, seats: Sequence[int], unseen: Sequence[Sequence[int]], rng: Rng) -> list[int]:
    """Return different cards that these seats may play, one each."""
    found: list[int] = []
    for seat in seats:
        cards = unseen[colour_drawn(view.seats[seat].hand, rng)]
        place = rng.randrange(len(cards))
        while cards[place] in found:
            place = (place + 1) % len(cards)
        found.append(cards[place])
    return found


def colour_drawn(hand: Sequence[int], rng: Rng) -> int:
    """Return the colour of one of the cards that a hand shows."""
    place = rng.randrange(sum(hand))
    for colour, count in enumerate(hand):
        if place < count:
            return colour
        place -= count
    raise AssertionError("a seat that is to play holds a card")


def choose_pick(view: MeisterView, legal: Sequence[MeisterCommand], worth: Worth) -> MeisterCommand:
    """Return the pick that is worth most, with what it leaves to the runner-up."""
    trick = [play.card for play in view.trick.plays]
    winner, runner_up = view.trick.ranking[:2]

    def value(command: MeisterCommand) -> float:
        assert isinstance(command, PickCard)
        return worth.after_pick(winner, runner_up, trick, command.card)

    return max(legal, key=value)


def choose_two(view: MeisterView, legal: Sequence[MeisterCommand], worth: Worth) -> MeisterCommand:
    """Return the two cards that are worth most."""
    seat = view.trick.ranking[1]

    def value(command: MeisterCommand) -> float:
        assert isinstance(command, TakeCards)
        return worth.of(seat, command.cards)

    return max(legal, key=value)


def choose_vote(view: MeisterView, legal: Sequence[MeisterCommand]) -> MeisterCommand:
    """Agree to what is proposed, or propose the member whose result is worth most."""
    if isinstance(legal[0], AgreeToMember):
        return legal[0]
    each_coup = COUP if view.round < ROUNDS else 0.01

    def value(command: MeisterCommand) -> float:
        assert isinstance(command, ProposeMember)
        member = view.seats[command.member]
        return member.points + each_coup * member.meistercoups

    return max(legal, key=value)
