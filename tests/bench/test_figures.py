"""What a report says of the machine that it was made on."""

from __future__ import annotations

import platform
import subprocess

from bench.figures import machine
from tools.node import environment


def test_machine_names_the_node_that_peers_run_on() -> None:
    """Not one that the system has besides: two versions of it differ by half."""
    command = ["node", "--version"]
    told = subprocess.run(command, env=environment(), check=True, capture_output=True, text=True).stdout
    assert told.strip() == f"v{machine()['node']}"
    assert str(machine()["python"]).startswith(platform.python_version())
