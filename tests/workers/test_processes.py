"""How `serve` starts its processes: what a fork keeps of the process that it comes from, and what it does not."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tafelrunde.workers.processes import FORKS
from tafelrunde.workers.supervisor import Bell
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.skipif(not FORKS, reason="this system gives every process an interpreter of its own")

# A process of its own, with one thread: those of the tests have more.
PARENT = """
import json, os, signal, socket, sys, time
from pathlib import Path
from tafelrunde.workers.processes import Order, start

def tell():
    descriptors = [each for each in (own.fileno(), handed.fileno()) if Path(f"/proc/self/fd/{each}").exists()]
    Path(sys.argv[2]).write_text(json.dumps({
        "arguments": sys.argv[1:],
        "environment": dict(os.environ),
        "leads a session": os.getsid(0) == os.getpid(),
        "input": sys.stdin.read(),
        "is handed": descriptors == [handed.fileno()],
        "name": Path("/proc/self/comm").read_text().strip(),
        "handlers": [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP)],
        "blocked": list(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    }))

def main():
    match sys.argv[1]:
        case "tell": tell()
        case "leave": sys.exit(3)
        case "fail": raise ValueError("said on the standard error")
        case "sleep": time.sleep(600)

noted = []
signal.signal(signal.SIGTERM, lambda *_: noted.append("a signal to a child"))
signal.signal(signal.SIGHUP, signal.SIG_IGN)
own, handed = socket.socket(), socket.socket()
started = lambda *arguments: start(Order("thinker-1", arguments, {"A": "b"}, (handed.fileno(),)), main)
codes = {each: started(each, sys.argv[1]).wait() for each in ("tell", "leave", "fail")}
for number in (signal.SIGTERM, signal.SIGKILL):
    process = started("sleep")
    process.send_signal(number)
    codes[number.name] = process.wait()
    process.send_signal(number)  # to nobody
print(json.dumps([codes, process.poll(), noted, own.fileno() > 0, len(signal.pthread_sigmask(signal.SIG_BLOCK, []))]))
"""


def test_fork_is_as_a_new_program_would_be(tmp_path: Path) -> None:
    """But for the modules that are there: session, streams, handlers, environment, open files and exit code are its own."""
    told = tmp_path / "told"
    done = subprocess.run(
        [sys.executable, "-P", "-W", "error", "-c", PARENT, str(told)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    codes, again, noted, open_, blocked = json.loads(done.stdout)
    assert codes == {"tell": 0, "leave": 3, "fail": 1, "SIGTERM": -signal.SIGTERM, "SIGKILL": -signal.SIGKILL}
    assert (again, noted, open_, blocked) == (-signal.SIGKILL, [], True, 0)
    assert "ValueError: said on the standard error\n" in done.stderr
    assert json.loads(told.read_text(encoding="utf-8")) == {
        "arguments": ["tell", str(told)],
        "environment": {"A": "b"},
        "leads a session": True,
        "input": "",
        "is handed": True,
        "name": "tr-thinker-1",
        "handlers": [signal.SIG_DFL, signal.SIG_IGN],
        "blocked": [],
    }


def test_wait_ends_when_a_process_does() -> None:
    """What has crashed is started again at once, although one that runs is looked at only now and then."""
    with closing(Bell()) as bell, subprocess.Popen([sys.executable, "-S", "-E", "-c", ""]) as child:
        assert bell.wait(PATIENCE_SECONDS)
        child.wait()
        assert not bell.wait(0)
