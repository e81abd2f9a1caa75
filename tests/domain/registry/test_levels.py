"""Levels of bots: at every table a search sees many more worlds than the one below."""

from tafelrunde.testing.suites.test_levels import *  # noqa: F403 - the suite of all games, run on ours
