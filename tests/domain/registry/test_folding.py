"""Facts: what deciding gives, folding repeats, also from stored bytes."""

from __future__ import annotations

import pytest

from tafelrunde.testing.suites.test_folding import *  # noqa: F403 - the suite of all games, run on ours
from tafelrunde.testing.suites.test_folding import READER
from tests.support.stored import stored


@pytest.mark.parametrize("tag", ["duel.dealt.1"])
def test_reader_knows_the_tests_own_game(tag: str) -> None:
    """A game in a list of games needs no more than that to be read from a log."""
    assert READER.decode(stored({"type": tag, "first": 0, "hands": [[1], [2]]})) is not None
