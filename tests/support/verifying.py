"""The web client's own check of records, asked through Node.js: no browser is needed for what it finds."""

from __future__ import annotations

import base64
import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tools.node import environment

PROGRAM = ROOT / "tests" / "support" / "verifying.mjs"


def verdicts(records: Iterable[bytes], kept: Mapping[str, Any] | None = None, sheet: object = None) -> list[Any]:
    """Return what the web client's check finds in each record, compared with what was kept of its match.

    `sheet`: who may know which events, as the sheet of the game says.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "records.ndjson"
        with path.open("w") as lines:
            for record in records:
                lines.write(json.dumps({"content": base64.b64encode(record).decode(), "kept": kept, "sheet": sheet}) + "\n")
        return asked(PROGRAM, str(path))


def verdicts_beside(cases: Iterable[tuple[bytes, Mapping[str, Any] | None]]) -> list[Any]:
    """Return what the web client's check finds in each record, beside what was kept of it (None: nothing)."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "records.ndjson"
        with path.open("w") as lines:
            for record, kept in cases:
                lines.write(json.dumps({"content": base64.b64encode(record).decode(), "kept": kept}) + "\n")
        return asked(PROGRAM, str(path))


def asked(program: Path, *arguments: str) -> list[Any]:
    """Return what a program of Node.js says, line by line, each a JSON value."""
    command = ["node", str(program), *arguments]
    seconds = 4 * PATIENCE_SECONDS
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=seconds, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
