"""How the searching bots of Mondkrone see a decision: imagined hands, and the round played out, each staying in while it can.

How seats play in a play-out is the bots' difference: `quick` takes any move that leads, `foreseeing` (foresight.py) looks ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ...game import Rng, Seat
from ...search import SampledChance, Steps, ahead, seat_of
from .. import stages
from ..cards import SUIT_BITS
from ..conditions import leads, results
from ..messages import DropOut, MondkroneCommand
from ..move_codec import move_of
from ..moves import BOTH, DISCARD, DROP_OUT, LAY_ASIDE, PLAY, Move, choices, pair, rivals
from ..rules import TARGETS, apply
from ..table import MondkroneTable, worth
from ..view import MondkroneView
from .determinization import Worlds
from .honest import HonestBot, Prospect

START: Final = 8.0
"""Points that every seat is credited with when standings are compared: early leads mean less than late ones."""
TRIED: Final = 10
"""How many of the moves are tried, if a bot does not say."""

HONEST: Final = HonestBot()


class Rollout:
    """A decision of Mondkrone, looked at until the round is over."""

    def __init__(self, view: MondkroneView, policy: Callable[[MondkroneTable, Rng], Move], tried: int = TRIED) -> None:
        self._view = view
        self._policy = policy
        self._tried = tried
        self._seat = seat_of(view, view.seat)
        self._worlds = Worlds(view)

    def candidates(self, commands: Sequence[MondkroneCommand], rng: Rng) -> Sequence[MondkroneCommand]:
        """Return the moves that look best by rules of thumb, the honest bot's first; dropping out only as the last resort."""
        favourite = HONEST.choose(self._view, commands, rng, Steps(0))
        if self._view.stage == "scoring":
            return ahead(commands, favourite)
        glance = Prospect(self._view)
        playing = [command for command in commands if not isinstance(command, DropOut)]
        return ahead(sorted(playing, key=glance.worth, reverse=True)[: self._tried] or list(commands), favourite)

    def world(self, rng: Rng) -> MondkroneTable:
        """Return a table with imagined hands and an imagined deck."""
        return self._worlds.draw(rng)

    def worth(self, world: MondkroneTable, command: MondkroneCommand, rng: Rng) -> float:
        """Return how good the points look after the round, from 0 to 1."""
        table = world.copy()
        chance = SampledChance(rng)
        rounds = len(table.rounds)
        apply(table, self._seat, move_of(command), chance)
        while len(table.rounds) == rounds and table.stage is not stages.OVER:
            apply(table, Seat(table.turn), self._policy(table, rng), chance)
        return prospects(table)[self._seat]


def prospects(table: MondkroneTable) -> list[float]:
    """Return how good each seat's points look, together 1."""
    if table.stage is stages.OVER:
        return [(seat in table.winners) / len(table.winners) for seat in range(table.seats)]
    target = TARGETS[table.seats] + START
    strength = [((table.points(seat) + START) / target) ** 2 for seat in range(table.seats)]
    total = sum(strength)
    return [each / total for each in strength]


def quick(table: MondkroneTable, rng: Rng) -> Move:
    """Return a move that leads: the weakest card that does, or one put on the pile, or both; else dropping out."""
    seat = table.turn
    if table.stage is stages.SCORING:
        return LAY_ASIDE, max(choices(table, seat), key=worth)
    hand = table.hands[seat]
    palette = table.palettes[seat]
    best = rivals(table, seat)
    asked = SUIT_BITS[table.pile[-1]]
    then = [leads(results(palette | 1 << card), best) for card in hand]
    either: list[Move] = [(PLAY, card) for place, card in enumerate(hand) if then[place] & asked]
    now = leads(results(palette), best)
    if now:
        either += [(DISCARD, card) for card in hand if not SUIT_BITS[card] & ~now]
    if either:
        return either[rng.randrange(len(either))]
    both = _both(hand, then)
    return both[rng.randrange(len(both))] if both else (DROP_OUT, 0)


def _both(hand: list[int], then: list[int]) -> list[Move]:
    """Return the plays with a discard after which the seat leads."""
    return [
        (BOTH, pair(card, put))
        for place, card in enumerate(hand)
        if then[place]
        for put in hand
        if put != card and not SUIT_BITS[put] & ~then[place]
    ]
