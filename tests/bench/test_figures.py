"""What a report says of the machine that it was made on, and where it is shown."""

from __future__ import annotations

import platform
import re
import subprocess

import pytest

from bench.figures import DOCS, RESULTS, machine, pages_of, shown
from tests.support.paths import ROOT
from tools.node import environment


def test_machine_names_the_node_that_peers_run_on() -> None:
    """Not one that the system has besides: two versions of it differ by half."""
    command = ["node", "--version"]
    told = subprocess.run(command, env=environment(), check=True, capture_output=True, text=True).stdout
    assert told.strip() == f"v{machine()['node']}"
    assert str(machine()["python"]).startswith(platform.python_version())


def test_report_takes_the_place_of_the_last_one_of_its_kind_and_of_no_other() -> None:
    """Its headings are two levels lower, as those of a part of the page."""
    page = "# Speed\n<!-- measured: idle -->\n\nold\n\n<!-- end -->\n<!-- measured: web -->\n\nkept\n\n<!-- end -->\n"
    assert shown("idle", "# New\n\n1 \\2 %\n", page) == page.replace("old", "### New\n\n1 \\2 %")
    assert shown("streams", "# New\n", page) == page


def test_every_kept_benchmark_is_shown_on_a_page_with_its_commit() -> None:
    """What a page says was measured is what lies beside it as figures."""
    pages = "".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md"))
    kept = [path.stem.rsplit("-", 2) for path in RESULTS.glob("*.json")]
    assert kept
    for _, commit, kind in kept:
        head = re.search(rf"<!-- measured: {kind} -->\n\n### (.*)", pages)
        assert head, kind
        assert commit in head[1]


def test_report_that_no_page_has_a_place_for_is_an_error() -> None:
    """It would be lost after a run of minutes; also a small run says so."""
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "bench").glob("*.py"))
    kinds = {*re.findall(r'\bkeep\(\s*"([^"]+)"', sources)}
    assert len(kinds) >= 8
    assert all(pages_of(kind) for kind in kinds)
    with pytest.raises(ValueError, match="no page"):
        pages_of("weather")
