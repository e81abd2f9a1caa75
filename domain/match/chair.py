"""What stands at one seat of a match."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from .terms import BotName, PlayerId


class Chair(msgspec.Struct, frozen=True):
    """What stands at one seat: no one, a player (perhaps with a bot standing in), or a bot.

    `guest`: the player had no name on sitting down; `played`: it has answered a decision of a match that is rated;
    `returns`: it has answered although a bot stands in, and has the seat back once the decision is closed;
    `reserved`: for whom an empty seat is kept.
    """

    player: PlayerId | None = None
    bot: BotName | None = None
    nonce: str = ""
    missed: int = 0
    agrees_to_abort: bool = False
    agrees_to_rematch: bool = False
    guest: bool | UnsetType = UNSET
    played: bool | UnsetType = UNSET
    returns: bool | UnsetType = UNSET
    reserved: PlayerId | UnsetType = UNSET

    @property
    def empty(self) -> bool:
        """Whether no one sits here."""
        return self.player is None and self.bot is None

    @property
    def whose(self) -> PlayerId | None:
        """The player who sits here, or for whom the seat is reserved."""
        return self.player if self.reserved is UNSET else self.reserved

    @property
    def present(self) -> bool:
        """Whether a player sits here and plays, without a stand-in."""
        return self.player is not None and self.bot is None

    @property
    def played_by_bot(self) -> bool:
        """Whether a bot answers here."""
        return self.bot is not None and self.returns is not True
