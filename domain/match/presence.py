"""Who is at the table: when it waits for its players, and when it goes on."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..game import Seat
from .chair import Chair
from .events import StandInReason, StandInSeated, TableGoesOn, TableWaits
from .state import Match
from .terms import BotName, Status


def change(before: Match, after: Match, now_ms: int) -> TableWaits | TableGoesOn | None:
    """Return the fact that a command makes the table wait, or go on; None if it does neither.

    It begins to wait when the last player who was there has gone, so what bots do afterwards never makes it wait again. Who is
    out of the game is asked nothing any longer, and so is not waited for, nor does it keep the table from waiting.
    """
    if after.status is not Status.RUNNING or before.chairs == after.chairs:
        return None
    there = _is_anyone_there(after)
    if after.waits_until_ms is not None:
        return TableGoesOn(now_ms + _time_ms(after)) if there else None
    if there or not _is_anyone_there(before) or not _keeps_places(after):
        return None
    until_ms = now_ms + after.settings.clock.away_ms
    return TableWaits(until_ms, until_ms + _time_ms(after))


def _is_anyone_there(match: Match) -> bool:
    """Return whether a player is there who may be asked again."""
    return any(chair.present and _plays_on(match, Seat(seat)) for seat, chair in enumerate(match.chairs))


def _plays_on(match: Match, seat: Seat) -> bool:
    """Return whether a seat may be asked again. In matches of older editions all seats count."""
    return match.edition <= 3 or match.game.plays_on(match.table, seat)


def is_paced(match: Match) -> bool:
    """Return whether bots play at a pace that people can follow: a player sits there, or can still come back and play on."""
    return match.people_present() or (_keeps_places(match) and _can_come_back(match))


def _can_come_back(match: Match) -> bool:
    return any(chair.player is not None and _plays_on(match, Seat(seat)) for seat, chair in enumerate(match.chairs))


def waits(match: Match, now_ms: int) -> bool:
    """Return whether nothing may be played for anyone yet, as the table waits for its players.

    If the clock was set back since, the end of the wait means nothing any more, and the agenda alone knows when it has come.
    """
    until_ms = match.waits_until_ms
    return until_ms is not None and until_ms > now_ms and not match.clock_went_back(now_ms, match.length_ms())


def _keeps_places(match: Match) -> bool:
    return match.edition > 2 and match.settings.clock.away_ms > 0


def _time_ms(match: Match) -> int:
    """Return the whole time of the open decision."""
    ask = match.pending()
    assert ask is not None, "a running match asks somebody"
    return match.settings.clock.milliseconds(ask.pace)


def waits_for(match: Match, seat: Seat) -> bool:
    """Return whether the table waits for the player of this seat alone: then its return tells no other player anything."""
    others = (chair for place, chair in enumerate(match.chairs) if place != seat)
    return match.waits_until_ms is not None and all(chair.player is None for chair in others)


def has_say(match: Match, chair: Chair) -> bool:
    """Return whether a match ends without a result only if this chair's player agrees.

    Who has played a rated match keeps that say after leaving: who goes first escapes no result, and is given no loss by others.
    """
    return chair.present or (match.edition > 2 and chair.player is not None and chair.played is True)


def stand_in(match: Match, seat: Seat, reason: StandInReason) -> StandInSeated:
    """Return the fact that a bot plays a seat: the first that the game lists, which it trusts with absent players' seats."""
    return StandInSeated(seat, BotName(next(iter(match.game.bots()))), reason)


def stand_ins(match: Match, late: Collection[Seat], *, idle: bool) -> Iterator[StandInSeated]:
    """Yield the facts that bots play the seats of players who were late too often; in an *idle* match, of all who were late."""
    limit = match.settings.clock.stand_in_after
    for seat in sorted(late):
        chair = match.chairs[seat]
        if chair.present and (idle or 0 < limit <= chair.missed):
            yield stand_in(match, seat, StandInReason.TIMEOUTS)
