"""Moves: what a seat may do, and why not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    if seat not in table.asked or (table.answers[seat] and table.stage in GATHERED):
        return ()
    return MOVES[table.stage](table, seat)


def _rules(table: StichTable, seat: int) -> Sequence[Move]:
    return [RULE + rule for rule in table.rule_hands[seat]]


def _passes(table: StichTable, seat: int) -> Sequence[Move]:
    return Few(PASS, table.hands[seat])


def _asides(table: StichTable, seat: int) -> Sequence[Move]:
    return [ASIDE + card for card in table.hands[seat]]


def _openings(table: StichTable, seat: int) -> Sequence[Move]:
    return Few(OPEN, table.hands[seat])


def _leads(table: StichTable, seat: int) -> Sequence[Move]:
    return table.hands[seat]


def _plays(table: StichTable, seat: int) -> Sequence[Move]:
    return playable(table.law, table.trick, table.hands[seat])


def _outs(table: StichTable, _: int) -> Sequence[Move]:
    return [OUT + card for card in table.trick]


MOVES: Final[Mapping[int, Callable[[StichTable, int], Sequence[Move]]]] = {
    stages.CHOOSE: _rules,
    stages.RIGHTWARD: _passes,
    stages.LEFTWARD: _passes,
    stages.SET_ASIDE: _asides,
    stages.OPEN: _openings,
    stages.LEAD: _leads,
    stages.PLAY: _plays,
    stages.PLAY_HIDDEN: _plays,
    stages.TAKE_OUT: _outs,
    stages.LEFTWARD_LATER: _passes,
}
