"""How the searching bots of MatchMaster see a decision: imagined hands, and the round played out by a simple policy."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, NamedTuple, assert_never

from ...game import Rng
from ...search import Likely, Steps, ahead, seat_of
from ...seats import seat_or_nobody
from ..cards import CARDS, ROUNDS, TRUMP, VALUES
from ..messages import MatchMasterCommand, PlaceBid, PlayCard
from ..moves import playable, winning
from ..rules import points
from ..table import MatchMasterTable
from ..view import MatchMasterView
from .determinization import Worlds
from .honest import HonestBot
from .policy import Course, Tables, likelihood, played_by


class Habit(NamedTuple):
    """What makes a bid: how much each card adds, by kind and rank (0 to 1), and how far bids lie from that.

    A trump adds `trump` and `trump_rank` times its rank; another card `plain_rank` times its rank and `plain_high` times the
    fourth power of it; each card of a hand after the first takes `crowd` away. `doubt` is a standard deviation, in tricks.
    """

    trump: float
    trump_rank: float
    plain_rank: float
    plain_high: float
    crowd: float
    doubt: float


HABITS: Final = {
    2: Habit(1.0, 0.6, 0.77, 0.19, 0.25, 0.4),
    3: Habit(0.61, 0.81, 0.11, 0.55, 0.14, 0.26),
    4: Habit(0.39, 0.91, -0.06, 0.54, 0.09, 0.2),
    5: Habit(0.2, 1.0, -0.19, 0.56, 0.05, 0.17),
}
"""By the number of seats (more than five bid like five): least squares over bids of searches (bench/habits.py)."""
DOUBT_PER_CARD: Final = 0.07
"""How much more bids differ with each card of a hand."""
WIDTH: Final = 2.45
"""A sum of two even chances, less one, has a standard deviation of one part in this."""
ODD: Final = 0.05
"""How likely a bid is that has nothing to do with its hand, compared with one that fits it perfectly."""
SWING: Final = 3.0
SWING_PER_ROUND: Final = 4.0
"""How many points a lead may still change by: a little, and more for each round to come."""
STRENGTH: Final = tuple(card % VALUES + (VALUES if card < VALUES else 0) for card in range(CARDS))

HONEST: Final = HonestBot()


class Rollout:
    """A decision of MatchMaster. *weighing*: bids that were shown tell of the hands behind them.

    *policy*: so do cards that were played, as likely as it says, and play-outs go by it.
    """

    def __init__(self, view: MatchMasterView, *, weighing: bool = False, policy: Tables | None = None) -> None:
        self._view = view
        self._seat = seat_of(view, view.seat)
        self._policy = policy
        self._played = [play.card for trick in view.tricks for play in trick.plays] + [play.card for play in view.trick]
        self._first = first_leader(view)
        self._seen = sum(1 << card for card in self._played)
        self._worlds = Worlds(view)
        self._likely = Likely(self._worlds.draw, self._likelihood) if weighing and view.stage == "play" else None
        self._swing = SWING + SWING_PER_ROUND * sqrt(len(ROUNDS) - view.round)
        habit = habit_of(len(view.seats))
        self._hopes = hopes(habit)
        self._crowd = habit.crowd * (view.size - 1)
        self._doubt = habit.doubt + DOUBT_PER_CARD * view.size

    def candidates(self, commands: Sequence[MatchMasterCommand], rng: Rng) -> Sequence[MatchMasterCommand]:
        """Return all moves, the honest bot's first."""
        return ahead(commands, HONEST.choose(self._view, commands, rng, Steps(0)))

    def world(self, rng: Rng) -> MatchMasterTable:
        """Return a table with imagined hands and, before the bids are shown, imagined bids."""
        if self._likely is not None:
            return self._likely.draw(rng)
        world = self._worlds.draw(rng)
        if not world.shown:
            world.bids = [bid_for(self._bid(hand), self._doubt, world.size, rng) for hand in world.hands]
        return world

    def _bid(self, hand: list[int]) -> float:
        """Return the bid that goes with a whole hand, not rounded."""
        return sum([self._hopes[card] for card in hand]) - self._crowd

    def _likelihood(self, world: MatchMasterTable) -> float:
        """Return how well the hands go with bids and plays, up to a factor."""
        found = 1.0
        hands = dealt_hands(world)
        for seat, hand in enumerate(hands):
            if seat != self._seat:
                misfit = (self._bid(hand) - world.bids[seat]) / self._doubt
                found *= exp(-misfit * misfit / 2) + ODD
        if self._policy is None or not self._played:
            return found
        course = Course(self._first, [], world.bids, [0] * world.seats, 0)
        return found * likelihood([sorted(hand) for hand in hands], course, self._played, self._seat, self._policy)

    def worth(self, world: MatchMasterTable, command: MatchMasterCommand, rng: Rng) -> float:
        """Return how good the scores look after the round, from 0 to 1."""
        bids = world.bids
        trick = world.trick
        hands = [hand.copy() for hand in world.hands]
        match command:
            case PlayCard(card):
                hands[self._seat].remove(card)
                trick = [*trick, card]
            case PlaceBid(tricks):
                bids = bids.copy()
                bids[self._seat] = tricks
            case _:
                assert_never(command)
        if self._policy is None:
            taken = played_out(hands, trick, world.leader, bids, world.taken.copy(), rng)
        else:
            taken = played_by(hands, begun(world, trick, bids, self._seen), self._policy, rng)
        scores = [score + points(*result) for score, result in zip(world.scores, zip(bids, taken, strict=True), strict=True)]
        rival = max(score for seat, score in enumerate(scores) if seat != self._seat)
        return 1 / (1 + exp((rival - scores[self._seat]) / self._swing))


def begun(world: MatchMasterTable, trick: list[int], bids: list[int], seen: int) -> Course:
    """Return the course of a round from a world on, with a trick, which may be full, and bids of its own."""
    course = Course(world.leader, trick[:-1], bids, world.taken.copy(), seen)
    if trick:
        course.play(trick[-1])
    return course


def first_leader(view: MatchMasterView) -> int:
    """Return the seat that led the first trick of the round, NOBODY before it."""
    return view.tricks[0].plays[0].seat if view.tricks else seat_or_nobody(view.leader)


def habit_of(seats: int) -> Habit:
    """Return how a table of *seats* seats bids."""
    return HABITS[min(seats, max(HABITS))]


def hopes(habit: Habit) -> tuple[float, ...]:
    """Return by how much each card raises a bid."""
    ranks = [place / (VALUES - 1) for place in range(VALUES)]
    trumps = [habit.trump + habit.trump_rank * rank for rank in ranks]
    plain = [habit.plain_rank * rank + habit.plain_high * rank**4 for rank in ranks]
    return (*trumps, *plain * (CARDS // VALUES - 1))


def bid_for(worth: float, doubt: float, size: int, rng: Rng) -> int:
    """Return what a seat may bid for a hand of some worth, give or take a little."""
    return min(max(round(worth + (rng.random() + rng.random() - 1) * WIDTH * doubt), 0), size)


def dealt_hands(table: MatchMasterTable) -> list[list[int]]:
    """Return the hands as they were at the beginning of the round."""
    hands = [hand.copy() for hand in table.hands]
    for leader, cards in (*((trick.leader, trick.cards) for trick in table.tricks), (table.leader, tuple(table.trick))):
        for place, card in enumerate(cards):
            hands[(leader + place) % table.seats].append(card)
    return hands


def played_out(hands: list[list[int]], trick: list[int], leader: int, bids: list[int], taken: list[int], rng: Rng) -> list[int]:
    """Return the tricks that each seat has taken once all cards are played, each playing for its bid. Uses up *hands*."""
    seats = len(hands)
    running = list(trick)
    while True:
        while len(running) < seats:
            seat = (leader + len(running)) % seats
            hand = hands[seat]
            if not hand:
                return taken
            card = pick(playable(hand, running), running, bids[seat] - taken[seat], len(running) == seats - 1, rng)
            hand.remove(card)
            running.append(card)
        leader = (leader + winning(running)) % seats
        taken[leader] += 1
        running = []


def pick(cards: list[int], trick: list[int], missing: int, last: bool, rng: Rng) -> int:
    """Return the card to play: towards the bid while tricks are missing, away from more tricks after that."""
    if len(cards) == 1:
        return cards[0]
    if not trick:
        return strongest(cards) if missing > 0 else weakest(cards)
    takes, leaves = _split(cards, trick)
    if missing <= 0:
        return strongest(leaves or takes)
    if not takes:
        return weakest(leaves)
    return weakest(takes) if last or rng.random() < 0.2 else strongest(takes)


def strongest(cards: list[int]) -> int:
    """Return the strongest card, the first of several."""
    best = cards[0]
    for card in cards:
        if STRENGTH[card] > STRENGTH[best]:
            best = card
    return best


def weakest(cards: list[int]) -> int:
    """Return the weakest card, the first of several."""
    best = cards[0]
    for card in cards:
        if STRENGTH[card] < STRENGTH[best]:
            best = card
    return best


def _split(cards: list[int], trick: list[int]) -> tuple[list[int], list[int]]:
    """Return the cards that would win the trick now, and the others."""
    best = trick[winning(trick)]
    led = trick[0] // VALUES
    winning_suit = best // VALUES
    takes: list[int] = []
    leaves: list[int] = []
    for card in cards:
        suit = card // VALUES
        better = card > best if suit == winning_suit else suit == TRUMP
        if better and suit in (led, TRUMP):
            takes.append(card)
        else:
            leaves.append(card)
    return takes, leaves
