"""How the searching bots of Meister Coup see a decision: imagined values of the open colours, and the round played out."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, sqrt
from typing import Final

from ...game import Rng
from ...search import SampledChance, Steps, ahead, seat_of
from .. import stages
from ..cards import VALUE_OF
from ..messages import MeisterCommand, ProposeMember
from ..move_codec import PICK, Move, move_of
from ..moves import best_member, legal
from ..ranking import beaten_by
from ..rules import ROUNDS, apply, play_card
from ..stages import LEAD, OVER, PLAY
from ..stages import PICK as PICK_STAGE
from ..table import NOBODY, MeisterTable
from ..view import MeisterView
from . import policy as learned
from .card_worth import brings, dearest, values_of
from .determinization import Worlds
from .honest import HonestBot

COUP: Final = 9.0
"""What a Meistercoup is worth after a round, in points."""
THRIFT: Final = 0.05
"""What it costs to play a card rather than one of a value less."""
SWING: Final = 2.0
SWING_PER_ROUND: Final = 6.0
"""How many points a lead may still change by: a little, and more for each round to come."""

HONEST: Final = HonestBot()


class Rollout:
    """A decision of Meister Coup, looked at until the round is over. *policy*: play-outs go by it, and not by any cards."""

    def __init__(self, view: MeisterView, policy: learned.Tables | None = None) -> None:
        self._view = view
        self._seat = seat_of(view, view.seat)
        self._worlds = Worlds(view)
        self._policy = policy
        self._swing = SWING + SWING_PER_ROUND * sqrt(ROUNDS - view.round)

    def candidates(self, commands: Sequence[MeisterCommand], rng: Rng) -> Sequence[MeisterCommand]:
        """Return all moves, the honest bot's first; no proposal of a member who has less of everything than another one."""
        open_ = [command for command in commands if not self._poorer(command)]
        return ahead(open_, HONEST.choose(self._view, commands, rng, Steps(0)))

    def _poorer(self, command: MeisterCommand) -> bool:
        """Return whether a proposal gives points or Meistercoups away for nothing."""
        if not isinstance(command, ProposeMember):
            return False
        member = self._view.seats[command.member]
        mates = [each for each in self._view.seats if each.team == member.team]
        mine = member.points, member.meistercoups
        return any(
            each.points >= mine[0] and each.meistercoups >= mine[1] and (each.points, each.meistercoups) != mine for each in mates
        )

    def world(self, rng: Rng) -> MeisterTable:
        """Return a table with imagined hands."""
        return self._worlds.draw(rng)

    def worth(self, world: MeisterTable, command: MeisterCommand, rng: Rng) -> float:
        """Return how good the results look after the round, from 0 to 1."""
        table = world.copy()
        policy = self._policy
        chance = SampledChance(rng)
        rounds = len(table.rounds)
        apply(table, self._seat, move_of(command), chance)
        while len(table.rounds) == rounds and (stage := table.stage) is not OVER:
            seat = table.asked[0]
            if stage is PLAY or stage is LEAD:
                card = choose_card(table, seat, rng) if policy is None else learned.choose_card(table, seat, policy, rng)
                play_card(table, seat, card)
            else:
                apply(table, seat, quick(table, seat, rng), chance)
        return self._prospect(table)

    def _prospect(self, table: MeisterTable) -> float:
        """Return how good the results look for the viewer's side."""
        if table.stage is stages.OVER:
            return (self._seat in table.winners) / (len(table.winners) / len(table.seats_of(0)))
        scores = [standing(table, side) for side in range(table.sides)]
        own = scores.pop(table.side_of(self._seat))
        return 1 / (1 + exp((max(scores) - own) / self._swing))


def standing(table: MeisterTable, side: int) -> float:
    """Return what a side has, in points; a team enters its best member's result."""
    points, coups = table.points[side], table.entered_coups[side]
    if table.stage is stages.VOTE and table.entered[side] == NOBODY:
        best = best_member(table, side)
        points, coups = points + table.rounds[-1].points[best], coups + table.rounds[-1].coups[best]
    return points + COUP * coups


def quick(table: MeisterTable, seat: int, rng: Rng) -> Move:
    """Return a move that is no card to play: the pick that is worth most, or any other one."""
    if table.stage is PICK_STAGE:
        return PICK + dearest(table.trick, values_of(table.diamonds, table.counts[seat]))
    few = legal(table, seat)
    return few[int(rng.random() * len(few))]


def choose_card(table: MeisterTable, seat: int, rng: Rng) -> int:
    """Return any card, but the best one to close a trick with."""
    hand = table.hands[seat]
    if len(table.trick) == table.seats - 1 and len(hand) > 1:
        return closing(table, seat, hand)
    return hand[int(rng.random() * len(hand))]


def closing(table: MeisterTable, seat: int, hand: list[int]) -> int:
    """Return the last card of a trick that brings its seat most: as winner the best card, as runner-up the two lowest."""
    return closing_card(table.trick, hand, values_of(table.diamonds, table.counts[seat]))


def closing_card(trick: list[int], hand: list[int], values: tuple[float, ...]) -> int:
    """Return the card of a hand that closes a trick best, by what each card is worth."""
    found = hand[0]
    most = -inf
    best = values[dearest(trick, values)]
    better = beaten_by(trick, hand)
    for place, card in enumerate(hand):
        gain = 0.0
        if better[place] == 0:
            gain = max(values[card], best)
        elif better[place] == 1:
            gain = brings(trick, card, values)
        gain -= THRIFT * VALUE_OF[card]
        if gain > most:
            found, most = card, gain
    return found
