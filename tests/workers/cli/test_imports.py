"""What a command line imports: no more than it needs, as every import is time that each call takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_SECONDS
from tests.workers.cli.features.records.test_replay import COUP, record, written

LISTED = """
import sys
from tafelrunde.workers.cli import main
sys.argv[1:] = {arguments!r}
try:
    main()
finally:
    print("\\n" + " ".join({{name.partition(".")[0] for name in sys.modules}}))
"""


STAGES = """
import sys
from tafelrunde.workers import cli
from tafelrunde.workers.cli.environment import settings_of

def say():
    print(*sorted({name.partition(".")[0] for name in sys.modules} | {name for name in sys.modules if "registry" in name}))

cli._command()
say()
settings = settings_of("serve")
from tafelrunde.api.app import create_app
create_app(settings, patient=True)
say()
cli._import_processes()
say()
"""
UNUSED = {"attr", "httpcore", "httpx", "jinja2", "mcp", "pydantic", "pygments", "rich"}
"""What libraries would import because it is there, and what only those need who send to webhooks or print tables."""


def test_processes_start_without_what_they_do_not_use() -> None:
    """The command line comes without event loop, store, server and games; the processes without what hardly any of them needs."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", STAGES], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    line, api, processes = (set(each.split()) for each in done.stdout.splitlines())
    assert "typer" in line
    heavy = {"asyncio", "litestar", "redis", "rq", "ssl", "structlog", "tafelrunde.domain.registry", "uvicorn", "zstandard"}
    assert line & (heavy | UNUSED) == set()
    assert {"litestar", "redis", "structlog"} <= api
    assert api & ({"rq", "uvicorn"} | UNUSED) == set()
    assert {"rq", "uvicorn"} <= processes
    assert processes & UNUSED == set()


@pytest.mark.parametrize("command", [["verify", "--bots", "0"], ["replay", "--seat", "0"]], ids=["verify", "replay"])
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
