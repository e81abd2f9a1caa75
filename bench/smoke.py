"""`python -m bench.smoke`: run every benchmark in tiny sizes, to see that it still works. Ends with 1 if one does not."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from bench.web import browser_here

PARTS = ("bench", "bench.engine", "bench.thinking", "bench.proof", "bench.lateness", "bench.ladder", "bench.habits", "bench.web")


def main() -> None:
    """Run all of them, one after the other, whether the one before works or not; say which do not."""
    failed: list[str] = []
    for name in PARTS:
        if name == "bench.web" and browser_here() is None:
            print(f"{name}: left out, there is no Chromium", flush=True)
            continue
        began, used = time.monotonic(), _processor()
        done = subprocess.run([sys.executable, "-m", name, "--small"], stdout=subprocess.PIPE, check=False)
        if done.returncode or not done.stdout.strip():
            failed.append(name)
        said = "fails" if name in failed else "works"
        print(f"{name}: {said} ({time.monotonic() - began:.1f} s, {_processor() - used:.1f} s of processor time)", flush=True)
    if failed:
        sys.exit(f"These benchmarks fail: {', '.join(failed)}.")


def _processor() -> float:
    """Return the processor time of all that has ended."""
    times = os.times()
    return times.children_user + times.children_system


if __name__ == "__main__":
    main()
