"""What a deployment promises of its log holds while its processes are killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tafelrunde.client import ApiError, Client, Unreachable
from tafelrunde.service.features.transparency.log import LOG_SECONDS
from tests.support.full_disk import needs_linux
from tests.support.processes import Serve, until

pytestmark = [pytest.mark.real, pytest.mark.slow, needs_linux]
ROUNDS = 3


def in_log(client: Client, match: str) -> bool:
    """Return whether the opening of a match is in the log; False while no process answers."""
    try:
        client.opening_proof(match)
    except (ApiError, Unreachable):
        return False
    return True


def kill_twice(serve: Serve, child: str) -> None:
    """Kill a process, and its successor as soon as there is one."""
    killed: list[int] = []
    until(f"a {child} to kill", lambda: _kill(serve, child, killed))
    until(f"a new {child}", lambda: serve.pid(child) != killed[0])
    serve.kill(child)


def _kill(serve: Serve, child: str, killed: list[int]) -> bool:
    """Kill the newest process of a child and note it; return whether there was one: that of the last round is gone."""
    try:
        killed.append(serve.kill(child))
    except ProcessLookupError:
        return False
    return True


@pytest.mark.xdist_group("serve")
def test_opening_is_in_the_log_in_time_although_processes_are_killed(short_path: Path) -> None:
    """The sweeper dies right after the opening, and so does its successor: the promise holds by the log's own clock."""
    with Serve(short_path, bot_pause_ms=0, rate_limits="false") as serve, Client(serve.url) as client:
        client.sign_up("Anna")
        for _ in range(ROUNDS):
            match = client.open_match("coup", seats=2).match
            opened_ms = client.match(match).opened_ms
            kill_twice(serve, "sweeper")
            until("the opening is in the log", lambda match=match: in_log(client, match))
            assert client.checkpoint().time_ms - opened_ms <= 1000 * LOG_SECONDS
        assert client.signing_keys().log_seconds == LOG_SECONDS
