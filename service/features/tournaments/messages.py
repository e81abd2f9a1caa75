"""Messages to one player."""

from __future__ import annotations

import msgspec

from ....domain.game import GameId
from ....domain.match import MatchId
from ..inbox.messages import Message
from .port import TournamentId


class RoundData(msgspec.Struct, frozen=True, kw_only=True):
    """Which round of which tournament, and your match of which game."""

    tournament: TournamentId
    round: int
    match: MatchId
    game: GameId


class RoundStarted(Message, frozen=True, kw_only=True, tag="tournament.round-started"):
    """Your match in a round of a tournament has begun."""

    data: RoundData
