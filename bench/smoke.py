"""`python -m bench.smoke`: run every benchmark in tiny sizes, to see that it still works. Ends with 1 if one does not.

Two run at a time: the figures do not matter.
"""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from bench.web import browser_here

PARTS = (
    "bench",
    "bench.proof",
    "bench.web",
    "bench.waiting",
    "bench.webhooks",
    "bench.lateness",
    "bench.durability",
    "bench.ladder",
    "bench.habits",
    "bench.engine",
    "bench.framework",
    "bench.thinking",
)
"""The longest first."""


def main() -> None:
    """Run all of them, whether others work or not; say which do not."""
    parts = [name for name in PARTS if name != "bench.web" or browser_here() is not None]
    if len(parts) < len(PARTS):
        print("bench.web: left out, there is no Chromium", flush=True)
    with ThreadPoolExecutor(2) as pool:
        failed = [name for name, works in zip(parts, pool.map(_works, parts), strict=True) if not works]
    if failed:
        sys.exit(f"These benchmarks fail: {', '.join(failed)}.")


def _works(name: str) -> bool:
    """Run one, which must say something."""
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-m", name, "--small"], stdout=subprocess.PIPE, check=False)
    works = not done.returncode and bool(done.stdout.strip())
    print(f"{name}: {'works' if works else 'FAILS'} ({time.monotonic() - began:.1f} s)", flush=True)
    return works


if __name__ == "__main__":
    main()
