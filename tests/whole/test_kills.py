"""Processes killed in every way while matches of all games run: what was acknowledged is there, once, and all end well."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.support.full_disk import needs_linux
from tests.support.processes import Serve
from tests.support.soak.kills import KINDS
from tests.support.soak.run import Plan, Run
from tools.soak import text_of

BRIEFLY = Plan(seed=0, tables=4, kills=len(KINDS), pause_seconds=(0.1, 0.4), stop_seconds=1.0)


@pytest.mark.real
@pytest.mark.slow
@pytest.mark.xdist_group("serve")
@needs_linux
def test_nothing_acknowledged_is_lost_when_processes_are_killed(short_path: Path) -> None:
    """Every kind of kill at least once, in an order drawn by the seed; with `durable` not even a stream takes anything back."""
    with Serve(short_path, bot_pause_ms=0, rate_limits="false", durability="durable", lease_ms=500) as serve:
        report = asyncio.run(Run(serve, BRIEFLY).run())
    sys.stdout.write(text_of(report))
    assert (report.faults, report.unexpected) == ({}, {}), report
    assert report.resets == 0
    assert report.serve_is_the_same
    assert report.killed >= BRIEFLY.kills
    assert report.ended == report.verified == report.matches >= BRIEFLY.tables
    assert report.acknowledged > 0
    assert report.replayed > 0
    assert report.clocks > 0
