"""The dashboard and the alerts ask for metrics and labels that the service has, in words that Prometheus reads."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
import yaml

from tests.docs.test_alarms import PAGE
from tests.support.paths import ROOT
from tests.support.table import opened

DASHBOARD: dict[str, Any] = json.loads((ROOT / "docs" / "deploy" / "grafana.json").read_bytes())
RULES: list[dict[str, Any]] = yaml.safe_load((ROOT / "docs" / "deploy" / "alerts.yml").read_text())["groups"][0]["rules"]
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
FOREIGN = {"up", "job", "instance"}
"""Made by Prometheus itself."""
WORDS = {"sum", "max", "by", "le", "rate", "delta", "abs", "absent", "or", "topk", "histogram_quantile"}


@pytest.fixture(scope="module")
def exposed() -> dict[str, set[str]]:
    """The metrics of a service that has answered a few requests, each with its labels."""
    return asyncio.run(_metrics())


async def _metrics() -> dict[str, set[str]]:
    async with opened() as table:
        await table.get("/games")
        await table.get("/me")
        text = (await table.get("/metrics", await table.operator())).body.decode()
    found: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*?)\})? ", text, re.MULTILINE):
        found.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
    return found


@pytest.mark.parametrize("expression", [*QUERIES, *(rule["expr"] for rule in RULES)])
def test_every_metric_and_label_that_is_asked_for_exists(expression: str, exposed: dict[str, set[str]]) -> None:
    """A dashboard that asks for a metric of another name is empty, and an alert never fires."""
    bare = re.sub(r'"[^"]*"', "", expression)
    names = set(re.findall(r"\b[a-z_]{2,}\b", bare)) - WORDS - FOREIGN
    metrics = {name for name in names if name.startswith(("tafelrunde_", "process_"))}
    assert metrics or "up" in bare
    assert metrics <= exposed.keys()
    labels = names - metrics - {"__rate_interval", "rate_interval"}
    assert labels <= {label for metric in metrics for label in exposed[metric]} | {"process"}
    assert bare.count("(") == bare.count(")")
    assert bare.count("{") == bare.count("}")


def test_dashboard_shows_every_metric_that_the_page_explains() -> None:
    """What an operator is to watch has a panel; panels do not overlap, and have a unit and an explanation."""
    explained = set(re.findall(r"`(tafelrunde_\w+)`", PAGE.partition("\n### Metrics\n")[2].partition("\n## ")[0]))
    asked = {name.removesuffix("_bucket") for query in QUERIES for name in re.findall(r"tafelrunde_\w+", query)}
    assert asked == explained
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    places: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & places
        assert at["x"] + at["w"] <= 24
        assert panel["description"]
        assert panel["fieldConfig"]["defaults"]["unit"]
        places |= cells


def test_every_alert_says_what_to_do() -> None:
    """A name of its own, how urgent it is, and a sentence for the person who is woken."""
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert set(rule["annotations"]) == {"summary", "what"}
