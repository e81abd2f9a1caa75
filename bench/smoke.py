"""`python -m bench.smoke`: run every benchmark in tiny sizes, to see that it still works. Ends with 1 if one does not.

Two run at a time: the figures do not matter. Each runs in a fork of this process where the system allows it: what they have in
common is imported once.
"""

from __future__ import annotations

import os
import runpy
import sys
import tempfile
import time
from importlib import import_module
from multiprocessing import connection, get_context
from pathlib import Path

from bench.browser import browser_here
from tafelrunde.workers.processes import FORKS
from tools.commands import alone

PARTS = (
    "bench.web",
    "bench.moves",
    "bench.streams",
    "bench.cost",
    "bench.matches",
    "bench.capacity",
    "bench.ladder",
    "bench.habits",
    "bench.coup_policy",
    "bench.coup_best_response",
    "bench.idle",
    "bench.thinking",
)
"""The longest first."""
COMMON = (
    *("bench.archive", "bench.growth", "bench.service", "bench.sheet", "bench.strength_page", "bench.tables"),
    *("concurrent.futures.process", "numpy", "tafelrunde.service.application"),
)
AT_ONCE = 2

processes = get_context("fork") if FORKS else get_context("spawn")


class Run:
    """A benchmark that runs."""

    def __init__(self, name: str, folder: Path) -> None:
        self._name = name
        self._said = folder / name
        self._began = time.monotonic()
        self._process = processes.Process(target=_become, args=(name, self._said))
        self._process.start()
        self.sentinel = self._process.sentinel

    def end(self) -> str | None:
        """Report how it ended, and return its name if it does not work: it must print something."""
        self._process.join()
        works = not self._process.exitcode and bool(self._said.read_bytes().strip())
        print(f"{self._name}: {'works' if works else 'FAILS'} ({time.monotonic() - self._began:.1f} s)", flush=True)
        return None if works else self._name


def _become(name: str, said: Path) -> None:
    """Run a module as `python -m` does; its output goes to a file."""
    os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT), sys.stdout.fileno())
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def main() -> None:
    """Run all of them, regardless of failures; report those that fail."""
    waiting = [name for name in PARTS if name != "bench.web" or browser_here() is not None]
    if len(waiting) < len(PARTS):
        print("bench.web: left out, there is no Chromium", flush=True)
    sys.argv[1:] = ["--small"]  # bench.scale looks there when it is imported
    for name in COMMON:
        import_module(name)
    running = dict[int, Run]()
    failed = list[str]()
    with tempfile.TemporaryDirectory(prefix="tafelrunde-bench-") as folder:
        while waiting or running:
            while waiting and len(running) < AT_ONCE:
                run = Run(waiting.pop(0), Path(folder))
                running[run.sentinel] = run
            for sentinel in connection.wait(list(running)):
                assert isinstance(sentinel, int)
                if (name := running.pop(sentinel).end()) is not None:
                    failed.append(name)
    if failed:
        sys.exit(f"These benchmarks fail: {', '.join(failed)}.")


if __name__ == "__main__":
    alone(__doc__)
    main()
