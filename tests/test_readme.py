"""The README keeps its word: its shell blocks are run, in order, against a service that was just started."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.workers.serving import Serve

README = Path(__file__).parent.parent / "README.md"
ADDRESS = "http://127.0.0.1:8000"


def shell_blocks() -> list[str]:
    """Return the blocks of the README that are shell code."""
    return re.findall(r"```sh\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_readme_shows_the_two_commands() -> None:
    """A newcomer needs `make serve` and `make test`, and the Makefile has both."""
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    for target in ("serve", "test"):
        assert f"make {target}" in README.read_text(encoding="utf-8")
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.real
def test_first_match_by_curl_works_as_printed(tmp_path: Path) -> None:
    """The lines of the README open a match of Coup and play it to its end."""
    if shutil.which("curl") is None:
        assert not os.environ.get("CI"), "CI needs curl"
        pytest.skip("curl is missing: install the package curl")
    with Serve(tmp_path, bot_pause_ms=20) as serve:
        script = "\n".join(shell_blocks()).replace(ADDRESS, serve.url)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
    assert done.returncode == 0, done.stderr
    assert "'rank': 1" in done.stdout.splitlines()[-1]
