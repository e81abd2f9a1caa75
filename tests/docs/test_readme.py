"""The README keeps its word: its shell blocks are run, in order, against a service that was just started."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.blocks import blocks, run_shell
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.processes import Serve

README = ROOT / "README.md"


def test_readme_shows_the_two_commands() -> None:
    """A newcomer needs `make serve` and `make test`, and the Makefile has both."""
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    for target in ("serve", "test"):
        assert f"make {target}" in README.read_text(encoding="utf-8")
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.real
def test_first_match_by_curl_works_as_printed(tmp_path: Path) -> None:
    """The lines of the README open a match of Coup and play it to its end."""
    with Serve(tmp_path, bot_pause_ms=20) as serve:
        done = run_shell(README, serve.url, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "'rank': 1" in done.stdout.splitlines()[-1]


def test_library_works_as_printed() -> None:
    """The lines of the README play a match in memory, with about ten lines of their own."""
    (code,) = blocks(README, "python")
    body = code.partition("async def main")[2].partition("\n\n\n")[0].splitlines()[1:]
    assert len(body) <= 10
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=2 * PATIENCE_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    assert "rank=1" in done.stdout
