"""Every match ends, with any random players and any absent ones."""

from tafelrunde.testing.suites.test_ends import *  # noqa: F403 - the suite of all games, run on ours
