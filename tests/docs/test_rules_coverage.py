"""The map from rules to tests is complete in both directions."""

from __future__ import annotations

import re

import pytest

from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.facts import facts_of
from tests.support.paths import ROOT

MAP = ROOT / "docs" / "rules-coverage.md"
NO_RULE = "no rule"


def rows() -> list[list[str]]:
    """Return the cells of every rule in the map."""
    lines = [
        line for line in MAP.read_text(encoding="utf-8").splitlines() if line.startswith("| ") and not line.startswith("| source")
    ]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def named() -> set[str]:
    """Return the tests that the map names."""
    return {name for row in rows() for name in re.findall(r"`(test_\w+)`", row[-1])}


def written(game: GameId) -> set[str]:
    """Return the rule tests of a game."""
    folder = ROOT / "tests" / "games" / game.replace("-", "_")
    text = "".join((folder / name).read_text(encoding="utf-8") for name in facts_of(game).rule_tests)
    return set(re.findall(r"^def (test_\w+)", text, re.MULTILINE))


def test_every_test_named_in_the_map_exists() -> None:
    """A rule is not covered by a test that is gone."""
    assert named() - set().union(*map(written, GAMES)) == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_test_is_named_in_the_map(game: GameId) -> None:
    """A rule test without a sentence would enforce a rule that the rules do not have."""
    assert written(game)
    assert written(game) - named() == set()


def test_rule_without_a_test_says_so() -> None:
    """Only what is no rule, and says so, has a dash instead of tests."""
    bare = [row for row in rows() if not re.search(r"`test_\w+`", row[-1])]
    assert [row for row in bare if NO_RULE not in row[1] or row[-1] != "-"] == []
