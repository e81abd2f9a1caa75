"""What a table of Coup waits for."""

from __future__ import annotations

from typing import Final

from ..stages import Stage


class CoupStage(Stage):
    """Number, key in views, and prompt."""

    SETUP = 0, "setup"
    DRAFT = 1, "draft", "coup.prompt.draft"
    ACTION = 2, "action", "coup.prompt.action"
    CHALLENGE = 3, "challenge", "coup.prompt.challenge"
    BLOCK = 4, "block", "coup.prompt.block"
    BLOCK_CHALLENGE = 5, "block-challenge", "coup.prompt.block-challenge"
    PROVE = 6, "prove", "coup.prompt.prove"
    LOSE = 7, "lose", "coup.prompt.lose"
    EXCHANGE = 8, "exchange", "coup.prompt.exchange"
    SHOW = 9, "show", "coup.prompt.show"
    JUDGE = 10, "judge", "coup.prompt.judge"
    OVER = 11, "over"


SETUP: Final = CoupStage.SETUP
DRAFT: Final = CoupStage.DRAFT
ACTION: Final = CoupStage.ACTION
CHALLENGE: Final = CoupStage.CHALLENGE
BLOCK: Final = CoupStage.BLOCK
BLOCK_CHALLENGE: Final = CoupStage.BLOCK_CHALLENGE
PROVE: Final = CoupStage.PROVE
LOSE: Final = CoupStage.LOSE
EXCHANGE: Final = CoupStage.EXCHANGE
SHOW: Final = CoupStage.SHOW
JUDGE: Final = CoupStage.JUDGE
OVER: Final = CoupStage.OVER

REACTIONS: Final = (CHALLENGE, BLOCK, BLOCK_CHALLENGE)
WINDOWS: Final = {stage.key: stage for stage in REACTIONS}
"""The stages in which several seats may react, by the names that events have for them."""
