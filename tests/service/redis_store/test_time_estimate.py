"""The server's time as a process knows it."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from tafelrunde.service.redis_store.time_estimate import TimeEstimate

NOON = 1_700_000_000_000.0


class Bench:
    """Two machines: the clocks of this one, and a server with its own. A question takes a while each way."""

    def __init__(self) -> None:
        self.steady = 5_000.0
        self.own = NOON
        self.server = NOON
        self.time = TimeEstimate(lambda: self.steady, lambda: self.own)

    def wait(self, milliseconds: float) -> None:
        """Let time pass."""
        self.steady += milliseconds
        self.own += milliseconds
        self.server += milliseconds

    def ask(self, there: float, back: float) -> None:
        """Ask the server for its time."""
        asked = self.steady
        self.wait(there)
        told = self.server
        self.wait(back)
        self.time.note(told, asked)


@pytest.mark.parametrize(("there", "back"), [(0, 0), (0.1, 0.1), (0, 400), (400, 0), (3_000, 2_000)])
def test_process_is_never_ahead_of_the_server_however_slow_an_answer_is(there: float, back: float) -> None:
    """What a process takes for the time is what it is at least, and off by no more than the round trip."""
    bench = Bench()
    bench.server += 77
    bench.ask(there, back)
    for _ in range(5):
        assert bench.server - there - back - 1 <= bench.time.now_ms() <= bench.server
        bench.wait(1_000)


def test_best_of_several_answers_counts() -> None:
    """A slow answer does not make the estimate of a quick one worse."""
    bench = Bench()
    for there, back in ((300, 300), (0.2, 0.2), (500, 100)):
        bench.ask(there, back)
    assert bench.server - 3 <= bench.time.now_ms() <= bench.server


def test_own_clock_means_nothing_once_the_server_was_asked() -> None:
    """A process whose clock is wrong, or is set, has the server's time all the same."""
    bench = Bench()
    bench.own += 3_600_000
    bench.ask(0.1, 0.1)
    bench.own -= 7_200_000
    assert abs(bench.time.now_ms() - bench.server) <= 1


@pytest.mark.parametrize("by", [-3_600_000, -600, 600, 3_600_000])
def test_server_that_was_set_is_followed_with_the_next_answer(by: float) -> None:
    """An answer that the old measurement excludes is a clock that was set; it is logged once."""
    bench = Bench()
    bench.ask(0.1, 0.1)
    bench.server += by
    assert not bench.time.stale
    bench.wait(1_000)
    assert bench.time.stale
    with capture_logs() as logs:
        bench.ask(0.1, 0.1)
        bench.ask(0.1, 0.1)
    assert abs(bench.time.now_ms() - bench.server) <= 1
    assert [line["seconds"] for line in logs if line["event"] == "clock of the store was set"] == [round(by / 1000, 1)]


def test_slow_round_trip_is_no_difference_between_clocks() -> None:
    """Only what no round trip explains is a difference: clocks that agree are found to agree on the busiest machine."""
    bench = Bench()
    bench.ask(4_000, 1_000)
    assert bench.time.ahead_ms() == 0
    bench.own += 3_000
    bench.ask(0.5, 0.5)
    assert bench.time.ahead_ms() in {2_999, 3_000}
    bench.own -= 8_000
    assert bench.time.ahead_ms() in {-4_999, -5_000}


def test_clock_that_begins_and_ceases_to_differ_is_reported_once() -> None:
    """Over half a second it is logged, and when that is over; not at each measurement."""
    bench = Bench()
    with capture_logs() as logs:
        for moved in (0, 400, 200, 0, -700, 0):
            bench.own += moved
            bench.ask(0.1, 0.1)
    assert [line["log_level"] for line in logs] == ["warning", "info"]
    assert logs[0]["seconds"] == 0.6
