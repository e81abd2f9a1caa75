"""The pure parts of the web client, tested without a browser by Node.js: one test here for each file in units/."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_SECONDS
from tools.node import environment

UNITS = sorted((Path(__file__).parent / "units").glob("*.test.js"))
FAILING = 'import { test } from "node:test";\ntest("planted", () => { throw new Error("planted"); });\n'


def run(file: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests of a file, in one process: with `--test` there would be another one around it."""
    command = ["node", "--test-reporter=spec", str(file)]
    return subprocess.run(command, env=environment(), capture_output=True, text=True, check=False, timeout=10 * PATIENCE_SECONDS)


@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.name)
def test_pure_part_keeps_its_promises(file: Path) -> None:
    """Every test of the file passes, and there is one."""
    done = run(file)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"pass [1-9]", done.stdout)


def test_failing_test_of_a_file_is_found(tmp_path: Path) -> None:
    """The runner says by its exit code that a test has failed."""
    planted = tmp_path / "planted.test.js"
    planted.write_text(FAILING, encoding="utf-8")
    done = run(planted)
    assert done.returncode != 0
    assert "fail 1" in done.stdout
