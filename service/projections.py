"""The projections lobby and player: one summary per match, as everybody may know it."""

from __future__ import annotations

import msgspec

from ..domain.game import DecisionId, GameId, Placing, Seat
from ..domain.match import Clock, MatchId, PlayerId, Spectators, Status, Visibility
from ..domain.match.messages import OptionValue
from ..domain.match.view import ChairView


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A match's public facts. `asked`: the seats that everybody may know to be asked; `updated_ms`: time of the last public item.

    `your_turn` is filled in for a player who asks (None otherwise): whether its own seat still has to answer.
    """

    match: MatchId
    game: GameId
    rules_version: int
    status: Status
    host: PlayerId
    seats: int
    options: dict[str, OptionValue]
    clock: Clock
    spectators: Spectators
    visibility: Visibility
    commitment: str
    opened_ms: int
    updated_ms: int
    chairs: tuple[ChairView, ...]
    decision: DecisionId | None
    asked: tuple[Seat, ...]
    deadline_ms: int | None
    placings: tuple[Placing, ...] | None
    parent: MatchId | None
    rematch: MatchId | None
    your_turn: bool | None = None
