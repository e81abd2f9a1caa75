"""The cache of matches: bounded by what it weighs."""

from __future__ import annotations

from tafelrunde.service.matches.recent import Recent


def kept(recent: Recent[str, int]) -> str:
    """Return the names of what is kept."""
    return "".join(name for name in "abcdef" if recent.get(name) is not None)


def test_least_recently_used_are_dropped_when_they_weigh_too_much() -> None:
    """As many as it takes; a value that is put again has its new weight only."""
    recent = Recent[str, int](4, 10)
    for name in "abc":
        recent.put(name, 1, 3)
    recent.put("a", 2, 4)
    assert kept(recent) == "abc"
    recent.put("d", 1, 6)
    assert kept(recent) == "ad"
    recent.pop("a")
    recent.pop("a")
    recent.put("e", 1, 4)
    assert kept(recent) == "de"
    recent.use("d")
    recent.put("f", 1, 1)
    assert kept(recent) == "df"


def test_number_is_bounded_too() -> None:
    """Short matches cost something besides their events. One alone stays, whatever it weighs."""
    recent = Recent[str, int](2, 10)
    for name in "abc":
        recent.put(name, 1, 0)
    assert kept(recent) == "bc"
    recent.put("d", 1, 99)
    assert (kept(recent), len(recent)) == ("d", 1)
    recent.clear()
    recent.put("e", 1, 10)
    assert kept(recent) == "e"
