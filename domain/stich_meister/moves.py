"""Moves: what a seat may do, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from . import stages
from .move_codec import ASIDE, OPEN, OUT, PASS, RULE, Few, Move
from .table import GATHERED, NOBODY, StichTable
from .trick import playable


def has_answered(table: StichTable, seat: int) -> bool:
    """Return whether an asked seat has made its secret choice."""
    return table.stage in GATHERED and table.answers[seat] != ()


def waiting(table: StichTable) -> int:
    """Return the first seat that has not answered, NOBODY if none is asked."""
    asked = table.asked
    if table.stage in GATHERED:
        return next(seat for seat in asked if not table.answers[seat])
    return asked[0] if asked else NOBODY


def legal(table: StichTable, seat: int) -> Sequence[Move]:
    """Return every move of a seat, in a stable order; none if it is not asked or has answered."""
    if seat not in table.asked:
        return NONE
    stage = table.stage
    hand = table.hands[seat]
    if stage is stages.PLAY:
        return playable(table.law, table.trick, hand)
    if stage is stages.LEAD:
        return hand
    if stage is stages.TAKE_OUT:
        return [OUT + card for card in table.trick]
    if table.answers[seat]:
        return NONE
    if stage is stages.CHOOSE:
        return [RULE + rule for rule in table.rule_hands[seat]]
    if stage is stages.PLAY_HIDDEN:
        return playable(table.law, table.trick, hand)
    if stage is stages.SET_ASIDE:
        return [ASIDE + card for card in hand]
    return Few(OPEN if stage is stages.OPEN else PASS, tuple(hand))


NONE: Final[tuple[Move, ...]] = ()
