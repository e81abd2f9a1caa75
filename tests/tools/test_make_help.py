"""What `make help` and `make help-all` list."""

from __future__ import annotations

import re
import subprocess

from tests.support.paths import ROOT

USUAL = {"help-all", "setup", "serve", "quick", "test", "lint", "types", "unit", "format", "openapi", "docs", "clean"}


def listed(target: str) -> set[str]:
    """Return the targets that a help target lists, each with a text."""
    done = subprocess.run(["make", "--silent", target], cwd=ROOT, check=True, capture_output=True, text=True)
    found = [re.fullmatch(r"  make ([a-z-]+) +\S.*", line) for line in done.stdout.splitlines()]
    assert found
    return {each[1] if each else "" for each in found}


def test_help_lists_what_a_newcomer_needs() -> None:
    """A dozen targets and no other."""
    assert listed("help") == USUAL


def test_help_all_lists_every_target() -> None:
    """All that can be made by name, except `help` itself."""
    [phony] = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert listed("help-all") == {*phony.split()} - {"help"}
