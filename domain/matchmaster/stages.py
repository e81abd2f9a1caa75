"""What a table of MatchMaster waits for. It follows from the rest of the table, so no number is stored."""

from __future__ import annotations

from typing import Final

from ..stages import Stage


class MatchMasterStage(Stage):
    """Number, key in views, and prompt."""

    SETUP = 0, "setup"
    BID = 1, "bid", "matchmaster.prompt.bid"
    PLAY = 2, "play", "matchmaster.prompt.play"
    OVER = 3, "over"


SETUP: Final = MatchMasterStage.SETUP
BID: Final = MatchMasterStage.BID
PLAY: Final = MatchMasterStage.PLAY
OVER: Final = MatchMasterStage.OVER
