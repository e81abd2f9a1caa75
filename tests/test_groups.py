"""Tests of one group run in one process: they share servers, browsers and folders that two processes would both make."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path

from tests.conftest import HANDED, MANY, Forgetful

GROUPED = """
import os
from pathlib import Path
import pytest

pytestmark = pytest.mark.xdist_group("one")

@pytest.mark.parametrize("number", range(6))
def test_of_the_group(number):
    (Path(__file__).parent / f"{os.environ['PYTEST_XDIST_WORKER']}.{number}").touch()
"""


def test_group_stays_in_one_process_when_two_run(tmp_path: Path) -> None:
    """Nothing else would show it: a version of pytest under which pytest-xdist loses the groups runs the tests all the same."""
    (tmp_path / "test_grouped.py").write_text(GROUPED)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "xdist", "-n", "2", "--dist", "loadgroup", "-p", "no:cacheprovider"]
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    ours["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the others take seconds of processor time to import, in three processes
    done = subprocess.run(
        [*command, "--rootdir", str(tmp_path), str(tmp_path)], cwd=tmp_path, env=ours, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    ran = [path.name.split(".") for path in tmp_path.glob("gw*.*")]
    assert len(ran) == 6
    assert len({process for process, _ in ran}) == 1


def test_tests_of_no_group_are_handed_out_by_the_handful_until_few_are_left() -> None:
    """A group goes to a process by itself, in its turn, and keeps nothing that stands behind it from the other processes."""
    scheduler = Forgetful.__new__(Forgetful)
    single = [f"test_one.py::test_{number}" for number in range(MANY + HANDED)]
    queue = ["first", "second", *single[:3], "third", *single[3:]]
    scheduler.workqueue = OrderedDict((name, {}) for name in queue)
    handed: list[list[str]] = []
    while scheduler.workqueue:
        handed.append([*scheduler._next()])
        for name in handed[-1]:
            del scheduler.workqueue[name]
    assert [name for names in handed for name in names] == queue
    assert handed[:5] == [["first"], ["second"], single[:3], ["third"], single[3 : 3 + HANDED]]
    assert all(len(names) == 1 for names in handed[-MANY + HANDED :])
