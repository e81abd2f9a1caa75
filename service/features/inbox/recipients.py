"""Notices: which messages about a match go into whose inbox, and when.

Those who host a match, sit in it or have a seat reserved, and applications whose users sit there, get what webhooks get, but of
the decisions only those that their seats are asked: in an inbox `match.decision-opened` means that it is your turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

import msgspec

from ....domain.game import Seat
from ....domain.match import PlayerId
from ....domain.match.events import BotSeated, MatchStarted, SeatCleared, SeatLeft, SeatReserved, SeatTaken
from ...ports.events import Pointer
from ...ports.server_time import CLOCK_STEP_MS
from ...views.feeds import FeedItem
from ...views.projections import order_of
from .messages import Asked, KeyedMessage
from .port import Line, Notice
from .service import NoticeContent as Said

SLACK_MS = 10_000 + CLOCK_STEP_MS
"""How much earlier than its line an event can be dated: a listener gets what was written since, and perhaps a little more."""
AT_ONCE, LATER = 0, 1
"""The parts of a line: what a viewer without a seat may know at once, and what only after the delay of the match."""

_encode = msgspec.json.Encoder().encode


class Present:
    """Who is at a match, players and applications, each with its seats or those of its users."""

    def __init__(self) -> None:
        self._seats: dict[PlayerId, list[Seat]] = {}

    def add(self, player: PlayerId, seat: Seat) -> None:
        """Note a seat of a player, or of a user of an application."""
        self._seats.setdefault(player, []).append(seat)

    @property
    def players(self) -> Set[PlayerId]:
        """All of them."""
        return self._seats.keys()

    def seats(self, player: PlayerId) -> tuple[Seat, ...]:
        """Return a player's seats."""
        return tuple(self._seats.get(player, ()))


def line_of(pointer: Pointer) -> Line:
    """Return a line of a shard's log as text that is in order."""
    first, second = order_of(pointer.position)
    return Line(int(pointer.shard), f"{first:015d}-{second:010d}")


def leavers(items: Iterable[FeedItem]) -> Mapping[int, PlayerId]:
    """Return who lost a seat, or its reservation, before the start, by the number of the item that says so."""
    seated: dict[Seat, PlayerId] = {}
    found: dict[int, PlayerId] = {}
    for item in items:
        match item.event:
            case SeatTaken(seat, player) | SeatReserved(seat, player):
                seated[seat] = player
            case SeatLeft(seat) | SeatCleared(seat) | BotSeated(seat) if seat in seated:
                found[item.n] = seated.pop(seat)
            case MatchStarted():
                break
            case _:
                pass
    return found


class Recipients(msgspec.Struct, frozen=True):
    """For whom the messages of a match may be: its host, those present, those who left, and since when each listens."""

    host: PlayerId
    present: Present
    left: Mapping[int, PlayerId]
    listeners: Mapping[PlayerId, int]

    def concerned(self) -> list[PlayerId]:
        """Return all of them, whether they listen or not."""
        return list(dict.fromkeys((self.host, *self.present.players, *self.left.values())))

    def listening(self) -> list[PlayerId]:
        """Return those of them who listen."""
        return [player for player in self.concerned() if player in self.listeners]

    def gets(self, player: PlayerId, keyed: KeyedMessage) -> bool:
        """Return whether a message is for a player."""
        if keyed.at_ms < self.listeners[player] - SLACK_MS:
            return False
        if player != self.host and player not in self.present.players:
            return self.left.get(keyed.n) == player
        asked = keyed.message.data.seats if isinstance(keyed.message, Asked) else None
        return asked is None or not set(asked).isdisjoint(self.present.seats(player))

    def at_once(self, player: PlayerId, keyed: KeyedMessage) -> bool:
        """Return whether a player may know a message as soon as it is there, whatever delay the match has."""
        return player in self.present.players or self.left.get(keyed.n) == player


def notices_of(
    line: Line, messages: Sequence[KeyedMessage], to: Recipients, now_ms: int, late: Callable[[KeyedMessage], int]
) -> Iterator[Notice]:
    """Yield the notices of one line of a log; `late` says when viewers without a seat may know a message."""
    for player in to.listening():
        mine = [keyed for keyed in messages if to.gets(player, keyed)]
        due = [now_ms if to.at_once(player, keyed) else max(now_ms, late(keyed)) for keyed in mine]
        for part, chosen in ((AT_ONCE, [at <= now_ms for at in due]), (LATER, [at > now_ms for at in due])):
            bodies = tuple(_body(keyed, to.present.seats(player)) for keyed, is_it in zip(mine, chosen, strict=True) if is_it)
            if bodies:
                place = Line(line.shard, f"{line.place}-{part}")
                due_ms = max(at for at, is_it in zip(due, chosen, strict=True) if is_it)
                yield Notice(player=player, line=place, bodies=bodies, due_ms=due_ms)


def _body(keyed: KeyedMessage, seats: tuple[Seat, ...]) -> bytes:
    return _encode(Said(at_ms=keyed.at_ms, your_seats=seats, message=keyed.message))
