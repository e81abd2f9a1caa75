"""What api processes of one `serve` show each other in the memory that they share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tafelrunde.api.http.sse import Streams
from tafelrunde.api.problems import Refused
from tafelrunde.service.runtime.siblings import Siblings, environment, shared_file
from tafelrunde.service.settings import LimitSettings, Settings

PEER = "203.0.113.7"


@pytest.fixture
def shared() -> Iterator[int]:
    """The descriptor of what three processes share."""
    with shared_file(3) as file:
        yield file.fileno()


def siblings(shared: int, own: int) -> Siblings:
    """Return the view of one of three processes, as `serve` leads it there."""
    found = Siblings.of(environment(shared, own, 3))
    assert found is not None
    return found


def test_process_has_no_siblings_when_it_is_the_only_one() -> None:
    """An api that is started by itself shares nothing."""
    assert Siblings.of(os.environ) is None


def test_limit_is_one_limit_when_streams_are_open_in_several_processes(shared: int) -> None:
    """Those of a player count wherever they are open, those of another player do not; a closed one counts no more."""
    first, second, third = (Streams(Settings(limits=LimitSettings(max_streams=4)), siblings(shared, own)) for own in range(3))
    leave, *_ = [streams.enter("p1", PEER) for streams in (first, first, second, third)]
    for streams in (first, second, third):
        with pytest.raises(Refused, match="too-many-streams"):
            streams.enter("p1", PEER)
        streams.enter("p2", PEER)
    leave()
    third.enter("p1", PEER)
    assert [streams.count for streams in (first, second, third)] == [2, 2, 3]


def test_streams_of_a_process_count_no_more_when_it_starts_again(shared: int) -> None:
    """One that was killed has closed none; who takes its place begins with none."""
    first, second = (Streams(Settings(limits=LimitSettings(max_streams=2)), siblings(shared, own)) for own in range(2))
    for _ in range(2):
        first.enter("p1", PEER)
    with pytest.raises(Refused):
        second.enter("p1", PEER)
    siblings(shared, 0)
    second.enter("p1", PEER)


def test_connections_of_the_sibling_with_the_fewest_are_known(shared: int) -> None:
    """Its own connections are none of a sibling."""
    first, second, third = (siblings(shared, own) for own in range(3))
    for each, connections in ((first, 1), (second, 5), (third, 3)):
        each.note_connections(connections)
    assert [each.fewest_connections() for each in (first, second, third)] == [3, 1, 1]


def test_metrics_of_siblings_are_left_out_while_they_are_written(shared: int) -> None:
    """Half of a text is none; the next look finds all of it."""
    first, second, third = (siblings(shared, own) for own in range(3))
    assert list(first.read_published()) == []
    second.publish(b"two" * 1_000)
    third.publish(b"three")
    assert dict(first.read_published()) == {"api-2": b"two" * 1_000, "api-3": b"three"}
    second._memory[second._at + 131_090] ^= 1  # in the packed text
    assert dict(first.read_published()) == {"api-3": b"three"}
