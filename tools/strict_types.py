"""Judges the strict type check of the web client: all of it must pass but the files of a list, and the list may only shrink."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.support.paths import ROOT

LIST = ROOT / "openapi" / "clients" / "typescript" / "web" / "unfinished.txt"
ERROR = re.compile(r"^web/(?P<file>[^(]+)\(\d+,\d+\): error ", re.MULTILINE)


def unfinished() -> frozenset[str]:
    """Return the files of the web client whose parameters have no types yet."""
    return frozenset(LIST.read_text(encoding="utf-8").split())


def faults(said: str, unfinished: frozenset[str]) -> Iterator[str]:
    """Yield what is wrong with what the compiler said: errors in other files, and files of the list that have none."""
    wrong = {match["file"] for match in ERROR.finditer(said)}
    for line in said.splitlines():
        found = ERROR.match(line)
        if "error TS" in line and (found is None or found["file"] not in unfinished):
            yield line
    for file in sorted(unfinished - wrong):
        yield f"{file} passes the strict check, so it must leave {LIST.name}"
