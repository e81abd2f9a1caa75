"""How long `make side-by-side` plays, and what it takes for a difference."""

from __future__ import annotations

import pytest

from tafelrunde.domain.registry import GAMES
from tools.side_by_side import difference, lasting


def test_as_many_matches_are_played_as_rounds_say() -> None:
    """Each game once a round."""
    more = lasting(2, None)
    assert [more(count) for count in (0, 2 * len(GAMES) - 1, 2 * len(GAMES))] == [True, True, False]


def test_matches_are_played_until_the_time_is_over_when_minutes_are_given() -> None:
    """However many they are by then."""
    assert lasting(1, 60)(1_000)
    assert not lasting(1, 0)(0)


OLD = {"seats": [{"hand": 3}, {"hand": 4}], "over": True}


@pytest.mark.parametrize(
    ("new", "where"),
    [
        (OLD, ""),
        ({**OLD, "daily": None}, ""),
        ({**OLD, "seats": [{"hand": 3, "bot": "random"}, {"hand": 4}]}, ""),
        ({**OLD, "seats": [{"hand": 3}, {"hand": 5}]}, ".seats[1].hand: 4 / 5"),
        ({**OLD, "seats": [{"hand": 3}]}, ".seats: "),
        ({"seats": OLD["seats"]}, ".over: True / 'nothing'"),
        ([], ": {"),
    ],
)
def test_later_release_may_say_more_and_nothing_else(new: object, where: str) -> None:
    """A released contract grows by members of objects; what the earlier release says stays as it is."""
    found = difference(OLD, new)
    assert found.startswith(where)
    assert bool(found) == bool(where)
