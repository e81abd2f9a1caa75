"""How the searching bots of Stich-Meister see a decision: imagined hands, and the round played out under the rules in force."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final

from ...game import Rng
from ...search import SampledChance, Steps, ahead, seat_of
from .. import stages
from ..messages import OpenCards, PassCards, StichCommand
from ..move_codec import Move, move_of
from ..moves import legal, waiting
from ..rules import FEW, apply
from ..table import NOBODY, StichTable
from ..trick import Law, playable
from ..view import StichView
from .determinization import Worlds
from .honest import HonestBot, by_use, law_for, wish
from .trick_value import worth_for

SWING: Final = 2.0
SWING_PER_ROUND: Final = 5.0
"""How many points a lead may still change by: a little, and more for each round to come."""
WHIM: Final = 0.25
"""How often a play-out takes any card."""
TRIED: Final = 10
"""How many of the hundreds of ways to pass or open cards are tried."""

HONEST: Final = HonestBot()


class Rollout:
    """A decision of Stich-Meister, looked at until the round is over."""

    def __init__(self, view: StichView) -> None:
        self._view = view
        self._seat = seat_of(view, view.seat)
        self._worlds = Worlds(view)
        self._swing = SWING + SWING_PER_ROUND * sqrt(max(len(view.seats) - view.round, 0))
        self._greed = self._wishes() if view.rules else None

    def _wishes(self) -> list[bool]:
        """Return which seats want to win tricks, as the rules value them."""
        view = self._view
        law = law_for(self._view)
        return [wish(worth_for(view, law, seat), seat, view.number) > 0 for seat in range(len(view.seats))]

    def candidates(self, commands: Sequence[StichCommand], rng: Rng) -> Sequence[StichCommand]:
        """Return the moves that are worth trying: all, but of the ways to give cards away only some."""
        favourite = HONEST.choose(self._view, commands, rng, Steps(0))
        if not isinstance(commands[0], PassCards | OpenCards) or len(commands) <= TRIED:
            return ahead(commands, favourite)
        found = [favourite, type(commands[0])(tuple(by_use(self._view)[-FEW:]))]
        while len(found) < TRIED:
            found.append(commands[rng.randrange(len(commands))])
        return list(dict.fromkeys(each for each in found if each in commands))

    def world(self, rng: Rng) -> StichTable:
        """Return a table with imagined hands."""
        return self._worlds.draw(rng)

    def worth(self, world: StichTable, command: StichCommand, rng: Rng) -> float:
        """Return how good the scores look after the round, from 0 to 1."""
        table = world.copy()
        chance = SampledChance(rng)
        rounds = len(table.rounds)
        apply(table, self._seat, move_of(command), chance)
        while len(table.rounds) == rounds:
            seat = waiting(table)
            apply(table, seat, self._quick(table, seat, rng), chance)
        rival = max(score for seat, score in enumerate(table.scores) if seat != self._seat)
        return 1 / (1 + exp((rival - table.scores[self._seat]) / self._swing))

    def _quick(self, table: StichTable, seat: int, rng: Rng) -> Move:
        """Return any legal move; to a trick mostly one that the seat's wishes suggest."""
        if table.stage is stages.PLAY:
            hand = playable(table.law, table.trick, table.hands[seat])
            if len(hand) == 1:
                return hand[0]
            if self._greed is None or rng.random() < WHIM:
                return hand[rng.randrange(len(hand))]
            return fitting(table.law, table.trick, hand, self._greed[seat])
        if table.stage is stages.LEAD:
            hand = table.hands[seat]
            return hand[rng.randrange(len(hand))]
        few = legal(table, seat)
        return few[rng.randrange(len(few))]


def fitting(law: Law, trick: Sequence[int], hand: Sequence[int], greedy: bool) -> int:
    """Return the strongest card if it wins and that is wanted, the weakest if it does not; the other way round if it is not."""
    order = law.order[law.suits[trick[0]]]
    best = 0
    for card in trick:
        best = max(best, order[card])
    highest = hand[0]
    lowest = hand[0]
    below = NOBODY
    for card in hand:
        height = order[card]
        if height > order[highest]:
            highest = card
        elif height < order[lowest]:
            lowest = card
        if height < best and (below == NOBODY or height > order[below]):
            below = card
    if greedy:
        return highest if order[highest] >= best else lowest
    return highest if below == NOBODY else below
