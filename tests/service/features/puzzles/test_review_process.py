"""The process of a review ends with the process that asked for it, and when the review is cancelled."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import MatchId
from tafelrunde.service.features.coaching.findings import Findings
from tafelrunde.service.features.puzzles import review_process
from tafelrunde.service.matches.repository import Loaded
from tafelrunde.service.ports.events import GENESIS, Version, chain_over
from tests.service.features.records.test_record import NAME, REAL, story
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS

START = f"from {__name__} import start; start(lambda process: print(process.pid, flush=True))"


async def review_match(started: Callable[[subprocess.Popen[bytes]], object]) -> None:
    """Review a seat of a match, and call *started* with the process that does it."""
    told = story(next(case for case in REAL if case.game.id == GameId("coup")))
    loaded = Loaded(told.match, Version(len(told.entries)), chain_over(GENESIS, told.entries), told.entries)
    whole: Any = subprocess.Popen

    def popen(*args: Any, **kwargs: Any) -> subprocess.Popen[bytes]:
        process: subprocess.Popen[bytes] = whole(*args, **kwargs)
        started(process)
        return process

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(review_process.subprocess, "Popen", popen)
        await review_process.review(MatchId(NAME), loaded, Seat(0), Findings())


def start(started: Callable[[subprocess.Popen[bytes]], object]) -> None:
    """Review a match in this process."""
    asyncio.run(review_match(started))


async def cancel_review() -> int:
    """Cancel a review as soon as its process runs; return the exit code of that process."""
    running = asyncio.get_running_loop().create_future()
    review = asyncio.ensure_future(review_match(running.set_result))
    process = await running
    review.cancel()
    await asyncio.wait({review})
    assert review.cancelled()
    return await asyncio.to_thread(process.wait, PATIENCE_SECONDS)


def test_process_ends_when_its_review_is_cancelled() -> None:
    """It is killed, whatever it has come to."""
    assert asyncio.run(cancel_review()) == -signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="pidfd_open exists on Linux only")
def test_process_ends_with_the_one_that_asked() -> None:
    """The one that asked is killed, so it cannot end the process itself."""
    with subprocess.Popen([sys.executable, "-c", START], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        ended = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        try:
            assert select.select([ended], [], [], PATIENCE_SECONDS)[0] == [ended]
        finally:
            os.close(ended)


def test_rest_ends_the_process_without_the_one_that_asked() -> None:
    """With its parent it goes on."""
    review_process._rest(0, os.getppid())
    with pytest.raises(SystemExit):
        review_process._rest(0, os.getpid())
