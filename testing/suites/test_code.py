"""What records and clients read of a game's package: digests of its code, and its rule sheets."""

from __future__ import annotations

import re

import pytest

from ...api.http.catalog import rule_sheet
from ...domain.game import AnyGame
from ...service.features.records.record import rules_digest
from ...service.matches.bot_answers import bot_code
from .cases import every_game


@every_game
def test_code_has_its_digests(game: AnyGame) -> None:
    """A record says by which rules it was played, and by which code its bots answered: both are found beside the game's class."""
    assert re.fullmatch("[0-9a-f]{64}", rules_digest(game))
    assert re.fullmatch("[0-9a-f]{32}", bot_code(game))


@pytest.mark.parametrize("language", ["de", "en"])
@every_game
def test_rule_sheet_is_there(game: AnyGame, language: str) -> None:
    """In both languages, with a title."""
    assert (rule_sheet(game, language) or b"").startswith(b"# ")
