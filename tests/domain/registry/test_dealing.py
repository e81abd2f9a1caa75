"""What games hand out and show: the hands that a match commits to, and the cards that it can prove."""

from tafelrunde.testing.suites.test_dealing import *  # noqa: F403 - the suite of all games, run on ours
