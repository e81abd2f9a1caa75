"""What records and clients read of a game's package: digests of its code, and its rule sheets."""

from tafelrunde.testing.suites.test_code import *  # noqa: F403 - the suite of all games, run on ours
