"""What a table of Mondkrone waits for."""

from __future__ import annotations

from typing import Final

from ..stages import Stage


class MondkroneStage(Stage):
    """Number, key in views, and prompt."""

    SETUP = 0, "setup"
    TURN = 1, "turn", "mondkrone.prompt.turn"
    SCORING = 2, "scoring", "mondkrone.prompt.scoring"
    OVER = 3, "over"


SETUP: Final = MondkroneStage.SETUP
TURN: Final = MondkroneStage.TURN
SCORING: Final = MondkroneStage.SCORING
OVER: Final = MondkroneStage.OVER
