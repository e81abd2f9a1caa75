"""What one viewer may know of a duel, built by allow-list."""

from __future__ import annotations

from typing import cast

import msgspec

from tafelrunde.domain.game import GameView, Seat

from .messages import DuelOptions
from .table import DuelTable


class DuelPlay(msgspec.Struct, frozen=True):
    """A card that lies open, and who played it."""

    seat: Seat
    card: int


class DuelView(GameView, frozen=True, kw_only=True, tag="duel"):
    """A duel as one viewer may know it: its hand, its bid, and all that lies open.

    `voids` are the suits that a seat was seen not to have; `bids` is None until all are shown.
    """

    seat: Seat | None
    options: DuelOptions
    decision: int
    first: Seat | None
    hand: tuple[int, ...] | None
    held: tuple[int, ...]
    bid: int | None
    bids: tuple[int, ...] | None
    plays: tuple[DuelPlay, ...]
    voids: tuple[tuple[int, ...], ...]
    taken: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...] | None


def view(table: DuelTable, seat: Seat | None) -> DuelView:
    """Return what *seat* (None: a spectator) may know."""
    return DuelView(
        seat=seat,
        options=table.options,
        decision=table.decision,
        first=table.first,
        hand=tuple(table.hands[seat]) if seat is not None else None,
        held=tuple(len(hand) for hand in table.hands),
        bid=table.bids[seat] if seat is not None else None,
        bids=tuple(cast("list[int]", table.bids)) if table.shown else None,
        plays=tuple(DuelPlay(seat, card) for seat, card in table.plays),
        voids=tuple(tuple(sorted(void)) for void in table.voids),
        taken=tuple(table.taken),
        points=tuple(table.points),
        scores=table.scores,
    )
