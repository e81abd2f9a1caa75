"""The table of what a command costs beside a trivial POST."""

from __future__ import annotations

from bench.cost import Turn, lines
from bench.figures import Stretch
from bench.load import Result


def result(rate: float, *cpu_us: float) -> Result:
    """Return the result of one side."""
    stretch = Stretch(count=1, seconds=1.0, rate=rate, p50_ms=1.0, p95_ms=2.0, p99_ms=3.0, max_ms=4.0)
    return Result(stretch=stretch, cpu_us=cpu_us)


def test_cost_is_that_of_all_processes_in_trivial_posts_of_the_same_turn() -> None:
    """Each turn is compared with itself, and the median of the ratios counts."""
    turns = [Turn(result(100.0, posts), result(40.0, 2 * posts, posts, posts / 4, posts / 4)) for posts in (100.0, 400.0, 200.0)]
    found = {
        name.strip(): (middle.strip(), turn.strip())
        for _, name, middle, turn, _ in (each.split("|") for each in list(lines(turns))[2:])
    }
    assert found["accepted commands per trivial POST"] == ("0.40", "0.40, 0.40, 0.40")
    assert found["processor time of a command, in trivial POSTs"] == ("3.50", "3.50, 3.50, 3.50")
    assert [found[f"of that in {kind}"][0] for kind in ("api", "sweeper", "the others")] == ["2.00", "1.00", "0.50"]
    assert found["processor time of a trivial POST, us"] == ("200.00", "100.00, 400.00, 200.00")
