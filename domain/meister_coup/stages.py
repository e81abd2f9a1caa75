"""What a table of Meister Coup waits for."""

from __future__ import annotations

from typing import Final

from ..stages import Stage


class MeisterStage(Stage):
    """Number, key in views, and prompt."""

    SETUP = 0, "setup"
    LEAD = 1, "lead", "meister-coup.prompt.lead"
    PLAY = 2, "play", "meister-coup.prompt.play"
    PICK = 3, "pick", "meister-coup.prompt.pick"
    TAKE = 4, "take", "meister-coup.prompt.take"
    VOTE = 5, "vote", "meister-coup.prompt.vote"
    OVER = 6, "over"


SETUP: Final = MeisterStage.SETUP
LEAD: Final = MeisterStage.LEAD
PLAY: Final = MeisterStage.PLAY
PICK: Final = MeisterStage.PICK
TAKE: Final = MeisterStage.TAKE
VOTE: Final = MeisterStage.VOTE
OVER: Final = MeisterStage.OVER
