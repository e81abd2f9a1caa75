"""Where a refusal comes from: every source that is named is a heading of that game's German rules, or one of the rule cards."""

from __future__ import annotations

import re

import pytest

from tafelrunde.domain.game import AnyGame, GameId
from tafelrunde.domain.registry import GAMES
from tests.support.facts import facts_of

RULE_CARDS = re.compile(r"Regelkarten? (\d+)(, \d+)*")

every_registered = pytest.mark.parametrize("game", [pytest.param(game, id=game.id) for game in GAMES.values()])


@every_registered
def test_refusals_name_a_heading_of_the_rulebook(game: AnyGame) -> None:
    """Players look it up in the rules that came with their game."""
    named = {text.rule for key, text in game.messages.items() if key.startswith(f"{game.id}.refusal.")}
    wrong = {rule for rule in named if rule not in facts_of(game.id).headings and not RULE_CARDS.fullmatch(rule)}
    assert named - {""}
    assert wrong == set()


def test_rule_card_32_speaks_of_the_suit_that_was_led() -> None:
    """Under rule 27 another suit may have to be followed: that does not decide who wins."""
    text = GAMES[GameId("stich-meister")].messages["stich-meister.rule.32"]
    assert "ist Trumpf ausgespielt" in text.de
    assert "bedienen" not in text.de
    assert "if it is led" in text.en
