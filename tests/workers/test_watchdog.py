"""The watchdog: it finds the child that is silent although it could have run, and no other."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tafelrunde.workers import watchdog
from tafelrunde.workers.watchdog import HUNG_SECONDS, LONGEST_LOOK_SECONDS, PIPE, Pulse, Running, Watch
from tests.support.full_disk import needs_linux
from tests.support.patience import PATIENCE_SECONDS

CHILD = 4_711


class Machine:
    """A clock, and what the kernel says of the child that is watched, both in the test's hand."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.running: Running | None = None

    def monotonic(self) -> float:
        """Tell the time."""
        return self.now


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The machine that the watchdog sees."""
    machine = Machine()
    monkeypatch.setattr(watchdog, "time", machine)
    monkeypatch.setattr(watchdog, "running", lambda _: machine.running)
    return machine


@pytest.fixture
def watch(machine: Machine) -> Iterator[Watch]:
    """A watch over a child."""
    watch = Watch()
    yield watch
    watch.close_other_end()
    watch.close()


@pytest.fixture
def pulse(watch: Watch) -> Pulse:
    """The child's heartbeat."""
    return Pulse.of({PIPE: str(watch.descriptor)})


def silence(machine: Machine, watch: Watch, seconds: float, *, state: str, share: float = 0.0) -> float:
    """Let time pass in which the child does not beat, and return what is counted; *share* of the time it has a core."""
    used = machine.running.seconds if machine.running is not None else 0.0
    until = machine.now + seconds
    while machine.now < until:
        machine.now += 0.05
        used += 0.05 * share
        machine.running = Running(state, used)
        watch.look(CHILD)
    return watch.silent_seconds


@pytest.mark.parametrize(
    ("state", "share"),
    [pytest.param("T", 0.0, id="stopped"), pytest.param("S", 0.0, id="deadlocked"), pytest.param("R", 1.0, id="busy-loop")],
)
def test_child_that_hangs_is_found_when_it_has_been_silent_for_15_s(
    machine: Machine, watch: Watch, state: str, share: float
) -> None:
    """Not before, and at most two looks later."""
    assert silence(machine, watch, HUNG_SECONDS - 1, state=state, share=share) < HUNG_SECONDS
    assert silence(machine, watch, 3, state=state, share=share) > HUNG_SECONDS


@pytest.mark.parametrize(
    ("state", "share"),
    [
        pytest.param("R", 0.02, id="starved"),
        pytest.param("D", 0.0, id="disk"),
        pytest.param("t", 0.0, id="debugger"),
    ],
)
def test_child_that_cannot_run_is_not_taken_for_one_that_hangs(machine: Machine, watch: Watch, state: str, share: float) -> None:
    """A load of fifty runnable processes for each core for five minutes, a slow disk, a debugger: none is ended for that."""
    assert silence(machine, watch, 300, state=state, share=share) < HUNG_SECONDS / 2


def test_time_in_which_no_one_looked_is_not_counted(machine: Machine, watch: Watch) -> None:
    """A machine that was suspended for a day has stopped the child and `serve` alike."""
    machine.running = Running("S", 0.0)
    for _ in range(3):
        machine.now += 86_400
        watch.look(CHILD)
    assert watch.silent_seconds <= 3 * LONGEST_LOOK_SECONDS


def test_time_counts_where_the_kernel_says_nothing(machine: Machine, watch: Watch) -> None:
    """On a system without /proc."""
    for _ in range(20):
        machine.now += 1
        watch.look(CHILD)
    assert watch.silent_seconds > HUNG_SECONDS


def test_beat_begins_the_count_again(machine: Machine, watch: Watch, pulse: Pulse) -> None:
    """A child that beats every now and then is never found, whatever it does meanwhile."""
    for _ in range(5):
        assert silence(machine, watch, HUNG_SECONDS - 1, state="T") > 0
        pulse.beat()
        machine.now += 1
        watch.look(CHILD)
        assert watch.silent_seconds == 0


def test_beat_never_waits_when_no_one_listens(machine: Machine, watch: Watch, pulse: Pulse) -> None:
    """`serve` may be stopped for a day: its children go on."""
    for _ in range(86_400):
        machine.now += 1
        pulse.beat()
    Pulse().beat()


def test_beat_does_no_harm_when_serve_is_gone() -> None:
    """The other end of the pipe is closed then."""
    gone = Watch()
    gone.close()
    Pulse.of({PIPE: str(gone.descriptor)}).beat()
    gone.close_other_end()


@needs_linux
def test_kernel_tells_state_and_time_of_a_process() -> None:
    """This one runs; one that does not exist has neither."""
    found = watchdog.running(os.getpid())
    assert found is not None
    assert found.state == "R"
    assert 0 < found.seconds <= sum(os.times()[:2]) + 1
    assert watchdog.running(2**22 + 1) is None


def test_event_loop_beats_while_it_goes_round(watch: Watch, machine: Machine, pulse: Pulse) -> None:
    """Only then: one that is held up by its own code is silent."""

    async def main() -> None:
        async with pulse.going_round():
            await asyncio.sleep(0)

    silence(machine, watch, 5, state="S")
    asyncio.run(main())
    machine.now += 1
    watch.look(CHILD)
    assert watch.silent_seconds == 0


# A process of its own, with one thread: those of the tests have more.
HANGING = """
import asyncio, json, os, signal, sys, threading, time
from structlog.testing import capture_logs
from tafelrunde.workers import supervisor, watchdog
from tafelrunde.workers.processes import Order
from tafelrunde.workers.watchdog import Pulse

def main():
    signal.alarm(int(sys.argv[2]))  # whatever becomes of the others
    asyncio.run(hang())

async def hang():
    async with Pulse.of(os.environ).going_round():
        await asyncio.sleep(0.01)
        if sys.argv[1] == "beats":
            await asyncio.Event().wait()
        while sys.argv[1] == "spins":
            pass
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()

supervisor.HUNG_SECONDS = float(sys.argv[1])
watchdog.BEAT_SECONDS = watchdog.LOOK_SECONDS = supervisor.HUNG_SECONDS / 15  # as in the service
names = ("spins", "waits for itself", "beats")
children = [supervisor.Child(Order(name, [name, sys.argv[2]], os.environ), main) for name in names]
with capture_logs() as lines:
    while any([line["child"] for line in lines if line["event"] == "started"].count(name) < 2 for name in names[:2]):
        for child in children:
            child.look()
        time.sleep(0.05)
    for child in children:
        child.kill()
print(json.dumps([[line["event"], line["child"], line.get("status")] for line in lines]))
"""


@needs_linux
def test_child_that_spins_or_waits_for_itself_is_ended_and_started_again() -> None:
    """Real processes whose event loops hang: one uses a core all the time, one none at all. One that beats lives on."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", HANGING, "1.5", f"{PATIENCE_SECONDS:.0f}"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [event for event, child, _ in json.loads(done.stdout) if child == "beats"] == [
        "started",
        "did not stop in time, killed",
    ]
    for name in ("spins", "waits for itself"):
        told = [(event, status) for event, child, status in json.loads(done.stdout) if child == name]
        assert told[:4] == [
            ("started", None),
            ("not responding, killing it", None),
            ("ended unexpectedly, restarting", -signal.SIGKILL),
            ("started", None),
        ]
