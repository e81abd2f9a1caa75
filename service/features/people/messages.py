"""Messages to one player."""

from __future__ import annotations

import msgspec

from ....domain.game import GameId
from ....domain.match import MatchId, PlayerId
from ..inbox.messages import Message


class InvitationData(msgspec.Struct, frozen=True, kw_only=True):
    """To which match of which game, and by which player."""

    match: MatchId
    game: GameId
    by: PlayerId


class PlayerInvited(Message, frozen=True, kw_only=True, tag="player.invited"):
    """A player at an open match invites you to it."""

    data: InvitationData
