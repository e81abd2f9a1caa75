"""What can be started in bench, tools and research says what it does, and refuses what it does not know."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT

# Each module runs in a fork of one process, which has imported what they have in common, once with each word. What it writes,
# anywhere, is noted by an audit hook.
STARTER = """
import contextlib, io, json, os, pathlib, runpy, sys
import concurrent.futures.process, numpy, playwright.sync_api, tafelrunde.research.solo, tafelrunde.workers.cli
import bench.figures, bench.service, bench.strength_page, bench.tables, tools.node, tools.reference
import tests.support.forging, tests.support.planted, tests.support.served, tests.web.conftest

wrote = []

def audit(event, given):
    writes = event == "open" and isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (writes or event in ("os.mkdir", "os.rename", "os.remove")) and str(given[0]) != os.devnull:
        wrote.append(f"{event} {given[0]}")

def started(name, word):
    out, err, code = io.StringIO(), io.StringIO(), 0
    sys.argv[1:] = [word]
    wrote.clear()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        except SystemExit as end:
            code = end.code
    return {"code": code, "out": out.getvalue(), "err": err.getvalue(), "wrote": list(wrote)}

for name in sys.argv[1:]:
    if not (child := os.fork()):
        file = open(f"{name}.json", "w")
        sys.addaudithook(audit)
        json.dump({word: started(name, word) for word in ("--help", "--no-such-option")}, file)
        file.close()
        os._exit(0)
    os.waitpid(child, 0)
"""


def modules() -> Iterator[tuple[str, Path]]:
    """Yield every module that can be started, with its file."""
    for folder in ("bench", "tools", "research"):
        for path in sorted((ROOT / folder).glob("*.py")):
            if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8"):
                package = "tafelrunde.research" if folder == "research" else folder
                yield f"{package}.{path.stem}".removesuffix(".__main__"), path


MODULES = dict(modules())
each_module = pytest.mark.parametrize("name", MODULES)
pytestmark = pytest.mark.xdist_group("commands")


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What every module says to each word, its exit code, and what it has written."""
    folder = tmp_path_factory.mktemp("commands")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"}
    subprocess.run([sys.executable, "-c", STARTER, *MODULES], cwd=folder, env=env, check=True)
    return {name: json.loads((folder / f"{name}.json").read_bytes()) for name in MODULES}


@each_module
def test_module_says_what_it_does_when_asked_for_help(said: dict[str, Any], name: str) -> None:
    """`--help` ends with 0, prints the docstring and the arguments, and writes nothing."""
    found = said[name]["--help"]
    assert (found["code"], found["err"], found["wrote"]) == (0, "", [])
    told = ast.get_docstring(ast.parse(MODULES[name].read_text(encoding="utf-8")))
    assert told is not None
    assert " ".join(told.split(". ")[0].split()) in " ".join(found["out"].split())
    assert "--help" in found["out"]


@each_module
def test_module_refuses_what_it_does_not_know(said: dict[str, Any], name: str) -> None:
    """An unknown option ends it with 2 and one line, before anything is done."""
    found = said[name]["--no-such-option"]
    assert (found["code"], found["out"], found["wrote"]) == (2, "", [])
    assert len(found["err"].splitlines()) == 1
