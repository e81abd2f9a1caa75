"""Hidden information: whatever a viewer cannot know may change without changing a byte of its views and feed."""

from tafelrunde.testing.suites.test_hidden import *  # noqa: F403 - the suite of all games, run on ours
