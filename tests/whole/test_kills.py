"""Matches on every kind of server while processes are killed: what was acknowledged is there, once, and all end well."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tafelrunde.domain.registry import GAMES
from tests.support.full_disk import needs_linux
from tests.support.kinds import DEPLOYMENTS, REPLICATING, SERVER, deployment
from tests.support.processes import Serve
from tests.support.soak.kills import JOBS, KINDS
from tests.support.soak.run import Plan, Report, Run
from tools.soak import text_of

pytestmark = [pytest.mark.real, pytest.mark.slow, needs_linux]

BRIEFLY = Plan(seed=0, tables=4, kills=len(KINDS), pause_seconds=(0.1, 0.4), stop_seconds=1.0)
SERVERS = Plan(seed=0, tables=len(GAMES), kills=2, kinds=(SERVER, JOBS), pause_seconds=(0.1, 0.4))
"""One match of each game, and the server is killed: all else is the same wherever the data is."""
LEFT_OUT = pytest.mark.elsewhere


def played(plan: Plan, kind: str, folder: Path) -> Report:
    """Play and kill, and check what is true on every kind of server."""
    with (
        deployment(kind, folder) as servers,
        Serve(folder, bot_pause_ms=0, rate_limits="false", lease_ms=500, **servers.settings) as serve,
    ):
        report = asyncio.run(Run(serve, plan, servers.lose).run())
    sys.stdout.write(text_of(report))
    failed = [line for line in serve.lines() if line["event"] == "request failed"]
    assert (report.faults, report.unexpected, failed) == ({}, {}, []), report
    assert report.serve_is_the_same
    assert report.killed >= plan.kills
    assert report.ended == report.verified == report.matches >= plan.tables
    assert report.acknowledged > 0
    return report


@pytest.mark.xdist_group("serve")
def test_nothing_acknowledged_is_lost_when_processes_are_killed(short_path: Path) -> None:
    """Every kind of kill at least once, in an order drawn by the seed; with `durable` not even a stream takes anything back."""
    report = played(BRIEFLY, "embedded", short_path)
    assert report.resets == 0
    assert report.replayed > 0
    assert report.over_sockets > 0
    assert report.clocks > 0


@pytest.mark.parametrize(
    "kind", [kind if kind == "cluster" else pytest.param(kind, marks=LEFT_OUT) for kind in DEPLOYMENTS if kind != "embedded"]
)
def test_every_game_is_played_to_its_end_when_a_server_is_killed(kind: str, short_path: Path) -> None:
    """On whatever server the data is: it comes back, or a replica that has all that was acknowledged takes its place."""
    report = played(SERVERS, kind, short_path)
    assert set(report.games) == set(GAMES)
    assert report.resets == 0 or kind in REPLICATING
