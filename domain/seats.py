"""Seats: a table has ints, and `NOBODY` for none; views and events have `Seat`, and None."""

from __future__ import annotations

from typing import Final, NewType

Seat = NewType("Seat", int)

NOBODY: Final = -1
"""What stands in a table for no seat, and for no card."""


def seat_or_none(seat: int) -> Seat | None:
    """Return a seat of a table as views and events have it."""
    return None if seat == NOBODY else Seat(seat)


def seat_or_nobody(seat: int | None) -> int:
    """Return a seat of a view or an event as tables have it."""
    return NOBODY if seat is None else seat
