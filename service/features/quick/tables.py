"""Who sits at which table of a wish: pure changes of what the store has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from ....domain.match import PlayerId
from .port import QuickTable, Seeker, Waiting, Wish


def places(tables: Sequence[QuickTable], seats: int, now_ms: int) -> Sequence[QuickTable]:
    """Return the tables that may be joined, the fullest first, then the oldest: so that tables become full."""
    free = [each for each in tables if not each.filling and 0 < len(each.seekers) < seats and each.ends_ms > now_ms]
    return sorted(free, key=lambda table: -len(table.seekers))


def overdue(tables: Sequence[QuickTable], seats: int, before_ms: int, now_ms: int) -> Sequence[QuickTable]:
    """Return the full tables at which someone has had a place since before *before_ms*."""
    full = [each for each in tables if not each.filling and len(each.seekers) >= seats and each.ends_ms > now_ms]
    return [each for each in full if any(seeker.since_ms <= before_ms for seeker in each.seekers)]


def table_of(tables: Sequence[QuickTable], player: PlayerId) -> QuickTable | None:
    """Return where a player waits."""
    return next((each for each in tables if each.seeker(player) is not None), None)


def seekers_in(wishes: Mapping[Wish, Waiting]) -> Sequence[Seeker]:
    """Return all seekers with a place at any table; a player with several wishes appears once for each."""
    return [seeker for found in wishes.values() for table in found.tables for seeker in table.seekers]


def joined(tables: Sequence[QuickTable], table: QuickTable, seeker: Seeker) -> Sequence[QuickTable]:
    """Return the tables after a seeker has got a place at one of them, or at a new one."""
    after = msgspec.structs.replace(table, seekers=(*table.seekers, seeker))
    return replaced(tables, after) if any(each.id == table.id for each in tables) else (*tables, after)


def without(tables: Sequence[QuickTable], table: str, tickets: frozenset[str]) -> Sequence[QuickTable]:
    """Return the tables after some seekers have lost their places at one; one that is left by all goes."""
    found = [
        msgspec.structs.replace(each, seekers=tuple(seeker for seeker in each.seekers if seeker.ticket not in tickets))
        if each.id == table
        else each
        for each in tables
    ]
    return [each for each in found if each.seekers]


def replaced(tables: Sequence[QuickTable], after: QuickTable) -> Sequence[QuickTable]:
    """Return the tables with one as it is now."""
    return [after if each.id == after.id else each for each in tables]
