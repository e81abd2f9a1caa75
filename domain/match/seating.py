"""Who sits where before the start, and who is the host: each function returns the facts that a command causes, or refuses it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from ..game import Seat
from .commands import ClearSeat, PassHost, ReleaseSeat, ReserveSeat, SeatBot, TakeSeat
from .events import AbortReason, BotSeated, HostPassed, MatchAborted, MatchEvent, SeatCleared, SeatLeft, SeatReserved, SeatTaken
from .refusals import MatchRefusal, MatchRefused, require
from .state import Match
from .terms import BotName, PlayerId, Status


def require_host(match: Match, player: PlayerId) -> None:
    """Raise MatchRefused unless *player* is the host."""
    require(player == match.host, MatchRefusal.NOT_HOST)


def require_seat(match: Match, seat: Seat) -> None:
    """Raise MatchRefused unless there is such a seat."""
    require(0 <= seat < len(match.chairs), MatchRefusal.SEAT_UNKNOWN)


def require_seated(match: Match, player: PlayerId) -> Seat:
    """Return where a player sits; raise MatchRefused."""
    seat = match.seat_of(player)
    if seat is None:
        raise MatchRefused(MatchRefusal.NOT_SEATED)
    return seat


def arrange(match: Match, command: ReserveSeat | ReleaseSeat | SeatBot | ClearSeat | PassHost) -> Sequence[MatchEvent]:
    """Return the facts of a command about who else sits at the table, and who is its host; raise MatchRefused."""
    match command:
        case ReserveSeat(player):
            return keep(match, player)
        case ReleaseSeat(player):
            return release(match, player)
        case SeatBot(player, seat, bot):
            return [given_to_bot(match, player, seat, bot)]
        case ClearSeat(player, seat):
            return [clear(match, player, seat)]
        case PassHost(player, heir):
            return pass_host(match, player, heir)


def reserve(match: Match, seat: Seat, player: PlayerId) -> SeatReserved:
    """Return the fact that a seat is kept for a player; raise MatchRefused."""
    require_seat(match, seat)
    require(match.chairs[seat].empty, MatchRefusal.SEAT_TAKEN)
    return SeatReserved(seat, player)


def keep(match: Match, player: PlayerId) -> Sequence[SeatReserved]:
    """Return the fact that the first free seat is kept for a player, unless one is; raise MatchRefused."""
    require(match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
    require(match.seat_of(player) is None, MatchRefusal.ALREADY_SEATED)
    require(player not in match.barred, MatchRefusal.CLEARED_BY_HOST)
    return [SeatReserved(_first_free(match), player)] if match.reserved_for(player) is None else []


def release(match: Match, player: PlayerId) -> Sequence[MatchEvent]:
    """Return the facts of what was kept for a player who has not come: its seat is free, and another is host if it was.

    Nothing happens if it sits there, or nothing is kept for it.
    """
    require(match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
    awaited = match.reserved_for(player) is not None or match.host == player
    return leave(match, player) if awaited and match.seat_of(player) is None else []


def take_seat(match: Match, command: TakeSeat) -> Sequence[MatchEvent]:
    """Return the facts of a player sitting down; raise MatchRefused.

    Who takes another seat than the reserved one gives that up. A host who is only expected is followed by the first player
    who came, so that someone can give the seats of those who do not come away.
    """
    require(match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
    require(match.seat_of(command.player) is None, MatchRefusal.ALREADY_SEATED)
    require(command.player not in match.barred, MatchRefusal.CLEARED_BY_HOST)
    own = match.reserved_for(command.player)
    seat = command.seat if command.seat is not None else own if own is not None else _first_free(match)
    require_seat(match, seat)
    require(match.chairs[seat].empty and match.chairs[seat].reserved in {UNSET, command.player}, MatchRefusal.SEAT_TAKEN)
    facts: list[MatchEvent] = [SeatLeft(own)] if own is not None and own != seat else []
    facts.append(SeatTaken(seat, command.player, command.nonce, command.guest))
    if own is not None and command.player != match.host and match.reserved_for(match.host) is not None:
        facts.append(HostPassed(command.player))
    return facts


def _first_free(match: Match) -> Seat:
    for seat, chair in enumerate(match.chairs):
        if chair.empty and chair.reserved is UNSET:
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


def clear(match: Match, player: PlayerId, seat: Seat) -> SeatCleared | SeatLeft:
    """Return the fact that the host empties a seat; another player who sat there stays away. Raises MatchRefused.

    For whom it was only reserved may still sit down where there is room.
    """
    require_host(match, player)
    require(match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
    require_seat(match, seat)
    require(not match.chairs[seat].empty or match.chairs[seat].reserved is not UNSET, MatchRefusal.SEAT_EMPTY)
    another = match.chairs[seat].player not in {None, player}
    return SeatCleared(seat) if another and match.edition > 1 else SeatLeft(seat)


def pass_host(match: Match, player: PlayerId, heir: PlayerId) -> Sequence[HostPassed]:
    """Return the fact that the host makes another player the host, who must sit at the table; raise MatchRefused."""
    require_host(match, player)
    require(match.status is Status.OPEN, MatchRefusal.NOT_OPEN)
    require(match.seat_of(heir) is not None, MatchRefusal.HEIR_NOT_SEATED)
    return [HostPassed(heir)] if heir != player else []


def leave(match: Match, player: PlayerId) -> Sequence[MatchEvent]:
    """Return the facts of a player leaving before the start; raise MatchRefused.

    A host who leaves, from a seat or without one, is followed by the next player; without one the match ends. Who sits goes
    before those who have a seat reserved.
    """
    hosts = player == match.host and match.edition > 1
    kept = match.reserved_for(player)
    seat = kept if kept is not None else match.seat_of(player) if hosts else require_seated(match, player)
    facts: list[MatchEvent] = [SeatLeft(seat)] if seat is not None else []
    if not hosts:
        return facts
    heir = next((each for each in (*match.players_after(seat), *match.expected_players()) if each != player), None)
    follows = HostPassed(heir) if heir is not None else MatchAborted(AbortReason.HOST, match.facts.secret or "")
    return [*facts, follows]
