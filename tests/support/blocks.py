"""The blocks of code that a page prints, and how they are run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs import required

ADDRESS = "http://127.0.0.1:8000"


def blocks(page: Path, language: str) -> list[str]:
    """Return the blocks of a page that are code of a language."""
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def need_curl() -> str:
    """Return the path of curl; skip or fail the test without it."""
    return required(shutil.which("curl"), "there is no curl: install it with 'apt-get install curl'")


def run_shell(page: Path, url: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run all shell blocks of a page, in order, in one shell that stops at the first failure.

    Its `python3` is the interpreter itself, without our packages: one that a script has to find first takes thrice as long, and
    a page calls it for each answer.
    """
    need_curl()
    script = "\n".join(blocks(page, "sh")).replace(ADDRESS, url)
    command = ["bash", "-euo", "pipefail", "-c", f'python3() {{ "$PYTHON" "$@"; }}\n{script}']
    environment = {**os.environ, "PYTHON": str(Path(sys.executable).resolve())}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=2 * PATIENCE_SECONDS, check=False
    )
