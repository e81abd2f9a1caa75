"""How the searching bots of MatchMaster see a decision: imagined hands, and the round played out by a simple policy."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt

from ..game import Rng
from ..search import Likely, Steps, ahead, seat_of
from .bot import HonestBot
from .cards import CARDS, ROUNDS, TRUMP, VALUES
from .messages import MatchMasterCommand, PlaceBid, PlayCard
from .moves import playable, winning
from .rules import points
from .table import MatchMasterTable
from .view import MatchMasterView
from .worlds import Worlds

SPREAD = 0.9
"""How far bids lie from what a hand is worth, in tricks: the standard deviation that is believed."""
SWING, SWING_PER_ROUND = 3.0, 4.0
"""How many points a lead may still change by: a little, and more for each round to come."""
STRENGTH = tuple(card % VALUES + (VALUES if card < VALUES else 0) for card in range(CARDS))

HONEST = HonestBot()


class Outlook:
    """A decision of MatchMaster. *weighing*: bids that were shown tell of the hands behind them."""

    def __init__(self, view: MatchMasterView, *, weighing: bool = False) -> None:
        self._view = view
        self._seat = seat_of(view, view.seat)
        self._worlds = Worlds(view)
        self._likely = Likely(self._worlds.draw, self._likelihood) if weighing and view.stage == "play" else None
        self._swing = SWING + SWING_PER_ROUND * sqrt(len(ROUNDS) - view.round)
        self._hopes = hopes(len(view.seats), view.size)

    def candidates(self, commands: Sequence[MatchMasterCommand], rng: Rng) -> Sequence[MatchMasterCommand]:
        """Return all moves, the honest bot's first."""
        return ahead(commands, HONEST.choose(self._view, commands, rng, Steps(0)))

    def world(self, rng: Rng) -> MatchMasterTable:
        """Return a table with imagined hands and, before the bids are shown, imagined bids."""
        if self._likely is not None:
            return self._likely.draw(rng)
        world = self._worlds.draw(rng)
        if not world.shown:
            world.bids = [bid_for(hand, self._hopes, world.size, rng) for hand in world.hands]
        return world

    def _likelihood(self, world: MatchMasterTable) -> float:
        """Return how well the hands go with the bids, up to a factor."""
        misfit = 0.0
        for seat, hand in enumerate(dealt(world)):
            if seat != self._seat:
                misfit += (sum(self._hopes[card] for card in hand) - world.bids[seat]) ** 2
        return exp(-misfit / (2 * SPREAD * SPREAD))

    def worth(self, world: MatchMasterTable, command: MatchMasterCommand, rng: Rng) -> float:
        """Return how good the scores look after the round, from 0 to 1."""
        bids, trick, hands = world.bids, world.trick, [hand.copy() for hand in world.hands]
        match command:
            case PlayCard(card):
                hands[self._seat].remove(card)
                trick = [*trick, card]
            case PlaceBid(tricks):
                bids = bids.copy()
                bids[self._seat] = tricks
            case _:
                raise AssertionError("a command of MatchMaster is one of these")
        taken = played_out(hands, trick, world.leader, bids, world.taken.copy(), rng)
        scores = [score + points(*result) for score, result in zip(world.scores, zip(bids, taken, strict=True), strict=True)]
        rival = max(score for seat, score in enumerate(scores) if seat != self._seat)
        return 1 / (1 + exp((rival - scores[self._seat]) / self._swing))


def hopes(seats: int, size: int) -> tuple[float, ...]:
    """Return how likely each card takes a trick for the seat that holds it, other cards being anywhere."""
    held = (seats - 1) * size / (CARDS - size)
    ruffed = 0.8 ** (seats - 1)
    found: list[float] = []
    for card in range(CARDS):
        above = VALUES - 1 - card % VALUES
        highest = (1 - held * 0.8) ** above
        found.append(highest + (1 - highest) * 0.45 * (card + 1) / VALUES if card < VALUES else highest * ruffed)
    return tuple(found)


def bid_for(hand: Sequence[int], hopes: Sequence[float], size: int, rng: Rng) -> int:
    """Return what a seat may bid for a hand: what it is worth, give or take a little."""
    worth = sum(hopes[card] for card in hand) + (rng.random() - 0.5) * SPREAD
    return min(max(round(worth), 0), size)


def dealt(table: MatchMasterTable) -> list[list[int]]:
    """Return the hands as they were at the beginning of the round."""
    hands = [hand.copy() for hand in table.hands]
    for leader, cards in (*((trick.leader, trick.cards) for trick in table.tricks), (table.leader, tuple(table.trick))):
        for place, card in enumerate(cards):
            hands[(leader + place) % table.seats].append(card)
    return hands


def played_out(
    hands: list[list[int]], trick: Sequence[int], leader: int, bids: Sequence[int], taken: list[int], rng: Rng
) -> list[int]:
    """Return the tricks that each seat has taken once all cards are played, everybody playing for its bid. Uses up *hands*."""
    seats, running = len(hands), list(trick)
    while True:
        while len(running) < seats:
            seat = (leader + len(running)) % seats
            hand = hands[seat]
            if not hand:
                return taken
            card = wished(playable(hand, running), running, bids[seat] - taken[seat], len(running) == seats - 1, rng)
            hand.remove(card)
            running.append(card)
        leader = (leader + winning(running)) % seats
        taken[leader] += 1
        running = []


def wished(cards: Sequence[int], trick: Sequence[int], missing: int, last: bool, rng: Rng) -> int:
    """Return the card to play: towards the bid while tricks are missing, away from more tricks after that."""
    if len(cards) == 1:
        return cards[0]
    if not trick:
        return max(cards, key=STRENGTH.__getitem__) if missing > 0 else min(cards, key=STRENGTH.__getitem__)
    takes, leaves = _parted(cards, trick)
    if missing <= 0:
        return max(leaves or takes, key=STRENGTH.__getitem__)
    if not takes:
        return min(leaves, key=STRENGTH.__getitem__)
    return min(takes, key=STRENGTH.__getitem__) if last or rng.random() < 0.2 else max(takes, key=STRENGTH.__getitem__)


def _parted(cards: Sequence[int], trick: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the cards that would win the trick now, and the others."""
    best, led = trick[winning(trick)], trick[0] // VALUES
    takes: list[int] = []
    leaves: list[int] = []
    for card in cards:
        suit = card // VALUES
        better = card > best if suit == best // VALUES else suit == TRUMP
        (takes if better and suit in (led, TRUMP) else leaves).append(card)
    return takes, leaves
