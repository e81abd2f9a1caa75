"""docs/operating.md explains every event that a process logs, and every metric."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable

import pytest

from tests.support.paths import ROOT

pytestmark = pytest.mark.xdist_group("docs")  # the code is read once

PAGE = (ROOT / "docs" / "operating.md").read_text()
ALARMS = {"warning", "error", "exception", "critical"}
OTHERS = {"info", "debug"}
METRICS = {"Counter", "Gauge", "Histogram"}


@functools.cache
def calls() -> tuple[ast.Call, ...]:
    """Return every call in the layers that log and count."""
    trees = (ast.parse(path.read_text()) for layer in ("service", "workers", "api") for path in (ROOT / layer).rglob("*.py"))
    return tuple(node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))


def events(levels: set[str]) -> set[str]:
    """Return the text of every event that is logged at one of these levels; what is put in at run time is `<part>`."""
    return {
        _text(call.args[0])
        for call in calls()
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and (call.func.value.id, call.func.attr) in {("log", level) for level in levels}
    }


def metrics() -> set[str]:
    """Return the name of every metric, as Prometheus reads it."""
    return {
        _text(call.args[0]) + ("_total" if call.func.id == "Counter" else "")
        for call in calls()
        if isinstance(call.func, ast.Name)
        and call.func.id in METRICS
        and call.args
        and _text(call.args[0]).startswith("tafelrunde_")
    }


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else "<part>"


def explained(heading: str) -> set[str]:
    """Return what the first columns of the table under a heading name, as code."""
    section = PAGE.partition(f"\n### {heading}\n")[2].partition("\n#")[0]
    first = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    return {name for cell in first for name in re.findall(r"`([^`]+)`", cell)}


@pytest.mark.parametrize(
    ("heading", "said"),
    [("Alarms in the log", lambda: events(ALARMS)), ("Other events", lambda: events(OTHERS)), ("Metrics", metrics)],
    ids=["alarms", "others", "metrics"],
)
def test_operator_reads_what_each_event_means(heading: str, said: Callable[[], set[str]]) -> None:
    """No event without a line that says what it means and what to do, and no line about an event that no longer exists."""
    assert explained(heading) == said()
