"""Who sits where before the start, and who is the host: each function returns the facts that a command causes, or refuses it."""

from __future__ import annotations

from collections.abc import Sequence

from ..game import Seat
from .commands import TakeSeat
from .events import AbortReason, BotSeated, HostPassed, MatchAborted, MatchEvent, SeatCleared, SeatLeft, SeatTaken
from .refusals import MatchRefusal, MatchRefused, require
from .state import Match
from .terms import BotName, PlayerId, Status


def require_host(match: Match, player: PlayerId) -> None:
    """Raise MatchRefused unless *player* is the host."""
    require(player == match.host, MatchRefusal.NOT_HOST)


def require_seat(match: Match, seat: Seat) -> None:
    """Raise MatchRefused unless there is such a seat."""
    require(0 <= seat < len(match.chairs), MatchRefusal.SEAT_UNKNOWN)


def seated(match: Match, player: PlayerId) -> Seat:
    """Return where a player sits; raise MatchRefused."""
    seat = match.seat_of(player)
    if seat is None:
        raise MatchRefused(MatchRefusal.NOT_SEATED)
    return seat


def taken(match: Match, command: TakeSeat) -> SeatTaken:
    """Return the fact that a player sits down; raise MatchRefused."""
    require(match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
    require(match.seat_of(command.player) is None, MatchRefusal.ALREADY_SEATED)
    require(command.player not in match.barred, MatchRefusal.CLEARED_BY_HOST)
    seat = _first_empty(match) if command.seat is None else command.seat
    require_seat(match, seat)
    require(match.chairs[seat].empty, MatchRefusal.SEAT_TAKEN)
    return SeatTaken(seat, command.player, command.nonce, command.guest)


def _first_empty(match: Match) -> Seat:
    for seat, chair in enumerate(match.chairs):
        if chair.empty:
            return Seat(seat)
    raise MatchRefused(MatchRefusal.MATCH_FULL)


def given_to_bot(match: Match, player: PlayerId, seat: Seat, bot: BotName) -> BotSeated:
    """Return the fact that the host gives an empty seat to a bot; raise MatchRefused."""
    require_host(match, player)
    require(match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
    require_seat(match, seat)
    require(match.chairs[seat].empty, MatchRefusal.SEAT_TAKEN)
    require(bot in match.game.bots(), MatchRefusal.BOT_UNKNOWN)
    return BotSeated(seat, bot)


def cleared(match: Match, player: PlayerId, seat: Seat) -> SeatCleared | SeatLeft:
    """Return the fact that the host empties a seat; another player who sat there stays away. Raises MatchRefused."""
    require_host(match, player)
    require(match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
    require_seat(match, seat)
    require(not match.chairs[seat].empty, MatchRefusal.SEAT_EMPTY)
    another = match.chairs[seat].player not in {None, player}
    return SeatCleared(seat) if another and match.edition > 1 else SeatLeft(seat)


def left(match: Match, player: PlayerId) -> Sequence[MatchEvent]:
    """Return the facts of a player leaving before the start; raise MatchRefused.

    A host who leaves, from a seat or without one, is followed by the next player; without one the match ends.
    """
    hosts = player == match.host and match.edition > 1
    seat = match.seat_of(player) if hosts else seated(match, player)
    facts: list[MatchEvent] = [SeatLeft(seat)] if seat is not None else []
    if not hosts:
        return facts
    heir = next((each for each in match.players_after(seat) if each != player), None)
    follows = HostPassed(heir) if heir is not None else MatchAborted(AbortReason.HOST, match.facts.secret or "")
    return [*facts, follows]
