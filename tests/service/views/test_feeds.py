"""Feeds where more is played than whole feeds are kept of: what is dropped leaves a tail, and a tail says what the whole does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tafelrunde.domain.game import Event, Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.service.matches.codec import Codec, Envelope
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version
from tafelrunde.service.views import feeds as module
from tafelrunde.service.views.feeds import TAIL, CursorUnknown, Feed, Feeds
from tests.service.views.dealt import MATCH, Story, told
from tests.support.cases import GAMES, PLAIN

VIEWERS = (None, Seat(0), Seat(1))
CASE = next(case for case in PLAIN if case.game.id == "coup")


class Counting(Codec):
    """Counts the events that are decoded."""

    decoded = 0

    def decode(self, entry: bytes) -> tuple[Envelope, Event]:
        """Return an entry's envelope and event."""
        self.decoded += 1
        return super().decode(entry)


def stories() -> dict[MatchId, Story]:
    """Return short matches, as many as are cached."""
    return {MatchId(f"{MATCH[:-1]}{letter}"): told(CASE, seed) for seed, letter in enumerate("abcdefgh")}


def at(story: Story, version: int) -> Loaded:
    """Return a match at a version, whose events have to be decoded."""
    return Loaded(story.match, Version(version), GENESIS, story.entries)


def steps(played: dict[MatchId, Story]) -> Iterator[tuple[MatchId, Story, int, Seat | None]]:
    """Yield every version of every match for each viewer: all matches are played at the same time."""
    for version in range(1, max(len(story.entries) for story in played.values()) + 1):
        for match_id, story in played.items():
            if version <= len(story.entries):
                yield from ((match_id, story, version, seat) for seat in VIEWERS)


def whole(story: Story, seat: Seat | None) -> Feed:
    """Return a feed that was made at once."""
    feed = Feed(seat, story.entries)
    feed.extend(at(story, len(story.entries)), Codec(GAMES))
    return feed


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few items be kept: the matches are short."""
    monkeypatch.setattr(module, "WEIGHT_EACH", 8)


@pytest.mark.parametrize("by_cursor", [False, True])
def test_feed_that_is_followed_decodes_each_event_once(by_cursor: bool) -> None:
    """However long its match is, and whether a command asks by its version or a stream by its cursor."""
    played, codec = stories(), Counting(GAMES)
    assert sum(len(whole(story, seat).items) for story in played.values() for seat in VIEWERS) > 2 * 8 * len(played)
    feeds = Feeds(codec, len(played))
    behind = dict[tuple[MatchId, Seat | None], int]()
    for match_id, story, version, seat in steps(played):
        count = behind.get((match_id, seat), 0)
        before = {"n": count} if by_cursor else {"version": version - 1}
        feed, expected = feeds.of(match_id, at(story, version), seat, **before), whole(story, seat)
        then = behind[match_id, seat] = feed.count(version)
        assert then == expected.count(version)
        assert feed.between(count, then) == tuple(expected.items[count:then])
        assert (feed.cursor(then), feed.chain(then), feed.chain(0)) == (expected.cursor(then), expected.chain(then), GENESIS)
        assert feed.position(feed.cursor(then)) == then
    assert codec.decoded == len(VIEWERS) * sum(len(story.entries) for story in played.values())


@pytest.mark.parametrize("lacking", ["items", "version", "past"])
def test_what_a_tail_does_not_have_is_read_again(lacking: str) -> None:
    """The items before it, a version before it, and a match as it was before it."""
    played, codec = stories(), Codec(GAMES)
    feeds = Feeds(codec, len(played))
    for match_id, story, version, seat in steps(played):
        feeds.of(match_id, at(story, version), seat, version=version - 1)
    match_id, story = min(played.items(), key=lambda each: len(each[1].entries))  # dropped while the others went on
    end = len(story.entries)
    tail = feeds.of(match_id, at(story, end), None, version=end)
    assert TAIL <= len(tail.items) <= 2 * TAIL < len(whole(story, None).items)
    with pytest.raises(CursorUnknown):
        tail.position(whole(story, None).cursor(tail.skipped - 1))
    version = tail.since - 1 if lacking == "version" else 0
    n = {"items": tail.skipped - 1, "version": 0, "past": end}[lacking]
    found = feeds.of(match_id, at(story, tail.since - 1 if lacking == "past" else end), None, version=version, n=n)
    assert (found.skipped, found.items[0].n) == (0, 1)
