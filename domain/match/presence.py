"""Who is at the table: when it waits for its players, and when it goes on."""

from __future__ import annotations

from ..game import Seat
from .events import TableGoesOn, TableWaits
from .state import Match
from .terms import Status


def change(before: Match, after: Match, now_ms: int) -> TableWaits | TableGoesOn | None:
    """Return the fact that a command makes the table wait, or go on; None if it does neither.

    It begins to wait when the last player who was there has gone, so what bots do afterwards never makes it wait again.
    """
    if after.status is not Status.RUNNING or before.chairs == after.chairs:
        return None
    there = after.people_present()
    if after.waits_until_ms is not None:
        return TableGoesOn(now_ms + _time_ms(after)) if there else None
    if there or not before.people_present() or not after.keeps_places:
        return None
    until_ms = now_ms + after.settings.clock.away_ms
    return TableWaits(until_ms, until_ms + _time_ms(after))


def _time_ms(match: Match) -> int:
    """Return the whole time of the open decision."""
    ask = match.pending()
    assert ask is not None, "a running match asks somebody"
    return match.settings.clock.milliseconds(ask.pace)


def waits_for(match: Match, seat: Seat) -> bool:
    """Return whether the table waits for the player of this seat alone: then its return tells no other player anything."""
    others = (chair for place, chair in enumerate(match.chairs) if place != seat)
    return match.waits_until_ms is not None and all(chair.player is None for chair in others)
