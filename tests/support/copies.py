"""Copies of the repository, to which tests add what a page adds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS

LEFT = (".git", ".venv", ".*_cache", ".hypothesis", ".tafelrunde", "build", "node_modules", "results", "site", "*.egg-info")
BEING_WRITTEN = "*.pyc.*"
"""What Python is compiling into just now; the modules that it has compiled come with the copy."""


def copied(folder: Path) -> Path:
    """Return a copy of the repository, in a folder."""
    root = folder / "tafelrunde"
    shutil.copytree(ROOT, root, symlinks=True, ignore=shutil.ignore_patterns(BEING_WRITTEN, *LEFT))
    return root


def write(root: Path, files: Mapping[str, str]) -> None:
    """Write files into a copy."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def run(root: Path, module: str, *arguments: str) -> str:
    """Run a program of the copy; return what it prints."""
    command = [sys.executable, "-m", module, *arguments]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = {**inherited, "PYTHONPATH": str(root / "namespace"), "HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")}
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, timeout=5 * PATIENCE_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def passed(root: Path, *arguments: str) -> list[str]:
    """Run tests of the copy, which must all pass; return their names."""
    told = run(root, "pytest", "-q", "-rpfE", "-p", "no:cacheprovider", *arguments)
    return re.findall(r"^PASSED (.+)$", told, re.MULTILINE)
