"""Schemathesis against a running service: what the contract promises is what comes, whatever is asked, also step after step."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.served import service

CONFIG = Path(__file__).with_name("schemathesis.toml")
EXAMPLES = 50
SECONDS = 150


@pytest.mark.slow
def test_running_service_keeps_its_contract(tmp_path: Path) -> None:
    """All checks, all phases, links followed; streams apart, which do not end."""
    with service() as running:
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run"),
            *(f"{running.url}/api/v1/openapi.json", "--wait-for-schema", "10", "-H", f"Authorization: Bearer {running.token}"),
            *("--checks", "all", "--seed", "1", "--max-examples", str(EXAMPLES), "--exclude-path-regex", "stream$"),
            *("--exclude-operation-id", "deleteMe"),  # it would end the token that all requests need
        ]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in done.stdout, done.stdout[-3_000:]
    [(generated, passed)] = re.findall(r"(\d+) generated, (\d+) passed", done.stdout)
    assert int(generated) == int(passed) > 1_000
