"""What a table of Duel waits for. It follows from the rest of the table, so no number is stored."""

from __future__ import annotations

from typing import Final

from tafelrunde.domain.stages import Stage


class DuelStage(Stage):
    """Number, key in views, and prompt."""

    SETUP = 0, "setup"
    BID = 1, "bid", "duel.prompt.bid"
    PLAY = 2, "play", "duel.prompt.play"
    OVER = 3, "over"


SETUP: Final = DuelStage.SETUP
BID: Final = DuelStage.BID
PLAY: Final = DuelStage.PLAY
OVER: Final = DuelStage.OVER
