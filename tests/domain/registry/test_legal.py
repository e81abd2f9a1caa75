"""Legal commands: complete, accepted, and present exactly when a seat is asked."""

from tafelrunde.testing.suites.test_legal import *  # noqa: F403 - the suite of all games, run on ours
