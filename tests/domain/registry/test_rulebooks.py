"""Every game's rulebook: the same moves, in the same order, with the same outcome as its commands."""

from tafelrunde.testing.suites.test_rulebooks import *  # noqa: F403 - the suite of all games, run on ours
