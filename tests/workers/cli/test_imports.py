"""What a command line imports: no more than it needs, as every import is time that each call takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.workers.cli.test_replay import COUP, record, written

LISTED = """
import sys
from tafelrunde.workers.cli import main
sys.argv[1:] = {arguments!r}
try:
    main()
finally:
    print("\\n" + " ".join({{name.partition(".")[0] for name in sys.modules}}))
"""


@pytest.mark.parametrize("command", [["verify"], ["replay", "--seat", "0"]], ids=["verify", "replay"])
def test_record_in_a_file_is_read_without_store_network_and_api(command: list[str], tmp_path: Path) -> None:
    """Neither the client of a store, nor that of a service, nor what answers requests is imported."""
    script = LISTED.format(arguments=[*command, written(tmp_path, record(COUP))])
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    imported = set(done.stdout.splitlines()[-1].split())
    assert "msgspec" in imported
    assert imported.isdisjoint({"redis", "rq", "httpx", "litestar", "uvicorn"})
