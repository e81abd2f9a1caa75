"""What each palette shows in the six conditions, and what the viewer's own palette would show after each of its moves.

Only palettes and the viewer's own hand go into it: what a move would draw from the deck, or turn over, does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from . import stages
from .cards import CARDS, SUITS, SUITS_OF, Card, Suit
from .conditions import PLACES, leads, results
from .moves import BOTH, DISCARD, PLAY, legal, rivals
from .table import MondkroneTable


class MondkroneResultView(msgspec.Struct, frozen=True, kw_only=True):
    """What a palette shows in a condition: how much counts, and the strongest card that is needed for it.

    Of two palettes with the same count the one with the stronger `best` leads. It is null if nothing counts.
    """

    suit: Suit
    count: int
    best: Card | None


class MondkroneChangeView(msgspec.Struct, frozen=True, kw_only=True):
    """The viewer's palette in a condition before a move and after it. `leads`: the viewer leads in it then."""

    before: MondkroneResultView
    after: MondkroneResultView
    leads: bool


class MondkroneEffectView(msgspec.Struct, frozen=True, kw_only=True):
    """What a legal move does: its card for the palette, its card for the pile, and the conditions that hold then."""

    palette_card: Card | None
    pile_card: Card | None
    conditions: tuple[MondkroneChangeView, ...]


@lru_cache(maxsize=4_096)
def shows(palette: int) -> tuple[MondkroneResultView, ...]:
    """Return what a palette shows in each condition, in the order of the suits."""
    return tuple(_result(suit, found) for suit, found in zip(SUITS, results(palette), strict=True))


def _result(suit: Suit, found: int) -> MondkroneResultView:
    count, best = divmod(found, PLACES)
    return MondkroneResultView(suit=suit, count=count, best=CARDS[best] if count else None)


def effects(table: MondkroneTable, seat: int) -> Iterator[MondkroneEffectView]:
    """Yield the effects of a seat's legal plays and discards, in the order of its legal commands; none if it is not asked."""
    if table.stage is not stages.TURN or table.turn != seat:
        return
    best = rivals(table, seat)
    for verb, argument in legal(table, seat):
        if verb not in (PLAY, DISCARD, BOTH):
            continue
        played, put = divmod(argument, PLACES) if verb == BOTH else (argument, argument)
        palette = table.palettes[seat] | (0 if verb == DISCARD else 1 << played)
        top = table.pile[-1] if verb == PLAY else put
        yield MondkroneEffectView(
            palette_card=None if verb == DISCARD else CARDS[played],
            pile_card=None if verb == PLAY else CARDS[put],
            conditions=_changes(table.palettes[seat], palette, top, leads(results(palette), best)),
        )


@lru_cache(maxsize=4_096)
def _changes(before: int, after: int, top: int, led: int) -> tuple[MondkroneChangeView, ...]:
    """Return what becomes of a palette in the conditions of a top card."""
    was, now = shows(before), shows(after)
    return tuple(MondkroneChangeView(before=was[suit], after=now[suit], leads=bool(led >> suit & 1)) for suit in SUITS_OF[top])
