"""The blocks of tutorials that are files; those of docs/tutorial-a-game.md are the tests' game Duel, where a game belongs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "tutorial-a-game.md"
HERE, THERE = "tests/support/duel", "domain/duel"
FILE = re.compile(r"<!-- (?:made: source|file) (\S+) -->\n\n```\w+\n(.*?)```\n", re.DOTALL)
LANGUAGES = {".py": "python", ".md": "markdown"}


def source(path: str) -> str:
    """Return a file as a block of the page."""
    text = (ROOT / path.replace(THERE, HERE)).read_text(encoding="utf-8")
    if path.endswith(".py"):
        text = _sorted(path, _moved(text, path))
    return f"```{LANGUAGES[Path(path).suffix]}\n{text}```"


def _moved(text: str, path: str) -> str:
    """Return code with its imports as they are where a game belongs."""
    if not path.startswith(THERE):
        return text.replace("tests.support.duel", "tafelrunde.domain.duel")
    up = "." * len(Path(path).relative_to("domain").parts)
    return text.replace("from tafelrunde.domain.", f"from {up}")


def _sorted(path: str, text: str) -> str:
    """Return code with its imports sorted."""
    command = [sys.executable, "-m", "ruff", "check", "--select", "I", "--fix", "--quiet", "--stdin-filename", path, "-"]
    return subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=True).stdout


def files(page: Path = PAGE) -> dict[str, str]:
    """Return the files on a page, by path."""
    return dict(FILE.findall(page.read_text(encoding="utf-8")))


def added(path: str, page: Path = PAGE) -> str:
    """Return the lines that a page adds to a file of the tree."""
    [lines] = re.findall(
        rf"<!-- added to {re.escape(path)} -->\n\n```\w+\n(.*?)```\n", page.read_text(encoding="utf-8"), re.DOTALL
    )
    return lines
