"""What a table of Stich-Meister waits for."""

from __future__ import annotations

from typing import Final

from ..stages import Stage


class StichStage(Stage):
    """Number, key in views, and prompt."""

    SETUP = 0, "setup"
    CHOOSE = 1, "choose-rule", "stich-meister.prompt.choose-rule"
    RIGHTWARD = 2, "pass-right", "stich-meister.prompt.pass-right"
    LEFTWARD = 3, "pass-left", "stich-meister.prompt.pass-left"
    SET_ASIDE = 4, "set-aside", "stich-meister.prompt.set-aside"
    OPEN = 5, "open-cards", "stich-meister.prompt.open-cards"
    LEAD = 6, "lead", "stich-meister.prompt.lead"
    PLAY = 7, "play", "stich-meister.prompt.play"
    PLAY_HIDDEN = 8, "play-hidden", "stich-meister.prompt.play-hidden"
    TAKE_OUT = 9, "take-out", "stich-meister.prompt.take-out"
    LEFTWARD_LATER = 10, "pass-after", "stich-meister.prompt.pass-after"
    OVER = 11, "over"


SETUP: Final = StichStage.SETUP
CHOOSE: Final = StichStage.CHOOSE
RIGHTWARD: Final = StichStage.RIGHTWARD
LEFTWARD: Final = StichStage.LEFTWARD
SET_ASIDE: Final = StichStage.SET_ASIDE
OPEN: Final = StichStage.OPEN
LEAD: Final = StichStage.LEAD
PLAY: Final = StichStage.PLAY
PLAY_HIDDEN: Final = StichStage.PLAY_HIDDEN
TAKE_OUT: Final = StichStage.TAKE_OUT
LEFTWARD_LATER: Final = StichStage.LEFTWARD_LATER
OVER: Final = StichStage.OVER
