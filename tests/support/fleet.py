"""Api processes on several addresses of this machine, each with a process of its own, as in several containers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import environment


@contextmanager
def apis(
    hosts: Sequence[str], port: int, log: Path, settings: Mapping[str, str | int], redis_url: str
) -> Generator[dict[str, int]]:
    """Run `tafelrunde api` on each of these addresses; yield their process ids."""
    ours = [{**environment(**settings, host=host, port=port), "REDIS_URL": redis_url} for host in hosts]
    with log.open("ab") as errors:
        parent = subprocess.Popen(
            [sys.executable, "-P", "-m", "tests.support.forks"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    with parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        parent.stdin.write(json.dumps(ours) + "\n")
        parent.stdin.flush()
        try:
            yield dict(zip(hosts, json.loads(parent.stdout.readline()), strict=True))
        finally:
            parent.stdin.close()
            parent.wait(PATIENCE_SECONDS)
