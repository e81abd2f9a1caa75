"""Messages to one player."""

from __future__ import annotations

import msgspec

from ....domain.game import GameId
from ....domain.match import MatchId
from ..inbox.messages import Message


class MatchedData(msgspec.Struct, frozen=True, kw_only=True):
    """Which match of which game."""

    match: MatchId
    game: GameId


class Matched(Message, frozen=True, kw_only=True, tag="quick.matched"):
    """The match that you sought has begun."""

    data: MatchedData
