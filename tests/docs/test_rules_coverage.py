"""The map from rules to tests is complete in both directions."""

from __future__ import annotations

import re

import pytest

from tests.support.paths import ROOT

MAP = ROOT / "docs" / "rules-coverage.md"
RULE_TESTS = {
    "coup": ("test_actions.py", "test_reactions.py"),
    "matchmaster": ("test_rules.py",),
    "meister_coup": ("test_tricks.py", "test_match.py", "test_teams.py", "test_options.py"),
    "mondkrone": ("test_conditions.py", "test_turns.py", "test_scoring.py"),
    "stich_meister": (
        "test_counts.py",
        "test_match.py",
        "test_passing.py",
        "test_random_rules.py",
        "test_round_end.py",
        "test_scoring.py",
        "test_tricks.py",
        "test_trump.py",
        "test_views.py",
    ),
}
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


def written(game: str) -> set[str]:
    """Return the rule tests of a game."""
    text = "".join((ROOT / "tests" / "games" / game / name).read_text(encoding="utf-8") for name in RULE_TESTS[game])
    return set(re.findall(r"^def (test_\w+)", text, re.MULTILINE))


def test_every_test_named_in_the_map_exists() -> None:
    """A rule is not covered by a test that is gone."""
    assert named() - set().union(*map(written, RULE_TESTS)) == set()


@pytest.mark.parametrize("game", RULE_TESTS)
def test_every_rule_test_is_named_in_the_map(game: str) -> None:
    """A rule test that no sentence needs is a rule that nobody wrote."""
    assert written(game) - named() == set()


def test_rule_without_a_test_says_so() -> None:
    """Only what is no rule, and says so, has a dash instead of tests."""
    bare = [row for row in rows() if not re.search(r"`test_\w+`", row[-1])]
    assert [row for row in bare if NO_RULE not in row[1] or row[-1] != "-"] == []
