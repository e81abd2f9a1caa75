"""What the machine and the containers around a process allow."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from tafelrunde.service.runtime import capacity
from tafelrunde.service.runtime.capacity import cached_matches, usable_bytes, usable_cores
from tafelrunde.service.settings import Settings

GROUPS = [
    ("0::/a/b\n", {"sys/fs/cgroup/a/b/memory.max": "max", "sys/fs/cgroup/a/memory.max": "1048576"}, 1_048_576),
    ("0::/\n", {"sys/fs/cgroup/memory.max": "2048"}, 2_048),
    ("4:memory:/x\n0::/\n", {"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "4096"}, 4_096),
    ("4:memory:/elsewhere\n", {"sys/fs/cgroup/memory/memory.limit_in_bytes": "8192"}, 8_192),
]


def machine(root: Path, groups: str, files: Mapping[str, str]) -> Path:
    """Return the root of a machine with these control groups."""
    for name, text in {"proc/self/cgroup": groups, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.mark.parametrize(("groups", "files", "wanted"), GROUPS, ids=["outer", "own", "version-1", "version-1-inside"])
def test_memory_is_what_the_container_has(groups: str, files: dict[str, str], wanted: int, tmp_path: Path) -> None:
    """The least limit of all control groups around the process; without any, the machine's memory."""
    alone = usable_bytes(tmp_path / "none")
    assert alone is None or alone > wanted
    assert usable_bytes(machine(tmp_path, groups, files)) == wanted


V1 = "sys/fs/cgroup/cpu/x/cpu.cfs_"
QUOTAS = [
    ("0::/a/b\n", {"sys/fs/cgroup/a/b/cpu.max": "max 100000", "sys/fs/cgroup/a/cpu.max": "350000 100000"}, 3),
    ("0::/\n", {"sys/fs/cgroup/cpu.max": "50000 100000"}, 1),
    ("0::/\n", {"sys/fs/cgroup/cpu.max": "6400000 100000"}, 8),
    ("0::/\n", {}, 8),
    (
        "3:cpu,cpuacct:/x\n",
        {f"{V1}quota_us": "200000", f"{V1}period_us": "100000"},
        2,
    ),
    ("3:cpu,cpuacct:/x\n", {f"{V1}quota_us": "-1", f"{V1}period_us": "100000"}, 8),
]


@pytest.mark.parametrize(
    ("groups", "files", "wanted"), QUOTAS, ids=["outer", "half", "more-than-there-are", "none", "version-1", "version-1-none"]
)
def test_cores_are_those_that_the_process_may_use(
    groups: str, files: dict[str, str], wanted: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight by its affinity, fewer by the quotas of the control groups around it; at least one."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert usable_cores(machine(tmp_path, groups, files)) == wanted


@pytest.mark.parametrize(("mebibytes", "wanted"), [(256, 100), (1_024, 128), (4_096, 512), (65_536, 1_000)])
def test_matches_in_memory_follow_the_memory_of_the_machine(
    mebibytes: int, wanted: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small machine does not fill up over a week; a number that is set counts, whatever the machine has."""
    monkeypatch.setattr(capacity, "_machine", lambda: mebibytes << 20)
    assert cached_matches(Settings(), tmp_path) == wanted
    assert cached_matches(Settings(cached_matches=7), tmp_path) == 7
