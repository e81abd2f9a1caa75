"""How long `make side-by-side` plays, and what it takes for the last release."""

from __future__ import annotations

from tafelrunde.domain.registry import GAMES
from tools.side_by_side import lasting


def test_as_many_matches_are_played_as_rounds_say() -> None:
    """Each game once a round."""
    more = lasting(2, None)
    assert [more(count) for count in (0, 2 * len(GAMES) - 1, 2 * len(GAMES))] == [True, True, False]


def test_matches_are_played_until_the_time_is_over_when_minutes_are_given() -> None:
    """However many they are by then."""
    assert lasting(1, 60)(1_000)
    assert not lasting(1, 0)(0)
